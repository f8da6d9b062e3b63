// SPDX-License-Identifier: MIT
// The forecast of full searches of `sssp`: the build as in build.hpp, then the search of the model that the
// built graph gets.
#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <type_traits>

#include "core/base/bytes.hpp"
#include "graph/adjacency/page_estimate.hpp"
#include "graph/adjacency/page_scan.hpp"
#include "graph/adjacency/page_weights.hpp"
#include "graph/adjacency/weight_limits.hpp"
#include "graph/sample_facts.hpp"
#include "graph/sssp/build.hpp"
#include "graph/sssp/choice.hpp"
#include "graph/sssp/external.hpp"
#include "graph/sssp/quick_rows.hpp"
#include "graph/sssp/sssp.hpp"

namespace emgraph::graph::sssp {
namespace {

// CPU time of all threads together, nanoseconds. Measured with scripts/bench_plan.py.
constexpr double gather_nanoseconds = 20;      // per arc
constexpr double distribute_nanoseconds = 28;  // per edge
constexpr double build_nanoseconds = 30;       // per arc
constexpr double unpack_nanoseconds = 20;      // per arc of an adjacency file
constexpr double search_nanoseconds = 12;      // per arc and root
constexpr double page_nanoseconds = 55;        // per arc and root, if lists are decoded from pages
constexpr double queue_nanoseconds = 140;      // per arc and root of the external model
constexpr double node_nanoseconds = 60;        // per node and root
constexpr double write_nanoseconds = 6;        // per node, root and result
/// Fewer different weights are few: then many ways are as short as others.
constexpr std::uint64_t many_weights = 256;
/// Whole pages and batches of a search, however small the graph is.
constexpr std::uint64_t least_arrays_bytes = 64 * core::KiB;

/// The searches on a graph of known size, for both kinds of input.
class SearchForecast {
 protected:
  SearchForecast(core::Environment& environment, const Options& options, const WantedOutputs& outputs,
                 std::size_t id_bytes, WeightType type)
      : environment_(environment), options_(options), outputs_(outputs), id_bytes_(id_bytes), type_(type) {}

  /// From all nodes that queries start from, if it is not their model that answers each by itself.
  std::uint64_t searches() const {
    if (options_.queries.empty()) return options_.roots.size();
    std::set<std::uint64_t> sources;
    for (const Query& query : options_.queries) sources.insert(query.source);
    return sources.size();
  }
  bool wants_parents() const { return outputs_.parents || options_.paths; }
  std::uint64_t results() const { return (outputs_.distances ? 1U : 0U) + (outputs_.parents ? 1U : 0U); }
  std::uint64_t output_buffers() const {
    return results() * core::OutputFile::buffer_bytes(environment_.memory.limit());
  }

  Demand demand(const std::optional<std::uint64_t>& nodes, const std::optional<std::uint64_t>& arcs,
                bool built) const {
    return {.nodes = nodes,
            .entries = arcs,
            .id_bytes = id_bytes_,
            .arc_bytes = id_bytes_ == sizeof(std::uint32_t) ? arc_bytes<std::uint32_t>(type_)
                                                            : arc_bytes<std::uint64_t>(type_),
            .parents = outputs_.parents,
            .built = built,
            .threads = environment_.threads,
            .memory_bytes = environment_.memory.available()};
  }
  core::Reservation hold(std::uint64_t bytes, std::string_view what) {
    return environment_.memory.reserve_between(0, static_cast<std::size_t>(bytes), what);
  }
  void add_phase(const char* name, std::uint64_t readings, std::uint64_t moved, double cpu_seconds) {
    forecast_.phases.push_back(
        {.name = name, .input_readings = readings, .temporary_bytes = moved, .cpu_seconds = cpu_seconds});
  }
  /// Of all roots. One may reach nothing.
  void add_search(std::uint64_t moved, double cpu_seconds) {
    add_phase("search", reads_file_ ? 1 : 0, moved, cpu_seconds);
    ForecastPhase& phase = forecast_.phases.back();
    phase.least_share = 0;
    if (!reaches_) {
      constexpr unsigned part_if_little_reached = 20;
      phase.cpu_seconds /= part_if_little_reached;
      phase.temporary_bytes /= part_if_little_reached;
      phase.most_share = part_if_little_reached;
    }
    // With few arcs per node few nodes are settled at a time.
    constexpr std::uint64_t arcs_of_roads = 6;
    phase.one_thread = arcs_ / arcs_of_roads < nodes_ || forecast_.choice.model == MemoryModel::external;
  }

  /// `rows_bytes`: of the rows, if they are not held yet.
  void search_in_memory(const Needs& need, std::uint64_t rows_bytes) {
    if (!options_.queries.empty()) return answer_queries(rows_bytes);
    const core::Reservation held =
        hold(core::size_sum(rows_bytes, need.words, need.nodes, output_buffers(), least_arrays_bytes),
             "rows, nodes, outputs");
    search(search_nanoseconds, 0);
  }

  /// Each thread has the arrays of two ends, or of one, and its queue. How much of the graph a query sees
  /// depends on how far apart its nodes are.
  void answer_queries(std::uint64_t rows_bytes) {
    const std::uint64_t queries = options_.queries.size();
    const std::uint64_t threads = std::min<std::uint64_t>(queries, environment_.threads);
    const bool from_both = options_.bidirectional && !is_floating(type_) && !options_.paths;
    constexpr std::uint64_t queue_bytes = 24;  // as choice.cpp expects
    const std::uint64_t of_thread =
        (from_both || options_.landmarks > 0 ? 2 : 1) * (sizeof(std::uint64_t) + id_bytes_) + queue_bytes;
    const std::uint64_t of_landmarks = std::uint64_t{options_.landmarks} * (options_.directed ? 8 : 4);
    const core::Reservation held =
        hold(core::size_sum(rows_bytes, core::size_product(nodes_, of_landmarks + threads * of_thread),
                            least_arrays_bytes),
             "rows, and two ends of each query");
    constexpr double seen_from_both = 0.1;
    constexpr double seen_from_one = 0.5;
    const double seen = options_.landmarks > 0 || from_both ? seen_from_both : seen_from_one;
    const double whole =
        seconds_for(arcs_, share_ * search_nanoseconds) + seconds_for(nodes_, node_nanoseconds);
    if (needs_reversed(options_)) add_phase("reverse arcs", 0, 0, seconds_for(arcs_, gather_nanoseconds));
    if (options_.landmarks > 0) {
      add_phase("landmarks", 0, 0, whole * options_.landmarks * (options_.directed ? 2 : 1));
    }
    add_phase("queries", 0, 0, whole * seen * static_cast<double>(queries));
    ForecastPhase& phase = forecast_.phases.back();
    phase.least_share = 0;
    phase.most_share = 2 / seen;
    phase.one_thread = threads == 1;
    forecast_.notes.emplace_back("time: of queries whose nodes are not near each other, nor far apart");
  }

  /// For a scan of the pages.
  std::uint64_t scan_bytes() const {
    const std::size_t chunk =
        adjacency::scan_chunk_bytes(environment_.memory.available(), adjacency::default_page_bytes);
    return adjacency::PageScan::most_bytes(pages_.most_bytes, chunk, environment_.threads);
  }

  /// Searches on pages, in the chosen model.
  void search_pages(const Needs& need) {
    if (forecast_.choice.model == MemoryModel::external) return search_externally();
    const bool internal = forecast_.choice.model == MemoryModel::internal;
    // The needs of the model have some of the scan's memory.
    const std::uint64_t scan = scan_bytes() - std::min(scan_bytes(), need.buffers);
    const std::uint64_t pages = core::size_sum(pages_.most_bytes, pages_.most_bytes / 1024, scan);
    // The pass for parents lists nodes that wait for others.
    const std::uint64_t waiting = wants_parents() ? need.nodes : 0;
    const core::Reservation held = hold(
        core::size_sum(output_buffers(),
                       internal ? need.internal : core::size_sum(need.semi_external / 9 * 8, pages, waiting)),
        "distances, pages, outputs");
    search(internal ? search_nanoseconds : page_nanoseconds,
           core::size_product(temporary_pages_.expected_bytes, internal ? 1 : searches()));
  }

  void search(double arc_nanoseconds, std::uint64_t moved) {
    add_search(moved, seconds_for(core::size_product(arcs_, searches()), share_ * arc_nanoseconds) +
                          seconds_for(core::size_product(nodes_, searches()), node_nanoseconds));
    if (results() == 0) return;
    add_phase("write", 0, 0,
              seconds_for(core::size_product(nodes_, results() * searches()), write_nanoseconds));
  }

  void search_externally() {
    const std::size_t free = environment_.memory.available();
    const core::SpillForecast beside = [&] {
      const core::Reservation outputs = hold(output_buffers(), "outputs");
      const ExternalSize size{.nodes = nodes_,
                              .entries = arcs_,
                              .pages_bytes = pages_.most_bytes,
                              .chunk_bytes = adjacency::scan_chunk_bytes(free, adjacency::default_page_bytes),
                              .weight = type_,
                              .few_weights = few_weights_,
                              .distances = outputs_.distances || !options_.queries.empty(),
                              .parents = wants_parents()};
      return id_bytes_ == sizeof(std::uint32_t) ? rehearse_external<std::uint32_t>(environment_, size)
                                                : rehearse_external<std::uint64_t>(environment_, size);
    }();
    forecast_.temporary->cover(
        core::size_sum(temporary_pages_.most_bytes, beside.most_bytes),
        core::size_sum(temporary_pages_.expected_bytes, reaches_ ? beside.expected_bytes : 0));
    // Each arc sends at most one candidate to the queue, whose runs are merged into new ones.
    constexpr std::uint64_t candidate_bytes = 12;
    constexpr std::uint64_t value_bytes = 16;
    const std::uint64_t values = results() == 0 ? 0 : core::size_product(nodes_, value_bytes);
    const std::uint64_t queue = core::size_product(arcs_, candidate_bytes);
    const std::uint64_t by_target =
        wants_parents() ? core::size_product(arcs_, 2 * id_bytes_ + sizeof(std::uint64_t)) : 0;
    if (wants_parents() && !few_weights_) {
      forecast_.notes.emplace_back("temporary space: more if many ways to the same node are as short");
    }
    const std::uint64_t moved =
        core::size_sum(temporary_pages_.expected_bytes, queue / 2, 2 * values, by_target);
    add_search(core::size_product(moved, searches()),
               seconds_for(core::size_product(arcs_, searches()), share_ * queue_nanoseconds));
  }

  core::Environment& environment_;
  const Options& options_;
  const WantedOutputs outputs_;
  const std::size_t id_bytes_;
  const WeightType type_;
  Forecast forecast_;
  std::uint64_t nodes_ = 0;
  std::uint64_t arcs_ = 0;
  core::SpillForecast pages_;
  core::SpillForecast temporary_pages_;  ///< of them on the temporary disks
  bool reads_file_ = false;              ///< the search reads pages of the input
  bool few_weights_ = false;
  bool reaches_ = true;  ///< most nodes, as far as is known
  double share_ = 1;     ///< of the arcs, without duplicates and loops
};

/// The forecast of a run on a source.
template <class Id>
class SourceForecast : SearchForecast {
 public:
  SourceForecast(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
                 const InputSize& size, const WantedOutputs& outputs)
      : SearchForecast(environment, options, outputs, sizeof(Id),
                       options.weighting.type(source.facts().layout.weight)),
        source_(source),
        declared_(declared_nodes<Id>(options.nodes, source.facts())),
        known_nodes_(declared_ ? declared_ : size.nodes),
        edges_(size.edges) {
    if (declared_) check_nodes(options, *declared_);
  }

  Forecast make() {
    const std::optional<std::uint64_t>& told = source_.facts().edges;
    const Demand demand = this->demand(declared_, told ? std::optional(arcs_of(*told)) : std::nullopt, false);
    forecast_.choice = choose(demand, options_);
    if (!known_nodes_ || !edges_) return unknown(demand);
    nodes_ = *known_nodes_;
    arcs_ = arcs_of(*edges_);
    if (search_quick_rows(demand)) return std::move(forecast_);
    const WeightSample weights = sample_weights();
    few_weights_ = weights.few;
    const SampleFacts sampled = sample_facts(source_, *edges_, options_.directed);
    share_ = sampled.distinct_share;
    reaches_ = sampled.connected(nodes_, *edges_);
    pages_ =
        adjacency::expected_page_bytes({.nodes = nodes_,
                                        .entries = arcs_,
                                        .id_bytes = sizeof(Id),
                                        .weight = type_,
                                        .weight_width = weights.width,
                                        .most_weight_width = weights.width,
                                        .likely_entries = sampled.distinct(arcs_),
                                        .likely_gap_bytes = sampled.gap_bytes,
                                        .likely_lists = options_.directed ? std::nullopt : sampled.touched});
    forecast_.choice.model == MemoryModel::internal ? search_rows(demand) : build_and_search_pages();
    return std::move(forecast_);
  }

 private:
  /// What a sample, or the rule, tells of the weights.
  struct WeightSample {
    std::size_t width;  ///< bytes of a weight in a page
    bool few;           ///< different values, so that many ways are as short as others
  };
  WeightSample sample_weights() {
    constexpr std::size_t sampled = 64 * 1024;
    if (options_.weighting.rule == WeightRule::unit) return {1, true};
    if (options_.weighting.rule == WeightRule::hash) {
      return {adjacency::width_of(options_.weighting.modulus), options_.weighting.modulus < many_weights};
    }
    const std::size_t bytes = weight_bytes(type_);
    std::uint64_t all = 0;
    std::set<std::uint64_t> different;
    source_.sample(sampled, [&](const EdgeBatch<Id>& batch) {
      for (std::size_t i = 0; i < batch.size(); ++i) {
        std::uint64_t weight = 0;
        std::memcpy(&weight, attachment_of(batch[i]), bytes);
        all |= rank_of_weight(type_, weight);
        if (different.size() < many_weights) different.insert(weight);
      }
    });
    if (different.empty()) return {bytes, true};
    return {std::max(1U, adjacency::width_of(all)), different.size() < many_weights};
  }
  std::uint64_t arcs_of(std::uint64_t edges) const {
    return options_.directed ? edges : core::size_product(edges, 2);
  }
  adjacency::StreamOptions stream(std::uint64_t spare) const {
    return {.directed = options_.directed,
            .nodes = options_.nodes,
            .spare_bytes = static_cast<std::size_t>(spare),
            .weighting = options_.weighting,
            .limits = length_limits()};
  }

  Forecast unknown(const Demand& demand) {
    adjacency::rehearse_neighbours(environment_, source_, stream(demand.memory_bytes / 2), edges_,
                                   [](std::uint64_t) { return core::Reservation(); });
    const core::Reservation all = hold(environment_.memory.limit(), "a graph of unknown size");
    if (options_.model == MemoryModel::automatic) {
      forecast_.choice.reason =
          "if arcs and nodes fit, else another; it is chosen when the edges have been read";
    }
    if (edges_) {
      add_phase("distribute", 1, 0, seconds_for(*edges_, distribute_nanoseconds));
      add_phase("build adjacency", 0, 0, seconds_for(arcs_of(*edges_), build_nanoseconds));
    }
    forecast_.leave_size_open();
    return std::move(forecast_);
  }

  /// The phases of a sort, and its space.
  core::SpillForecast sort(std::uint64_t spare, std::uint64_t held, const char* what) {
    core::Reservation rows;
    const core::SpillForecast spill =
        adjacency::rehearse_neighbours(environment_, source_, stream(spare), edges_, [&](std::uint64_t) {
          rows = hold(held, what);
          return hold(held / 64 + core::MiB, "blocks of the sort");
        });
    add_phase("distribute", 1, spill.expected_bytes, seconds_for(*edges_, distribute_nanoseconds));
    add_phase("build adjacency", 0, spill.expected_bytes, seconds_for(arcs_, build_nanoseconds));
    *forecast_.temporary = spill;
    forecast_.temporary->most_bytes += spill.most_bytes / 16;
    return spill;
  }

  /// Rows from two readings; false if the input does not suit.
  bool search_quick_rows(const Demand& first) {
    if constexpr (sizeof(Id) == sizeof(std::uint32_t)) {
      if (!may_take_quick_rows(options_, source_.facts())) return false;
      const adjacency::RowsOptions rows = rows_options(options_, first);
      const std::optional<adjacency::RowsPlan> plan =
          adjacency::plan_rows(environment_, source_, rows, row_offset_bytes(type_));
      if (!plan) return false;
      const core::Reservation held = adjacency::rehearse_rows(environment_, source_, *plan);
      Demand known = demand(nodes_, arcs_, true);
      known.memory_bytes = first.memory_bytes;
      forecast_.choice = internal_choice(known, options_);
      forecast_.phases = adjacency::row_phases(*edges_, arcs_, false);
      forecast_.temporary = core::SpillForecast();
      search_in_memory(needs(known, options_), 0);
      return true;
    }
    return false;
  }

  void search_rows(const Demand& first) {
    const Needs need = needs(demand(nodes_, arcs_, true), options_);
    if (gathers(first)) {
      const EdgeLane<Id> lane = source_.lane();
      const core::Reservation all = hold(core::size_sum(need.rows, read_lists_bytes()), "arcs and rows");
      add_phase("read arcs", 1, 0, seconds_for(arcs_, gather_nanoseconds / 2));
      add_phase("build rows", 0, 0, seconds_for(arcs_, gather_nanoseconds / 2));
    } else {
      const bool known = first.nodes && first.entries;
      const std::uint64_t spare =
          known ? std::min<std::uint64_t>(need.rows, first.memory_bytes / 4 * 3) : first.memory_bytes / 2;
      sort(spare, need.rows, "the arcs of each node");
      // Where the rows take most of the memory, buckets are split until all keys have been on the disks.
      core::SpillForecast& space = *forecast_.temporary;
      if (space.most_bytes > 0 && need.rows > first.memory_bytes / 2) {
        space.most_bytes = std::max(space.most_bytes, keys_bytes() + keys_bytes() / 8);
      }
    }
    search_in_memory(need, need.rows);
  }

  /// Of all arcs in the sort: packed ends and the weight.
  std::uint64_t keys_bytes() const {
    const std::size_t ends = (2 * prepare::bits_for_nodes(nodes_) + 7) / 8 + 1;
    return core::size_product(arcs_, ends + weight_bytes(type_));
  }

  /// As gather_graph decides.
  bool gathers(const Demand& first) const {
    return first.nodes && first.entries &&
           core::size_sum(rows_bytes(), lists_bytes()) <= first.memory_bytes / 8 * 7;
  }
  template <class Use>
  std::uint64_t with_rows(Use&& use) const {
    using Rows = AnyRows<Id>;
    if (sizeof(Id) == 8 || type_ != WeightType::u32) return use(std::type_identity<typename Rows::Wide>{});
    return Rows::Short::fits(arcs_) ? use(std::type_identity<typename Rows::Short>{})
                                    : use(std::type_identity<typename Rows::Long>{});
  }
  std::uint64_t rows_bytes() const {
    return with_rows(
        [&]<class RowsType>(std::type_identity<RowsType>) { return RowsType::bytes_for(nodes_, arcs_); });
  }
  std::uint64_t lists_bytes() const {
    return with_rows([&]<class RowsType>(std::type_identity<RowsType>) {
      return RowGatherer<Id, RowsType>::lists_bytes(arcs_);
    });
  }

  std::uint64_t read_lists_bytes() const {
    return with_rows([&]<class RowsType>(std::type_identity<RowsType>) {
      return RowGatherer<Id, RowsType>::lists_bytes(arcs_, nodes_, environment_.threads);
    });
  }

  void build_and_search_pages() {
    const Demand first = demand(nodes_, arcs_, false);
    const adjacency::PageAppender<Id> appender(environment_, adjacency::default_page_bytes, 0, arcs_, type_);
    const core::SpillForecast sorted =
        sort(0, 3 * adjacency::scan_chunk_bytes(first.memory_bytes, adjacency::default_page_bytes),
             "pages that are written");
    // Pages are written while the sort is read.
    *forecast_.temporary = {
        .most_bytes = peak_while_sort_is_read(sorted.most_bytes, sorted.whole_bytes, pages_.most_bytes),
        .expected_bytes =
            peak_while_sort_is_read(sorted.expected_bytes, sorted.whole_bytes, pages_.expected_bytes)};
    forecast_.phases.back().temporary_bytes += pages_.expected_bytes;
    temporary_pages_ = pages_;
    const Demand built = demand(nodes_, arcs_, true);
    forecast_.choice = choose(built, options_);
    search_pages(needs(built, options_));
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
      : SearchForecast(environment, options, outputs, id_bytes, facts.weight) {
    check_nodes(options, facts.nodes);
    nodes_ = facts.nodes;
    arcs_ = facts.entries;
    pages_ = {.most_bytes = pages_bytes, .expected_bytes = pages_bytes};
    few_weights_ = facts.weights.largest - facts.weights.least < many_weights;
    reaches_ = SampleFacts{}.connected(nodes_, facts.directed ? arcs_ : arcs_ / 2);
  }

  Forecast make() {
    const Demand known = demand(nodes_, arcs_, true);
    const Needs need = needs(known, options_);
    forecast_.choice = choose(known, options_);
    if (forecast_.choice.model == MemoryModel::internal) {
      add_phase("unpack adjacency", 1, 0, seconds_for(arcs_, unpack_nanoseconds));
      hold(core::size_sum(need.rows, scan_bytes(), least_arrays_bytes), "rows, and pages that are read");
      search_in_memory(need, need.rows);
    } else {
      reads_file_ = true;
      search_pages(need);
    }
    return std::move(forecast_);
  }
};

}  // namespace

template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size, const WantedOutputs& outputs) {
  return SourceForecast<Id>(environment, edges, options, size, outputs).make();
}

template <class Id>
Forecast forecast(core::Environment& environment, adjacency::PagedAdjacency<Id>& graph,
                  const Options& options, const WantedOutputs& outputs) {
  adjacency::require_weights(graph, length_limits());
  const std::uint64_t pages_bytes = core::size_product(graph.pages(), graph.context().page_bytes);
  return AdjacencyForecast(environment, graph.facts(), pages_bytes, sizeof(Id), options, outputs).make();
}

template Forecast forecast(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, const InputSize&,
                           const WantedOutputs&);
template Forecast forecast(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, const InputSize&,
                           const WantedOutputs&);
template Forecast forecast(core::Environment&, adjacency::PagedAdjacency<std::uint32_t>&, const Options&,
                           const WantedOutputs&);
template Forecast forecast(core::Environment&, adjacency::PagedAdjacency<std::uint64_t>&, const Options&,
                           const WantedOutputs&);

}  // namespace emgraph::graph::sssp
