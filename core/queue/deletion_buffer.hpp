// SPDX-License-Identifier: MIT
// The deletion buffer of the sequence heap: the smallest records, sorted, removed from the front.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace emgraph::core {

/// A sorted window [first, last) of a fixed array. Records are removed at the front. Sorted batches are
/// merged into the free space before it. The back half can be cut off to make room.
template <class T, class Less>
class DeletionBuffer {
 public:
  DeletionBuffer(std::span<T> storage, Less less)
      : storage_(storage), less_(less), first_(storage.data()), last_(storage.data()) {}

  bool empty() const { return first_ == last_; }
  std::size_t size() const { return static_cast<std::size_t>(last_ - first_); }
  const T& front() const { return *first_; }
  const T& back() const { return last_[-1]; }
  void pop_front() { ++first_; }
  void pop_front(std::size_t count) { first_ += count; }
  std::span<const T> records() const { return {first_, last_}; }

  /// The whole array. The caller fills it with sorted records and then calls filled(count). Requires: empty.
  std::span<T> storage() const { return storage_; }
  void filled(std::size_t count) {
    first_ = storage_.data();
    last_ = first_ + count;
  }

  /// True when `count` records more fit.
  bool fits(std::size_t count) const { return size() + count <= storage_.size(); }

  /// Merges sorted records in. Requires: fits(records.size()). Cost: linear in the number of records before
  /// the greatest new one; all records move to the end of the array once per half an array of merged records.
  void merge_in(std::span<const T> records) {
    if (static_cast<std::size_t>(first_ - storage_.data()) < records.size()) {
      T* const end = storage_.data() + storage_.size();
      first_ = std::move_backward(first_, last_, end);
      last_ = end;
    }
    T* out = first_ - records.size();
    const T* in = first_;
    first_ = out;
    for (const T& record : records) {
      while (in != last_ && !less_(record, *in)) *out++ = *in++;
      *out++ = record;
    }
  }

  /// Removes and returns the greater half. The span is valid until the next merge_in. Requires: size() >= 2.
  std::span<const T> cut_back() {
    T* const end = last_;
    last_ = first_ + size() / 2;
    return {last_, end};
  }

 private:
  std::span<T> storage_;
  Less less_;
  T* first_;
  T* last_;
};

}  // namespace emgraph::core
