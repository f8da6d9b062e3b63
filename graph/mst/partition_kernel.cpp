// SPDX-License-Identifier: MIT
// Problem: split an array at a pivot, in place. Method: the first and the last vector are kept aside, which
// leaves a gap at each end. The next vector is read from the side with the smaller gap; its codes go to the
// two gaps, and each gap has room for them. Source: Bramas (2017), "A Novel Hybrid Quicksort Algorithm
// Vectorized using AVX-512 on Intel Skylake", doi 10.14569/IJACSA.2017.081044.
#include "graph/mst/partition_kernel.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "graph/mst/partition_kernel.cpp"
#include <hwy/foreach_target.h>
// foreach_target first: it includes this file once per instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace emgraph::graph::mst::HWY_NAMESPACE {

// Not without masked stores: others would write codes of the neighbours, which may be another thread's.
#undef EMGRAPH_SPLITS_VECTORS
#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32
#define EMGRAPH_SPLITS_VECTORS 1
#else
#define EMGRAPH_SPLITS_VECTORS 0
#endif

#if EMGRAPH_SPLITS_VECTORS
namespace hn = hwy::HWY_NAMESPACE;
using D64 = hn::ScalableTag<std::uint64_t>;

struct Gaps {
  std::uint64_t* data;
  std::size_t front;  ///< codes before are below the pivot
  std::size_t back;   ///< codes from here on are not
};

/// Writes the codes of a vector to the gaps, each of which has room for all of them.
template <class V>
HWY_INLINE void put(V codes, V pivot, Gaps& to) {
  const D64 d;
  const auto below = hn::Lt(codes, pivot);
  const std::size_t count = hn::CountTrue(d, below);
  const std::size_t others = hn::Lanes(d) - count;
  hn::CompressStore(codes, below, d, to.data + to.front);
  to.front += count;
  to.back -= others;
  hn::CompressBlendedStore(codes, hn::Not(below), d, to.data + to.back);
}
#endif

std::size_t partition_kernel(std::span<std::uint64_t> codes, std::uint64_t pivot) {
  std::uint64_t* const data = codes.data();
#if EMGRAPH_SPLITS_VECTORS
  const D64 d;
  const std::size_t lanes = hn::Lanes(d);
  if (codes.size() >= 2 * lanes) {
    Gaps gaps{data, 0, codes.size()};
    const auto at = hn::Set(d, pivot);
    const auto first = hn::LoadU(d, data);
    const auto last = hn::LoadU(d, data + codes.size() - lanes);
    std::size_t begin = lanes;
    std::size_t end = codes.size() - lanes;
    while (end - begin >= lanes) {
      if (begin - gaps.front <= gaps.back - end) {
        begin += lanes;
        put(hn::LoadU(d, data + begin - lanes), at, gaps);
      } else {
        end -= lanes;
        put(hn::LoadU(d, data + end), at, gaps);
      }
    }
    // Fewer codes than a vector are left between the gaps, and the two vectors.
    std::uint64_t rest[3 * HWY_MAX_BYTES / sizeof(std::uint64_t)];
    std::size_t count = static_cast<std::size_t>(std::copy(data + begin, data + end, rest) - rest);
    hn::StoreU(first, d, rest + count);
    hn::StoreU(last, d, rest + count + lanes);
    count += 2 * lanes;
    for (std::size_t i = 0; i < count; ++i) data[rest[i] < pivot ? gaps.front++ : --gaps.back] = rest[i];
    return gaps.front;
  }
#endif
  return static_cast<std::size_t>(
      std::partition(data, data + codes.size(), [&](std::uint64_t code) { return code < pivot; }) - data);
}

}  // namespace emgraph::graph::mst::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace emgraph::graph::mst {

HWY_EXPORT(partition_kernel);

std::size_t partition_in_vectors(std::span<std::uint64_t> codes, std::uint64_t pivot) {
  return HWY_DYNAMIC_DISPATCH(partition_kernel)(codes, pivot);
}

}  // namespace emgraph::graph::mst
#endif
