// SPDX-License-Identifier: MIT
// How much of what is written goes to each of several disks that differ in speed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace emgraph::core {

/// Thins out a strategy's sequence of disks: a disk of half the speed of the fastest is passed over every
/// other time. What is left of the sequence keeps the strategy's order, and equal disks are never passed
/// over.
///
/// A slow disk has a credit. It grows by the disk's share of the bytes that the fastest disks get on average;
/// the disk takes a block when it has any, and may overdraw it by that block. So bytes are shared, not
/// blocks: sizes that alternate do not go to one disk each.
class DiskShares {
 public:
  /// Disks that are nearly as fast as the fastest count as equal: measurements differ as much.
  static constexpr double equal_from = 0.9;
  /// However slow, a disk gets so much of what the fastest gets, or its speed would never be seen again.
  static constexpr double least_share = 1.0 / 16;

  struct Candidate {
    double bytes_per_second = 0;  ///< 0: not known, counts as the fastest
    bool has_room = true;
  };

  explicit DiskShares(std::size_t disks) : shares_(disks, 1), credit_bytes_(disks, 0) {}

  void update(std::span<const Candidate> disks);
  /// It is the turn of `disk` to take `bytes`; false: it is passed over.
  bool admit(std::size_t disk, std::uint64_t bytes);

 private:
  std::vector<double> shares_;  // 1: as fast as any, 0: full
  std::vector<double> credit_bytes_;
};

}  // namespace emgraph::core
