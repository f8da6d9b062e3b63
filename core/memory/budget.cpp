// SPDX-License-Identifier: MIT
// Accounting of the memory budget.
#include "core/memory/budget.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::core {

Reservation::Reservation(Reservation&& other) noexcept
    : budget_(std::exchange(other.budget_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Reservation& Reservation::operator=(Reservation&& other) noexcept {
  if (this != &other) {
    release();
    budget_ = std::exchange(other.budget_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
  }
  return *this;
}

void Reservation::release() noexcept {
  if (budget_ != nullptr) budget_->give_back(bytes_);
  budget_ = nullptr;
  bytes_ = 0;
}

void Reservation::resize(std::size_t bytes, std::string_view what) {
  if (bytes > bytes_) {
    budget_->take(bytes - bytes_, bytes - bytes_, false, what);
  } else {
    budget_->give_back(bytes_ - bytes);
  }
  bytes_ = bytes;
}

void Reservation::grow(std::size_t minimum, std::size_t wish, std::string_view what) {
  if (minimum > bytes_)
    bytes_ += budget_->take(minimum - bytes_, std::max(minimum, wish) - bytes_, false, what);
}

Reservation MemoryBudget::reserve(std::size_t bytes, std::string_view what) {
  return reserve_between(bytes, bytes, what);
}

Reservation MemoryBudget::reserve_between(std::size_t minimum, std::size_t wish, std::string_view what) {
  return Reservation(this, take(minimum, std::max(minimum, wish), true, what));
}

Reservation MemoryBudget::reserve_up_to(std::uint64_t wish) {
  return reserve_between(0, static_cast<std::size_t>(std::min<std::uint64_t>(wish, limit_)),
                         "a part of what is free");
}

std::size_t MemoryBudget::used() const {
  const std::lock_guard lock(mutex_);
  return used_;
}

std::size_t MemoryBudget::available() const {
  const std::lock_guard lock(mutex_);
  return limit_ - used_;
}

std::size_t MemoryBudget::peak() const {
  const std::lock_guard lock(mutex_);
  return peak_;
}

void MemoryBudget::fail_reservation(std::uint64_t k) {
  const std::lock_guard lock(mutex_);
  fail_in_ = k;
}

bool MemoryBudget::failure_is_ahead() const {
  const std::lock_guard lock(mutex_);
  return fail_in_ != std::numeric_limits<std::uint64_t>::max();
}

std::size_t MemoryBudget::take(std::size_t minimum, std::size_t wish, bool partly, std::string_view what) {
  const std::lock_guard lock(mutex_);
  const std::size_t free = limit_ - used_;
  const std::size_t bytes = wish <= free ? wish : partly ? std::max(minimum, free) : minimum;
  if (fail_in_ != std::numeric_limits<std::uint64_t>::max() && fail_in_-- == 0) {
    fail_in_ = std::numeric_limits<std::uint64_t>::max();
    throw MemoryLimitError("memory limit: injected failure reserving " + std::string(what));
  }
  if (bytes > limit_ - used_) {
    throw MemoryLimitError("memory limit of " + format_size(limit_) + " is too small: " + std::string(what) +
                           " needs " + format_size(bytes) + " with " + format_size(used_) + " in use; " +
                           memory_option(size_sum(used_, bytes)) + " is the least for this step");
  }
  used_ += bytes;
  peak_ = std::max(peak_, used_);
  return bytes;
}

void MemoryBudget::give_back(std::size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  used_ -= bytes;
}

}  // namespace emgraph::core
