// SPDX-License-Identifier: MIT
// The memory budget behind -M: all memory for data is reserved here before it is allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <string_view>

#include "core/memory/huge_pages.hpp"

namespace emgraph::core {

class MemoryBudget;

/// Bytes taken from a MemoryBudget, returned on destruction. Movable, not copyable.
/// The budget must outlive it.
class Reservation {
 public:
  Reservation() = default;
  Reservation(Reservation&& other) noexcept;
  Reservation& operator=(Reservation&& other) noexcept;
  ~Reservation() { release(); }

  std::size_t bytes() const { return bytes_; }
  void release() noexcept;
  /// Grows or shrinks. Throws MemoryLimitError if it cannot grow; the reservation is then unchanged.
  void resize(std::size_t bytes, std::string_view what);
  /// Grows to `wish` bytes if they are free, else to `minimum`. Throws as resize(). Requires: the reservation
  /// was made by a budget.
  void grow(std::size_t minimum, std::size_t wish, std::string_view what);

 private:
  friend class MemoryBudget;
  Reservation(MemoryBudget* budget, std::size_t bytes) : budget_(budget), bytes_(bytes) {}
  MemoryBudget* budget_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Grants reservations of at most `limit_bytes` in total, and knows which pages large arrays shall have.
/// Thread-safe.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::size_t limit_bytes, HugePages huge_pages = HugePages::automatic)
      : huge_pages_(huge_pages), limit_(limit_bytes) {}
  MemoryBudget(const MemoryBudget&) = delete;

  /// Throws MemoryLimitError, which names `what` and the least sufficient limit.
  Reservation reserve(std::size_t bytes, std::string_view what);
  /// Reserves as much as is free, but at least `minimum` and at most `wish`.
  Reservation reserve_between(std::size_t minimum, std::size_t wish, std::string_view what);
  /// Reserves as much as is free, and at most `wish`.
  [[nodiscard]] Reservation reserve_up_to(std::uint64_t wish);
  /// Raises peak() as if that much, or all that is free, were reserved and given back.
  void raise_peak(std::uint64_t wish) { const Reservation transient = reserve_up_to(wish); }

  std::size_t limit() const { return limit_; }
  std::size_t used() const;
  std::size_t available() const;
  std::size_t peak() const;
  HugePagePolicy& huge_pages() { return huge_pages_; }
  const HugePagePolicy& huge_pages() const { return huge_pages_; }

  /// Test seam: reservation number k from now (0 = the next) throws MemoryLimitError, once.
  void fail_reservation(std::uint64_t k);
  /// Test seam: true until the reservation chosen by fail_reservation() has failed.
  bool failure_is_ahead() const;

 private:
  friend class Reservation;
  /// Takes `wish` bytes if they are free; else `minimum`, or `partly` all that is free if that is more.
  /// Returns how many.
  std::size_t take(std::size_t minimum, std::size_t wish, bool partly, std::string_view what);
  void give_back(std::size_t bytes) noexcept;

  HugePagePolicy huge_pages_;
  mutable std::mutex mutex_;
  const std::size_t limit_;
  std::size_t used_ = 0;
  std::size_t peak_ = 0;
  std::uint64_t fail_in_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace emgraph::core
