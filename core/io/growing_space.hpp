// SPDX-License-Identifier: MIT
// Space on a disk that grows with the data written.
#pragma once

#include <cstdint>

#include "core/io/disk.hpp"

namespace emgraph::core {

/// Reserves space on a disk ahead of the writes. The kernel executes writes that extend a file one at a time;
/// writes into existing space run in parallel.
class GrowingSpace {
 public:
  /// `step_bytes`: bytes per step; 0: 64 MiB at first, then as much as exists already, up to 1 GiB.
  explicit GrowingSpace(std::uint64_t step_bytes = 0) : step_bytes_(step_bytes) {}
  /// The step for a file: small on tmpfs, where unused space takes memory from the machine.
  static std::uint64_t step_for(const File& file);

  /// Ensures that bytes 0 … bytes - 1 exist; reserves more, up to `limit`, if the disk has more.
  /// Throws EnvironmentError (disk full).
  void ensure(Disk& disk, std::uint64_t bytes, std::uint64_t limit = ~std::uint64_t{0});
  std::uint64_t reserved_bytes() const { return reserved_bytes_; }

 private:
  std::uint64_t step_bytes_;
  std::uint64_t reserved_bytes_ = 0;
};

}  // namespace emgraph::core
