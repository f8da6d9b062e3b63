// SPDX-License-Identifier: MIT
// A bounded list of ids in memory.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "core/memory/growing_array.hpp"

namespace emgraph::graph::relabel {

/// Memory: 8 bytes per id, reserved as the list grows. Threads: one that appends. Throws: MemoryLimitError.
class IdList {
 public:
  IdList(core::MemoryBudget& budget, std::uint64_t most, std::string_view what)
      : most_(most), ids_(budget, most, what) {}

  /// Appends a batch. False: there would be more than `most` ids; nothing is appended then.
  bool append(std::span<const std::uint64_t> ids) {
    if (ids.size() > most_ - size_) return false;
    ids_.reach(size_ + ids.size());
    std::memcpy(ids_.data() + size_, ids.data(), ids.size_bytes());
    size_ += ids.size();
    return true;
  }

  std::uint64_t size() const { return size_; }
  const std::uint64_t* data() const { return ids_.data(); }
  std::uint64_t operator[](std::uint64_t i) const { return ids_[i]; }
  /// The last id. Requires: the list is not empty.
  std::uint64_t back() const { return ids_[size_ - 1]; }

 private:
  const std::uint64_t most_;
  core::GrowingArray<std::uint64_t> ids_;
  std::uint64_t size_ = 0;
};

}  // namespace emgraph::graph::relabel
