// SPDX-License-Identifier: MIT
// Edges as arcs for build_rows.
#include "graph/sssp/quick_rows.hpp"

#include <algorithm>
#include <vector>

#include "graph/edge_weights.hpp"
#include "graph/prepare/adjacency/row_builder.hpp"

namespace emgraph::graph::sssp {
namespace {

using Node = std::uint32_t;

/// Entries that are arcs. An edge is an arc from its source, and one from its target if `both`.
template <class RowsType>
class ArcEntries {
  using ArcType = typename RowsType::ArcType;
  using Length = typename RowsType::Length;

 public:
  ArcEntries(const Weighting& weighting, const EdgeFacts& facts, bool both, unsigned threads)
      : weights_(weighting, facts.layout.weight), name_(facts.name), both_(both), longest_(threads) {}

  template <class Put>
  void entries(unsigned thread, const EdgeBatch<Node>& batch, std::uint64_t first_edge, Put&& put) {
    check_weights(batch, weights_, length_limits(), name_, first_edge);
    const WeightType type = weights_.type();
    std::uint64_t longest = longest_[thread].length;
    weights_.with_bits([&](const auto& bits_of) {
      for (const auto& edge : batch) {
        if (edge.source == edge.target) continue;
        const std::uint64_t length = length_of(type, bits_of(edge));
        longest = std::max(longest, length);
        put(edge.source, ArcType{edge.target, static_cast<Length>(length)});
        if (both_) put(edge.target, ArcType{edge.source, static_cast<Length>(length)});
      }
    });
    longest_[thread].length = longest;
  }
  std::uint64_t longest() const {
    std::uint64_t longest = 0;
    for (const Longest& of_thread : longest_) longest = std::max(longest, of_thread.length);
    return longest;
  }

 private:
  struct alignas(64) Longest {
    std::uint64_t length = 0;
  };
  const EdgeWeights weights_;
  const std::string& name_;
  const bool both_;
  std::vector<Longest> longest_;
};

template <class RowsType>
bool build_rows_of(core::Environment& environment, EdgeSource<Node>& source, const Options& options,
                   const adjacency::RowsOptions& rows_options, BuiltGraph<Node>& built) {
  const bool both = rows_options.rows == adjacency::RowsOf::neighbours && !source.facts().symmetric;
  ArcEntries<RowsType> arcs(options.weighting, source.facts(), both, environment.threads);
  auto rows = adjacency::build_entry_rows<typename RowsType::Offset, typename RowsType::ArcType>(
      environment, source, rows_options, arcs);
  if (!rows) return false;
  built.edges = rows->read.edges;
  built.nodes = rows->facts.nodes;
  built.lengths = {built.lengths.type, arcs.longest(), built.nodes, rows->facts.entries};
  built.rows.emplace().rows =
      std::make_unique<RowsType>(built.nodes, std::move(rows->offsets), std::move(rows->entries));
  return true;
}

}  // namespace

adjacency::RowsOptions rows_options(const Options& options, const Demand& demand) {
  constexpr std::uint64_t nodes = std::uint64_t{1} << 20;
  Demand of_nodes = demand;
  of_nodes.nodes = nodes;
  const Needs need = needs(of_nodes, options);
  return {.rows = options.directed ? adjacency::RowsOf::targets : adjacency::RowsOf::neighbours,
          .simple = false,
          .nodes = options.nodes,
          .beside_bytes_per_node = core::divide_up(core::size_sum(need.words, need.nodes), nodes),
          .entry_bytes = demand.arc_bytes};
}

bool may_take_quick_rows(const Options& options, const EdgeFacts& facts) {
  if (!may_be_internal(options.model)) return false;
  if (needs_reversed(options) || (facts.symmetric && options.weighting.rule == WeightRule::stored))
    return false;
  return options.weighting.type(facts.layout.weight) != WeightType::u32 || !facts.edges ||
         AnyRows<Node>::Short::fits(core::size_product(*facts.edges, 2));
}

std::size_t row_offset_bytes(WeightType type) {
  return type == WeightType::u32 ? sizeof(AnyRows<Node>::Short::Offset) : sizeof(AnyRows<Node>::Wide::Offset);
}

bool build_quick_rows(core::Environment& environment, EdgeSource<Node>& source, const Options& options,
                      const Demand& demand, BuiltGraph<Node>& built) {
  if (!may_take_quick_rows(options, source.facts())) return false;
  using Rows = AnyRows<Node>;
  const adjacency::RowsOptions rows = rows_options(options, demand);
  return built.lengths.type == WeightType::u32
             ? build_rows_of<Rows::Short>(environment, source, options, rows, built)
             : build_rows_of<Rows::Wide>(environment, source, options, rows, built);
}

}  // namespace emgraph::graph::sssp
