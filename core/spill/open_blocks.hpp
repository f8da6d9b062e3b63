// SPDX-License-Identifier: MIT
// Distributes records of one width to chains: each chain has an open block, which is put to it when full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/spill/chain_writer.hpp"

namespace emgraph::core {

/// Chains `first`, `first` + `stride`, `first` + 2 `stride` …
struct ChainSeries {
  std::size_t first = 0;
  std::ptrdiff_t stride = 1;

  std::size_t operator[](std::size_t number) const {
    return first + static_cast<std::size_t>(stride) * number;  // wraps around for negative strides
  }
};

/// The open blocks of one thread: `add(i)` returns the place for the next record of chain number i of a
/// series.
///
/// Memory: a buffer of the store for each chain that has records; 24 bytes for each chain, not charged.
/// Threads: one; several threads may fill the same chains, each with its own open blocks. Throws: as
/// ChainWriter.
class OpenBlocks {
 public:
  /// A record has `record_bytes`. A store of a record may also write `slack_bytes` after it, which the next
  /// record overwrites.
  OpenBlocks(ChainWriter& writer, ChainSeries series, std::size_t chains, std::size_t record_bytes,
             std::size_t slack_bytes = 0)
      : writer_(writer),
        series_(series),
        record_bytes_(record_bytes),
        filled_bytes_((writer.block_bytes() - slack_bytes) / record_bytes * record_bytes),
        open_(chains) {}
  OpenBlocks(const OpenBlocks&) = delete;
  /// Drops records that were not passed on.
  ~OpenBlocks() {
    for (const Open& open : open_) {
      if (open.begin != nullptr) writer_.give_back(open.begin);
    }
  }

  std::byte* add(std::size_t number) {
    Open& open = open_[number];
    if (open.at == open.end) [[unlikely]]
      start_block(number);
    return std::exchange(open.at, open.at + record_bytes_);
  }
  /// Passes on the records of a chain. Call it before the chain is read.
  void finish(std::size_t number);
  void finish() {
    for (std::size_t number = 0; number < open_.size(); ++number) finish(number);
  }

 private:
  struct Open {
    std::byte* at = nullptr;
    std::byte* end = nullptr;
    std::byte* begin = nullptr;
  };
  void start_block(std::size_t number);

  ChainWriter& writer_;
  const ChainSeries series_;
  const std::size_t record_bytes_;
  const std::size_t filled_bytes_;
  std::vector<Open> open_;
};

}  // namespace emgraph::core
