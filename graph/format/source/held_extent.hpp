// SPDX-License-Identifier: MIT
// The sizes of reads and of read-ahead, and the registry of the extents that lanes hold between two calls of
// next(), so that a source can release them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/io/extent_reader.hpp"

namespace emgraph::graph::format {

/// Bytes of a read: 1 MiB, or less (at least 4 KiB) if memory is short; whole rows.
inline std::size_t choose_extent_bytes(const core::MemoryBudget& budget, std::size_t row_bytes,
                                       unsigned lanes) {
  std::size_t bytes = core::MiB;
  while (bytes > 4 * core::KiB && bytes * (4 + 2 * std::size_t{lanes}) > budget.available() / 8) bytes /= 2;
  return std::max<std::size_t>(1, bytes / row_bytes) * row_bytes;
}

/// Number of reads in flight: 4 MiB, and at least four; fewer with little memory.
inline unsigned read_depth(const core::MemoryBudget& budget, std::size_t extent_bytes, unsigned lanes) {
  constexpr std::size_t wished_bytes = 4 * core::MiB;
  const std::size_t wished =
      std::clamp<std::size_t>(wished_bytes / std::max<std::size_t>(extent_bytes, 1), 4, 16);
  const std::size_t affordable = budget.available() / 8 / (extent_bytes + 2 * core::page_bytes);
  return affordable <= lanes ? 1U : static_cast<unsigned>(std::min(wished, affordable - lanes));
}

class HeldExtents;

/// Holds at most one extent of a reader, and releases it when it is replaced or destroyed. Registered during
/// its lifetime.
class HeldExtent {
 public:
  HeldExtent(HeldExtents& registry, core::ExtentReader& reader);
  ~HeldExtent();
  HeldExtent(const HeldExtent&) = delete;

  /// Releases its extent and takes the reader's next one; nullptr at the end.
  const core::ExtentReader::Loaded* next();
  void release();

 private:
  HeldExtents& registry_;
  core::ExtentReader& reader_;
  std::optional<core::ExtentReader::Loaded> loaded_;
};

/// All HeldExtents of a source.
class HeldExtents {
 public:
  /// To be called before ExtentReader::rewind. Requires: no lane is inside next().
  void release_all();

 private:
  friend class HeldExtent;
  std::mutex mutex_;
  std::vector<HeldExtent*> members_;
};

inline HeldExtent::HeldExtent(HeldExtents& registry, core::ExtentReader& reader)
    : registry_(registry), reader_(reader) {
  const std::lock_guard lock(registry_.mutex_);
  registry_.members_.push_back(this);
}

inline HeldExtent::~HeldExtent() {
  release();
  const std::lock_guard lock(registry_.mutex_);
  std::erase(registry_.members_, this);
}

inline const core::ExtentReader::Loaded* HeldExtent::next() {
  release();
  loaded_ = reader_.next();
  return loaded_ ? &*loaded_ : nullptr;
}

inline void HeldExtent::release() {
  if (loaded_) reader_.release(*loaded_);
  loaded_.reset();
}

inline void HeldExtents::release_all() {
  const std::lock_guard lock(mutex_);
  for (HeldExtent* member : members_) member->release();
}

}  // namespace emgraph::graph::format
