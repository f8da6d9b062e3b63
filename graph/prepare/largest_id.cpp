// SPDX-License-Identifier: MIT
// The maximum of ids in vectors. Compilers do not vectorise it for plain x86-64, which has no instruction for
// the maximum.
#include "graph/prepare/largest_id.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "graph/prepare/largest_id.cpp"
#include <hwy/foreach_target.h>
// foreach_target first: it includes this file once per instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace emgraph::graph::prepare::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class Id>
Id largest_of(std::span<const Edge<Id>> batch) {
  const hn::ScalableTag<Id> d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t count = 2 * batch.size();
  const Id* const ids = batch.empty() ? nullptr : &batch[0].source;
  // Two independent maxima, to shorten the chain of dependencies.
  auto even = hn::Zero(d);
  auto odd = hn::Zero(d);
  std::size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    even = hn::Max(even, hn::LoadU(d, ids + i));
    odd = hn::Max(odd, hn::LoadU(d, ids + i + lanes));
  }
  Id largest = hn::GetLane(hn::MaxOfLanes(d, hn::Max(even, odd)));
  for (; i < count; ++i) largest = std::max(largest, ids[i]);
  return largest;
}

std::uint32_t small_kernel(std::span<const Edge32> batch) {
  return largest_of(batch);
}
std::uint64_t wide_kernel(std::span<const Edge64> batch) {
  return largest_of(batch);
}

}  // namespace emgraph::graph::prepare::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace emgraph::graph::prepare {

HWY_EXPORT(small_kernel);
HWY_EXPORT(wide_kernel);

std::uint64_t largest_id(std::span<const Edge32> batch) {
  return HWY_DYNAMIC_DISPATCH(small_kernel)(batch);
}
std::uint64_t largest_id(std::span<const Edge64> batch) {
  return HWY_DYNAMIC_DISPATCH(wide_kernel)(batch);
}

}  // namespace emgraph::graph::prepare
#endif
