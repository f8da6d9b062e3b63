// SPDX-License-Identifier: MIT
// Records of one width spread over chains: an open block for each, put to its chain when it is full.
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

/// One thread's open blocks: `add(i)` is the place of the next record for chain number i of a series.
///
/// Memory: a buffer of the store's for each chain that has got a record, 24 bytes for each chain, not
/// charged. Threads: one; several may fill the same chains, each with open blocks of its own. Throws: as
/// ChainWriter.
class OpenBlocks {
 public:
  /// A record takes `record_bytes` and may be stored with `slack_bytes` behind it, which the next one
  /// overwrites.
  OpenBlocks(ChainWriter& writer, ChainSeries series, std::size_t chains, std::size_t record_bytes,
             std::size_t slack_bytes = 0)
      : writer_(writer),
        series_(series),
        record_bytes_(record_bytes),
        filled_bytes_((writer.block_bytes() - slack_bytes) / record_bytes * record_bytes),
        open_(chains) {}
  OpenBlocks(const OpenBlocks&) = delete;
  /// What has not been handed on is lost.
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
  /// Hands on what has come for a chain; to be called before it is read.
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
