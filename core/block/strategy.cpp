// SPDX-License-Identifier: MIT
// The sequences of disks; Vitter, Hutchinson: "Distribution sort with randomized cycling", SODA 2001.
#include "core/block/strategy.hpp"

#include <numeric>
#include <utility>

#include "core/base/integers.hpp"
#include "core/base/random_word.hpp"

namespace emgraph::core {
const char* name(AllocationStrategy strategy) {
  switch (strategy) {
    case AllocationStrategy::striping:
      return "striping";
    case AllocationStrategy::randomized_striping:
      return "randomized-striping";
    case AllocationStrategy::fully_random:
      return "fully-random";
    case AllocationStrategy::randomized_cycling:
      break;
  }
  return "randomized-cycling";
}

DiskSequence::DiskSequence(AllocationStrategy strategy, std::size_t disks, std::uint64_t seed)
    : strategy_(strategy), disks_(disks), seed_(seed) {
  if (strategy_ != AllocationStrategy::randomized_cycling) return;
  cycle_.resize(disks_);
  std::iota(cycle_.begin(), cycle_.end(), std::size_t{0});
  for (std::size_t left = disks_; left > 1; --left) {
    std::swap(cycle_[left - 1], cycle_[below(left)]);
  }
}

// Multiply-shift. Its bias of bound / 2^64 is negligible for numbers of disks.
std::size_t DiskSequence::below(std::size_t bound) {
  return static_cast<std::size_t>((uint128{random_word(seed_, drawn_++)} * bound) >> 64);
}

std::size_t DiskSequence::next() {
  const std::size_t turn = count_++ % disks_;
  switch (strategy_) {
    case AllocationStrategy::striping:
      break;
    case AllocationStrategy::randomized_striping:
      if (turn == 0) start_ = below(disks_);
      return (start_ + turn) % disks_;
    case AllocationStrategy::fully_random:
      return below(disks_);
    case AllocationStrategy::randomized_cycling:
      return cycle_[turn];
  }
  return turn;
}

}  // namespace emgraph::core
