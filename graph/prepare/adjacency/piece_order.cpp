// SPDX-License-Identifier: MIT
// Orders the neighbours within a piece of rows.
#include "graph/prepare/adjacency/piece_order.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/parallel.hpp"

namespace emgraph::graph::adjacency {
namespace {

constexpr std::size_t parts_per_thread = 4;

/// The pieces that move, cycle by cycle. Each one goes to the place of the next of its cycle, the last one to
/// that of the first. Threads take parts of equal length; a part's share of a cycle is a run.
class PieceCycles {
 public:
  PieceCycles(core::MemoryBudget& memory, unsigned threads, std::span<std::uint32_t> target,
              std::span<const PieceArray> arrays)
      : threads_(threads),
        part_(target.size() / threads / parts_per_thread + 1),
        arrays_(arrays),
        order_(memory, target.size(), "the order of pieces") {
    for (const PieceArray& array : arrays) saved_bytes_ += array.piece_bytes;
    for (std::size_t first = 0; first < target.size(); ++first) {
      std::uint32_t mark = first_of_cycle;
      for (std::size_t at = first; target[at] != at;) {
        if (count_ % part_ == 0) cycle_of_part_.push_back(static_cast<std::uint32_t>(first));
        order_[count_++] = static_cast<std::uint32_t>(at) | std::exchange(mark, 0U);
        at = std::exchange(target[at], static_cast<std::uint32_t>(at));
      }
    }
    saved_ = core::Buffer(memory, (2 * cycle_of_part_.size() + threads) * saved_bytes_, "saved pieces");
  }

  void move() {
    for (std::size_t part = 0; part < cycle_of_part_.size(); ++part) {
      for_runs(part, [&](const Run& run) {
        if (!run.whole_cycle) save(piece(run.begin), run.slot);
      });
    }
    std::atomic<std::size_t> next{0};
    core::run_on_threads(threads_, [&](unsigned thread) {
      const std::size_t own_slot = 2 * cycle_of_part_.size() + thread;
      for (std::size_t part; (part = next.fetch_add(1, std::memory_order_relaxed)) < cycle_of_part_.size();) {
        for_runs(part, [&](Run run) {
          if (run.whole_cycle) save(piece(run.begin), run.slot = own_slot);
          move_run(run);
        });
      }
    });
  }

 private:
  static constexpr std::uint32_t first_of_cycle = std::uint32_t{1} << 31;

  /// Pieces [begin, end) of the order.
  struct Run {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t last_place = 0;  ///< for the last piece
    std::size_t slot = 0;        ///< where its first piece is saved
    bool whole_cycle = false;
  };

  std::size_t piece(std::size_t i) const { return order_[i] & ~first_of_cycle; }
  bool starts_cycle(std::size_t i) const { return (order_[i] & first_of_cycle) != 0; }

  template <class Use>
  void for_runs(std::size_t part, Use&& use) const {
    const std::size_t part_begin = part * part_;
    const std::size_t part_end = std::min(part_begin + part_, count_);
    for (Run run{.begin = part_begin}; run.begin < part_end; run.begin = run.end) {
      run.end = run.begin + 1;
      while (run.end < part_end && !starts_cycle(run.end)) ++run.end;
      const bool starts = starts_cycle(run.begin);
      const bool ends = run.end == count_ || starts_cycle(run.end);
      run.whole_cycle = starts && ends;
      run.last_place = !ends ? piece(run.end) : starts ? piece(run.begin) : cycle_of_part_[part];
      run.slot = 2 * part + (run.begin == part_begin ? 0 : 1);
      use(run);
    }
  }

  void save(std::size_t from, std::size_t slot) const {
    std::byte* to = saved_.data() + slot * saved_bytes_;
    for (const PieceArray& array : arrays_) {
      std::memcpy(to, array.data + from * array.piece_bytes, array.piece_bytes);
      to += array.piece_bytes;
    }
  }
  void move_run(const Run& run) const {
    std::size_t place = run.last_place;
    for (std::size_t i = run.end - 1; i > run.begin; --i) {
      const std::size_t from = piece(i);
      for (const PieceArray& array : arrays_) {
        std::memcpy(array.data + place * array.piece_bytes, array.data + from * array.piece_bytes,
                    array.piece_bytes);
      }
      place = from;
    }
    const std::byte* from = saved_.data() + run.slot * saved_bytes_;
    for (const PieceArray& array : arrays_) {
      std::memcpy(array.data + place * array.piece_bytes, from, array.piece_bytes);
      from += array.piece_bytes;
    }
  }

  const unsigned threads_;
  const std::size_t part_;  // pieces of a part
  const std::span<const PieceArray> arrays_;
  core::Array<std::uint32_t> order_;
  std::size_t count_ = 0;                     // of pieces that move
  std::vector<std::uint32_t> cycle_of_part_;  // first piece of the cycle that the part begins in
  std::size_t saved_bytes_ = 0;
  core::Buffer saved_;  // the first and the last run of each part; then a whole cycle of each thread
};

}  // namespace

std::uint64_t permute_pieces_bytes(std::uint64_t pieces, std::size_t piece_bytes, unsigned threads) {
  const std::uint64_t saved = (2 * (parts_per_thread * threads + 1) + threads) * piece_bytes;
  return core::size_sum(pieces * sizeof(std::uint32_t), saved, 2 * core::page_bytes);
}

void permute_pieces(core::MemoryBudget& memory, unsigned threads, std::span<std::uint32_t> target,
                    std::span<const PieceArray> arrays) {
  PieceCycles(memory, threads, target, arrays).move();
}

}  // namespace emgraph::graph::adjacency
