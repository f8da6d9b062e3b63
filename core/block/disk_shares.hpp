// SPDX-License-Identifier: MIT
// Distributes written data over disks in proportion to their speeds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace emgraph::core {

/// Skips slow disks in a strategy's sequence of disks: a disk with half the speed of the fastest is skipped
/// every other time. The other disks keep the order of the strategy. Equally fast disks are never skipped.
///
/// A slow disk has a credit in bytes. The credit grows by the disk's share of the bytes that the fastest
/// disks get on average. The disk takes a block while its credit is positive; the size of the block is
/// subtracted, and the credit may become negative. So bytes are distributed, not blocks: if small and large
/// blocks alternate, no disk gets all the large ones.
class DiskShares {
 public:
  /// Disks with at least this part of the greatest speed count as equal, because measurements vary as much.
  static constexpr double equal_from = 0.9;
  /// Least share of a disk. With a smaller share its speed would hardly be measured again.
  static constexpr double least_share = 1.0 / 16;

  struct Candidate {
    double bytes_per_second = 0;  ///< 0: not known, counts as the fastest
    bool has_room = true;
  };

  explicit DiskShares(std::size_t disks) : shares_(disks, 1), credit_bytes_(disks, 0) {}

  void update(std::span<const Candidate> disks);
  /// Decides whether `disk`, the next of the sequence, takes `bytes`. False: it is skipped.
  bool admit(std::size_t disk, std::uint64_t bytes);

 private:
  std::vector<double> shares_;  // 1: as fast as the fastest, 0: full
  std::vector<double> credit_bytes_;
};

}  // namespace emgraph::core
