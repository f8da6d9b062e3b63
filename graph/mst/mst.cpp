// SPDX-License-Identifier: MIT
// From a source to its forest: chooses the width of codes and the method, and starts again where a guess was
// wrong.
#include "graph/mst/mst.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "core/base/error.hpp"
#include "graph/edge_facts.hpp"
#include "graph/edge_weights.hpp"
#include "graph/mst/batches.hpp"
#include "graph/mst/choice.hpp"
#include "graph/mst/edge_feed.hpp"
#include "graph/mst/forest_output.hpp"
#include "graph/mst/range_forest.hpp"
#include "graph/prepare/edge_keys.hpp"

namespace emgraph::graph::mst {
namespace {

/// The arguments that the attempts of one run share.
struct Job {
  core::Environment& environment;
  EdgeFeed& feed;
  const Options& options;
  ForestSink* sink;
  WeightType type;
  std::vector<WideCode> sample;
  core::Reservation sample_memory;
  Result result = {};
  std::unique_ptr<core::StateReader> saved = nullptr;  ///< of an earlier run, after what begin() has read
  CodeLayout saved_layout{};
  bool saved_ranges = false;

  /// Reads the start of the state of an earlier run, and skips the edges that it has read.
  void begin() {
    if (environment.checkpoint == nullptr || !environment.checkpoint->has_state()) return;
    saved = environment.checkpoint->take_state();
    saved_ranges = saved->value<SavedForest>() == SavedForest::ranges;
    saved_layout = saved->value<CodeLayout>();
    prepare::IngestFacts read;
    read.edges = saved->value<std::uint64_t>();
    read.largest_id = saved->value<std::uint64_t>();
    feed.skip(read);
  }
  /// An attempt has failed: what was sealed is of no use for the next one.
  void begin_again() {
    saved.reset();
    if (environment.checkpoint != nullptr)
      environment.checkpoint->start_again(environment.checkpoint->id_bytes());
    result = {};
    if (feed.rewindable()) feed.rewind();
  }

  unsigned id_bits() const {
    return feed.nodes() ? prepare::bits_for_nodes(*feed.nodes())
                        : static_cast<unsigned>(8 * feed.facts().layout.id_bytes);
  }
  /// The layout of codes that holds every edge of the id type.
  CodeLayout full_layout() const {
    CodeLayout layout{.weight_bits = static_cast<unsigned>(8 * weight_bytes(type)), .id_bits = id_bits()};
    const Weighting& weighting = options.weighting;
    if (weighting.rule == WeightRule::stored) return layout;
    layout.weight_base = 1;
    layout.weight_bits = weighting.rule == WeightRule::unit
                             ? 1
                             : std::max(1U, static_cast<unsigned>(std::bit_width(weighting.modulus - 1)));
    return layout;
  }
  /// The full layout where it fits 64 bits, else a layout for the edges of the sample with some room; nullopt
  /// if that does not fit 64 bits either.
  std::optional<CodeLayout> narrow_layout() const {
    CodeLayout layout = full_layout();
    if (layout.bits() <= 64) return layout;
    if (sample.empty()) return std::nullopt;
    if (options.weighting.rule == WeightRule::stored) {
      std::uint64_t least = ~std::uint64_t{0};
      std::uint64_t most = 0;
      for (const WideCode& edge : sample) {
        least = std::min(least, edge.weight);
        most = std::max(most, edge.weight);
      }
      // The margin: the same range again below and above.
      const std::uint64_t width = most - least;
      layout.weight_base = least - std::min(least, width);
      layout.weight_bits = std::min(
          layout.weight_bits, static_cast<unsigned>(std::bit_width((most - layout.weight_base) | 1)) + 1);
    }
    if (layout.weight_bits > 62) return std::nullopt;
    // The remaining bits are for ids; the ids of the sample must fit.
    std::uint64_t ids = 1;
    for (const WideCode& edge : sample) ids = std::max(ids, edge.high);
    layout.id_bits = std::min(layout.id_bits, (64 - layout.weight_bits) / 2);
    if (static_cast<unsigned>(std::bit_width(ids + ids / 8)) > layout.id_bits) return std::nullopt;
    return layout;
  }

  template <class Code>
  std::vector<Code> sample_codes(const EdgeCodes<Code>& codes) const {
    const CodeLayout& layout = codes.layout();
    std::vector<Code> made;
    made.reserve(sample.size());
    for (const WideCode& edge : sample) {
      if (layout.holds(edge.weight - layout.weight_base, edge.high)) {
        made.push_back(codes.make(edge.weight, edge.low, edge.high));
      }
    }
    return made;
  }

  bool prefers_ranges(const Demand& demand) const {
    return mst::prefers_ranges(demand, options, feed.quick_to_reread(), !sample.empty());
  }

  template <class Code>
  Demand demand() const {
    Demand demand;
    demand.nodes = feed.nodes();
    demand.edges = feed.facts().edges;
    demand.code_bytes = sizeof(Code);
    demand.threads = feed.threads();
    demand.memory_bytes = environment.memory.available();
    if (!demand.nodes && !sample.empty()) {
      std::uint64_t largest = 0;
      for (const WideCode& edge : sample) largest = std::max(largest, edge.high);
      demand.nodes = largest + largest / 64 + 1;
      demand.nodes_guessed = true;
    }
    return demand;
  }
};

template <class Code>
Outcome solve_in_batches(Job& job, const EdgeCodes<Code>& codes, const Demand& demand,
                         const BatchPlan& plan) {
  Batches<Code> batches(job.environment, job.feed, codes, plan);
  {
    core::Phase phase(job.environment.progress, "read and reduce", job.feed.facts().edges.value_or(0),
                      "edges");
    job.feed.show(&phase);
    const Outcome outcome = batches.run(std::exchange(job.saved, nullptr).get());
    job.feed.show(nullptr);
    if (outcome != Outcome::done) {
      if (!job.feed.rewindable()) job.feed.carry_over(batches.hand_over());
      return outcome;
    }
  }
  const prepare::IngestFacts read = job.feed.read();
  const unsigned threads = job.feed.threads();
  job.feed.close_lanes();
  job.result.edges = read.edges;
  job.result.nodes = read.nodes(job.feed.nodes());
  job.result.choice = describe_batches(demand, job.options, job.result.nodes, read.edges);

  const std::span<Code> forest = batches.forest();
  core::Phase phase(job.environment.progress, "sort forest", forest.size(), "edges");
  for (Code& code : forest) code = codes.by_ends(code);
  core::ThreadTeam team(threads);
  sort_codes(forest, team);
  const RankOrder order(job.options.maximum, job.options.weighting, job.type);
  ForestOutput<Code> output(codes, job.type, order, job.sink);
  for (const Code& code : forest) output.add(code);
  output.finish(job.result);
  return Outcome::done;
}

/// One attempt with codes of one width. `batches`: whether it may use batches.
template <class Code>
Outcome solve(Job& job, const CodeLayout& layout, bool batches) {
  const EdgeCodes<Code> codes(layout);
  if (job.feed.threads() == 0) job.feed.open_lanes();
  const Demand demand = job.demand<Code>();
  if (job.saved == nullptr && job.prefers_ranges(demand)) {
    job.feed.expect_rereading();
  } else if (batches) {
    if (const auto plan = plan_batches(demand, job.options)) {
      return solve_in_batches(job, codes, demand, *plan);
    }
    if (job.saved != nullptr) return Outcome::too_many_nodes;  // the memory is smaller than before
  }
  RangeForest<Code> forest(job.environment, job.feed, codes, demand, job.options, job.sample_codes(codes));
  return forest.run(job.result, job.sink, job.type, std::exchange(job.saved, nullptr).get());
}

/// Calls `body.operator()<Code>()` with the narrowest code of a layout.
template <class Body>
decltype(auto) with_code(const CodeLayout& layout, Body&& body) {
  if (layout.bits() <= 64) return body.template operator()<std::uint64_t>();
  if (layout.bits() <= 128) return body.template operator()<core::uint128>();
  return body.template operator()<WideCode>();
}

/// Tries narrow codes, then wide ones; batches, then ranges.
void solve(Job& job) {
  const CodeLayout full = job.full_layout();
  std::optional<CodeLayout> narrow = job.narrow_layout();
  // A layout from the sample can turn out too narrow while reading.
  const bool sure = narrow && *narrow == full;
  job.begin();
  bool batches = !job.saved_ranges;
  for (;;) {
    const bool try_narrow = narrow && (sure || job.feed.rewindable());
    const CodeLayout layout = job.saved != nullptr ? job.saved_layout : try_narrow ? *narrow : full;
    const Outcome outcome =
        with_code(layout, [&]<class Code>() { return solve<Code>(job, layout, batches); });
    if (outcome == Outcome::done) return;
    if (outcome == Outcome::codes_too_narrow) narrow.reset();
    if (outcome == Outcome::too_many_nodes) batches = false;
    job.begin_again();
  }
}

// CPU time of all threads together, nanoseconds. Measured with scripts/bench_plan.py.
constexpr double first_nanoseconds = 110;  // per edge of the first batch
// Per later edge, most of which are left out. With two misses: random edges have six, those of Kronecker
// graphs hardly any.
constexpr double later_nanoseconds = 15;
constexpr double later_misses = 2;
constexpr double forest_nanoseconds = 30;  // per node

/// The forecast of solve_in_batches.
Forecast forecast_batches(Job& job, const Demand& demand, const BatchPlan& plan, std::uint64_t nodes,
                          std::uint64_t edges) {
  core::MemoryBudget& memory = job.environment.memory;
  const core::Reservation pool = memory.reserve_up_to(core::size_product(plan.pool_codes, demand.code_bytes));
  const std::uint64_t per_node = core::size_product(nodes, 4);
  const core::Reservation sets = memory.reserve_up_to(core::size_sum(per_node, core::page_bytes));
  const bool one = edges <= plan.first_codes;
  const core::Reservation labels = memory.reserve_up_to(
      one ? 0 : core::size_product(LightLabels<std::uint64_t>::bytes_for(nodes), plan.levels));
  Forecast forecast;
  forecast.choice = describe_batches(demand, job.options, nodes, edges);
  const std::uint64_t first = std::min<std::uint64_t>(edges, plan.first_codes);
  const double later = later_nanoseconds + later_misses * miss_nanoseconds(per_node);
  forecast.phases.push_back(
      {.name = "read and reduce",
       .input_readings = 1,
       .cpu_seconds = seconds_for(first, first_nanoseconds) + seconds_for(edges - first, later)});
  forecast.phases.push_back(
      {.name = "sort forest", .cpu_seconds = seconds_for(std::min(nodes, edges), forest_nanoseconds)});
  return forecast;
}

template <class Code>
[[gnu::cold]] Forecast forecast_with(Job& job, const CodeLayout& layout, const InputSize& size) {
  const EdgeCodes<Code> codes(layout);
  job.feed.open_lanes();
  const Demand demand = job.demand<Code>();
  const auto nodes = job.feed.nodes() ? job.feed.nodes() : size.nodes;
  const std::optional<BatchPlan> plan = plan_batches(demand, job.options);
  Forecast forecast;
  if (plan && !job.prefers_ranges(demand)) {
    forecast = forecast_batches(job, demand, *plan, nodes.value_or(0), size.edges.value_or(0));
  } else {
    RangeChoice<Code> ranges(job.environment, job.feed, codes, demand, job.options, job.sample_codes(codes));
    forecast = ranges.forecast(nodes.value_or(0), size.edges.value_or(0));
  }
  if (!size.edges || !nodes) {
    const core::Reservation all = job.environment.memory.reserve_up_to(job.environment.memory.limit());
    forecast.leave_size_open();
  }
  return forecast;
}

/// The arguments with a sample of the edges: 384 KiB, or less than a thirty-second of the memory.
Job sampled_job(core::Environment& environment, EdgeFeed& feed, const Options& options, ForestSink* sink,
                WeightType type) {
  constexpr std::size_t wished_edges = 16 * 1024;
  const std::size_t edges = std::min(wished_edges, environment.memory.available() / 32 / sizeof(WideCode));
  core::Reservation held = environment.memory.reserve(edges * sizeof(WideCode), "a sample of the edges");
  return {environment, feed, options, sink, type, feed.sample(edges), std::move(held)};
}

}  // namespace

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options, ForestSink* sink) {
  const WeightType type = weights_of(edges, options.weighting);
  const auto nodes = declared_nodes<Id>(options.nodes, edges.facts());
  SourceFeed<Id> feed(environment, edges, options.weighting, options.maximum, nodes);
  Job job = sampled_job(environment, feed, options, sink, type);
  solve(job);
  job.result.trees = job.result.nodes - job.result.forest_edges;
  return job.result;
}

template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size) {
  const WeightType type = weights_of(edges, options.weighting);
  const auto nodes = declared_nodes<Id>(options.nodes, edges.facts());
  SourceFeed<Id> feed(environment, edges, options.weighting, options.maximum, nodes);
  Job job = sampled_job(environment, feed, options, nullptr, type);
  const std::optional<CodeLayout> narrow = job.narrow_layout();
  const CodeLayout full = job.full_layout();
  const CodeLayout layout = narrow && (*narrow == full || feed.rewindable()) ? *narrow : full;
  return with_code(layout, [&]<class Code>() { return forecast_with<Code>(job, layout, size); });
}

template Forecast forecast(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, const InputSize&);
template Forecast forecast(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, const InputSize&);

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, ForestSink*);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, ForestSink*);

}  // namespace emgraph::graph::mst
