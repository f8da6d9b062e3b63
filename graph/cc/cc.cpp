// SPDX-License-Identifier: MIT
// From edges to labels: in memory while the edges are read, or through ranges of nodes.
#include "graph/cc/cc.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "graph/cc/choice.hpp"
#include "graph/cc/kept.hpp"
#include "graph/cc/range_labels.hpp"
#include "graph/cc/union_scan.hpp"
#include "graph/edge_facts.hpp"
#include "graph/prepare/sorted_edges.hpp"
#include "graph/sparse_ids.hpp"

namespace emgraph::graph::cc {
namespace {

/// The arguments that the methods of one run share.
template <class Id>
struct Job {
  core::Environment& environment;
  EdgeSource<Id>& source;
  const Options& options;
  NodeSink<Id>* sink;
  ModelDemand demand;

  const EdgeFacts& facts() const { return source.facts(); }

  Result result(std::uint64_t nodes, std::uint64_t edges, const ComponentCount& count,
                std::uint64_t ranges) const {
    return {.nodes = nodes,
            .edges = edges,
            .count = count,
            .choice = describe_choice(demand, nodes, ranges > 0, options.model),
            .ranges = ranges};
  }
};

/// True if what the last phase has read is worth a state.
bool worth_sealing(const core::Environment& environment) {
  constexpr double part_of_period = 0.25;
  return environment.checkpoint != nullptr && environment.checkpoint->due(part_of_period);
}

/// For a known n, if an id per node fits.
template <class Id>
Result in_memory(const Job<Id>& job, const prepare::Lanes<Id>& lanes, std::uint64_t nodes,
                 const KeptState& kept) {
  UnionFind<Id> sets(job.environment.memory, nodes, "an id per node");
  prepare::IngestFacts read;
  if (kept.reader != nullptr) kept.reader->array(sets.steps());
  const auto seal = [&](const prepare::IngestFacts& so_far) {
    job.environment.checkpoint->seal(prepare::edges_read("unite", so_far.edges, job.facts().edges),
                                     [&](core::StateWriter& to) {
                                       to.value(Place::of(Stage::unite, so_far, nodes));
                                       to.array(sets.steps());
                                     });
  };
  {
    core::Phase phase(job.environment.progress, "unite", job.facts().edges.value_or(0), "edges");
    read = prepare::ingest(lanes, job.facts().name, job.demand.nodes, phase,
                           [&](unsigned, std::span<const Edge<Id>> batch) { unite_all(sets, batch); },
                           {job.environment.checkpoint, kept.place.read(), seal});
  }
  if (worth_sealing(job.environment)) seal(read);
  return job.result(nodes, read.edges, send_labels(job.environment, sets, nodes, job.sink), 0);
}

ContractionDemand range_demand(const core::Environment& environment, const Options& options,
                               std::size_t id_bytes, std::uint64_t nodes, std::optional<std::uint64_t> edges,
                               std::size_t lanes) {
  // Some is left for later reservations: lists of blocks, lanes that convert.
  const std::size_t free = environment.memory.available();
  return {.nodes = nodes,
          .edges = edges,
          .id_bytes = id_bytes,
          .memory_bytes = free - free / 16,
          .limit_bytes = environment.memory.limit(),
          .threads = static_cast<unsigned>(lanes),
          .range_nodes = options.range_nodes};
}

/// n is known, and an id per node does not fit or the external model is forced. `source` is job.source or a
/// spool of it, with `edges` edges.
template <class Id>
Result in_ranges(const Job<Id>& job, EdgeSource<Id>& source, prepare::Lanes<Id> lanes, std::uint64_t nodes,
                 std::optional<std::uint64_t> edges, const KeptState& kept) {
  core::Environment& environment = job.environment;
  const ContractionDemand demand =
      range_demand(environment, job.options, sizeof(Id), nodes, edges, lanes.size());
  const ContractionPlan plan = kept.in_ranges()
                                   ? kept.reader->template value<ContractionPlan>().resumed(demand)
                                   : ContractionPlan::make(demand);
  while (lanes.size() > plan.threads) lanes.pop_back();
  Contraction<Id> contraction(environment, plan, kept);
  const prepare::IngestFacts read = contraction.distribute(std::move(lanes), source.facts());
  contraction.contract();
  RangeLabels<Id> labels(environment, contraction);
  return job.result(nodes, read.edges, labels.send(job.sink, kept), plan.ranges);
}

template <class Id>
Result in_ranges_after(const Job<Id>& job, core::Run<Edge<Id>> spool, std::uint64_t nodes,
                       std::uint64_t edges) {
  EdgeFacts facts = job.facts();
  const std::uint64_t spooled = spool.records;
  facts.edges = spooled;
  EdgeSource<Id> source = prepare::spooled_source(job.environment, std::move(facts), std::move(spool));
  Result result = in_ranges(job, source, prepare::open_lanes(job.environment, source), nodes, spooled,
                            KeptState(nullptr));
  result.edges = edges;
  return result;
}

template <class Id>
Result in_ranges_again(const Job<Id>& job, std::uint64_t nodes, std::uint64_t edges) {
  job.source.rewind();
  return in_ranges(job, job.source, prepare::open_lanes(job.environment, job.source), nodes, edges,
                   KeptState(nullptr));
}

/// n is not known: in memory while the ids fit, then in ranges.
template <class Id>
Result in_memory_if_it_fits(const Job<Id>& job, prepare::Lanes<Id> lanes, const KeptState& kept) {
  core::Environment& environment = job.environment;
  const bool external = job.options.model == MemoryModel::external;
  const bool spool = !job.source.rewindable();
  const std::size_t free = environment.memory.available();
  const std::uint64_t most = external ? 0 : most_nodes(free, sizeof(Id));
  std::optional<core::Run<Edge<Id>>> spooled;
  prepare::IngestFacts read;
  std::uint64_t nodes = 0;
  {
    GrowingScan<Id> scan(environment, most, spool);
    if (kept.reader != nullptr) scan.restore(*kept.reader, kept.place.nodes, kept.place.outgrown);
    const char* const phase_name = external ? "count nodes" : "unite";
    const auto seal = [&](const prepare::IngestFacts& so_far) {
      environment.checkpoint->seal(prepare::edges_read(phase_name, so_far.edges, job.facts().edges),
                                   [&](core::StateWriter& to) {
                                     Place place = Place::of(Stage::unite, so_far, scan.sets().size());
                                     place.outgrown = scan.outgrown();
                                     to.value(place);
                                     scan.save(to);
                                   });
    };
    {
      core::Phase phase(environment.progress, phase_name, job.facts().edges.value_or(0), "edges");
      read = prepare::ingest(lanes, job.facts().name, std::nullopt, phase,
                             [&](unsigned, std::span<const Edge<Id>> batch) { scan.take(batch); },
                             {environment.checkpoint, kept.place.read(), seal});
    }
    if (worth_sealing(environment)) seal(read);
    nodes = read.nodes(std::nullopt);
    require_justified(job.facts(), job.options.nodes, nodes, read.edges);
    lanes.clear();
    if (!scan.outgrown() && !external) {
      return job.result(nodes, read.edges, send_labels(environment, scan.sets(), nodes, job.sink), 0);
    }
    if (job.options.model != MemoryModel::automatic && !external) {
      throw too_many_nodes(environment.memory, nodes, sizeof(Id), free);
    }
    if (spool) spooled = scan.finish_spool();
  }
  if (spooled) return in_ranges_after(job, std::move(*spooled), nodes, read.edges);
  return in_ranges_again(job, nodes, read.edges);
}

template <class Id>
ModelDemand checked_demand(const core::Environment& environment, const EdgeFacts& facts,
                           const Options& options) {
  ModelDemand demand;
  demand.nodes = declared_nodes<Id>(options.nodes, facts);
  demand.edges = facts.edges;
  demand.id_bytes = sizeof(Id);
  demand.memory_bytes = environment.memory.available();
  check_forced(demand, options.model);
  return demand;
}

// CPU time of all threads together, nanoseconds per edge or node. Measured with scripts/bench_plan.py on
// random edges.
constexpr double unite_nanoseconds = 11;    // and a miss
constexpr double united_nanoseconds = 3.5;  // and half a miss: of edges within the giant component
/// Of so many edges per node the others find their ends united.
constexpr std::uint64_t uniting_edges_per_node = 8;
constexpr double count_nanoseconds = 4;
constexpr double label_nanoseconds = 7;  // and a miss
constexpr double distribute_nanoseconds = 22;
constexpr double contract_nanoseconds = 35;
constexpr double range_label_nanoseconds = 25;

ForecastPhase unite_phase(std::uint64_t edges, std::uint64_t nodes, std::size_t id_bytes) {
  const std::uint64_t uniting = std::min(edges, core::size_product(nodes, uniting_edges_per_node));
  const double miss = miss_nanoseconds(core::size_product(nodes, id_bytes));
  return {.name = "unite",
          .input_readings = 1,
          .cpu_seconds = seconds_for(uniting, unite_nanoseconds + miss) +
                         seconds_for(edges - uniting, united_nanoseconds + miss / 2)};
}

/// The forecast of in_ranges. `below`: for a plan, the share of the edges that the highest range does not
/// take.
template <class Id, class Below>
void forecast_ranges(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
                     std::uint64_t nodes, const std::optional<std::uint64_t>& declared, std::uint64_t edges,
                     Below&& below, Forecast& forecast) {
  prepare::Lanes<Id> lanes = prepare::open_lanes(environment, source);
  const ContractionPlan plan =
      ContractionPlan::make(range_demand(environment, options, sizeof(Id), nodes, declared, lanes.size()));
  while (lanes.size() > plan.threads) lanes.pop_back();
  Contraction<Id> contraction(environment, plan, KeptState(nullptr));
  lanes.clear();
  const core::RunWriter<Id> parents(environment, plan.run_block_bytes, 2);
  // Every edge is one pair at any time. Lists of blocks are charged as they grow.
  const std::uint64_t open = std::uint64_t{plan.threads + 1} * plan.ranges;
  const std::uint64_t most_pairs = contraction.pairs().spilled_bytes(edges, 2 * open);
  const std::uint64_t lists = core::ChainStore::bookkeeping_bytes_for(most_pairs / plan.block_bytes);
  const std::size_t free = environment.memory.available();
  const core::Reservation later = environment.memory.reserve(
      static_cast<std::size_t>(std::min<std::uint64_t>(free, lists + 2 * plan.run_block_bytes)),
      "the list of blocks");
  const std::uint64_t ids = core::size_product(nodes, sizeof(Id));
  const auto spilled_edges =
      static_cast<std::uint64_t>(static_cast<double>(edges) * below(plan.begin(plan.ranges - 1)));
  const std::uint64_t spilled = contraction.pairs().spilled_bytes(spilled_edges, open / 2);
  core::SpillForecast& space = *forecast.temporary;
  space.most_bytes = core::size_sum(space.most_bytes, most_pairs, ids, plan.ranges * plan.run_block_bytes);
  // Parents replace edges on the disks.
  space.expected_bytes = std::max({space.expected_bytes, spilled, ids});
  forecast.phases.push_back({.name = "distribute",
                             .input_readings = 1,
                             .temporary_bytes = spilled,
                             .cpu_seconds = seconds_for(edges, distribute_nanoseconds)});
  forecast.phases.push_back({.name = "contract",
                             .temporary_bytes = core::size_sum(core::size_product(spilled, 2), ids),
                             .cpu_seconds = seconds_for(spilled_edges, contract_nanoseconds)});
  forecast.phases.push_back({.name = "label",
                             .temporary_bytes = ids,
                             .cpu_seconds = seconds_for(nodes, range_label_nanoseconds),
                             .one_thread = true});
}

/// n is not known at all: the ids grow into the memory that is free.
Forecast forecast_of_unknown_nodes(core::Environment& environment, std::size_t id_bytes,
                                   const Options& options, std::uint64_t edges) {
  Forecast forecast;
  const std::uint64_t most = most_nodes(environment.memory.available(), id_bytes);
  const core::Reservation ids =
      environment.memory.reserve(static_cast<std::size_t>(most * id_bytes), "an id per node");
  forecast.choice = {options.model, std::string(forced_suffix(options.model))};
  if (options.model == MemoryModel::automatic) {
    forecast.choice = {MemoryModel::semi_external,
                       "while ids are below " + core::format_count(most) + ", external beyond"};
  }
  forecast.temporary.reset();
  forecast.phases.push_back(unite_phase(edges, most, id_bytes));
  forecast.notes.emplace_back("the number of nodes is not known before the edges are read; --nodes tells it");
  return forecast;
}

}  // namespace

template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
                  const InputSize& size) {
  const EdgeFacts& facts = source.facts();
  const ModelDemand demand = checked_demand<Id>(environment, facts, options);
  prepare::Lanes<Id> lanes = prepare::open_lanes(environment, source);
  const std::optional<std::uint64_t> known = demand.nodes ? demand.nodes : size.nodes;
  const std::uint64_t edges = size.edges.value_or(0);
  if (!known) return forecast_of_unknown_nodes(environment, sizeof(Id), options, edges);
  const std::uint64_t nodes = *known;
  const std::size_t free = environment.memory.available();
  const std::uint64_t most = most_nodes(free, sizeof(Id));
  const bool fits = nodes <= most;
  const bool external = options.model == MemoryModel::external;
  if (!fits && !external && options.model != MemoryModel::automatic) {
    throw too_many_nodes(environment.memory, nodes, sizeof(Id), free);
  }
  Forecast forecast;
  forecast.choice = describe_choice(demand, nodes, external || !fits, options.model);
  if (fits && !external) {
    // An array whose final length is not known grows by an eighth.
    const std::uint64_t room = demand.nodes ? nodes : std::min(most, nodes + nodes / 8);
    const UnionFind<Id> sets(environment.memory, room, "an id per node");
    forecast.phases.push_back(unite_phase(edges, nodes, sizeof(Id)));
    forecast.phases.push_back(
        {.name = "label",
         .cpu_seconds =
             seconds_for(nodes, label_nanoseconds + miss_nanoseconds(core::size_product(nodes, sizeof(Id)))),
         .one_thread = true});
    return forecast;
  }
  const std::vector<Edge<Id>> sample = source.sample(prepare::splitter_sample);
  const auto below = [&](std::uint64_t bound) {
    const auto lower = [&](const Edge<Id>& edge) {
      return edge.source != edge.target && std::max(edge.source, edge.target) < bound;
    };
    const auto count = std::count_if(sample.begin(), sample.end(), lower);
    return sample.empty() ? 1.0 : static_cast<double>(count) / static_cast<double>(sample.size());
  };
  if (!demand.nodes) {
    const bool spool = !source.rewindable();
    // The first reading finds n; in memory are the ids that fit.
    const UnionFind<Id> sets(environment.memory, external ? 0 : most, "an id per node");
    const std::uint64_t spooled = spool ? core::size_product(edges, sizeof(Edge<Id>)) : 0;
    forecast.temporary->most_bytes = core::size_sum(spooled, 2 * prepare::spool_block_bytes);
    forecast.temporary->expected_bytes = spooled;
    forecast.phases.push_back(unite_phase(edges, most, sizeof(Id)));
    ForecastPhase& reading = forecast.phases.back();
    reading.temporary_bytes = spooled;
    if (external) {
      reading.name = "count nodes";
      reading.cpu_seconds = seconds_for(edges, count_nanoseconds);
    }
  }
  lanes.clear();
  forecast_ranges(environment, source, options, nodes, facts.edges, edges, below, forecast);
  if (!size.edges) forecast.temporary.reset();
  return forecast;
}

template Forecast forecast(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, const InputSize&);
template Forecast forecast(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, const InputSize&);

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
           NodeSink<Id>* sink) {
  const EdgeFacts& facts = edges.facts();
  const ModelDemand demand = checked_demand<Id>(environment, facts, options);
  const Job<Id> job{environment, edges, options, sink, demand};
  const KeptState kept(environment.checkpoint);
  prepare::seek_edge(edges, kept.place.stage <= Stage::distribute ? kept.place.edges_read : 0);
  prepare::Lanes<Id> lanes = prepare::open_lanes(environment, edges);
  if (kept.in_ranges()) return in_ranges(job, edges, std::move(lanes), kept.place.nodes, facts.edges, kept);
  if (!demand.nodes) return in_memory_if_it_fits(job, std::move(lanes), kept);
  const std::size_t free = environment.memory.available();
  const bool fits = *demand.nodes <= most_nodes(free, demand.id_bytes);
  const bool choose = options.model == MemoryModel::automatic && !kept.in(Stage::unite);
  if (options.model == MemoryModel::external || (choose && !fits)) {
    require_justified(facts, options.nodes, *demand.nodes, facts.edges);
    return in_ranges(job, edges, std::move(lanes), *demand.nodes, facts.edges, kept);
  }
  if (!fits) throw too_many_nodes(environment.memory, *demand.nodes, demand.id_bytes, free);
  return in_memory(job, lanes, *demand.nodes, kept);
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, NodeSink<std::uint32_t>*);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, NodeSink<std::uint64_t>*);

}  // namespace emgraph::graph::cc
