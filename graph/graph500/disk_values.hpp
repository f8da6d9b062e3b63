// SPDX-License-Identifier: MIT
// One value per node on the temporary disks: written and read in node order, and loaded by the piece.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::graph500 {

/// Block size of runs that lie beside other users of the memory: 1/64 of it, 4 KiB to 1 MiB.
inline std::size_t run_block_bytes(const core::MemoryBudget& memory) {
  const std::size_t share = std::clamp<std::size_t>(memory.available() / 64, core::page_bytes, core::MiB);
  return std::bit_floor(share);
}

/// Values of nodes 0, 1, 2 …, a run for each piece of 2^piece_bits nodes. Movable.
template <class T>
struct DiskValues {
  unsigned piece_bits = 0;
  std::vector<core::Run<T>> pieces;

  /// Reads the values of a piece into `out`, which is large enough. Returns their number.
  std::size_t load(core::Environment& environment, std::size_t piece, std::span<T> out) const {
    core::RunReader<T> reader(environment, pieces[piece]);
    std::size_t count = 0;
    for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
      std::copy(batch.begin(), batch.end(), out.begin() + static_cast<std::ptrdiff_t>(count));
      count += batch.size();
    }
    return count;
  }
};

/// Writes values in node order. `Word`: the type that a solver sends, of the same bits as `T`.
/// I/O: each value once. Memory: two blocks, charged. Throws: EnvironmentError, MemoryLimitError.
template <class T, class Word = T>
class DiskValuesWriter final : public NodeSink<Word> {
 public:
  DiskValuesWriter(core::Environment& environment, unsigned piece_bits)
      : environment_(environment), block_bytes_(run_block_bytes(environment.memory)) {
    values_.piece_bits = piece_bits;
    writer_.emplace(environment, block_bytes_);
  }

  void push(T value) {
    if (writer_->records() >> values_.piece_bits != 0) {
      end_piece();
      writer_.emplace(environment_, block_bytes_);
    }
    writer_->push(value);
  }
  void append(std::span<const Word> words) override {
    for (const Word word : words) push(std::bit_cast<T>(word));
  }
  /// Requires: a value was written.
  DiskValues<T> finish() {
    end_piece();
    return std::move(values_);
  }

 private:
  void end_piece() {
    values_.pieces.push_back(writer_->finish());
    writer_.reset();
  }

  core::Environment& environment_;
  const std::size_t block_bytes_;
  DiskValues<T> values_;
  std::optional<core::RunWriter<T>> writer_;
};

/// Reads all values in node order. I/O: each value once. Memory: two blocks.
template <class T>
class DiskValuesReader {
 public:
  DiskValuesReader(core::Environment& environment, const DiskValues<T>& values)
      : environment_(environment), values_(values) {}

  /// The value of the next node. Requires: there is one.
  T take() {
    while (batch_.empty()) {
      if (reader_) batch_ = reader_->next();
      if (!batch_.empty()) break;
      reader_.reset();
      reader_.emplace(environment_, values_.pieces[next_piece_++]);
    }
    const T value = batch_.front();
    batch_ = batch_.subspan(1);
    return value;
  }

 private:
  core::Environment& environment_;
  const DiskValues<T>& values_;
  std::optional<core::RunReader<T>> reader_;
  std::span<const T> batch_;
  std::size_t next_piece_ = 0;
};

}  // namespace emgraph::graph::graph500
