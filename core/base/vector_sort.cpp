// SPDX-License-Identifier: MIT
// Chooses among the sorts by the number of keys and the processor.
#include "core/base/vector_sort.hpp"

#include <hwy/contrib/sort/vqsort.h>
#include <bit>
#include <cstddef>
#include <functional>

#include "core/base/branchless_quicksort.hpp"
#include "core/base/sorting_network.hpp"
#include "core/base/vector_quicksort.hpp"

namespace emgraph::core {
namespace {

// hwy::Sorter allocates its scratch space on construction, so each thread keeps one.
const hwy::Sorter& sorter() {
  thread_local const hwy::Sorter instance;
  return instance;
}

// With fewer keys vqsort is slower than a quicksort, because it gets a random seed from the kernel in each
// call. Measured: 16, 32, 64, 256 u64 keys: vqsort 56, 103, 195, 367 M/s, BranchlessQuicksort 134, 107, 97,
// 84, std::sort 131, 75, 61, 45 (EPYC with AVX-512, hwy 1.0.3, CPU time).
constexpr std::size_t least_vector_keys = 32;

constexpr std::size_t least_network_keys = 4;

// `HwyKey`: the type by which Highway knows the keys.
template <class HwyKey, class Key>
void sort_as(std::span<Key> keys) {
  if (keys.size() < least_vector_keys) {
    BranchlessQuicksort<Key, std::less<>>::sort(keys.data(), keys.data() + keys.size(), {});
  } else {
    sorter()(reinterpret_cast<HwyKey*>(keys.data()), keys.size(), hwy::SortAscending());
  }
}

}  // namespace

// Measured: 8, 16, 40, 64 u64 keys: the network 1000, 1030, 550, 670 M keys/s, std::sort of 8 and 16 150 and
// 120, vqsort of 40 and 64 80 and 120. 600; 4,096; 65,536; 1 M random keys: vector_quicksort 235, 284, 238,
// 186, vqsort 168, 167, 147, 128; keys like those of a Kronecker graph 161, 188, 168, 139 and 163, 169, 149,
// 129 (EPYC 9004, AVX-512). With AVX2 instead: 8, 16, 32 keys: the network 600, 470, 400. There vqsort keeps
// the rest: 65,536 keys at 96 M/s, vector_quicksort 80.
void vector_sort(std::span<std::uint64_t> keys) {
  if (keys.size() >= least_network_keys && (network_sort(keys) || vector_quicksort(keys))) return;
  sort_as<std::uint64_t>(keys);
}

// Measured: 8, 16, 32, 64, 128 u32 keys: the network 22, 13, 24, 50, 118 ns, BranchlessQuicksort 62, 155,
// 360, 840, 1840, vqsort from 32 on 620, 670, 710 (EPYC 9004, AVX-512; with AVX2 the network takes the same
// time up to 32 keys and twice as much for 64).
// On Zen 4, which is the EPYC 9004, vqsort sorts 4,096; 65,536; 1 M u32 keys at 72, 42, 29 M/s,
// vector_quicksort at 380, 350, 300 (vqsort with AVX2 instead: 287, 250, 212). Other processors with AVX-512
// keep vqsort: not measured.
void vector_sort(std::span<std::uint32_t> keys) {
  if (keys.size() >= least_network_keys && keys.size() <= most_network_keys && network_sort(keys)) return;
  static const bool slow_compression = is_amd_family_25();
  if (slow_compression && keys.size() > most_network_keys && vector_quicksort(keys)) return;
  sort_as<std::uint32_t>(keys);
}

void vector_sort(std::span<uint128> keys) {
  // hwy::uint128_t is {lo, hi}, which is the layout of the compiler's integer on little-endian machines.
  static_assert(std::endian::native == std::endian::little && sizeof(hwy::uint128_t) == sizeof(uint128));
  sort_as<hwy::uint128_t>(keys);
}

}  // namespace emgraph::core
