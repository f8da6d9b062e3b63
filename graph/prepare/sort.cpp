// SPDX-License-Identifier: MIT
// Filters sorted input; sorts other input by key or by weight.
#include "graph/prepare/sort.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include "core/base/error.hpp"
#include "graph/prepare/pass_on.hpp"
#include "graph/prepare/sort_by_weight.hpp"
#include "graph/prepare/spooled_source.hpp"

namespace emgraph::graph::prepare {
namespace {

/// True if the input has the requested order and only has to be filtered.
bool already_sorted(const EdgeFacts& facts, std::size_t attachment_bytes, const SortOptions& options) {
  const bool orientation_kept = options.orientation == Orientation::as_stored ||
                                (options.orientation == Orientation::low && facts.oriented_low);
  const bool directions_kept = !doubles_edges(options, facts, attachment_bytes);
  return facts.order == options.order && options.order != EdgeOrder::weight && orientation_kept &&
         directions_kept;
}

/// Counts degrees in a first pass, which spools an input that cannot be rewound to the temporary disks.
template <class Id>
SortResult sort_by_degree(core::Environment& environment, EdgeSource<Id>& source, const SortOptions& options,
                          const std::optional<std::uint64_t>& nodes, const RecordConsumer& consume) {
  Degrees degrees(environment.memory, nodes);
  TwoReadings<Id> readings(environment, source);
  const IngestFacts read =
      readings.first("count degrees", nodes, [&](const EdgeBatch<Id>& batch, std::uint64_t) {
        if (!nodes) {
          std::uint64_t largest = 0;
          for (const Edge<Id>& edge : batch)
            largest = std::max<std::uint64_t>(largest, std::max(edge.source, edge.target));
          degrees.reach(IngestFacts{batch.size(), largest, source.facts().name}.nodes(nodes));
        }
        for (const Edge<Id>& edge : batch) degrees.count(edge.source, edge.target);
      });
  const std::optional<std::uint64_t> counted = read.nodes(nodes);
  return sort_by_key(environment, readings.second(), options, counted, &degrees, consume);
}

/// Whether the edges fitted into memory is known when they are sorted.
ModelChoice describe_choice(bool spilled, bool sorted_input_reused) {
  return {.model = spilled ? MemoryModel::external : MemoryModel::internal,
          .reason = sorted_input_reused ? "one pass over sorted edges"
                    : spilled           ? "the edges do not fit into -M"
                                        : "the edges fit into -M"};
}

template <class Id>
SortResult sort_source(core::Environment& environment, EdgeSource<Id>& source, const SortOptions& options,
                       const std::optional<std::uint64_t>& nodes, const RecordConsumer& consume,
                       const KeptOutput* kept) {
  std::unique_ptr<core::JournalReader> state;
  if (kept != nullptr) {
    if (options.orientation == Orientation::degree) throw std::logic_error("this sort cannot be resumed");
    state = environment.checkpoint->take_state();
  }
  if (already_sorted(source.facts(), source.attachment_bytes(), options)) {
    if (kept == nullptr) return pass_on(environment, source, options, nodes, consume, nullptr);
    FilterCheckpoint filter{*environment.checkpoint, *kept, state.get()};
    return pass_on(environment, source, options, nodes, consume, &filter);
  }
  if (kept != nullptr) {
    SortKeeper keeper(*environment.checkpoint,
                      {.head = [](core::StateWriter&) {}, .state = state.get(), .kept_part = 0.25});
    const KeptSort kept_sort{keeper, *kept};
    return sort_by_key(environment, source, options, nodes, nullptr, consume, &kept_sort);
  }
  if (options.orientation == Orientation::degree)
    return sort_by_degree(environment, source, options, nodes, consume);
  return sort_by_key(environment, source, options, nodes, nullptr, consume);
}

/// Which of equal edges is kept, and which end comes first by degree, is known when the edges are sorted by
/// their ends. They are sorted by weight afterwards.
bool follows_sort_by_ends(const SortOptions& options) {
  return options.unique || options.orientation == Orientation::degree;
}

SortOptions by_source(SortOptions options) {
  options.order = EdgeOrder::source_target;
  return options;
}

// CPU time of all threads together, nanoseconds per edge and per byte attached to it.
// Measured with scripts/bench_plan.py; merging, counting and passing on are estimates.
constexpr double pass_on_nanoseconds = 10;
constexpr double count_nanoseconds = 10;
constexpr double distribute_nanoseconds = 18;
constexpr double sort_nanoseconds = 23;
constexpr double attached_byte_nanoseconds = 2.5;
// By weight: keys of 16 bytes, which are unpacked to records.
constexpr double distribute_weights_nanoseconds = 40;
constexpr double sort_weights_nanoseconds = 60;

/// Of edges that already come in order.
Forecast forecast_passing_on(std::uint64_t edges) {
  Forecast forecast;
  forecast.phases.push_back({.name = "filter and write",
                             .input_readings = 1,
                             .cpu_seconds = seconds_for(edges, pass_on_nanoseconds),
                             .one_thread = true});
  forecast.choice = describe_choice(false, true);
  return forecast;
}

/// What counting degrees holds and keeps on the disks while the edges are sorted.
struct ForeseenDegrees {
  std::optional<Degrees> degrees;   ///< empty: the number of nodes is known only when they are counted
  std::uint64_t spooled_bytes = 0;  ///< of an input that comes only once
};

/// The reading before a sort by degree.
template <class Id>
void forecast_degrees(core::Environment& environment, EdgeSource<Id>& source,
                      const std::optional<std::uint64_t>& nodes, std::uint64_t edges,
                      ForeseenDegrees& counted, Forecast& forecast) {
  counted.degrees.emplace(environment.memory, nodes.value_or(0));
  std::optional<SpoolWriter> spool;
  if (!source.rewindable()) {
    spool.emplace(environment, source.shape().row_bytes, 4);
    counted.spooled_bytes = core::size_product(edges, source.shape().row_bytes);
  }
  const Lanes<Id> lanes = open_lanes(environment, source);
  forecast.phases.push_back({.name = "count degrees",
                             .input_readings = 1,
                             .temporary_bytes = counted.spooled_bytes,
                             .cpu_seconds = seconds_for(edges, count_nanoseconds)});
  if (!nodes) counted.degrees.reset();
}

/// Rehearses the sort that sort_source does after counting.
template <class Id>
core::SpillForecast rehearse_sort(core::Environment& environment, EdgeSource<Id>& source, SortOptions options,
                                  const std::optional<std::uint64_t>& nodes, const ForeseenDegrees& counted,
                                  const InputSize& size) {
  if (options.order == EdgeOrder::weight) {
    return rehearse_sort_by_weight(environment, source, options, nodes, size.edges);
  }
  const bool open = options.orientation == Orientation::degree && !counted.degrees;
  if (open) options.orientation = Orientation::low;
  const core::SpillForecast spill = rehearse_sort_by_key(
      environment, source, options, nodes, counted.degrees ? &*counted.degrees : nullptr, size.edges);
  if (open) {  // the degrees may take all that is left
    const core::Reservation all = environment.memory.reserve_up_to(environment.memory.limit());
  }
  return spill;
}

/// The phases of a sort of so many keys with so many bytes attached to each.
void add_sort_phases(Forecast& forecast, std::uint64_t keys, std::size_t attached_bytes, bool by_weight,
                     std::uint64_t spooled_bytes, std::uint64_t spilled_bytes) {
  const double attached = attached_byte_nanoseconds * static_cast<double>(attached_bytes);
  forecast.phases.push_back(
      {.name = "distribute",
       .input_readings = spooled_bytes == 0 ? 1U : 0U,
       .temporary_bytes = core::size_sum(spooled_bytes, spilled_bytes),
       .cpu_seconds = seconds_for(
           keys, by_weight ? distribute_weights_nanoseconds : distribute_nanoseconds + attached)});
  forecast.phases.push_back(
      {.name = "sort and write",
       .temporary_bytes = spilled_bytes,
       .cpu_seconds = seconds_for(keys, by_weight ? sort_weights_nanoseconds : sort_nanoseconds + attached)});
}

/// The forecast of sort_source.
template <class Id>
Forecast forecast_source(core::Environment& environment, EdgeSource<Id>& source, const SortOptions& options,
                         const std::optional<std::uint64_t>& nodes, const InputSize& size) {
  const std::uint64_t edges = size.edges.value_or(0);
  if (already_sorted(source.facts(), source.attachment_bytes(), options)) {
    const EdgeLane<Id> lane = source.lane();
    return forecast_passing_on(edges);
  }
  Forecast forecast;
  ForeseenDegrees counted;
  if (options.orientation == Orientation::degree) {
    forecast_degrees(environment, source, nodes, edges, counted, forecast);
  }
  const core::SpillForecast spill = rehearse_sort(environment, source, options, nodes, counted, size);
  const std::uint64_t spooled = counted.spooled_bytes;
  const bool doubled = doubles_edges(options, source.facts(), source.attachment_bytes());
  add_sort_phases(forecast, core::size_product(edges, doubled ? 2 : 1), source.attachment_bytes(),
                  options.order == EdgeOrder::weight, spooled, spill.expected_bytes);
  if (!size.edges) {
    forecast.temporary.reset();
    forecast.choice = {MemoryModel::automatic,
                       "internal if the edges fit into -M: their number is not known"};
    return forecast;
  }
  // A block of the spool is freed when it has been read, so the two hardly add up; the bound counts both.
  forecast.temporary = {core::size_sum(spill.most_bytes, spooled, spooled > 0 ? 4 * spool_block_bytes : 0),
                        std::max(spill.expected_bytes, spooled), spill.whole_bytes};
  forecast.choice = describe_choice(spill.expected_bytes > 0 || spooled > 0, false);
  return forecast;
}

}  // namespace

EdgeFacts sorted_facts(const EdgeFacts& input, const SortOptions& options) {
  EdgeFacts facts = input;
  const bool filtered = options.unique || options.no_loops || options.symmetrize;
  if (filtered) facts.edges.reset();
  if (options.nodes) facts.nodes = options.nodes;
  facts.order = options.order;
  facts.unique = options.unique || (input.unique && options.orientation == Orientation::as_stored &&
                                    (!options.symmetrize || input.symmetric));
  facts.no_loops = input.no_loops || options.no_loops;
  facts.oriented_low =
      options.orientation == Orientation::low ||
      (input.oriented_low && !options.symmetrize && options.orientation == Orientation::as_stored);
  // Edges that are turned round no longer have the direction that the input declares.
  facts.directed = input.directed && options.orientation == Orientation::as_stored;
  facts.symmetric = options.symmetrize || (input.symmetric && options.orientation == Orientation::as_stored);
  return facts;
}

template <class Id>
SortResult sort(core::Environment& environment, EdgeSource<Id>& edges, const SortOptions& options,
                const RecordConsumer& consume, const KeptOutput* kept) {
  const std::optional<std::uint64_t> nodes = known_nodes(options.nodes, edges.facts());
  if (environment.checkpoint == nullptr) kept = nullptr;
  if (options.order != EdgeOrder::weight) {
    SortResult result = sort_source(environment, edges, options, nodes, consume, kept);
    result.choice = describe_choice(environment.blocks.peak_bytes() > 0, result.sorted_input_reused);
    return result;
  }
  SortResult result;
  if (follows_sort_by_ends(options)) {
    FollowingWeightSort<Id> by_weight(environment, edges, options, nodes, false);
    result = sort_source(
        environment, edges, by_source(options), nodes,
        [&](const core::PairShape&, const RecordBatch& batch) { by_weight.push(batch); }, nullptr);
    result.edges_out = by_weight.finish(consume);
    result.sorted_input_reused = false;
  } else {
    result = sort_by_weight(environment, edges, options, nodes, consume);
  }
  result.choice = describe_choice(environment.blocks.peak_bytes() > 0, false);
  return result;
}

template <class Id>
Forecast forecast_sort(core::Environment& environment, EdgeSource<Id>& edges, const SortOptions& options,
                       const InputSize& size) {
  const std::optional<std::uint64_t> nodes = known_nodes(options.nodes, edges.facts());
  if (options.order != EdgeOrder::weight || !follows_sort_by_ends(options)) {
    return forecast_source(environment, edges, options, nodes, size);
  }
  FollowingWeightSort<Id> by_weight(environment, edges, options, nodes, true);
  Forecast forecast = forecast_source(environment, edges, by_source(options), nodes, size);
  const bool doubled = doubles_edges(options, edges.facts(), edges.attachment_bytes());
  std::optional<std::uint64_t> records;
  if (size.edges) records = core::size_product(*size.edges, doubled ? 2 : 1);
  const core::SpillForecast spill = by_weight.rehearse(records);
  if (forecast.temporary) forecast.temporary = overlapping(*forecast.temporary, spill);
  forecast.phases.push_back({.name = FollowingWeightSort<Id>::phase_name,
                             .temporary_bytes = core::size_product(spill.expected_bytes, 2),
                             .cpu_seconds = seconds_for(records.value_or(0), distribute_weights_nanoseconds +
                                                                                 sort_weights_nanoseconds)});
  if (spill.expected_bytes > 0) forecast.choice = describe_choice(true, false);
  forecast.notes.emplace_back("--by weight: the bound of temporary space counts both sorts, which overlap");
  return forecast;
}

template Forecast forecast_sort(core::Environment&, EdgeSource<std::uint32_t>&, const SortOptions&,
                                const InputSize&);
template Forecast forecast_sort(core::Environment&, EdgeSource<std::uint64_t>&, const SortOptions&,
                                const InputSize&);
template SortResult sort(core::Environment&, EdgeSource<std::uint32_t>&, const SortOptions&,
                         const RecordConsumer&, const KeptOutput*);
template SortResult sort(core::Environment&, EdgeSource<std::uint64_t>&, const SortOptions&,
                         const RecordConsumer&, const KeptOutput*);

}  // namespace emgraph::graph::prepare
