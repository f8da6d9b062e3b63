// SPDX-License-Identifier: MIT
// Allocation strategies for parallel disks: they choose the disk of the next block. Seeded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace emgraph::core {

/// Striping: round robin. Randomized striping: round robin from a random start per round of D. Fully random:
/// independent uniform draws. Randomized cycling: a new random permutation of the disks, repeated
/// (Vitter, Hutchinson 2001, "Distribution sort with randomized cycling").
enum class AllocationStrategy { striping, randomized_striping, fully_random, randomized_cycling };
inline constexpr AllocationStrategy all_strategies[] = {
    AllocationStrategy::striping, AllocationStrategy::randomized_striping, AllocationStrategy::fully_random,
    AllocationStrategy::randomized_cycling};
/// "randomized-cycling".
const char* name(AllocationStrategy strategy);

/// A sequence of disk numbers in [0, disks). Deterministic for a seed.
class DiskSequence {
 public:
  DiskSequence(AllocationStrategy strategy, std::size_t disks, std::uint64_t seed);
  std::size_t next();

 private:
  /// A random number in [0, bound).
  std::size_t below(std::size_t bound);

  AllocationStrategy strategy_;
  std::size_t disks_;
  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;  ///< random words used so far
  std::uint64_t count_ = 0;
  std::size_t start_ = 0;
  std::vector<std::size_t> cycle_;
};

}  // namespace emgraph::core
