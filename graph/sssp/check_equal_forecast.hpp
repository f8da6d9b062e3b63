// SPDX-License-Identifier: MIT
// For a forecast: what the search along arcs that add nothing takes (check_support.hpp).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/bytes.hpp"
#include "graph/edge_weights.hpp"
#include "graph/forecast.hpp"
#include "graph/sssp/check.hpp"
#include "graph/sssp/check_equal_arcs.hpp"
#include "graph/sssp/distances.hpp"

namespace emgraph::graph::sssp {

struct EqualArcsForecast {
  double share = 0;  ///< of the arcs, as the sample tells
  std::uint64_t nodes = 0;
  std::size_t id_bytes = 0;

  /// To be called after the phases. The search comes when the values of nodes are freed: all arcs may be
  /// tight and add nothing.
  void add(core::Environment& environment, std::uint64_t arcs, Forecast& forecast) const {
    if (share == 0) return;
    constexpr double arc_nanoseconds = 150;  // measured beside the run
    forecast.phases.back().cpu_seconds += share * seconds_for(arcs, arc_nanoseconds);
    forecast.phases.back().most_share.reset();
    const std::uint64_t arc_bytes = core::size_product(arcs, 2 * id_bytes);
    const std::uint64_t node_bytes = core::size_product(nodes, sizeof(PendingNode));
    const std::uint64_t held = core::size_sum(arc_bytes, core::size_product(2, node_bytes));
    const std::size_t free = environment.memory.available() / 4 * 3;
    constexpr std::size_t open_blocks = 12;
    const core::Reservation search =
        environment.memory.reserve_up_to(static_cast<std::size_t>(std::min<std::uint64_t>(held, free)) +
                                         open_blocks * check_block_bytes(environment));
    if (!forecast.temporary) return;
    // The arcs in order beside their sort; the nodes, those that are left and two levels.
    const std::uint64_t most =
        core::size_sum(core::size_product(2, arc_bytes), arc_bytes / 8, core::size_product(3, node_bytes));
    const std::uint64_t likely =
        core::size_sum(arc_bytes, core::size_product(held > free ? 2 : 1, node_bytes));
    forecast.temporary->cover(
        core::size_sum(held > free ? most : likely,
                       core::size_product(2 * open_blocks, check_block_bytes(environment))),
        static_cast<std::uint64_t>(share * static_cast<double>(likely)));
  }
};

/// Samples the weights: one adds nothing if it is 0, or is lost when it is added to the largest distance.
/// Without a sample there may be some.
template <class Id>
EqualArcsForecast equal_arcs(EdgeSource<Id>& source, const CheckOptions& options, std::uint64_t nodes) {
  constexpr std::size_t sampled = 64 * 1024;
  EqualArcsForecast equal{.nodes = nodes, .id_bytes = sizeof(Id)};
  if (options.weighting.rule != WeightRule::stored) return equal;
  const WeightType type = options.weighting.type(source.facts().layout.weight);
  const EdgeWeights weights(options.weighting, source.facts().layout.weight);
  std::vector<double> lengths;
  weights.with_bits([&](const auto& bits_of) {
    source.sample(sampled, [&](const EdgeBatch<Id>& batch) {
      for (const Edge<Id>& edge : batch) {
        const std::uint64_t length = length_of(type, bits_of(edge));
        lengths.push_back(is_floating(type) ? std::bit_cast<double>(length) : static_cast<double>(length));
      }
    });
  });
  equal.share = 1;
  if (lengths.empty()) return equal;
  const double largest = *std::max_element(lengths.begin(), lengths.end());
  const double lost = is_floating(type) ? largest * static_cast<double>(nodes) * 0x1p-53 : 0;
  const auto count = std::count_if(lengths.begin(), lengths.end(), [&](double each) { return each <= lost; });
  equal.share = static_cast<double>(count) / static_cast<double>(lengths.size());
  return equal;
}

}  // namespace emgraph::graph::sssp
