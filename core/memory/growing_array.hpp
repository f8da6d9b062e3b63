// SPDX-License-Identifier: MIT
// An array that grows in place, charged to the budget: for lengths that are not known beforehand.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/base/bytes.hpp"
#include "core/memory/budget.hpp"
#include "core/memory/buffer.hpp"
#include "core/memory/mapping.hpp"

namespace emgraph::core {

/// Zero-initialised trivially copyable elements that never move. Threads: any number may call `reach` at
/// once. Memory: sizeof(T) per element reached, in steps of an eighth. Throws: the constructor
/// EnvironmentError.
template <class T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// `most`: upper bound of the number of elements. It takes address space, no memory. Elements beyond the
  /// limit of the budget get no address space, which is limited too (ThreadSanitizer refuses 16 TiB).
  GrowingArray(MemoryBudget& budget, std::uint64_t most, std::string_view what)
      : space_(budget.huge_pages(), space_bytes(most, budget.limit()), Mapping::Kind::growing, what),
        most_(most),
        what_(what),
        budget_(budget) {}

  std::uint64_t size() const { return size_.load(std::memory_order_acquire); }
  T* data() const { return reinterpret_cast<T*>(space_.data()); }
  T& operator[](std::uint64_t i) const { return data()[i]; }

  /// Makes elements 0 … size - 1 usable. Throws MemoryLimitError and then changes nothing. Requires: size <=
  /// `most`.
  void reach(std::uint64_t size) {
    if (size <= this->size()) return;
    const std::lock_guard lock(mutex_);
    const std::uint64_t now = this->size();
    if (size <= now) return;
    // Ascending ids would call this for every batch, so it takes an eighth more than requested if it can.
    const std::uint64_t wish = std::min(most_, std::max(size, now + now / 8));
    const std::size_t least_bytes = size_product(size, sizeof(T));
    if (now == 0) {
      reservation_ = budget_.reserve(least_bytes, what_);
    } else {
      reservation_.grow(least_bytes, size_product(wish, sizeof(T)), what_);
    }
    size_.store(reservation_.bytes() / sizeof(T), std::memory_order_release);
  }

 private:
  static std::size_t space_bytes(std::uint64_t most, std::size_t limit) {
    return round_up(std::min<std::uint64_t>(most, limit / sizeof(T)) * sizeof(T), page_bytes);
  }

  Mapping space_;  // address space; a page takes memory when it is first touched
  const std::uint64_t most_;
  const std::string what_;
  MemoryBudget& budget_;
  std::mutex mutex_;
  Reservation reservation_;
  std::atomic<std::uint64_t> size_{0};
};

}  // namespace emgraph::core
