// SPDX-License-Identifier: MIT
// An edge per 64-bit lane. Quotients by the modulus come from products of 32-bit halves, because few
// processors have the upper half of 64-bit products in vectors.
#include "graph/mst/step_kernel.hpp"

#include "graph/weighting.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "graph/mst/step_kernel.cpp"
#include <hwy/foreach_target.h>
// foreach_target first: it includes this file once per instruction set.
#include <hwy/highway.h>

#include "core/base/compress_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace emgraph::graph::mst::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;
using core::HWY_NAMESPACE::compress_store;
using D64 = hn::ScalableTag<std::uint64_t>;
using D32 = hn::Repartition<std::uint32_t, D64>;

/// The product of the lower halves of each lane.
template <class V>
HWY_INLINE auto low_product(V a, V b) {
  const D32 d32;
  return hn::MulEven(hn::BitCast(d32, a), hn::BitCast(d32, b));
}

/// HashWeights in vectors. The quotient without the lower halves of three partial products is at most 3 too
/// small: 2 for these, 1 for the reciprocal.
class VectorHash {
 public:
  explicit VectorHash(std::uint64_t modulus) : modulus_(modulus), reciprocal_(~std::uint64_t{0} / modulus) {}

  template <class V>
  HWY_INLINE auto operator()(V low, V high) const {
    const D64 d64;
    const auto hash = hn::Xor(low_product(low, hn::Set(d64, HashWeights::low_factor)),
                              low_product(high, hn::Set(d64, HashWeights::high_factor)));
    const auto hash_high = hn::ShiftRight<32>(hash);
    const auto reciprocal = hn::Set(d64, reciprocal_);
    const auto reciprocal_high = hn::ShiftRight<32>(reciprocal);
    const auto middle = hn::Add(hn::ShiftRight<32>(low_product(hash, reciprocal_high)),
                                hn::ShiftRight<32>(low_product(hash_high, reciprocal)));
    const auto quotient = hn::Add(low_product(hash_high, reciprocal_high), middle);
    const auto modulus = hn::Set(d64, modulus_);
    const auto product = hn::Add(low_product(quotient, modulus),
                                 hn::ShiftLeft<32>(low_product(hn::ShiftRight<32>(quotient), modulus)));
    // A difference below 0 wraps around to a huge value, so that the minimum is the other one.
    auto rest = hn::Sub(hash, product);
    rest = hn::Min(rest, hn::Sub(rest, hn::Add(modulus, modulus)));
    rest = hn::Min(rest, hn::Sub(rest, modulus));
    return hn::Add(rest, hn::Set(d64, 1));
  }

 private:
  std::uint64_t modulus_;
  std::uint64_t reciprocal_;
};

/// The lanes whose node is in the large set of its level. `first_word`: of the level.
template <class V>
HWY_INLINE auto in_large_set(V node, V first_word, const std::uint64_t* words) {
  const D64 d64;
  const hn::RebindToSigned<D64> index;
  const auto at = hn::Add(first_word, hn::ShiftRight<6>(node));
  const auto word = hn::GatherIndex(d64, words, hn::BitCast(index, at));
  const auto bit = hn::And(hn::Shr(word, hn::And(node, hn::Set(d64, 63))), hn::Set(d64, 1));
  return hn::Ne(bit, hn::Zero(d64));
}

#endif

void step_kernel(std::span<const Edge32> edges, std::uint64_t modulus, FeedStep& step) {
  std::size_t count = 0;
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const D64 d64;
  const D32 d32;
  const VectorHash vector_hash(modulus);
  const std::size_t lanes = hn::Lanes(d64);
  for (; i + lanes <= edges.size(); i += lanes) {
    const auto ends = hn::BitCast(d64, hn::LoadU(d32, &edges[i].source));
    const auto one = hn::BitCast(d32, hn::And(ends, hn::Set(d64, 0xffffffffU)));
    const auto other = hn::BitCast(d32, hn::ShiftRight<32>(ends));
    const auto low = hn::BitCast(d64, hn::Min(one, other));
    const auto high = hn::BitCast(d64, hn::Max(one, other));
    const auto keep = hn::Ne(low, high);
    compress_store(vector_hash(low, high), keep, d64, step.weight.data() + count);
    compress_store(low, keep, d64, step.low.data() + count);
    count += compress_store(high, keep, d64, step.high.data() + count);
  }
#endif
  const HashWeights hash(modulus);
  for (; i < edges.size(); ++i) {
    const auto [low, high] = low_high(edges[i].source, edges[i].target);
    step.weight[count] = hash(low, high);
    step.low[count] = low;
    step.high[count] = high;
    count += low != high ? 1 : 0;
  }
  step.count = count;
}

std::size_t bits_kernel(const FeedStep& step, const LevelBits<std::uint64_t>& levels, std::uint64_t* codes,
                        UndecidedEdges<std::uint64_t>& undecided) {
  std::size_t kept = 0;
  std::size_t left = 0;
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const D64 d64;
  const std::size_t lanes = hn::Lanes(d64);
  const auto last_node = hn::Set(d64, levels.last_node);
  const auto words_per_level = hn::Set(d64, levels.words_per_level);
  for (; i + lanes <= step.count; i += lanes) {
    const auto code = hn::LoadU(d64, codes + i);
    const auto low = hn::LoadU(d64, step.low.data() + i);
    const auto high = hn::LoadU(d64, step.high.data() + i);
    auto first_word = hn::Zero(d64);
    for (const std::uint64_t bound : levels.bounds.subspan(1)) {
      first_word =
          hn::Add(first_word, hn::IfThenZeroElse(hn::Gt(hn::Set(d64, bound), code), words_per_level));
    }
    const auto unknown = hn::Or(hn::Gt(hn::Set(d64, levels.bounds.front()), code), hn::Gt(high, last_node));
    const auto low_in = in_large_set(hn::Min(low, last_node), first_word, levels.words);
    const auto high_in = in_large_set(hn::Min(high, last_node), first_word, levels.words);
    const auto keep = hn::Or(unknown, hn::Xor(low_in, high_in));
    const auto open = hn::Not(hn::Or(unknown, hn::Or(low_in, high_in)));
    kept += compress_store(code, keep, d64, codes + kept);
    compress_store(code, open, d64, undecided.code.data() + left);
    left += compress_store(hn::Iota(d64, i), open, d64, undecided.place.data() + left);
  }
#endif
  undecided.count = left;
  return keep_by_bits(step, levels, codes, undecided, i, kept);
}

}  // namespace emgraph::graph::mst::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace emgraph::graph::mst {

HWY_EXPORT(step_kernel);
HWY_EXPORT(bits_kernel);

void make_hashed_step(std::span<const Edge32> edges, std::uint64_t modulus, FeedStep& step) {
  HWY_DYNAMIC_DISPATCH(step_kernel)(edges, modulus, step);
}

std::size_t keep_by_bits_in_vectors(const FeedStep& step, const LevelBits<std::uint64_t>& levels,
                                    std::uint64_t* codes, UndecidedEdges<std::uint64_t>& undecided) {
  return HWY_DYNAMIC_DISPATCH(bits_kernel)(step, levels, codes, undecided);
}

}  // namespace emgraph::graph::mst
#endif
