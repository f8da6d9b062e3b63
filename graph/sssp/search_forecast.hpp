// SPDX-License-Identifier: MIT
// The forecast of the searches and queries of `sssp` on a graph of known size, in the chosen model.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>

#include "core/base/bytes.hpp"
#include "core/io/output_file.hpp"
#include "graph/adjacency/page_scan.hpp"
#include "graph/sssp/build.hpp"
#include "graph/sssp/choice.hpp"
#include "graph/sssp/external.hpp"
#include "graph/sssp/query_paths.hpp"
#include "graph/sssp/sssp.hpp"

namespace emgraph::graph::sssp {

/// The searches on a graph of known size, for both kinds of input.
class SearchForecast {
 protected:
  // CPU time of all threads together, nanoseconds. Measured with scripts/bench_plan.py.
  static constexpr double gather_nanoseconds = 28;  // per arc
  static constexpr double unpack_nanoseconds = 20;  // likewise
  static constexpr double search_nanoseconds = 14;  // per arc and root, and three misses
  static constexpr double page_nanoseconds = 70;    // the same, if lists are decoded from pages
  static constexpr double queue_nanoseconds = 155;  // per arc and root of the external model
  static constexpr double node_nanoseconds = 60;    // per node and root
  static constexpr double order_nanoseconds = 10;   // per arc, and misses
  static constexpr double point_nanoseconds = 500;  // per node with coordinates, which are text
  static constexpr double write_nanoseconds = 6;    // per node, root and result
  /// Fewer different weights are few: then many ways are as short as others.
  static constexpr std::uint64_t many_weights = 256;
  /// Whole pages and batches of a search, however small the graph is.
  static constexpr std::uint64_t least_arrays_bytes = 64 * core::KiB;

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
  /// Of all roots. One may reach nothing.
  void add_search(std::uint64_t moved, double cpu_seconds) {
    forecast_.add("search", reads_file_ ? 1 : 0, moved, cpu_seconds);
    ForecastPhase& phase = forecast_.phases.back();
    phase.least_share = 0;
    if (!reaches_) {
      constexpr unsigned part_if_little_reached = 20;
      phase.cpu_seconds /= part_if_little_reached;
      phase.temporary_bytes /= part_if_little_reached;
      phase.most_share = part_if_little_reached;
    }
    // With few arcs per node few nodes are settled at a time, in many steps.
    constexpr std::uint64_t arcs_of_roads = 6;
    const bool many_steps = arcs_ / arcs_of_roads <= nodes_;
    phase.one_thread = many_steps || forecast_.choice.model == MemoryModel::external;
    if (!many_steps) return;
    phase.most_share = std::nullopt;
    forecast_.notes.emplace_back(
        "time: of a search with few steps; road networks and grids take several times as long");
  }

  /// The rows are copied in the wanted order. Returns what stays: the order. `rows_bytes`: of the rows, if
  /// they are not held yet.
  core::Reservation order_nodes(const Needs& need, std::uint64_t rows_bytes) {
    if (options_.order == OrderRule::given) return {};
    const std::uint64_t order_bytes = core::size_product(nodes_, 2 * id_bytes_);
    const std::uint64_t key_bytes = options_.order == OrderRule::degree    ? sizeof(std::uint64_t)
                                    : options_.order == OrderRule::hilbert ? sizeof(core::uint128)
                                                                           : 0;
    const std::uint64_t beside = std::max(core::size_product(nodes_, key_bytes), need.rows);
    const std::uint64_t all = core::size_sum(rows_bytes, order_bytes, beside, least_arrays_bytes);
    if (all > environment_.memory.available()) {
      forecast_.notes.emplace_back("--order copies the arcs of all nodes: -M may not suffice for that");
    }
    environment_.memory.raise_peak(all);
    const bool by_points = options_.order == OrderRule::hilbert;
    forecast_.add("order nodes", 0, 0,
                  seconds_for(arcs_, order_nanoseconds + 2 * misses()) +
                      seconds_for(nodes_, by_points ? point_nanoseconds : node_nanoseconds));
    return environment_.memory.reserve_up_to(order_bytes);
  }

  /// `rows_bytes`: of the rows, if they are not held yet; at most, if they are not certain.
  void search_in_memory(const Needs& need, std::uint64_t rows_bytes, bool rows_are_certain) {
    const core::Reservation order = order_nodes(need, rows_bytes);
    if (!options_.queries.empty()) return answer_queries(rows_bytes);
    // In another order distances are found in that order first.
    const std::uint64_t found = options_.order == OrderRule::given ? 0 : need.words;
    const std::uint64_t parents = outputs_.parents ? core::size_product(nodes_, id_bytes_) : 0;
    const std::uint64_t certain =
        core::size_sum(rows_are_certain ? rows_bytes : 0, need.words, parents, output_buffers());
    const core::Reservation arrays =
        options_.model == MemoryModel::internal
            ? environment_.memory.reserve(
                  static_cast<std::size_t>(certain),
                  outputs_.parents ? "arcs, distances and parents" : "arcs and distances")
            : environment_.memory.reserve_up_to(certain);
    const core::Reservation rows = environment_.memory.reserve_up_to(rows_are_certain ? 0 : rows_bytes);
    const core::Reservation held = environment_.memory.reserve_up_to(
        core::size_sum(found, need.nodes - std::min(need.nodes, parents), least_arrays_bytes));
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
        (from_both || options_.landmarks > 0 ? 2 : 1) * (sizeof(std::uint64_t) + id_bytes_) + queue_bytes +
        (options_.paths ? path_trace_bytes() : 0);
    const std::uint64_t of_landmarks = std::uint64_t{options_.landmarks} * (options_.directed ? 8 : 4);
    const core::Reservation held = environment_.memory.reserve_up_to(
        core::size_sum(rows_bytes, core::size_product(nodes_, of_landmarks + threads * of_thread),
                       paths_bytes(), least_arrays_bytes));
    constexpr double seen_from_both = 0.1;
    constexpr double seen_from_one = 0.5;
    const double seen = options_.landmarks > 0 || from_both ? seen_from_both : seen_from_one;
    const double whole =
        seconds_for(arcs_, share_ * (search_nanoseconds + misses())) + seconds_for(nodes_, node_nanoseconds);
    if (needs_reversed(options_)) forecast_.add("reverse arcs", 0, 0, seconds_for(arcs_, gather_nanoseconds));
    if (options_.landmarks > 0) {
      forecast_.add("landmarks", 0, 0, whole * options_.landmarks * (options_.directed ? 2 : 1));
    }
    forecast_.add("queries", 0, 0, whole * seen * static_cast<double>(queries));
    ForecastPhase& phase = forecast_.phases.back();
    phase.least_share = 0;
    phase.most_share = 2 / seen;
    phase.one_thread = threads == 1;
    forecast_.notes.emplace_back("time: of queries whose nodes are not near each other, nor far apart");
  }

  /// Of a thread, for each node, at most: the nodes on a way, and those at the same distance.
  std::uint64_t path_trace_bytes() const {
    const bool above_0 = options_.weighting.rule != WeightRule::stored;
    return sizeof(std::uint64_t) + (above_0 ? 0 : 33);
  }
  /// For the paths of all queries, and the file that gets them.
  std::uint64_t paths_bytes() const {
    if (!options_.paths) return 0;
    return core::size_sum(QueryPaths::memory_bytes(environment_.memory, options_.queries.size()),
                          core::OutputFile::buffer_bytes(environment_.memory.limit()));
  }
  /// The forecast, with the space of paths.
  Forecast finished() {
    if (options_.paths && forecast_.temporary) {
      const core::MemoryBudget& memory = environment_.memory;
      const std::uint64_t queries = options_.queries.size();
      constexpr std::uint64_t usual_nodes = 100;
      forecast_.temporary->most_bytes =
          core::size_sum(forecast_.temporary->most_bytes, QueryPaths::disk_bytes(memory, queries, nodes_));
      forecast_.temporary->expected_bytes =
          core::size_sum(forecast_.temporary->expected_bytes,
                         QueryPaths::disk_bytes(memory, queries, std::min(nodes_, usual_nodes)));
      forecast_.notes.emplace_back("temporary space: at most if each path has all nodes");
    }
    return std::move(forecast_);
  }

  /// For a scan of the pages.
  std::uint64_t scan_bytes() const {
    const std::size_t chunk =
        adjacency::scan_chunk_bytes(environment_.memory.available(), adjacency::default_page_bytes);
    return adjacency::PageScan::most_bytes(pages_.most_bytes, chunk, environment_.threads);
  }

  /// Unpacks the pages to rows and searches there.
  void search_unpacked(const Needs& need) {
    const std::uint64_t moved = temporary_pages_.expected_bytes;
    forecast_.add("unpack adjacency", moved == 0 ? 1 : 0, moved, seconds_for(arcs_, unpack_nanoseconds));
    environment_.memory.raise_peak(core::size_sum(need.rows, scan_bytes(), least_arrays_bytes));
    search_in_memory(need, need.rows, false);
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
    const core::Reservation held = environment_.memory.reserve_up_to(core::size_sum(
        output_buffers(), paths_bytes(),
        internal ? need.internal : core::size_sum(need.semi_external / 9 * 8, pages, waiting)));
    search(internal ? search_nanoseconds : page_nanoseconds,
           core::size_product(temporary_pages_.expected_bytes, internal ? 1 : searches()));
  }

  /// Of an arc: the distance of its target is looked up, and changed some times.
  double misses() const { return 3 * miss_nanoseconds(core::size_product(nodes_, sizeof(std::uint64_t))); }

  void search(double arc_nanoseconds, std::uint64_t moved) {
    add_search(moved,
               seconds_for(core::size_product(arcs_, searches()), share_ * (arc_nanoseconds + misses())) +
                   seconds_for(core::size_product(nodes_, searches()), node_nanoseconds));
    if (results() == 0) return;
    forecast_.add("write", 0, 0,
                  seconds_for(core::size_product(nodes_, results() * searches()), write_nanoseconds));
  }

  void search_externally() {
    const std::size_t free = environment_.memory.available();
    const core::SpillForecast beside = [&] {
      const core::Reservation outputs =
          environment_.memory.reserve_up_to(core::size_sum(output_buffers(), paths_bytes()));
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

}  // namespace emgraph::graph::sssp
