// SPDX-License-Identifier: MIT
// Weights of edges as text, and the refusal of wrong ones.
#include "graph/edge_weights.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

#include "core/base/error.hpp"

namespace emgraph::graph {

std::string weight_text(WeightType type, std::uint64_t rank) {
  if (!number_ranks(type).contains(rank)) return "NaN";
  const std::uint64_t bits = weight_of_rank(type, rank);
  char digits[32];
  char* const end = digits + sizeof digits;
  switch (type) {
    case WeightType::i64:
      return std::to_string(static_cast<std::int64_t>(bits));
    case WeightType::f32:
      return {digits, std::to_chars(digits, end, std::bit_cast<float>(static_cast<std::uint32_t>(bits))).ptr};
    case WeightType::f64:
      return {digits, std::to_chars(digits, end, std::bit_cast<double>(bits)).ptr};
    case WeightType::none:
    case WeightType::u32:
      break;
  }
  return std::to_string(bits);
}

void refuse_weight(const std::string& name, std::uint64_t edge, std::uint64_t source, std::uint64_t target,
                   WeightType type, std::uint64_t rank, const char* expected) {
  throw core::DataError(name + ": edge " + std::to_string(edge) + " (" + std::to_string(source) + ", " +
                        std::to_string(target) + "): weight " + weight_text(type, rank) +
                        " found, expected " + expected);
}

template <class Id>
void check_weights(const EdgeBatch<Id>& batch, const EdgeWeights& weights, const WeightLimits& limits,
                   const std::string& name, std::uint64_t first_edge) {
  const WeightType type = weights.type();
  const bool any_number = type == WeightType::u32 || type == WeightType::i64;
  if (!weights.stored() || (any_number && limits.valid == nullptr)) return;
  const auto left_out = [&](const Edge<Id>& edge) { return edge.source == edge.target && !limits.of_loops; };
  weights.with_ranks([&](const auto& rank_of) {
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t largest = 0;
    for (const Edge<Id>& edge : batch) {
      const std::uint64_t rank = rank_of(edge);
      const bool loop = left_out(edge);
      least = std::min(least, loop ? least : rank);
      largest = std::max(largest, loop ? largest : rank);
    }
    if (least > largest || (limits.contain(type, least) && limits.contain(type, largest))) return;
    for (std::size_t i = 0;; ++i) {
      const Edge<Id>& edge = batch[i];
      if (left_out(edge) || limits.contain(type, rank_of(edge))) continue;
      refuse_weight(name, first_edge + i, edge.source, edge.target, type, rank_of(edge), limits.expected);
    }
  });
}

template void check_weights(const EdgeBatch<std::uint32_t>&, const EdgeWeights&, const WeightLimits&,
                            const std::string&, std::uint64_t);
template void check_weights(const EdgeBatch<std::uint64_t>&, const EdgeWeights&, const WeightLimits&,
                            const std::string&, std::uint64_t);

}  // namespace emgraph::graph
