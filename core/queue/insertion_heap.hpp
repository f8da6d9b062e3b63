// SPDX-License-Identifier: MIT
// The insertion heap of the sequence heap: the few new records that precede the last of the deletion buffer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace emgraph::core {

/// A binary min-heap by Less in the caller's storage. push and pop: O(log size) comparisons, no I/O; they do
/// not throw.
template <class T, class Less>
class InsertionHeap {
 public:
  InsertionHeap(std::span<T> storage, Less less) : storage_(storage), after_{less} {}

  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == storage_.size(); }
  std::size_t size() const { return size_; }
  /// Requires: not empty.
  const T& top() const { return storage_[0]; }

  /// Requires: not full.
  void push(const T& record) {
    storage_[size_++] = record;
    std::push_heap(storage_.data(), storage_.data() + size_, after_);
  }
  /// Requires: not empty.
  void pop() {
    std::pop_heap(storage_.data(), storage_.data() + size_, after_);
    --size_;
  }

  /// All records in any order. The caller may reorder them, and must then call clear().
  std::span<T> records() const { return storage_.first(size_); }
  void clear() { size_ = 0; }

 private:
  struct After {
    Less less;
    bool operator()(const T& a, const T& b) const { return less(b, a); }
  };

  std::span<T> storage_;
  std::size_t size_ = 0;
  After after_;
};

}  // namespace emgraph::core
