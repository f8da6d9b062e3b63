// SPDX-License-Identifier: MIT
// The minimum spanning forest when a few forests do not fit in memory: light edges first, then heavy ones.
//
// Problem: memory holds 4 bytes per node but no forest beside them, or not even 4 bytes per node. Method: a
// sample of the weights tells which edges are among the lightest 2 n or so. These are sorted and united
// (range_reduction.hpp); their forest is part of the result. Then the heavy edges are read, from the input or
// from a spool, and those are dropped whose ends the light ones have connected: by the union-find where it
// fits, else by one bit per node, "in the largest set". The remaining ones are sorted and united. With few
// edges per node all edges count as light.
// Invariant: the heavy edges are those from `bound_` on.
// Source: Osipov, Sanders, Singler (2009), doi 10.1137/1.9781611972894.5, with one split and on disk.
//
// I/O: the edges once in, twice where some are heavy (an input that comes only once is spooled); sorting and
// moving (range_reduction.hpp) of the light edges and of the heavy ones that are not dropped.
// Memory: ReductionPlan. Threads: reading, filtering and sorting on all, uniting on one.
// Throws: DataError, MemoryLimitError, EnvironmentError.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "graph/forecast.hpp"
#include "graph/mst/choice.hpp"
#include "graph/mst/edge_feed.hpp"
#include "graph/mst/forest_output.hpp"
#include "graph/mst/light_labels.hpp"
#include "graph/mst/order_sorter.hpp"
#include "graph/mst/range_reduction.hpp"

namespace emgraph::graph::mst {

template <class Code>
class RangeForest {
 public:
  /// `sample`: codes of a sample of the edges, or empty. Requires: the lanes of the feed are open.
  RangeForest(core::Environment& environment, EdgeFeed& feed, const EdgeCodes<Code>& codes,
              const Demand& demand, const Options& options, std::vector<Code> sample)
      : environment_(environment),
        feed_(feed),
        codes_(codes),
        demand_(demand),
        options_(options),
        sample_(std::move(sample)) {}

  /// codes_too_narrow: the feed must be rewound for another solver.
  Outcome run(Result& result, ForestSink* sink, WeightType type) {
    choose_bound();
    std::optional<std::uint64_t> nodes = feed_.nodes();
    ReductionPlan first = plan_before_nodes(demand_);
    if (nodes) first = with_node_type(*nodes, [&]<class Node>() { return plan<Node>(*nodes); });
    auto sorter = std::make_unique<OrderSorter<Code>>(environment_, ahead(first));
    if (!read_light(*sorter)) return Outcome::codes_too_narrow;
    const prepare::IngestFacts read = feed_.read();
    feed_.close_lanes();
    result.edges = read.edges;
    result.nodes = read.nodes(nodes);
    with_node_type(result.nodes, [&]<class Node>() { solve<Node>(std::move(sorter), result, sink, type); });
    return Outcome::done;
  }

  /// The forecast of run() for these numbers. Closes the lanes.
  Forecast forecast(std::uint64_t nodes, std::uint64_t edges) {
    choose_bound();
    Forecast forecast;
    with_node_type(nodes, [&]<class Node>() { forecast_as<Node>(nodes, edges, forecast); });
    return forecast;
  }

 private:
  using StepCodes = typename LightLabels<Code>::StepCodes;
  static constexpr std::uint64_t light_per_node = 2;
  static constexpr std::size_t spool_block_bytes = 64 * 1024;

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
    std::sort(sample_.begin(), sample_.end());
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

  /// Calls `take(thread, step, codes)` for all steps; false if some edge has no code.
  template <class Take>
  bool for_each_step(Take&& take) {
    std::atomic<bool> narrow{false};
    feed_.on_threads([&](unsigned thread) {
      FeedStep step;
      StepCodes codes;
      const CodeLayout& layout = codes_.layout();
      while (!narrow.load(std::memory_order_relaxed) && feed_.next(thread, step)) {
        std::uint64_t weights = 0;
        std::uint64_t ids = 0;
        for (std::size_t i = 0; i < step.count; ++i) {
          weights |= step.weight[i] - layout.weight_base;
          ids |= step.high[i];
          codes[i] = codes_.make(step.weight[i], step.low[i], step.high[i]);
        }
        if (!layout.holds(weights, ids)) {
          narrow.store(true);
          return;
        }
        take(thread, step, codes);
      }
    });
    return !narrow;
  }

  bool read_light(OrderSorter<Code>& sorter) {
    core::Phase phase(environment_.progress, "distribute", feed_.facts().edges.value_or(0), "edges");
    feed_.show(&phase);
    std::mutex spool_mutex;
    if (bound_ && !feed_.rewindable()) spool_.emplace(environment_, spool_block_bytes, 2);
    const bool complete = for_each_step([&](unsigned thread, const FeedStep& step, StepCodes& codes) {
      if (!bound_) return sorter.push(thread, {codes.data(), step.count});
      StepCodes light_codes;
      std::size_t light = 0;
      std::size_t heavy = 0;
      for (std::size_t i = 0; i < step.count; ++i) {
        const Code code = codes[i];
        const bool is_light = code < *bound_;
        light_codes[light] = code;
        light += is_light ? 1 : 0;
        codes[heavy] = code;
        heavy += is_light ? 0 : 1;
      }
      sorter.push(thread, {light_codes.data(), light});
      if (spool_) {
        const std::lock_guard lock(spool_mutex);
        spool_->append({codes.data(), heavy});
      }
    });
    feed_.show(nullptr);
    if (!complete) return false;
    sorter.finish();
    return true;
  }

  template <class Node>
  void solve(std::unique_ptr<OrderSorter<Code>> sorter, Result& result, ForestSink* sink, WeightType type) {
    const ReductionPlan plan = this->plan<Node>(result.nodes);
    result.ranges = plan.ranges;
    result.choice = describe_ranges(demand_, options_, result.nodes, sizeof(Node), plan);
    core::Run<Code> forest;
    {
      RangeReduction<Code, Node> reduction(environment_, codes_, result.nodes, plan);
      unite(reduction, std::move(sorter));
      reduction.reduce(bound_.has_value());
      if (bound_) {
        reduction.label();
        sorter = read_heavy(reduction, plan);
        reduction.forget_labels();
        unite(reduction, std::move(sorter));
        reduction.reduce(false);
      }
      forest = reduction.forest();
    }
    const RankOrder order(options_.maximum, options_.weighting, type);
    ForestOutput<Code> output(codes_, type, order, sink);
    sort_forest(environment_, codes_, demand_, std::move(forest), output);
    output.finish(result);
  }

  template <class Reduction>
  void unite(Reduction& reduction, std::unique_ptr<OrderSorter<Code>> sorter) {
    core::Phase phase(environment_.progress, "sort by weight", 0, "edges");
    for (auto batch = sorter->next(); !batch.empty(); batch = sorter->next()) {
      reduction.take(batch);
      phase.advance(batch.size());
    }
  }

  /// Sorts the relevant heavy edges.
  template <class Reduction>
  std::unique_ptr<OrderSorter<Code>> read_heavy(const Reduction& reduction, const ReductionPlan& plan) {
    core::Phase phase(environment_.progress, "filter heavy edges", feed_.facts().edges.value_or(0), "edges");
    const auto filter = [&](std::span<Code> codes) {
      constexpr std::size_t distance = 24;
      std::size_t kept = 0;
      for (std::size_t i = 0; i < codes.size(); ++i) {
        const Code& next = codes[std::min(i + distance, codes.size() - 1)];
        reduction.prefetch(codes_.low(next));
        reduction.prefetch(codes_.high(next));
        const Code code = codes[i];
        codes[kept] = code;
        kept += reduction.connected(codes_.low(code), codes_.high(code)) ? 0 : 1;
      }
      return codes.first(kept);
    };
    const auto make_sorter = [&] {
      return std::make_unique<OrderSorter<Code>>(environment_,
                                                 CodesAhead<Code>{.bits = codes_.layout().bits(),
                                                                  .memory_bytes = plan.sorter_bytes,
                                                                  .threads = plan.sorter_threads});
    };
    if (spool_) {
      core::RunReader<Code> heavy(environment_, spool_->finish(), 1);
      spool_.reset();
      auto sorter = make_sorter();
      StepCodes codes;
      for (auto block = heavy.next(); !block.empty(); block = heavy.next()) {
        phase.advance(block.size());
        for (; !block.empty(); block = block.subspan(std::min(block.size(), codes.size()))) {
          const std::size_t here = std::min(block.size(), codes.size());
          std::copy_n(block.begin(), here, codes.begin());
          sorter->push(0, filter({codes.data(), here}));
        }
      }
      sorter->finish();
      return sorter;
    }
    feed_.rewind();
    feed_.open_lanes();
    feed_.show(&phase);
    auto sorter = make_sorter();
    for_each_step([&](unsigned thread, const FeedStep& step, StepCodes& codes) {
      std::size_t heavy = 0;
      for (std::size_t i = 0; i < step.count; ++i) {
        const Code code = codes[i];
        codes[heavy] = code;
        heavy += code < *bound_ ? 0 : 1;
      }
      sorter->push(thread, filter({codes.data(), heavy}));
    });
    feed_.show(nullptr);
    feed_.close_lanes();
    sorter->finish();
    return sorter;
  }

  // CPU time of all threads together, nanoseconds per edge. Measured with scripts/bench_plan.py.
  static constexpr double read_nanoseconds = 8;
  static constexpr double sort_nanoseconds = 25;
  static constexpr double reduce_nanoseconds = 60;
  static constexpr double forest_nanoseconds = 50;

  template <class Node>
  void forecast_as(std::uint64_t nodes, std::uint64_t edges, Forecast& forecast) {
    core::MemoryBudget& memory = environment_.memory;
    const auto hold = [&](std::uint64_t bytes, std::string_view what) {
      return memory.reserve_between(0, static_cast<std::size_t>(bytes), what);
    };
    const ReductionPlan plan = this->plan<Node>(nodes);
    forecast.choice = describe_ranges(demand_, options_, nodes, sizeof(Node), plan);
    const bool several = plan.ranges > 1;
    const std::uint64_t links = core::size_product(several ? plan.range_nodes : nodes, sizeof(Node));
    const std::uint64_t writers = 2 * plan.block_bytes * (several ? plan.ranges : 1);
    const auto light = bound_ ? static_cast<std::uint64_t>(light_share_ * static_cast<double>(edges)) : edges;
    const std::uint64_t heavy = edges - light;
    const std::uint64_t light_most = bound_ ? std::min(edges, light + light / 16) : edges;
    const auto sort = [&](CodesAhead<Code> ahead, std::uint64_t codes, bool lanes) {
      ahead.rehearse = true;
      OrderSorter<Code> sorter(environment_, std::move(ahead));
      return sorter.rehearse(codes, [&] {
        if (lanes) feed_.close_lanes();
        return hold(core::size_sum(several ? 0 : links, writers, 2 * plan.block_bytes, memory.limit() / 32),
                    "edges that are united");
      });
    };
    const core::SpillForecast first =
        sort(ahead(feed_.nodes() ? plan : plan_before_nodes(demand_)), light_most, true);
    if (several) {
      const core::Reservation reducing =
          hold(core::size_sum(links, writers, 4 * plan.block_bytes, plan.merge_bytes,
                              plan.seen_pairs * sizeof(Edge<Node>) + memory.limit() / 32),
               "reducing ranges of nodes");
    }
    // The forest takes up to n codes, and those of a range of nodes are written with their ends.
    const std::uint64_t forest = core::size_product(std::min(nodes, edges), sizeof(Code));
    const std::size_t moved = several ? sizeof(MovedEdge<Code, Node>) : 0;
    const std::uint64_t kept = several && bound_ ? core::size_product(nodes, sizeof(Node)) : 0;
    const std::uint64_t blocks = core::size_product(plan.ranges, 2 * plan.block_bytes);
    const auto at_once = [&](std::uint64_t codes, std::uint64_t spilled) {
      return several ? std::max(core::size_product(codes, moved), spilled) : spilled;
    };
    core::SpillForecast& space = *forecast.temporary;
    // With one range the forest is written while the sort is read. Its first blocks are in memory, and those
    // on the disks are freed as they are read.
    const auto with_forest = [&](std::uint64_t codes, std::uint64_t spilled) {
      const std::uint64_t found = core::size_product(std::min(nodes, codes), sizeof(Code));
      const std::uint64_t sorted =
          std::max<std::uint64_t>(1, core::size_product(codes, codes_.layout().bits() / 8));
      const double before = 1 - std::min(1.0, static_cast<double>(spilled) / static_cast<double>(sorted));
      return std::max(found, spilled + static_cast<std::uint64_t>(before * static_cast<double>(found)));
    };
    space.expected_bytes =
        several ? at_once(light, first.expected_bytes) : with_forest(light, first.expected_bytes);
    space.most_bytes = core::size_sum(
        several ? at_once(light_most, first.most_bytes) : with_forest(light_most, first.most_bytes), blocks);
    forecast.phases.push_back({.name = "distribute",
                               .input_readings = 1,
                               .temporary_bytes = first.expected_bytes,
                               .cpu_seconds = seconds_for(edges, read_nanoseconds)});
    forecast.phases.push_back(
        {.name = "sort by weight",
         .temporary_bytes = core::size_sum(first.expected_bytes, 2 * light * moved),
         .cpu_seconds = seconds_for(light, sort_nanoseconds + (several ? reduce_nanoseconds : 0))});
    if (bound_) {
      const bool spooled = !feed_.rewindable();
      const std::uint64_t spool = spooled ? core::size_product(heavy, sizeof(Code)) : 0;
      if (!spooled) feed_.open_lanes();
      const core::Reservation bits = hold(several ? NodeBits::bytes_for(nodes) : links, "one bit per node");
      const core::SpillForecast second = sort(
          {.bits = codes_.layout().bits(), .memory_bytes = plan.sorter_bytes, .threads = plan.sorter_threads},
          heavy, !spooled);
      const std::uint64_t most = at_once(heavy, second.most_bytes);
      space.most_bytes =
          core::size_sum(std::max(space.most_bytes, core::size_sum(most, forest, kept, blocks)), spool);
      space.expected_bytes = core::size_sum(std::max(space.expected_bytes, forest + kept), spool);
      forecast.phases.push_back({.name = "filter heavy edges",
                                 .input_readings = spooled ? 0U : 1U,
                                 .temporary_bytes = 2 * spool,
                                 .cpu_seconds = seconds_for(edges, read_nanoseconds)});
      forecast.notes.emplace_back(
          "temporary space: at most if the light edges connect few nodes, so that no heavy edge is dropped");
    }
    const std::size_t free = memory.available();
    CodesAhead<Code> by_ends{.bits = codes_.layout().bits(), .count = std::min(nodes, edges)};
    by_ends.memory_bytes = free - std::min<std::size_t>(free / 8, 32 * core::MiB);
    by_ends.threads = std::max(1U, sorter_threads(demand_, by_ends.memory_bytes));
    const core::SpillForecast last = sort(by_ends, std::min(nodes, edges), false);
    // The run of the forest is freed while it is sorted.
    space.most_bytes = std::max(space.most_bytes, core::size_sum(std::max(forest, last.most_bytes), blocks));
    space.expected_bytes = std::max(space.expected_bytes, forest);
    forecast.phases.push_back({.name = "sort forest",
                               .temporary_bytes = 2 * forest,
                               .cpu_seconds = seconds_for(std::min(nodes, edges), forest_nanoseconds)});
  }

  core::Environment& environment_;
  EdgeFeed& feed_;
  const EdgeCodes<Code> codes_;
  const Demand demand_;
  const Options options_;
  std::vector<Code> sample_;
  std::optional<Code> bound_;
  double light_share_ = 1;
  std::optional<core::RunWriter<Code>> spool_;  ///< heavy edges that cannot be read again
};

}  // namespace emgraph::graph::mst
