// SPDX-License-Identifier: MIT
// The sequences of disks; Vitter, Hutchinson: "Distribution sort with randomized cycling", SODA 2001.
#include "core/block/strategy.hpp"

#include <numeric>
#include <utility>

namespace emgraph::core {
namespace {

// SplitMix64 (Steele, Lea, Flood 2014, doi:10.1145/2660193.2660195).
std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// Multiply-shift into [0, bound); its bias of bound / 2^64 is nothing for numbers of disks.
std::size_t next_below(std::uint64_t& state, std::size_t bound) {
  return static_cast<std::size_t>((static_cast<unsigned __int128>(next_random(state)) * bound) >> 64);
}

}  // namespace

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
    : strategy_(strategy), disks_(disks), state_(seed) {
  if (strategy_ != AllocationStrategy::randomized_cycling) return;
  cycle_.resize(disks_);
  std::iota(cycle_.begin(), cycle_.end(), std::size_t{0});
  for (std::size_t left = disks_; left > 1; --left) {
    std::swap(cycle_[left - 1], cycle_[next_below(state_, left)]);
  }
}

std::size_t DiskSequence::next() {
  const std::size_t turn = count_++ % disks_;
  switch (strategy_) {
    case AllocationStrategy::striping:
      break;
    case AllocationStrategy::randomized_striping:
      if (turn == 0) start_ = next_below(state_, disks_);
      return (start_ + turn) % disks_;
    case AllocationStrategy::fully_random:
      return next_below(state_, disks_);
    case AllocationStrategy::randomized_cycling:
      return cycle_[turn];
  }
  return turn;
}

}  // namespace emgraph::core
