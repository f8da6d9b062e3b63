// SPDX-License-Identifier: MIT
// Computes shares from speeds, and keeps the credit of each disk.
#include "core/block/disk_shares.hpp"

#include <algorithm>

namespace emgraph::core {

void DiskShares::update(std::span<const Candidate> disks) {
  double fastest = 0;
  for (const Candidate& disk : disks) {
    if (disk.has_room) fastest = std::max(fastest, disk.bytes_per_second);
  }
  for (std::size_t i = 0; i < disks.size(); ++i) {
    const double speed = disks[i].bytes_per_second;
    const double share = speed > 0 ? speed / fastest : 1;
    shares_[i] = !disks[i].has_room ? 0 : share >= equal_from ? 1 : std::max(share, least_share);
  }
}

bool DiskShares::admit(std::size_t disk, std::uint64_t bytes) {
  if (shares_[disk] == 0) return false;
  const auto taken = static_cast<double>(bytes);
  if (shares_[disk] < 1) {
    if (credit_bytes_[disk] <= 0) return false;
    credit_bytes_[disk] -= taken;
    return true;
  }
  const auto equals = static_cast<double>(std::count(shares_.begin(), shares_.end(), 1.0));
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    // The credit of a disk that counts as equal is 0; it starts from there if the disk becomes slow again.
    credit_bytes_[i] = shares_[i] < 1 ? credit_bytes_[i] + shares_[i] * taken / equals : 0;
  }
  return true;
}

}  // namespace emgraph::core
