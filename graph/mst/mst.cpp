// SPDX-License-Identifier: MIT
// From a source to its forest: chooses the width of codes and the method, and starts again where a guess was
// wrong.
#include "graph/mst/mst.hpp"

#include <algorithm>
#include <bit>

#include "core/base/error.hpp"
#include "graph/edge_facts.hpp"
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
  Result result;

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
    const Outcome outcome = batches.run();
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
  if (batches) {
    if (const auto plan = plan_batches(demand, job.options)) {
      return solve_in_batches(job, codes, demand, *plan);
    }
  }
  std::vector<Code> sample;
  for (const WideCode& edge : job.sample) {
    if (layout.holds(edge.weight - layout.weight_base, edge.high)) {
      sample.push_back(codes.make(edge.weight, edge.low, edge.high));
    }
  }
  RangeForest<Code> forest(job.environment, job.feed, codes, demand, job.options, std::move(sample));
  return forest.run(job.result, job.sink, job.type);
}

Outcome solve_with(Job& job, const CodeLayout& layout, bool batches) {
  if (layout.bits() <= 64) return solve<std::uint64_t>(job, layout, batches);
  if (layout.bits() <= 128) return solve<core::uint128>(job, layout, batches);
  return solve<WideCode>(job, layout, batches);
}

/// Tries narrow codes, then wide ones; batches, then ranges.
void solve(Job& job) {
  const CodeLayout full = job.full_layout();
  std::optional<CodeLayout> narrow = job.narrow_layout();
  // A layout from the sample can turn out too narrow while reading.
  const bool sure = narrow && *narrow == full;
  bool batches = true;
  for (;;) {
    const bool try_narrow = narrow && (sure || job.feed.rewindable());
    const Outcome outcome = solve_with(job, try_narrow ? *narrow : full, batches);
    if (outcome == Outcome::done) return;
    if (outcome == Outcome::codes_too_narrow) narrow.reset();
    if (outcome == Outcome::too_many_nodes) batches = false;
    if (job.feed.rewindable()) job.feed.rewind();
  }
}

}  // namespace

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options, ForestSink* sink) {
  const EdgeFacts& facts = edges.facts();
  const WeightType type = options.weighting.type(facts.layout.weight);
  if (type == WeightType::none) {
    throw core::UsageError(facts.name + " has no weights");
  }
  const auto nodes = declared_nodes<Id>(options.nodes, facts);
  SourceFeed<Id> feed(environment, edges, options.weighting, options.maximum, nodes);
  constexpr std::size_t sample_edges = 16 * 1024;  // 400 KiB, not charged
  Job job{environment, feed, options, sink, type, feed.sample(sample_edges), {}};
  solve(job);
  job.result.trees = job.result.nodes - job.result.forest_edges;
  return job.result;
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, ForestSink*);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, ForestSink*);

}  // namespace emgraph::graph::mst
