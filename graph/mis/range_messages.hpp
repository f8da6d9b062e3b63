// SPDX-License-Identifier: MIT
// Messages to nodes of later ranges: spilled to one chain of blocks per range, and read range by range.
//
// Problem: one bit per node does not fit into memory.
// Method: nodes are divided into ranges whose bits fit. A message to a node of the current range sets its bit
// at once. A message to a later range is appended, as a 4-byte offset, to the blocks of that range, and sets
// its bit when the range becomes current. This is time-forward processing with a queue that sorts messages by
// range only.
//
// I/O: writes and reads 4 bytes per message that leaves its range and does not stay in memory.
// Memory: range_nodes / 8 + the pool of blocks, as planned. Threads: one. Throws: MemoryLimitError,
// EnvironmentError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/environment.hpp"
#include "core/io/state_stream.hpp"
#include "core/spill/block_store.hpp"
#include "core/spill/open_blocks.hpp"
#include "graph/node_bits.hpp"

namespace emgraph::graph::mis {

/// Sizes of a RangeMessages.
struct MessageRanges {
  std::uint64_t range_nodes = 0;
  std::size_t ranges = 0;
  std::size_t block_bytes = 0;
  std::size_t pool_bytes = 0;

  /// Divides `memory_bytes` for `nodes` nodes; nullopt if there would be too many ranges.
  static std::optional<MessageRanges> make(std::uint64_t nodes, std::size_t memory_bytes);
};

class RangeMessages {
 public:
  /// `state`: what save() has written, with the same plan except its pool; null: no message was sent.
  RangeMessages(core::Environment& environment, std::uint64_t nodes, const MessageRanges& plan,
                core::StateReader* state = nullptr);
  RangeMessages(const RangeMessages&) = delete;

  std::uint64_t range_begin() const { return begin_; }
  std::uint64_t range_end() const { return end_; }

  /// True if a node of the current range has a message.
  bool test(std::uint64_t node) const { return bits_.test(node - begin_); }
  /// Sends a message to a node of the current or a later range.
  void send(std::uint64_t node) {
    if (node < end_) {
      bits_.set(node - begin_);
    } else {
      spill(node);
    }
  }
  /// Calls `take(node)` for every node of the current range without a message, ascending.
  template <class Take>
  void for_each_without(Take&& take) const {
    const std::uint64_t here = end_ - begin_;
    bits_.for_each_zero([&](std::uint64_t offset) {
      if (offset < here) take(begin_ + offset);
    });
  }
  /// The number of these nodes.
  std::uint64_t count_without() const { return bits_.zeros_below(end_ - begin_); }
  /// Moves to the next range. Requires: range_end() < nodes.
  void next_range();

  /// Writes all messages to disk, and describes them. The blocks must be kept.
  void save(core::StateWriter& to);

 private:
  void spill(std::uint64_t node);

  const std::uint64_t nodes_;
  const MessageRanges plan_;
  core::BlockStore store_;
  NodeBits bits_;
  core::OpenBlocks open_;
  std::size_t range_ = 0;
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace emgraph::graph::mis
