// SPDX-License-Identifier: MIT
// Best fit with splitting. A freed range is merged with free neighbours and with the free end of the disk.
#include "core/io/disk_space.hpp"

#include <algorithm>
#include <iterator>
#include <new>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::core {

std::optional<std::uint64_t> DiskSpace::take(std::uint64_t bytes) {
  // The first entry from (bytes, 0) on is an exact fit if there is one, else the smallest larger range.
  const auto fit = by_size_.lower_bound({bytes, 0});
  if (fit == by_size_.end()) return std::nullopt;
  const auto [size, offset] = *fit;
  erase(by_offset_.find(offset));
  if (size > bytes) insert(offset + bytes, size - bytes);
  return offset;
}

std::uint64_t DiskSpace::extend(std::uint64_t bytes) {
  const std::uint64_t offset = high_water_bytes_;
  high_water_bytes_ += bytes;
  return offset;
}

bool DiskSpace::claim(std::uint64_t offset, std::uint64_t bytes) {
  if (offset >= high_water_bytes_) {
    if (offset > high_water_bytes_) insert(high_water_bytes_, offset - high_water_bytes_);
    high_water_bytes_ = offset + bytes;
    return true;
  }
  const auto next = by_offset_.upper_bound(offset);
  if (next == by_offset_.begin()) return false;
  const auto around = std::prev(next);
  const auto [begin, size] = *around;
  if (bytes > size || offset - begin > size - bytes) return false;
  erase(around);
  if (offset > begin) insert(begin, offset - begin);
  if (offset + bytes < begin + size) insert(offset + bytes, begin + size - offset - bytes);
  return true;
}

void DiskSpace::give(std::uint64_t offset, std::uint64_t bytes) noexcept {
  if (bytes == 0) return;
  const auto after = by_offset_.lower_bound(offset);
  if (after != by_offset_.end() && after->first == offset + bytes) {
    bytes += after->second;
    erase(after);
  }
  const auto next = by_offset_.lower_bound(offset);
  if (next != by_offset_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == offset) {
      offset = before->first;
      bytes += before->second;
      erase(before);
    }
  }
  if (offset + bytes == high_water_bytes_) {
    high_water_bytes_ = offset;
    return;
  }
  try {
    insert(offset, bytes);
  } catch (const std::bad_alloc&) {
    // Without memory to note the range, it stays unused until the process ends.
  }
}

void DiskSpace::insert(std::uint64_t offset, std::uint64_t bytes) {
  const auto by_size = by_size_.emplace(bytes, offset).first;
  try {
    by_offset_.emplace(offset, bytes);
  } catch (...) {
    by_size_.erase(by_size);
    throw;
  }
}

void DiskSpace::erase(ByOffset::iterator range) {
  by_size_.erase({range->second, range->first});
  by_offset_.erase(range);
}

std::uint64_t GrowingSpace::step_for(const File& file) {
  return file.in_memory() ? 4 * MiB : 0;
}

void GrowingSpace::ensure(Disk& disk, std::uint64_t bytes, std::uint64_t limit) {
  if (bytes <= reserved_bytes_) return;
  const std::uint64_t step =
      step_bytes_ != 0 ? step_bytes_ : std::clamp<std::uint64_t>(reserved_bytes_, 64 * MiB, GiB);
  const std::uint64_t wish = std::min(std::max(bytes, reserved_bytes_ + step), std::max(bytes, limit));
  if (wish > bytes) {
    try {
      disk.reserve_space(wish);
      reserved_bytes_ = wish;
      return;
    } catch (const EnvironmentError&) {
      // A whole step does not fit; the space needed now may fit.
    }
  }
  disk.reserve_space(bytes);
  reserved_bytes_ = bytes;
}

}  // namespace emgraph::core
