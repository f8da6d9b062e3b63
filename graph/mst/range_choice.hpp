// SPDX-License-Identifier: MIT
// What the method of ranges decides before it reads: which edges are light, and the memory of its parts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/environment.hpp"
#include "graph/forecast.hpp"
#include "graph/mst/choice.hpp"
#include "graph/mst/edge_feed.hpp"
#include "graph/mst/order_sorter.hpp"
#include "graph/mst/range_reduction.hpp"
#include "graph/node_bits.hpp"
#include "graph/sample_facts.hpp"

namespace emgraph::graph::mst {

/// The base of RangeForest (range_forest.hpp). I/O: none. Memory: the sample.
template <class Code>
class RangeChoice {
 public:
  /// `sample`: codes of a sample of the edges, or empty. Requires: the lanes of the feed are open.
  RangeChoice(core::Environment& environment, EdgeFeed& feed, const EdgeCodes<Code>& codes,
              const Demand& demand, const Options& options, std::vector<Code> sample)
      : environment_(environment),
        feed_(feed),
        codes_(codes),
        demand_(demand),
        options_(options),
        sample_(std::move(sample)),
        sample_memory_(
            environment.memory.reserve(sample_.capacity() * sizeof(Code), "a sample of the edges")) {}

  /// The forecast of run() for these numbers. Closes the lanes.
  Forecast forecast(std::uint64_t nodes, std::uint64_t edges) {
    const double distinct = distinct_share(edges);
    choose_bound();
    if (bound_) joined_share_ = joined_share(nodes, light_share_ * distinct * static_cast<double>(edges));
    Forecast forecast;
    forecast_steps(with_node_type(nodes, [&]<class Node>() { return sizes_of<Node>(nodes, edges); }),
                   forecast);
    return forecast;
  }

 protected:
  static constexpr std::uint64_t light_per_node = 2;

  /// Nodes take 4 bytes if possible: narrow codes mean small ids, wide codes large ids.
  template <class Body>
  static decltype(auto) with_node_type(std::uint64_t nodes, Body&& body) {
    if constexpr (std::is_same_v<Code, std::uint64_t>) {
      return body.template operator()<std::uint32_t>();
    } else if constexpr (std::is_same_v<Code, WideCode>) {
      return body.template operator()<std::uint64_t>();
    } else {
      if (nodes <= std::uint64_t{1} << 32) return body.template operator()<std::uint32_t>();
      return body.template operator()<std::uint64_t>();
    }
  }
  template <class Node>
  ReductionPlan plan(std::uint64_t nodes) const {
    return plan_ranges(demand_, options_, nodes, sizeof(Node), sizeof(MovedEdge<Code, Node>));
  }

  /// The first heavy code; none if there are few edges per node or no sample.
  void choose_bound() {
    if (sample_.empty() || !demand_.nodes || !demand_.edges) return;
    const std::uint64_t light = std::max<std::uint64_t>(light_per_node * *demand_.nodes, 1);
    if (*demand_.edges <= 2 * light) return;
    sort_codes(std::span(sample_));
    const double share = static_cast<double>(light) / static_cast<double>(*demand_.edges);
    bound_ = sample_[static_cast<std::size_t>(share * static_cast<double>(sample_.size()))];
    light_share_ = share;
    sample_.resize(static_cast<std::size_t>(std::lower_bound(sample_.begin(), sample_.end(), *bound_) -
                                            sample_.begin()));
  }

  CodesAhead<Code> ahead(const ReductionPlan& plan) const {
    CodesAhead<Code> ahead{.bits = codes_.layout().bits(),
                           .sample = sample_,
                           .memory_bytes = plan.sorter_bytes,
                           .threads = plan.sorter_threads};
    if (demand_.edges) {
      ahead.count = static_cast<std::uint64_t>(light_share_ * static_cast<double>(*demand_.edges)) + 1;
    }
    return ahead;
  }

  core::Environment& environment_;
  EdgeFeed& feed_;
  const EdgeCodes<Code> codes_;
  const Demand demand_;
  const Options options_;
  std::vector<Code> sample_;
  core::Reservation sample_memory_;
  std::optional<Code> bound_;  ///< the first heavy code; none: all edges are light
  double light_share_ = 1;
  double joined_share_ = 0;  ///< of the heavy edges: ends that the light ones connect, in a forecast

 private:
  // CPU time of all threads together, nanoseconds per edge. Measured with scripts/bench_plan.py.
  static constexpr double read_nanoseconds = 9;
  static constexpr double distribute_nanoseconds = 16;  // of a light edge
  static constexpr double sort_nanoseconds = 40;        // and three misses, with one range of nodes
  static constexpr double reduce_nanoseconds = 95;
  static constexpr double filter_nanoseconds = 14;
  static constexpr double forest_nanoseconds = 60;

  double distinct_share(std::uint64_t edges) const {
    std::vector<std::uint64_t> pairs;
    for (const Code& code : sample_) pairs.push_back(hash_of_pair(codes_.low(code), codes_.high(code)));
    const auto all = static_cast<double>(std::max<std::uint64_t>(edges, 1));
    return sample_.empty() ? 1 : distinct_values(pairs, all) / all;
  }
  /// The share of all pairs of nodes that so many random edges connect: both are in the largest component.
  static double joined_share(std::uint64_t nodes, double edges) {
    const double share = largest_component_share(static_cast<double>(nodes), edges);
    return share * share;
  }

  /// What the steps of a forecast share.
  struct Sizes {
    ReductionPlan plan;
    std::uint64_t nodes;
    std::uint64_t edges;
    std::uint64_t light;       ///< light edges, by the sample
    std::uint64_t light_most;  ///< with the error of the sample
    std::size_t node_bytes;
    std::size_t moved_bytes;  ///< of an edge that moves between ranges of nodes; 0: there is one range
    std::size_t small_bytes;  ///< of readers and lists of blocks

    bool several() const { return plan.ranges > 1; }
    std::uint64_t heavy() const { return edges - light; }
    std::uint64_t forest() const { return std::min(nodes, edges); }  // edges, at most
    std::uint64_t forest_bytes() const { return core::size_product(forest(), sizeof(Code)); }
    std::uint64_t links_bytes() const {
      return core::size_product(several() ? plan.range_nodes : nodes, node_bytes);
    }
    std::uint64_t writer_bytes() const { return core::size_product(plan.ranges, 2 * plan.block_bytes); }
    /// The edges of several ranges are written with their ends.
    std::uint64_t space_of(std::uint64_t codes, std::uint64_t spilled) const {
      return std::max(core::size_product(codes, moved_bytes), spilled);
    }
  };

  template <class Node>
  Sizes sizes_of(std::uint64_t nodes, std::uint64_t edges) const {
    const auto light = bound_ ? static_cast<std::uint64_t>(light_share_ * static_cast<double>(edges)) : edges;
    Sizes sizes{.plan = plan<Node>(nodes),
                .nodes = nodes,
                .edges = edges,
                .light = light,
                .light_most = bound_ ? std::min(edges, light + light / 16) : edges,
                .node_bytes = sizeof(Node),
                .moved_bytes = 0,
                .small_bytes = std::min(environment_.memory.limit() / 32, 4 * core::MiB)};
    if (sizes.several()) sizes.moved_bytes = sizeof(MovedEdge<Code, Node>);
    return sizes;
  }

  /// Reserves the memory of a sort by weight and of what is united meanwhile. `lanes`: it reads the input.
  core::SpillForecast rehearse_sort(const Sizes& sizes, CodesAhead<Code> ahead, std::uint64_t codes,
                                    bool lanes) {
    ahead.rehearse = true;
    OrderSorter<Code> sorter(environment_, std::move(ahead));
    return sorter.rehearse(codes, [&] {
      if (lanes) feed_.close_lanes();
      return environment_.memory.reserve_up_to(core::size_sum(sizes.several() ? 0 : sizes.links_bytes(),
                                                              sizes.writer_bytes(),
                                                              2 * sizes.plan.block_bytes, sizes.small_bytes));
    });
  }

  [[gnu::cold]] void forecast_steps(const Sizes& sizes, Forecast& forecast) {
    forecast.choice = describe_ranges(demand_, options_, sizes.nodes, sizes.node_bytes, sizes.plan);
    forecast_light(sizes, forecast);
    if (bound_) forecast_heavy(sizes, forecast);
    forecast_forest(sizes, forecast);
  }

  [[gnu::cold]] void forecast_light(const Sizes& sizes, Forecast& forecast) {
    const ReductionPlan& plan = sizes.plan;
    const core::SpillForecast sorted = rehearse_sort(
        sizes, ahead(feed_.nodes() ? plan : plan_before_nodes(demand_)), sizes.light_most, true);
    if (sizes.several()) {
      const core::Reservation reducing = environment_.memory.reserve_up_to(
          core::size_sum(sizes.links_bytes(), sizes.writer_bytes(), 4 * plan.block_bytes, plan.merge_bytes,
                         plan.seen_pairs * 2 * sizes.node_bytes + sizes.small_bytes));
    }
    core::SpillForecast& space = *forecast.temporary;
    space.expected_bytes = space_of_light(sizes, sizes.light, sorted.expected_bytes, false);
    space.most_bytes = core::size_sum(space_of_light(sizes, sizes.light_most, sorted.most_bytes, true),
                                      sizes.writer_bytes());
    forecast.phases.push_back({.name = "distribute",
                               .input_readings = 1,
                               .temporary_bytes = sorted.expected_bytes,
                               .cpu_seconds = seconds_for(sizes.edges, read_nanoseconds) +
                                              seconds_for(sizes.light, distribute_nanoseconds)});
    forecast.phases.push_back(
        {.name = "sort by weight",
         .temporary_bytes =
             core::size_sum(sorted.expected_bytes, core::size_product(sizes.light, 2 * sizes.moved_bytes)),
         .cpu_seconds = seconds_for(
             sizes.light, sort_nanoseconds + (sizes.several() ? reduce_nanoseconds
                                                              : 3 * miss_nanoseconds(sizes.links_bytes())))});
  }

  /// The space while so many light edges are united. `lightest`: those of the forest may come first.
  std::uint64_t space_of_light(const Sizes& sizes, std::uint64_t codes, std::uint64_t spilled,
                               bool lightest) const {
    if (sizes.several()) return sizes.space_of(codes, spilled);
    // With one range the forest is written while the sort is read. Its first blocks are in memory, and those
    // on the disks are freed as they are read. The lightest edges may all belong to the forest.
    const auto all = static_cast<double>(std::max<std::uint64_t>(1, codes));
    const double in_memory =
        1 - std::min(1.0, static_cast<double>(spilled) / (all * (codes_.layout().bits() / 8)));
    const auto at = [&](double read) {
      const double left = in_memory == 1 ? 0 : std::min(1.0, (1 - read) / (1 - in_memory));
      const double found = std::min(static_cast<double>(sizes.nodes), read * all) * sizeof(Code);
      return static_cast<std::uint64_t>(left * static_cast<double>(spilled) + found);
    };
    const double complete = lightest ? std::min(1.0, static_cast<double>(sizes.nodes) / all) : 1;
    return std::max(at(in_memory), at(complete));
  }

  [[gnu::cold]] void forecast_heavy(const Sizes& sizes, Forecast& forecast) {
    const std::uint64_t heavy = sizes.heavy();
    const bool spooled = !feed_.rewindable();
    const std::uint64_t spool = spooled ? core::size_product(heavy, sizeof(Code)) : 0;
    if (!spooled) feed_.open_lanes();
    const core::Reservation bits = environment_.memory.reserve_up_to(
        core::size_sum(NodeBits::bytes_for(sizes.nodes), sizes.several() ? 0 : sizes.links_bytes()));
    const core::SpillForecast sorted = rehearse_sort(sizes,
                                                     {.bits = codes_.layout().bits(),
                                                      .memory_bytes = sizes.plan.sorter_bytes,
                                                      .threads = sizes.plan.sorter_threads},
                                                     heavy, !spooled);
    const std::uint64_t kept = sizes.several() ? core::size_product(sizes.nodes, sizes.node_bytes) : 0;
    const std::uint64_t most = core::size_sum(sizes.space_of(heavy, sorted.most_bytes), sizes.forest_bytes(),
                                              kept, sizes.writer_bytes());
    const std::uint64_t left = spilled_of_share(sorted, 1 - joined_share_);
    const auto heavy_left = static_cast<std::uint64_t>(static_cast<double>(heavy) * (1 - joined_share_));
    const std::uint64_t expected =
        core::size_sum(sizes.forest_bytes(), kept, sizes.space_of(heavy_left, left));
    core::SpillForecast& space = *forecast.temporary;
    space.cover(most, expected);
    space.add({.most_bytes = spool, .expected_bytes = spool});
    forecast.phases.push_back({.name = "filter heavy edges",
                               .input_readings = spooled ? 0U : 1U,
                               .temporary_bytes = core::size_product(spool, 2),
                               .cpu_seconds = seconds_for(sizes.edges, filter_nanoseconds)});
    forecast.notes.emplace_back(
        "temporary space: at most if the light edges connect few nodes, so that no heavy edge is dropped");
  }

  /// The forest is sorted by the ends of its edges.
  [[gnu::cold]] void forecast_forest(const Sizes& sizes, Forecast& forecast) {
    const std::size_t free = environment_.memory.available();
    CodesAhead<Code> by_ends{.bits = codes_.layout().bits(), .count = sizes.forest()};
    by_ends.memory_bytes = free - std::min<std::size_t>(free / 8, 32 * core::MiB);
    by_ends.threads = std::max(1U, sorter_threads(demand_, by_ends.memory_bytes));
    const core::SpillForecast sorted = rehearse_sort(sizes, by_ends, sizes.forest(), false);
    // The run of the forest is freed while it is sorted.
    const std::uint64_t forest_bytes = sizes.forest_bytes();
    forecast.temporary->cover(core::size_sum(std::max(forest_bytes, sorted.most_bytes), sizes.writer_bytes()),
                              forest_bytes);
    forecast.phases.push_back({.name = "sort forest",
                               .temporary_bytes = core::size_product(forest_bytes, 2),
                               .cpu_seconds = seconds_for(sizes.forest(), forest_nanoseconds)});
  }
};

}  // namespace emgraph::graph::mst
