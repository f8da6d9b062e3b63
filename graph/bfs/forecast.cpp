// SPDX-License-Identifier: MIT
// The forecast of `bfs`: the build of the adjacency as in build.hpp, unless the input is one, then the search
// of the model that the adjacency gets.
#include <algorithm>

#include "core/base/bytes.hpp"
#include "core/io/output_file.hpp"
#include "graph/adjacency/page_cache.hpp"
#include "graph/adjacency/page_estimate.hpp"
#include "graph/adjacency/page_marks.hpp"
#include "graph/adjacency/page_scan.hpp"
#include "graph/bfs/bfs.hpp"
#include "graph/bfs/build.hpp"
#include "graph/bfs/choice.hpp"
#include "graph/bfs/external.hpp"
#include "graph/node_values.hpp"
#include "graph/sample_facts.hpp"

namespace emgraph::graph::bfs {
namespace {

// CPU time of all threads together, nanoseconds. Measured with scripts/bench_plan.py.
constexpr double distribute_nanoseconds = 24;  // per edge
constexpr double build_nanoseconds = 34;       // per edge
constexpr double unpack_nanoseconds = 12;      // per entry of an adjacency file
constexpr double load_nanoseconds = 5;         // likewise
constexpr double search_nanoseconds = 8;       // per edge and root
constexpr double node_nanoseconds = 80;        // per node and root
constexpr double row_nanoseconds = 2;          // in place of search_nanoseconds, on rows
constexpr double row_node_nanoseconds = 15;    // likewise
constexpr double absent_nanoseconds = 130;     // per node and root, if its list is on the disks
constexpr double write_nanoseconds = 6;        // per node, root and result
constexpr double sorted_write_nanoseconds = 60;
/// Of the time of a search that reaches most nodes.
constexpr double part_if_little_reached = 0.05;
/// Neighbours per node, on average, below which a graph may be a road network, a grid or a path.
constexpr std::uint64_t neighbours_of_roads = 6;

/// The searches on a graph of known size, for both kinds of input.
class SearchForecast {
 protected:
  SearchForecast(core::Environment& environment, const Options& options, const WantedOutputs& outputs,
                 std::size_t id_bytes, bool both)
      : environment_(environment), options_(options), outputs_(outputs), id_bytes_(id_bytes), both_(both) {}

  std::uint64_t results() const { return (outputs_.levels ? 1U : 0U) + (outputs_.parents ? 1U : 0U); }
  std::uint64_t output_buffers() const {
    return results() * core::OutputFile::buffer_bytes(environment_.memory.limit());
  }
  std::uint64_t searches() const { return std::max<std::size_t>(1, options_.roots.size()); }

  Demand demand(const std::optional<std::uint64_t>& nodes, const std::optional<std::uint64_t>& entries,
                bool built) const {
    return {.nodes = nodes,
            .entries = entries,
            .id_bytes = id_bytes_,
            .levels = outputs_.levels,
            .parents = outputs_.parents,
            .built = built,
            .threads = environment_.threads,
            .memory_bytes = environment_.memory.available()};
  }
  core::Reservation hold(std::uint64_t bytes, std::string_view what) {
    return environment_.memory.reserve_between(0, static_cast<std::size_t>(bytes), what);
  }

  void search(const Demand& demand) {
    const Needs need = needs(demand);
    const bool in_memory = outputs_in_memory(demand);
    const std::uint64_t results = this->results();
    const std::uint64_t sorts = core::size_product(in_memory ? 0 : output_sort_bytes(demand), results);
    const core::Reservation state =
        hold(core::size_sum(need.state, in_memory ? need.outputs : sorts, output_buffers()),
             "bits and results per node");
    std::uint64_t spilled = 0;
    if (!in_memory) {
      // A node has one level, and may get a parent from each edge to the level above. A bucket implies some
      // bits of the node.
      const std::uint64_t node = (prepare::bits_for_nodes(nodes_) + 3) / 8;
      const std::uint64_t levels = outputs_.levels ? core::size_product(nodes_, node + 4) : 0;
      const std::uint64_t parent = outputs_.parents ? node + id_bytes_ : 0;
      const auto beyond_memory = [&](std::uint64_t parents) {
        const std::uint64_t bytes = core::size_sum(levels, core::size_product(parents, parent));
        return bytes - std::min(bytes, sorts / 2);
      };
      const std::uint64_t most = beyond_memory(entries_ / (both_ ? 2 : 1));
      spilled = reaches_ ? beyond_memory(std::min(nodes_, entries_ / 2)) : 0;
      add_beside_pages(core::size_sum(most, most / 16, results * core::MiB), spilled);
    }
    add_search(core::size_sum(core::size_product(on_disk_, searches()), spilled),
               absent_ > 0 ? absent_nanoseconds : 0);
    if (results > 0) {
      forecast_.phases.push_back(
          {.name = "write",
           .temporary_bytes = spilled,
           .cpu_seconds = seconds_for(nodes_ * results * searches(),
                                      in_memory || !reaches_ ? write_nanoseconds : sorted_write_nanoseconds),
           .one_thread = in_memory});
    }
  }

  void search_externally() {
    const core::Reservation buffers = hold(output_buffers(), "outputs");
    const ExternalSize size{.nodes = nodes_,
                            .entries = entries_,
                            .pages_bytes = absent_,
                            .directed = options_.directed,
                            .levels = outputs_.levels,
                            .parents = outputs_.parents};
    id_bytes_ == sizeof(std::uint32_t) ? rehearse_external<std::uint32_t>(environment_, size)
                                       : rehearse_external<std::uint64_t>(environment_, size);
    const std::uint64_t ids = core::size_product(nodes_, id_bytes_);
    // The log has the nodes and their parents; the results are sorted pairs.
    const std::uint64_t log = core::size_product(ids, outputs_.parents ? 3 : 1);
    const std::uint64_t results =
        outputs_.levels || outputs_.parents ? core::size_product(nodes_, key_bytes() + 2) : 0;
    // Buckets imply some bits of the results, of which a part of the memory holds the first ones.
    const std::uint64_t sorted = results / 4 * 3;
    const std::uint64_t spilled =
        sorted - std::min<std::uint64_t>(sorted, environment_.memory.available() / 8);
    add_beside_pages(core::size_sum(log, ids / 4, results, core::MiB),
                     reaches_ ? core::size_sum(log, spilled) : 0);
    if (!options_.directed) {
      // Lists may be regrouped: two sorts of their entries, and the new pages beside the old ones.
      const std::uint64_t entries = core::size_product(entries_, 2 * key_bytes() + 2 * id_bytes_);
      const std::uint64_t most = core::size_sum(log, core::size_product(ids, 4), entries, pages_.most_bytes);
      add_beside_pages(most, reaches_ ? log : 0);
      forecast_.notes.emplace_back(
          "temporary space: at most if the search has so many levels that lists are regrouped");
    }
    add_search(core::size_product(core::size_sum(on_disk_, 2 * log), searches()), absent_nanoseconds);
    if (results == 0) return;
    forecast_.phases.push_back(
        {.name = "sort results",
         .temporary_bytes = core::size_product(2 * results, searches()),
         .cpu_seconds =
             seconds_for(nodes_ * searches(), reaches_ ? sorted_write_nanoseconds : write_nanoseconds)});
  }

  /// Searches on pages, of which `absent_` bytes are not in memory.
  void search_pages(const Demand& demand) {
    if (forecast_.choice.model == MemoryModel::external) return search_externally();
    // All pages in memory, or a cache of as many as fit.
    const std::uint64_t marks = absent_ / adjacency::default_page_bytes * sizeof(adjacency::PageMark);
    const core::Reservation cached =
        hold(core::size_sum(absent_, absent_ / 1024, marks, scan_bytes(demand)), "cached pages");
    search(demand);
  }

  /// For a scan of the pages, and small reservations.
  std::uint64_t scan_bytes(const Demand& demand) const {
    const std::size_t chunk = adjacency::scan_chunk_bytes(demand.memory_bytes, adjacency::default_page_bytes);
    return adjacency::PageScan::most_bytes(pages_.most_bytes, chunk, environment_.threads) + chunk +
           16 * core::page_bytes;
  }

  void add_search(std::uint64_t moved, double further_nanoseconds) {
    const bool many_levels = entries_ > 0 && entries_ / neighbours_of_roads < nodes_;
    if (many_levels) {
      forecast_.notes.emplace_back(
          "time: of a search with few levels; many levels, as in road networks and grids, take several times "
          "as "
          "long");
    }
    const std::uint64_t edges = core::size_product(entries_ / (both_ ? 2 : 1), searches());
    const double node = further_nanoseconds + (on_rows_ ? row_node_nanoseconds : node_nanoseconds);
    forecast_.phases.push_back(
        {.name = "search",
         .input_readings = reads_file_ ? 1U : 0U,
         .temporary_bytes = moved,
         .cpu_seconds = (reaches_ ? 1 : part_if_little_reached) *
                        (seconds_for(edges, share_ * (on_rows_ ? row_nanoseconds : search_nanoseconds)) +
                         seconds_for(core::size_product(nodes_, searches()), node)),
         .one_thread = many_levels || forecast_.choice.model == MemoryModel::external,
         .least_share = 0,  // a root may reach nothing
         .most_share =
             many_levels ? std::nullopt : std::optional(reaches_ ? 1 : 1 / part_if_little_reached)});
  }

  /// Adds space that is taken while the pages are on the disks.
  void add_beside_pages(std::uint64_t most, std::uint64_t expected) {
    core::SpillForecast& space = *forecast_.temporary;
    space.most_bytes = std::max(space.most_bytes, core::size_sum(pages_on_disk_, most));
    space.expected_bytes = std::max(space.expected_bytes, core::size_sum(on_disk_, expected));
  }

  /// Of a packed pair of ids.
  std::uint64_t key_bytes() const { return (2 * prepare::bits_for_nodes(nodes_) + 7) / 8; }

  core::Environment& environment_;
  const Options& options_;
  const WantedOutputs outputs_;
  const std::size_t id_bytes_;
  const bool both_;  ///< an edge is in the lists of both ends
  Forecast forecast_;
  std::uint64_t nodes_ = 0;
  std::uint64_t entries_ = 0;
  bool on_rows_ = false;
  bool reads_file_ = false;  ///< the search reads pages of the input
  core::SpillForecast pages_;
  bool reaches_ = true;              ///< most nodes, as far as is known
  double share_ = 1;                 ///< of the edges, without duplicates and loops
  std::uint64_t absent_ = 0;         ///< bytes of pages that are not in memory, at most
  std::uint64_t on_disk_ = 0;        ///< of those on the temporary disks, expected
  std::uint64_t pages_on_disk_ = 0;  ///< at most
};

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
    } else {
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
    const core::Reservation all = hold(environment_.memory.limit(), "an adjacency of unknown size");
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

  /// Rows from two readings; false if the input does not suit.
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
      forecast_.phases = adjacency::row_phases(*edges_, entries_, options.simple);
      forecast_.temporary = core::SpillForecast();
      on_rows_ = true;
      search(this->demand(nodes_, std::uint64_t{0}, true));
      return true;
    }
    return false;
  }

  void search_rows(const Demand& demand) {
    const Needs need = needs(demand);
    core::Reservation rows;
    const auto begin = [&](std::uint64_t bound) {
      rows = hold(
          adjacency::Csr<Id, std::uint64_t>::bytes_for(nodes_, bound) - (bound > 0xffffffff ? 0 : 4 * nodes_),
          "the neighbours of each node");
      return hold(rows.bytes() / 64 + core::MiB, "blocks of the sort");
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

  void build_and_search_pages(const Demand& first) {
    const std::size_t wished = resident_bytes(first);
    const adjacency::PageAppender<Id> appender(
        environment_, adjacency::default_page_bytes, wished,
        core::size_product(source_.facts().edges.value_or(0), both_ ? 2 : 1));
    core::Reservation resident;
    const auto begin = [&](std::uint64_t) {
      resident = hold(appender.resident_bytes(pages_.most_bytes), "pages of an adjacency");
      const bool all = resident.bytes() >= pages_.most_bytes;
      return hold(
          all ? 0 : 3 * adjacency::scan_chunk_bytes(first.memory_bytes, adjacency::default_page_bytes),
          "pages that are written");
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

/// The forecast of a run on an existing adjacency.
class AdjacencyForecast : SearchForecast {
 public:
  AdjacencyForecast(core::Environment& environment, const adjacency::AdjacencyFacts& facts,
                    std::uint64_t pages_bytes, std::size_t id_bytes, const Options& options,
                    const WantedOutputs& outputs)
      : SearchForecast(environment, options, outputs, id_bytes, !facts.directed) {
    check_roots(options, facts.nodes);
    nodes_ = facts.nodes;
    entries_ = facts.entries;
    pages_ = {.most_bytes = pages_bytes, .expected_bytes = pages_bytes};
    const std::uint64_t edges = facts.entries / (both_ ? 2 : 1);
    reaches_ = SampleFacts{}.connected(facts.nodes, edges);
  }

  Forecast make() {
    Demand demand = this->demand(nodes_, entries_, true);
    forecast_.choice = choose(demand, options_);
    const bool internal = forecast_.choice.model == MemoryModel::internal;
    core::Reservation loaded;
    if (internal && wants_rows(options_)) {
      loaded = hold(core::size_sum(needs(demand).rows, scan_bytes(demand)), "the neighbours of each node");
      add_loading("unpack adjacency", unpack_nanoseconds);
      on_rows_ = true;
      demand = this->demand(nodes_, std::uint64_t{0}, true);
      search(demand);
      return std::move(forecast_);
    }
    absent_ = pages_.most_bytes;
    if (internal) {
      add_loading("load adjacency", load_nanoseconds);
    } else {
      reads_file_ = true;
    }
    search_pages(demand);
    return std::move(forecast_);
  }

 private:
  void add_loading(const char* name, double nanoseconds) {
    forecast_.phases.push_back(
        {.name = name, .input_readings = 1, .cpu_seconds = seconds_for(entries_, nanoseconds)});
  }
};

}  // namespace

template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size, const WantedOutputs& outputs) {
  return SourceForecast<Id>(environment, edges, options, size, outputs).make();
}

template <class Id>
Forecast forecast(core::Environment& environment, const adjacency::PagedAdjacency<Id>& graph,
                  const Options& options, const WantedOutputs& outputs) {
  const std::uint64_t pages_bytes = core::size_product(graph.pages(), graph.context().page_bytes);
  return AdjacencyForecast(environment, graph.facts(), pages_bytes, sizeof(Id), options, outputs).make();
}

template Forecast forecast(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, const InputSize&,
                           const WantedOutputs&);
template Forecast forecast(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, const InputSize&,
                           const WantedOutputs&);
template Forecast forecast(core::Environment&, const adjacency::PagedAdjacency<std::uint32_t>&,
                           const Options&, const WantedOutputs&);
template Forecast forecast(core::Environment&, const adjacency::PagedAdjacency<std::uint64_t>&,
                           const Options&, const WantedOutputs&);

}  // namespace emgraph::graph::bfs
