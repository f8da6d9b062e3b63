// SPDX-License-Identifier: MIT
// Reads the weights of the edges of a batch by rule, and refuses invalid ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "core/base/error.hpp"
#include "graph/edge_source.hpp"
#include "graph/weighting.hpp"

namespace emgraph::graph {

/// The type of the weights that the rule gives the edges of a source. Throws UsageError if it takes stored
/// ones and there are none; std::logic_error if the source was opened without them, as `source<Id>()` does:
/// `source<Id>(weight_bytes(type))` has them.
template <class Id>
WeightType weights_of(const EdgeSource<Id>& edges, const Weighting& weighting) {
  const EdgeFacts& facts = edges.facts();
  const WeightType type = weighting.type(facts.layout.weight);
  if (type == WeightType::none) throw core::UsageError(facts.name + " has no weights");
  if (weighting.rule == WeightRule::stored && edges.attachment_bytes() < weight_bytes(type)) {
    throw std::logic_error(facts.name + ": its source was opened without weights: source<Id>(weight_bytes)");
  }
  return type;
}

/// The weight of an edge: a part of the edge, or a function of its ends.
/// Requires: an edge whose weight is stored is in an EdgeBatch with attachments, not a copy.
class EdgeWeights {
 public:
  /// `stored`: type of the weights in the edges. Throws std::logic_error if the rule needs them and there are
  /// none.
  EdgeWeights(const Weighting& weighting, WeightType stored)
      : rule_(weighting.rule), type_(weighting.type(stored)), hash_(weighting.modulus) {
    if (type_ == WeightType::none) throw std::logic_error("weights of edges that have none");
  }

  WeightType type() const { return type_; }
  bool stored() const { return rule_ == WeightRule::stored; }
  /// The rule that computes the weights, or null.
  const HashWeights* hash() const { return rule_ == WeightRule::hash ? &hash_ : nullptr; }

  /// Calls work(bits_of) once; bits_of(edge) returns the stored bits of a weight, zero-extended to 64 bits.
  template <class Work>
  decltype(auto) with_bits(Work&& work) const {
    if (!stored()) return with_computed(work);
    if (weight_bytes(type_) == 4) {
      return work([](const auto& edge) { return std::uint64_t{load<std::uint32_t>(edge)}; });
    }
    return work([](const auto& edge) { return load<std::uint64_t>(edge); });
  }

  /// The same with the ranks of the weights.
  template <class Work>
  decltype(auto) with_ranks(Work&& work) const {
    if (!stored()) return with_computed(work);
    switch (type_) {
      case WeightType::i64:
        return work([](const auto& edge) { return rank_of_i64(load<std::uint64_t>(edge)); });
      case WeightType::f32:
        return work([](const auto& edge) { return std::uint64_t{rank_of_float(load<std::uint32_t>(edge))}; });
      case WeightType::f64:
        return work([](const auto& edge) { return rank_of_float(load<std::uint64_t>(edge)); });
      case WeightType::none:
      case WeightType::u32:
        break;
    }
    return work([](const auto& edge) { return std::uint64_t{load<std::uint32_t>(edge)}; });
  }

  /// As with_bits for weights that are functions of the ends; bits_of(edge) may then have a copy of an edge.
  /// Bits and ranks are the same. Requires: !stored().
  template <class Work>
  decltype(auto) with_computed(Work&& work) const {
    if (rule_ == WeightRule::unit) return work([](const auto&) { return std::uint64_t{1}; });
    return work([hash = hash_](const auto& edge) {
      const auto [low, high] = low_high(edge.source, edge.target);
      return hash(low, high);
    });
  }

 private:
  template <class T, class Id>
  static T load(const Edge<Id>& edge) {
    T value;
    std::memcpy(&value, attachment_of(edge), sizeof value);
    return value;
  }

  WeightRule rule_;
  WeightType type_;
  HashWeights hash_;
};

/// The weights that a user takes besides that none is NaN.
struct WeightLimits {
  /// True for valid weights, of which every weight between two valid ones is one. Null: all are valid.
  bool (*valid)(WeightType type, std::uint64_t bits) = nullptr;
  const char* expected = "a number";  ///< for messages: what a valid weight is
  bool of_loops = false;              ///< weights of loops must be valid, too

  /// `rank`: of a weight, or of NaN.
  bool contain(WeightType type, std::uint64_t rank) const {
    return number_ranks(type).contains(rank) && (valid == nullptr || valid(type, weight_of_rank(type, rank)));
  }
};

/// A weight as decimal digits, for messages.
std::string weight_text(WeightType type, std::uint64_t rank);

/// Throws the DataError of an edge with an invalid weight. `edge`: its number in the input.
[[noreturn]] void refuse_weight(const std::string& name, std::uint64_t edge, std::uint64_t source,
                                std::uint64_t target, WeightType type, std::uint64_t rank,
                                const char* expected);

/// Throws DataError, naming the edge, if an edge of the batch has an invalid weight. Weights of loops may be
/// any, unless limits.of_loops. `first_edge`: number of the batch's first edge in the input.
template <class Id>
void check_weights(const EdgeBatch<Id>& batch, const EdgeWeights& weights, const WeightLimits& limits,
                   const std::string& name, std::uint64_t first_edge);

}  // namespace emgraph::graph
