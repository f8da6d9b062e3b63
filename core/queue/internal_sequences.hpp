// SPDX-License-Identifier: MIT
// The insertion buffer and the sorted sequences of the sequence heap in memory, in one array.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/sort/merge_batch.hpp"
#include "core/sort/merge_pairwise.hpp"
#include "core/sort/run_formation.hpp"

namespace emgraph::core {

/// Layout of the array: sorted sequences, one after another | insertion buffer, unsorted, at most `chunk`
/// records | free. Records leave a sequence at its front only, so the last sequence is adjacent to the
/// insertion buffer. When a sequence is made, it and the one before it together exceed `chunk`; so there are
/// at most 2 * arena / chunk + 2 sequences.
template <class T, class Less>
class InternalSequences {
 public:
  /// `spare`: scratch space for at least `chunk` records, used only during seal and compact.
  InternalSequences(std::span<T> arena, std::span<T> spare, std::size_t chunk, Less less)
      : arena_(arena),
        spare_(spare),
        chunk_(chunk),
        less_(less),
        begin_(arena.data()),
        position_(arena.data()) {
    sequences_.reserve(most_sequences(arena.size(), chunk));
    open_chunk();
  }

  static constexpr std::size_t most_sequences(std::size_t arena, std::size_t chunk) {
    return 2 * arena / chunk + 2;
  }

  /// True when end_chunk() must precede the next append; compact() too if arena_full().
  bool chunk_full() const { return position_ == limit_; }
  /// Requires: !chunk_full().
  void append(const T& record) { *position_++ = record; }

  /// True when the array has no room even after end_chunk().
  bool arena_full() const { return position_ == arena_.data() + arena_.size(); }
  std::size_t capacity() const { return arena_.size(); }

  /// Sorts the insertion buffer. It becomes a new sequence; if it and the last sequence are small, they are
  /// merged.
  void end_chunk() {
    if (position_ != begin_) {
      sort_records(std::span<T>(begin_, position_), less_);
      add(begin_, position_);
      begin_ = position_;
    }
    open_chunk();
  }

  std::size_t records() const {
    auto total = static_cast<std::size_t>(position_ - begin_);
    for (const MergeSource<T>& sequence : sequences_) total += sequence.window.size();
    return total;
  }

  std::vector<MergeSource<T>>& sequences() { return sequences_; }

  /// Forgets sequences without records. Requires: the insertion buffer is sealed.
  void drop_exhausted() {
    std::erase_if(sequences_, [](const MergeSource<T>& sequence) { return sequence.window.empty(); });
    begin_ = position_ = sequences_.empty() ? arena_.data() : last_begin() + sequences_.back().window.size();
    open_chunk();
  }

  /// Moves all sequences to the start of the array. Requires: the insertion buffer is sealed.
  void compact() {
    old_.swap(sequences_);
    sequences_.clear();
    T* out = arena_.data();
    for (const MergeSource<T>& sequence : old_) {
      T* const end = std::move(sequence.window.begin(), sequence.window.end(), out);
      if (end != out) add(out, end);
      out = end;
    }
    begin_ = position_ = out;
    open_chunk();
  }

 private:
  void open_chunk() {
    const auto room = static_cast<std::size_t>(arena_.data() + arena_.size() - begin_);
    limit_ = begin_ + std::min(chunk_, room);
  }

  /// Adds the sorted records [begin, end) as a sequence, or merges them into the last one if both are small.
  void add(T* begin, T* end) {
    if (joins(end - begin)) {
      T* const middle = begin;
      begin = last_begin();
      sequences_.pop_back();
      T* const spare_end = merge_two(begin, middle, middle, end, spare_.data(), less_);
      std::copy(spare_.data(), spare_end, begin);
    }
    sequences_.push_back({std::span<const T>(begin, end), nullptr});
  }
  bool joins(std::ptrdiff_t records) const {
    return !sequences_.empty() && sequences_.back().window.size() + records <= chunk_;
  }
  T* last_begin() const { return arena_.data() + (sequences_.back().window.data() - arena_.data()); }

  std::span<T> arena_;
  std::span<T> spare_;
  std::size_t chunk_;
  Less less_;
  T* begin_;     ///< first record of the insertion buffer
  T* position_;  ///< end of the insertion buffer
  T* limit_ = nullptr;
  std::vector<MergeSource<T>> sequences_;
  std::vector<MergeSource<T>> old_;
};

}  // namespace emgraph::core
