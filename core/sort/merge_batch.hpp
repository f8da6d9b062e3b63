// SPDX-License-Identifier: MIT
// Merges many sorted sequences batch by batch; sorts the batch if that is faster than merging.
//
// Problem: deliver the smallest records of k sorted sequences in batches of about `capacity` records.
// Method: the window of a sequence is its first capacity / k records. The bound is the least of the last
// records of all windows. The records up to the bound in all windows are the smallest records of all
// sequences. They are found by binary search and merged two by two. Unsigned integers are copied and sorted
// by vqsort, whose cost does not grow with k. Invariants: a round delivers at least one whole window, or all
// remaining records. Rounds are repeated until the batch is half full, which bounds the cost of the k
// searches per record for every input. Equal records of different rounds leave in any order, equal records of
// a round in the order of the sources. Measured: merging 64 Ki records in 64 pieces: u64 by vqsort 303 M/s,
// pairwise 91, loser tree 30; u32 487, 92, 60; 16 bytes pairwise 74, loser tree 26 (EPYC, CPU time on a
// loaded machine, tests/bench/queue.bench.cpp). Bounded rounds: Bingmann, Keh, Sanders (2015), "A
// bulk-parallel priority queue in external memory with STXXL", doi 10.1007/978-3-319-20086-6_3.
//
// I/O: waits for the next block of a run when the block in memory is exhausted.
// Memory: about 64 bytes per sequence, not charged; the blocks belong to the readers.
// Threads: one user.
// Throws: EnvironmentError of the readers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/block/run.hpp"
#include "core/sort/merge_pairwise.hpp"
#include "core/sort/run_formation.hpp"

namespace emgraph::core {

/// A sorted sequence: its part in memory, and the reader of the rest on disk (null: there is no rest).
/// A Reader has `next` and `unread` of RunReader.
template <class T, class Reader = RunReader<T>>
struct MergeSource {
  std::span<const T> window;
  Reader* reader = nullptr;

  bool more_on_disk() const { return reader != nullptr && reader->unread() > 0; }
  bool exhausted() const { return window.empty() && !more_on_disk(); }
  std::uint64_t records() const { return window.size() + (reader == nullptr ? 0 : reader->unread()); }
};

/// Merges the fronts of a changing set of sources.
template <class T, class Less, class Reader = RunReader<T>>
class BatchMerger {
 public:
  using Source = MergeSource<T, Reader>;
  explicit BatchMerger(Less less) : less_(less), pairwise_(less) {}

  /// Moves the smallest records of the `sources` to `out`, in order, and returns their number: at least half
  /// of out.size(), or all records. Requires: out.size() >= 2 * sources.size(); spare is as large as out,
  /// or empty if vector_sortable<T, Less>.
  std::size_t merge(std::span<Source* const> sources, std::span<T> out, std::span<T> spare) {
    if (out.size() < 2 * sources.size()) throw std::logic_error("more sequences than a batch can merge");
    active_.assign(sources.begin(), sources.end());
    std::size_t filled = 0;
    while (filled <= out.size() / 2) {
      if (!load_windows()) break;
      filled += merge_round(out.subspan(filled), spare);
    }
    return filled;
  }

 private:
  bool load_windows() {
    std::erase_if(active_, [](Source* source) {
      if (source->window.empty() && source->more_on_disk()) source->window = source->reader->next();
      return source->window.empty();
    });
    return !active_.empty();
  }

  std::size_t merge_round(std::span<T> out, std::span<T> spare) {
    const std::size_t share = std::max<std::size_t>(1, out.size() / active_.size());
    const T* bound = nullptr;
    for (const Source* source : active_) {
      const std::size_t seen = std::min(share, source->window.size());
      if (seen == source->window.size() && !source->more_on_disk()) continue;
      const T* last = &source->window[seen - 1];
      if (bound == nullptr || less_(*last, *bound)) bound = last;
    }
    pieces_.clear();
    for (Source* source : active_) {
      std::span<const T> piece = source->window.first(std::min(share, source->window.size()));
      if (bound != nullptr && less_(*bound, piece.back())) {
        piece = piece.first(static_cast<std::size_t>(
            std::upper_bound(piece.begin(), piece.end(), *bound, less_) - piece.begin()));
      }
      if (piece.empty()) continue;
      source->window = source->window.subspan(piece.size());
      pieces_.push_back(piece);
    }
    return merge_pieces(out, spare);
  }

  std::size_t merge_pieces(std::span<T> out, [[maybe_unused]] std::span<T> spare) {
    if constexpr (vector_sortable<T, Less>) {
      std::size_t filled = 0;
      for (const std::span<const T> piece : pieces_) {
        std::memcpy(out.data() + filled, piece.data(), piece.size() * sizeof(T));
        filled += piece.size();
      }
      if (pieces_.size() > 1) sort_records(out.first(filled), less_);
      return filled;
    } else {
      return pairwise_.merge(pieces_, out, spare);
    }
  }

  Less less_;
  PairwiseMerger<T, Less> pairwise_;
  std::vector<Source*> active_;
  std::vector<std::span<const T>> pieces_;
};

}  // namespace emgraph::core
