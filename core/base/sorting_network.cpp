// SPDX-License-Identifier: MIT
// The network for each instruction set.
#include "core/base/sorting_network.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/base/sorting_network.cpp"
#include <hwy/foreach_target.h>
// foreach_target first: it includes this file once per instruction set.
#include <hwy/highway.h>

#include "core/base/sorting_network_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace emgraph::core::HWY_NAMESPACE {

template <class Key>
bool sort_few_keys([[maybe_unused]] std::span<Key> keys) {
#if HWY_TARGET == HWY_SCALAR || HWY_HAVE_SCALABLE
  return false;
#else
  if (keys.size() > SortingNetwork<Key>::most_keys) return false;
  SortingNetwork<Key>::sort(keys.data(), keys.data(), keys.size());
  return true;
#endif
}

bool few_keys_kernel(std::span<std::uint32_t> keys) {
  return sort_few_keys(keys);
}

// SSE4 holds 16 keys of 64 bits, and has no instruction for the smaller one of two.
bool few_long_keys_kernel([[maybe_unused]] std::span<std::uint64_t> keys) {
#if HWY_ARCH_X86 && HWY_TARGET > HWY_AVX2
  return false;
#else
  return sort_few_keys(keys);
#endif
}

}  // namespace emgraph::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace emgraph::core {

HWY_EXPORT(few_keys_kernel);
HWY_EXPORT(few_long_keys_kernel);

bool network_sort(std::span<std::uint32_t> keys) {
  return HWY_DYNAMIC_DISPATCH(few_keys_kernel)(keys);
}

bool network_sort(std::span<std::uint64_t> keys) {
  return HWY_DYNAMIC_DISPATCH(few_long_keys_kernel)(keys);
}

}  // namespace emgraph::core
#endif
