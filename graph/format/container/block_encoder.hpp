// SPDX-License-Identifier: MIT
// Encodes rows as container blocks on several threads, and returns the blocks in order.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "core/environment.hpp"
#include "core/io/codec.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/container/container_layout.hpp"
#include "graph/format/source/fact_check.hpp"

namespace emgraph::graph::format {

/// A block under construction.
struct BlockWork {
  core::Buffer rows;      ///< in the file's layout
  std::size_t edges = 0;  ///< number of rows
  std::uint64_t first_edge = 0;
  bool last = false;  ///< the last block of the file needs no padding to a page
  BlockSummary summary;
  BlockHead head;
  std::span<const std::byte> payload;
  std::size_t padding_bytes = 0;
};

/// The caller fills `rows`. A worker checks the facts, encodes the block and computes its checksum. `write`
/// gets the blocks in order, in the caller's thread. Method: a ring of slots with a block each, one slot more
/// than threads. If all slots are in use, the caller waits for the oldest. The slots take at most a quarter
/// of the free memory; fewer slots mean fewer threads and the same blocks. With one thread, or with codec
/// none (encoding is cheaper than passing the block to a worker), the caller's thread does all work in a
/// single slot.
class BlockEncoder {
 public:
  BlockEncoder(core::Environment& environment, const EdgeFacts& facts, const core::CodecChoice& codec,
               std::size_t block_edges, std::size_t alignment, std::function<void(const BlockWork&)> write);
  ~BlockEncoder();
  BlockEncoder(const BlockEncoder&) = delete;

  /// The block to fill. Throws the exception of a worker.
  BlockWork& current() { return slots_[current_]->work; }
  /// Passes the current block to a worker and goes to the next one.
  void submit();
  /// Waits for all submitted blocks.
  void drain();

 private:
  struct Slot {
    BlockWork work;
    std::unique_ptr<core::PairEncoder> encoder;
    bool busy = false;
    bool done = false;
    std::exception_ptr error;
  };
  void process(Slot& slot) const;
  void work(std::stop_token stop);
  void retire(Slot& slot);

  core::Trace* const trace_;
  const EdgeFacts facts_;
  const std::size_t alignment_;
  const std::function<void(const BlockWork&)> write_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::size_t current_ = 0;
  std::mutex mutex_;
  std::condition_variable_any ready_;
  std::condition_variable finished_;
  std::deque<Slot*> queue_;
  std::vector<std::jthread> workers_;  // last member: stopped before the others are destroyed
};

}  // namespace emgraph::graph::format
