// SPDX-License-Identifier: MIT
// Space on a disk that grows with what is written.
#pragma once

#include <cstdint>

#include "core/io/disk.hpp"

namespace emgraph::core {

/// Reserves space on a disk ahead of the writes. Writes that extend a file are done one at a time by the
/// kernel; into space that exists, several go at once.
class GrowingSpace {
 public:
  /// In steps of `step_bytes`; 0: of 64 MiB, then as much as there is already, up to 1 GiB.
  explicit GrowingSpace(std::uint64_t step_bytes = 0) : step_bytes_(step_bytes) {}
  /// The step for a file: small where space is memory, which the machine misses though nothing uses it.
  static std::uint64_t step_for(const File& file);

  /// Makes sure of `bytes` bytes from 0 on; takes more, up to `limit`, if they are to be had.
  /// Throws EnvironmentError (disk full).
  void ensure(Disk& disk, std::uint64_t bytes, std::uint64_t limit = ~std::uint64_t{0});
  std::uint64_t reserved_bytes() const { return reserved_bytes_; }

 private:
  std::uint64_t step_bytes_;
  std::uint64_t reserved_bytes_ = 0;
};

}  // namespace emgraph::core
