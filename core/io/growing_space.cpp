// SPDX-License-Identifier: MIT
// The step by which the space of a disk grows.
#include "core/io/growing_space.hpp"

#include <algorithm>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::core {

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
