// SPDX-License-Identifier: MIT
// The forecast of `bfs` on a source: the build of the adjacency as in build.hpp, then the search of the model
// that the built adjacency gets.
#include <algorithm>
#include <span>

#include "core/base/bytes.hpp"
#include "graph/adjacency/page_estimate.hpp"
#include "graph/bfs/bfs.hpp"
#include "graph/bfs/build.hpp"
#include "graph/bfs/choice.hpp"
#include "graph/bfs/largest_degree.hpp"
#include "graph/bfs/near_levels.hpp"
#include "graph/bfs/search_forecast.hpp"
#include "graph/sample_facts.hpp"

namespace emgraph::graph::bfs {
namespace {

// CPU time of all threads together, nanoseconds. Measured with scripts/bench_plan.py.
constexpr double distribute_nanoseconds = 27;  // per edge
constexpr double build_nanoseconds = 44;       // per edge
constexpr double scan_nanoseconds = 5;         // per edge and reading for the first levels
// What is usual where these are found by readings.
constexpr std::uint64_t usual_scans = 2;
constexpr double usual_far_share = 0.15;

/// The forecast of a run on a source.
template <class Id>
class SourceForecast : SearchForecast {
 public:
  SourceForecast(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
                 const InputSize& size, const WantedOutputs& outputs)
      : SearchForecast(environment, options, outputs, sizeof(Id),
                       adjacency::both_directions(source.facts(), options.directed)),
        source_(source),
        declared_(declared_nodes<Id>(options.nodes, source.facts())),
        known_nodes_(declared_ ? declared_ : size.nodes),
        edges_(size.edges) {
    if (declared_) check_roots(options, *declared_);
  }

  Forecast make() {
    const std::optional<std::uint64_t>& told = source_.facts().edges;
    const Demand demand =
        this->demand(declared_, told ? std::optional(entries_of(*told)) : std::nullopt, false);
    forecast_.choice = choose(demand, options_);
    if (!known_nodes_ || !edges_) return unknown(demand);
    nodes_ = *known_nodes_;
    entries_ = entries_of(*edges_);
    if (search_quick_rows(demand)) return std::move(forecast_);
    const SampleFacts sampled = sample_facts(source_, *edges_, !both_);
    pages_ = adjacency::expected_page_bytes({.nodes = nodes_,
                                             .entries = entries_,
                                             .id_bytes = sizeof(Id),
                                             .likely_entries = sampled.distinct(entries_),
                                             .likely_gap_bytes = sampled.gap_bytes,
                                             .likely_lists = both_ ? sampled.touched : std::nullopt});
    share_ = sampled.distinct_share;
    reaches_ = sampled.connected(nodes_, *edges_);
    if (forecast_.choice.model == MemoryModel::internal && wants_rows(options_)) {
      search_rows(demand);
    } else if (!search_behind_near_levels(demand)) {
      build_and_search_pages(demand);
    }
    return std::move(forecast_);
  }

 private:
  std::uint64_t entries_of(std::uint64_t edges) const { return core::size_product(edges, both_ ? 2 : 1); }

  /// Without n or the number of edges only the memory of the sort is known.
  Forecast unknown(const Demand& demand) {
    build({.directed = options_.directed, .nodes = options_.nodes, .spare_bytes = resident_bytes(demand)},
          [](std::uint64_t) { return core::Reservation(); });
    const core::Reservation all = environment_.memory.reserve_up_to(environment_.memory.limit());
    forecast_.leave_size_open();
    return std::move(forecast_);
  }

  /// The phases that sort and build; returns the space of the sort.
  template <class Begin>
  core::SpillForecast build(const adjacency::StreamOptions& stream, Begin&& begin) {
    const core::SpillForecast spill =
        adjacency::rehearse_neighbours(environment_, source_, stream, edges_, begin);
    const std::uint64_t edges = edges_.value_or(0);
    const bool in_order = adjacency::streams_in_order(source_.facts(), options_.directed);
    if (!in_order) {
      forecast_.phases.push_back({.name = "distribute",
                                  .input_readings = 1,
                                  .temporary_bytes = spill.expected_bytes,
                                  .cpu_seconds = seconds_for(edges, distribute_nanoseconds)});
    }
    forecast_.phases.push_back({.name = "build adjacency",
                                .input_readings = in_order ? 1U : 0U,
                                .temporary_bytes = spill.expected_bytes,
                                .cpu_seconds = seconds_for(edges, build_nanoseconds)});
    *forecast_.temporary = spill;
    return spill;
  }

  /// Rows from one reading; false if the input does not suit.
  bool search_quick_rows(const Demand& demand) {
    if constexpr (sizeof(Id) == sizeof(std::uint32_t)) {
      if (!may_be_internal(options_.model)) return false;
      const adjacency::RowsOptions options = rows_options(options_, demand);
      const std::optional<adjacency::RowsPlan> plan = adjacency::plan_rows(
          environment_, source_, options, row_offset_bytes<Id>(source_.facts(), options.rows));
      if (!plan) return false;
      Demand known = demand;
      known.nodes = known_nodes_;
      known.entries = entries_;
      forecast_.choice = internal_choice(known, options_);
      const core::Reservation rows = adjacency::rehearse_rows(environment_, source_, *plan);
      forecast_.phases = adjacency::row_phases(entries_, options.simple);
      forecast_.temporary = core::SpillForecast();
      on_rows_ = true;
      search(this->demand(nodes_, std::uint64_t{0}, true));
      return true;
    }
    return false;
  }

  void search_rows(const Demand& demand) {
    const bool in_order = adjacency::streams_in_order(source_.facts(), options_.directed);
    if (in_order && !source_.facts().edges) return unpack_and_search(demand);
    const Needs need = needs(demand);
    core::Reservation rows;
    const auto begin = [&](std::uint64_t bound) {
      rows = hold_rows(adjacency::Csr<Id, std::uint64_t>::bytes_for(nodes_, bound) -
                       (bound > 0xffffffff ? 0 : 4 * nodes_));
      return environment_.memory.reserve_up_to(rows.bytes() / 64 + core::MiB);
    };
    const std::uint64_t spare = need.rows + (declared_ ? 0 : need.rows / 4);
    build({.directed = options_.directed,
           .nodes = options_.nodes,
           .spare_bytes = static_cast<std::size_t>(spare)},
          begin);
    // Memory may be so short beside the rows that buckets are split once more; where the rows take most of
    // it, until all keys have been on the disks, with a byte each and blocks that are not full.
    std::uint64_t& most = forecast_.temporary->most_bytes;
    most += most / 16;
    const std::uint64_t keys = core::size_product(entries_, key_bytes() + 1);
    if (most > 0 && need.rows > demand.memory_bytes / 2) most = std::max(most, keys + keys / 4);
    on_rows_ = true;
    search(this->demand(nodes_, std::uint64_t{0}, true));
  }

  /// As a run, refuses a forced model that does not fit.
  core::Reservation hold_rows(std::uint64_t bytes) {
    constexpr const char* what = "the neighbours of each node";
    return options_.model == MemoryModel::internal
               ? environment_.memory.reserve(static_cast<std::size_t>(bytes), what)
               : environment_.memory.reserve_up_to(bytes);
  }

  /// Edges in the order of lists, of which only a bound is known, go to pages on the disks. Rows are made
  /// when they have been counted.
  void unpack_and_search(const Demand& first) {
    build({.directed = options_.directed, .nodes = options_.nodes}, [&](std::uint64_t) {
      return environment_.memory.reserve_up_to(
          3 * adjacency::scan_chunk_bytes(first.memory_bytes, adjacency::default_page_bytes));
    });
    add_pages({}, 0);
    const Demand demand = this->demand(nodes_, entries_, true);
    forecast_.note_need_of_all_edges(needs(demand).internal, demand.memory_bytes);
    search_unpacked(demand);
  }

  /// The first levels are found by readings, if they soon have an end of most edges. False if that is not
  /// tried.
  bool search_behind_near_levels(const Demand& demand) {
    if constexpr (sizeof(Id) == sizeof(std::uint32_t)) {
      if (forecast_.choice.model != MemoryModel::semi_external) return false;
      if (!NearLevels<Id>::may_pay(source_, options_)) return false;
      if (options_.roots.empty()) environment_.memory.raise_peak(largest_degree_bytes(environment_, nodes_));
      const core::Reservation near =
          environment_.memory.reserve_up_to(NearLevels<Id>::bytes_for(nodes_, outputs_.parents));
      const std::uint64_t scans = usual_scans + (options_.roots.empty() ? 1 : 0);
      forecast_.add("scan", scans, 0, seconds_for(core::size_product(*edges_, scans), scan_nanoseconds));
      build_and_search_pages(demand);
      for (ForecastPhase& phase : std::span(forecast_.phases).subspan(1)) {
        if (phase.name == "write") continue;
        phase.temporary_bytes = far(phase.temporary_bytes);
        phase.cpu_seconds *= usual_far_share;
      }
      forecast_.phases[1].cpu_seconds += seconds_for(*edges_, scan_nanoseconds);
      forecast_.temporary->expected_bytes = far(forecast_.temporary->expected_bytes);
      forecast_.notes.emplace_back(
          "memory and temporary space: at most if few edges have an end on the first levels of the search; "
          "time: if most have");
      return true;
    }
    return false;
  }
  static std::uint64_t far(std::uint64_t bytes) {
    return static_cast<std::uint64_t>(usual_far_share * static_cast<double>(bytes));
  }

  void build_and_search_pages(const Demand& first) {
    const std::size_t wished = resident_bytes(first);
    const adjacency::PageAppender<Id> appender(
        environment_, adjacency::default_page_bytes, wished,
        core::size_product(source_.facts().edges.value_or(0), both_ ? 2 : 1));
    core::Reservation resident;
    const auto begin = [&](std::uint64_t) {
      resident = environment_.memory.reserve_up_to(appender.resident_bytes(pages_.most_bytes));
      const bool all = resident.bytes() >= pages_.most_bytes;
      return environment_.memory.reserve_up_to(
          all ? 0 : 3 * adjacency::scan_chunk_bytes(first.memory_bytes, adjacency::default_page_bytes));
    };
    const core::SpillForecast sorted =
        build({.directed = options_.directed, .nodes = options_.nodes, .spare_bytes = wished}, begin);
    add_pages(sorted, resident.bytes());
    const Demand demand = this->demand(nodes_, entries_, true);
    forecast_.choice = choose(demand, options_);
    search_pages(demand);
  }

  /// Pages are written while the sort is read. Its first blocks are in memory, and those on the disks are
  /// freed as they are read.
  void add_pages(const core::SpillForecast& sorted, std::uint64_t resident) {
    const auto peak = [&](std::uint64_t spilled, std::uint64_t pages) {
      const std::uint64_t written = pages - std::min(pages, resident);
      const std::uint64_t keys = core::size_product(entries_, key_bytes());
      const double share =
          keys == 0 ? 0 : std::min(1.0, static_cast<double>(spilled) / static_cast<double>(keys));
      const auto before = static_cast<std::uint64_t>(static_cast<double>(pages) * (1 - share));
      return std::max(written, spilled + before - std::min(before, resident));
    };
    forecast_.temporary->most_bytes = peak(sorted.most_bytes, pages_.most_bytes);
    forecast_.temporary->expected_bytes = peak(sorted.expected_bytes, pages_.expected_bytes);
    on_disk_ = pages_.expected_bytes - std::min(pages_.expected_bytes, resident);
    pages_on_disk_ = absent_ = pages_.most_bytes - std::min(pages_.most_bytes, resident);
    forecast_.phases.back().temporary_bytes += on_disk_;
  }

  EdgeSource<Id>& source_;
  const std::optional<std::uint64_t> declared_;
  const std::optional<std::uint64_t> known_nodes_;
  const std::optional<std::uint64_t> edges_;
};

}  // namespace

template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size, const WantedOutputs& outputs) {
  return SourceForecast<Id>(environment, edges, options, size, outputs).make();
}

template Forecast forecast(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, const InputSize&,
                           const WantedOutputs&);
template Forecast forecast(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, const InputSize&,
                           const WantedOutputs&);

}  // namespace emgraph::graph::bfs
