// SPDX-License-Identifier: MIT
// One word per node on the temporary disks, in node order.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/bytes.hpp"
#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "graph/node_space.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph {

/// Integers, or the bits of doubles. Read by core::RunReader, core::RunCursor.
using NodeWords = core::Run<std::uint64_t>;

/// Writes words in node order. Word: the type that a solver sends. I/O: each once. Memory: two blocks of 16
/// KiB, of 256 KiB if there is much. Threads: one. Throws: EnvironmentError, MemoryLimitError.
template <class Word>
class NodeWordSink final : public NodeSink<Word> {
 public:
  explicit NodeWordSink(core::Environment& environment)
      : environment_(environment),
        writer_(environment, environment.memory.limit() < 64 * core::MiB ? 16 * core::KiB : 256 * core::KiB) {
  }
  void expect(std::uint64_t nodes) override {
    require_node_space(environment_, nodes, core::size_product(nodes, sizeof(std::uint64_t)));
  }
  void append(std::span<const Word> words) override {
    for (const Word word : words) writer_.push(word);
  }
  NodeWords finish() { return writer_.finish(); }

 private:
  core::Environment& environment_;
  core::RunWriter<std::uint64_t> writer_;
};

}  // namespace emgraph::graph
