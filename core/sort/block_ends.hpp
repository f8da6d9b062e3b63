// SPDX-License-Identifier: MIT
// The last records of the blocks of runs, by which a merge knows when it will need which block.
#pragma once

#include <cstddef>
#include <span>

namespace emgraph::core {

/// Of one run: the last record of each full block, in order. They lie in a ring.
template <class T>
class RunEnds {
 public:
  RunEnds() = default;
  explicit RunEnds(std::span<T> ring, std::size_t begin) : ring_(ring), begin_(begin) {}

  /// False: there was no room for them.
  bool known() const { return known_; }
  std::size_t size() const { return size_; }
  const T& operator[](std::size_t block) const { return ring_[place(block)]; }

 private:
  template <class>
  friend class BlockEnds;
  std::size_t place(std::size_t block) const { return (begin_ + block) % ring_.size(); }

  std::span<T> ring_;
  std::size_t begin_ = 0;
  std::size_t size_ = 0;
  bool known_ = true;
};

/// Keeps the ends of runs that are written one after the other and read in the same order, in `room`. Where
/// that is too small a run goes without.
template <class T>
class BlockEnds {
 public:
  BlockEnds(std::span<T> room, std::size_t block_records) : room_(room), block_records_(block_records) {}

  /// Records that are appended to the run being written.
  void append(std::span<const T> records) {
    std::size_t size_to_end = block_records_ - in_block_;
    for (; size_to_end <= records.size(); size_to_end += block_records_) add(records[size_to_end - 1]);
    in_block_ = block_records_ - (size_to_end - records.size());
  }
  /// The run is written.
  RunEnds<T> close() {
    const RunEnds<T> ends = open_;
    in_block_ = 0;
    open_ = RunEnds<T>(room_, room_.empty() ? 0 : (begin_ + used_) % room_.size());
    return ends;
  }
  /// The ends of the first run, or of what is left, are not needed any more.
  void drop(const RunEnds<T>& first) {
    if (!room_.empty()) begin_ = (begin_ + first.size()) % room_.size();
    used_ -= first.size();
  }

 private:
  void add(const T& record) {
    if (!open_.known_) return;
    if (used_ == room_.size()) {
      used_ -= open_.size_;
      open_.size_ = 0;
      open_.known_ = false;
      return;
    }
    room_[open_.place(open_.size_++)] = record;
    ++used_;
  }

  std::span<T> room_;
  std::size_t block_records_;
  std::size_t begin_ = 0;  ///< of the first run's in the ring
  std::size_t used_ = 0;
  std::size_t in_block_ = 0;
  RunEnds<T> open_{room_, 0};
};

}  // namespace emgraph::core
