// SPDX-License-Identifier: MIT
// The last records of the blocks of runs. From them follows the order in which a merge needs the blocks.
#pragma once

#include <cstddef>
#include <span>

namespace emgraph::core {

/// The last record of each full block of one run, in order, stored in a ring.
template <class T>
class RunEnds {
 public:
  RunEnds() = default;
  explicit RunEnds(std::span<T> ring, std::size_t begin) : ring_(ring), begin_(begin) {}

  /// False: there was no space for them.
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

/// Keeps the ends of runs in `room`. Runs are written one after another and read in the same order. If there
/// is no space for the ends of a run, they are not kept.
template <class T>
class BlockEnds {
 public:
  BlockEnds(std::span<T> room, std::size_t block_records) : room_(room), block_records_(block_records) {}

  /// Takes records that are appended to the current run.
  void append(std::span<const T> records) {
    std::size_t size_to_end = block_records_ - in_block_;
    for (; size_to_end <= records.size(); size_to_end += block_records_) add(records[size_to_end - 1]);
    in_block_ = block_records_ - (size_to_end - records.size());
  }
  /// Ends the current run and returns its ends.
  RunEnds<T> close() {
    const RunEnds<T> ends = open_;
    in_block_ = 0;
    open_ = RunEnds<T>(room_, room_.empty() ? 0 : (begin_ + used_) % room_.size());
    return ends;
  }
  /// Frees the ends of the first run that is still kept.
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
  std::size_t begin_ = 0;  ///< begin of the first run's ends in the ring
  std::size_t used_ = 0;
  std::size_t in_block_ = 0;
  RunEnds<T> open_{room_, 0};
};

}  // namespace emgraph::core
