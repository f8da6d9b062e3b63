// SPDX-License-Identifier: MIT
// The nodes on the way of each query, on the temporary disks: paths may be as long as the graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>

#include "core/base/function_ref.hpp"
#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/sssp/sssp.hpp"

namespace emgraph::graph::sssp {

/// Takes paths in any order, each from its target to its source. Hands them on in the order of the queries,
/// each from source to target.
///
/// I/O: 8 bytes per node, written once and read once. Memory: two blocks, later one; 16 bytes per query; the
/// block list. Threads: any number of `add`; else one. Throws: EnvironmentError, MemoryLimitError.
class QueryPaths {
 public:
  using Writer = core::RunWriter<std::uint64_t>;

  QueryPaths(core::Environment& environment, std::size_t queries);

  /// Most bytes of memory for so many queries.
  static std::uint64_t memory_bytes(const core::MemoryBudget& memory, std::uint64_t queries);
  /// Most bytes on the disks if each path has `nodes` nodes.
  static std::uint64_t disk_bytes(const core::MemoryBudget& memory, std::uint64_t queries,
                                  std::uint64_t nodes);

  /// Keeps the path of a query. `write`: gives its nodes to the writer, the target first. A query that has a
  /// path already gets this one.
  void add(std::size_t query, core::FunctionRef<void(Writer& writer)> write);
  /// Hands all paths on, in the order of the queries. To be called once, after the last path. `sink`: null
  /// takes nothing.
  void hand_to(PathSink* sink);

 private:
  struct Place {
    std::uint64_t first = 0;
    std::uint64_t nodes = 0;
  };
  void hand_to(PathSink& sink, const Place& path);
  std::span<std::uint64_t> load(std::size_t block);

  core::Environment& environment_;
  core::Array<Place> places_;
  std::mutex mutex_;  ///< guards writer_
  std::optional<Writer> writer_;
  core::Run<std::uint64_t> run_;
  core::Buffer block_;
  std::optional<std::size_t> loaded_;  ///< the block in block_
};

}  // namespace emgraph::graph::sssp
