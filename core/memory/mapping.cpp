// SPDX-License-Identifier: MIT
// The one place that decides which pages memory has.
#include "core/memory/mapping.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <utility>

#include "core/base/error.hpp"

namespace emgraph::core {

namespace {

constexpr int protection = PROT_READ | PROT_WRITE;
constexpr int private_memory = MAP_PRIVATE | MAP_ANONYMOUS;
constexpr int pages_of_2_mib = MAP_HUGETLB | 21 << MAP_HUGE_SHIFT;

/// Null, with errno, if there is no such memory.
std::byte* map(std::size_t bytes, int flags, std::byte* at = nullptr) {
  void* data = mmap(at, bytes, protection, private_memory | flags, -1, 0);
  return data == MAP_FAILED ? nullptr : static_cast<std::byte*>(data);
}

/// Maps a huge page more and gives back what lies before the boundary and behind the end: only kernels since
/// 6.7 align large mappings, and not those of every size.
std::byte* map_aligned(std::size_t bytes, int flags) {
  const std::size_t more = bytes + huge_page_bytes;
  if (more < bytes) {
    errno = ENOMEM;
    return nullptr;
  }
  std::byte* const start = map(more, flags);
  if (start == nullptr) return nullptr;
  const std::size_t before = round_up(reinterpret_cast<std::uintptr_t>(start), huge_page_bytes) -
                             reinterpret_cast<std::uintptr_t>(start);
  if (before > 0) munmap(start, before);
  munmap(start + before + bytes, more - before - bytes);
  return start + before;
}

/// `whole` bytes of the pool, a multiple of a huge page, and behind them ordinary pages up to `bytes`, so
/// that nothing is rounded up. The huge pages are touched here: a limit of the cgroup on the pool
/// (hugetlb.2MB.max) is an error here and would be a signal later. Null if the pool does not have them, or
/// the kernel is too old to tell (before 5.14).
std::byte* map_from_pool(std::size_t bytes, std::size_t whole) {
  // The last huge page only keeps the place for the ordinary pages.
  const std::size_t rest = bytes - whole;
  std::byte* const data = map(round_up(bytes, huge_page_bytes), pages_of_2_mib);
  if (data == nullptr) return nullptr;
  bool complete = true;
  if (rest > 0) {
    munmap(data + whole, huge_page_bytes);
    std::byte* const last = map(rest, MAP_FIXED_NOREPLACE, data + whole);
    complete = last == data + whole;
    if (last != nullptr && !complete) munmap(last, rest);  // kernels before 4.17 do not know the flag
  }
  if (complete && madvise(data, whole, MADV_POPULATE_WRITE) == 0) return data;
  munmap(data, complete ? bytes : whole);
  return nullptr;
}

}  // namespace

Mapping::Mapping(HugePagePolicy& policy, std::size_t bytes, Kind kind, std::string_view what) {
  if (bytes == 0) return;
  const int flags = kind == Kind::growing ? MAP_NORESERVE : 0;
  const bool large = bytes >= large_array_bytes;
  const HugePages choice = policy.choice();
  if (large && choice == HugePages::on && kind == Kind::fixed) {
    const std::size_t whole = round_down(bytes, huge_page_bytes);
    data_ = map_from_pool(bytes, whole);
    if (data_ != nullptr) {
      hugetlb_bytes_ = whole;
      policy.take_hugetlb(whole);
    } else {
      policy.count_refusal();
    }
  }
  if (data_ == nullptr) {
    data_ = large ? map_aligned(bytes, flags) : map(bytes, flags);
    if (data_ == nullptr) {
      throw EnvironmentError::system(std::string(what),
                                     kind == Kind::growing
                                         ? "cannot get address space of " + format_size(bytes)
                                         : "cannot allocate " + format_size(bytes),
                                     errno);
    }
    // Without huge pages in the kernel both calls fail, and nothing is lost.
    if (choice == HugePages::off) {
      madvise(data_, bytes, MADV_NOHUGEPAGE);
    } else if (large) {
      madvise(data_, bytes, MADV_HUGEPAGE);
      policy.count_transparent();
    }
  }
  policy_ = &policy;
  bytes_ = bytes;
}

Mapping::Mapping(Mapping&& other) noexcept
    : policy_(other.policy_),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      hugetlb_bytes_(std::exchange(other.hugetlb_bytes_, 0)) {}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  if (this != &other) {
    release();
    policy_ = other.policy_;
    data_ = std::exchange(other.data_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
    hugetlb_bytes_ = std::exchange(other.hugetlb_bytes_, 0);
  }
  return *this;
}

void Mapping::release() noexcept {
  if (data_ == nullptr) return;
  munmap(data_, bytes_);
  if (hugetlb_bytes_ > 0) policy_->give_back_hugetlb(hugetlb_bytes_);
  data_ = nullptr;
  bytes_ = 0;
  hugetlb_bytes_ = 0;
}

}  // namespace emgraph::core
