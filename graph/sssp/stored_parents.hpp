// SPDX-License-Identifier: MIT
// A parent per node on the disks, to follow the paths of queries.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::sssp {

/// Takes the parents of all nodes in their order; then finds those of single nodes.
///
/// I/O: writes the parents once; a read of 16 KiB for a node that is in none of the blocks in memory. Memory:
/// 64 KiB, and 4.5 bytes per block. Threads: one. Throws: EnvironmentError, MemoryLimitError.
template <class Id>
class StoredParents final : public NodeSink<Id> {
 public:
  explicit StoredParents(core::Environment& environment)
      : environment_(environment),
        writer_(std::in_place, environment, block_bytes, 2, std::span<std::byte>{}, 16) {}

  void append(std::span<const Id> parents) override { writer_->append(parents); }
  /// To be called after the last parent.
  void finish() {
    run_ = writer_->finish();
    writer_.reset();
    memory_ = core::Buffer(environment_.memory, places * block_bytes, "blocks of parents");
    blocks_.fill(~std::uint64_t{0});
  }
  /// Requires: finish() was called; the node has a parent.
  Id of(std::uint64_t node) {
    const std::uint64_t block = node / block_nodes;
    const auto place = static_cast<std::size_t>(block % places);
    const std::span<std::byte> bytes = memory_.bytes().subspan(place * block_bytes, block_bytes);
    if (blocks_[place] != block) {
      const auto index = static_cast<std::size_t>(block);
      run_.blocks.read(index, bytes.first(run_.blocks[index].bytes))->wait();
      blocks_[place] = block;
    }
    return reinterpret_cast<const Id*>(bytes.data())[node % block_nodes];
  }

 private:
  static constexpr std::size_t block_bytes = 16 * core::KiB;
  static constexpr std::size_t places = 4;
  static constexpr std::uint64_t block_nodes = block_bytes / sizeof(Id);

  core::Environment& environment_;
  std::optional<core::RunWriter<Id>> writer_;
  core::Run<Id> run_;
  core::Buffer memory_;
  std::array<std::uint64_t, places> blocks_{};  ///< the block in each place of the memory
};

}  // namespace emgraph::graph::sssp
