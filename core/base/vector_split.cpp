// SPDX-License-Identifier: MIT
// The split for each instruction set.
#include "core/base/vector_split.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/base/vector_split.cpp"
#include <hwy/foreach_target.h>
// foreach_target first: it includes this file once per instruction set.
#include <hwy/highway.h>

#include "core/base/vector_split_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace emgraph::core::HWY_NAMESPACE {

std::size_t split_kernel(std::span<std::uint64_t> keys, std::uint64_t pivot) {
#if EMGRAPH_SPLITS_VECTORS
  using Split = VectorSplit<std::uint64_t>;
  if (keys.size() >= Split::least) return Split::split(keys.data(), keys.size(), pivot);
#endif
  const auto middle =
      std::partition(keys.begin(), keys.end(), [&](std::uint64_t key) { return key < pivot; });
  return static_cast<std::size_t>(middle - keys.begin());
}

}  // namespace emgraph::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace emgraph::core {

HWY_EXPORT(split_kernel);

std::size_t vector_split(std::span<std::uint64_t> keys, std::uint64_t pivot) {
  return HWY_DYNAMIC_DISPATCH(split_kernel)(keys, pivot);
}

}  // namespace emgraph::core
#endif
