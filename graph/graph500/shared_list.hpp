// SPDX-License-Identifier: MIT
// A list that several threads fill at once.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/memory/growing_array.hpp"

namespace emgraph::graph::graph500 {

/// Elements in any order. Memory: charged as it grows, kept when the list is cleared.
template <class T>
class SharedList {
 public:
  SharedList(core::MemoryBudget& budget, std::uint64_t most, std::string_view what)
      : places_(budget, most, what) {}

  std::uint64_t size() const { return size_.load(std::memory_order_relaxed); }
  const T& operator[](std::uint64_t i) const { return places_[i]; }
  void clear() { size_.store(0, std::memory_order_relaxed); }
  void push(const T& element) {
    Writer writer(*this);
    writer.push(element);
    writer.finish();
  }

  /// A thread's access: elements reach the list in groups, the last ones with finish(). Throws
  /// MemoryLimitError.
  class Writer {
   public:
    explicit Writer(SharedList& list) : list_(list) {}
    Writer(const Writer&) = delete;

    void push(const T& element) {
      group_[count_] = element;
      if (++count_ == group_.size()) finish();
    }
    void finish() {
      const std::size_t count = count_;
      count_ = 0;
      if (count == 0) return;
      const std::uint64_t at = list_.size_.fetch_add(count, std::memory_order_relaxed);
      list_.places_.reach(at + count);
      std::copy_n(group_.data(), count, &list_.places_[at]);
    }

   private:
    SharedList& list_;
    std::array<T, 128> group_;
    std::size_t count_ = 0;
  };

 private:
  core::GrowingArray<T> places_;
  std::atomic<std::uint64_t> size_{0};
};

}  // namespace emgraph::graph::graph500
