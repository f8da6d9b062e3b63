// SPDX-License-Identifier: MIT
// The forecast of the benchmark: memory by arithmetic if the graph is in memory; else the build and the
// searches as bfs and sssp foresee them.
#include <algorithm>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "graph/adjacency/page_estimate.hpp"
#include "graph/bfs/bfs.hpp"
#include "graph/graph500/choice.hpp"
#include "graph/graph500/external_validation.hpp"
#include "graph/graph500/list_pages.hpp"
#include "graph/graph500/roots.hpp"
#include "graph/sssp/sssp.hpp"

namespace emgraph::graph::graph500 {
namespace {

// CPU time of all threads together, nanoseconds per edge of the list. Measured with scripts/bench_plan.py.
constexpr double generate_nanoseconds = 55;
constexpr double weight_nanoseconds = 25;
constexpr double rows_nanoseconds = 45;    // of neighbours
constexpr double arcs_nanoseconds = 60;    // further, of arcs
constexpr double bfs_nanoseconds = 2;      // a search in memory
constexpr double sssp_nanoseconds = 10;    // likewise
constexpr double levels_nanoseconds = 14;  // a validation of a list in memory
constexpr double distances_nanoseconds = 20;
constexpr double reading_nanoseconds = 30;  // of a kept list, and the values
constexpr double keep_nanoseconds = 90;

class BenchmarkForecast {
 public:
  BenchmarkForecast(core::Environment& environment, const Options& options)
      : environment_(environment),
        options_(options),
        parts_{.neighbours = options.bfs, .arcs = options.sssp},
        list_{generate::Graph500Edges(options.scale, options.seed + 1, options.seed + 2),
              options.edge_factor << options.scale} {}

  Forecast make() {
    const std::uint64_t free = environment_.memory.available();
    forecast_.choice = choose_model(options_, list_, parts_, environment_.threads, free);
    stored_ = stores_edges(forecast_.choice.model, list_, parts_, environment_.threads, free);
    const core::Reservation edges =
        environment_.memory.reserve_up_to(stored_ ? StoredEdges::bytes(list_.count, parts_.arcs) : 0);
    const double generating = generate_nanoseconds + (stored_ && parts_.arcs ? weight_nanoseconds : 0);
    add_phase("generate", generating * list_edges());
    if (forecast_.choice.model == MemoryModel::internal) {
      in_memory();
    } else {
      on_pages();
    }
    return std::move(forecast_);
  }

 private:
  double list_edges() const { return static_cast<double>(list_.count); }
  void add_phase(const char* name, double nanoseconds, std::uint64_t moved = 0) {
    forecast_.phases.push_back({.name = name, .temporary_bytes = moved, .cpu_seconds = nanoseconds * 1e-9});
  }
  /// Of each reading of the list.
  double generating_again(bool weights) const {
    return stored_ ? 0 : generate_nanoseconds + (weights ? weight_nanoseconds : 0);
  }
  void add_searches(bool distances, double search_nanoseconds, double validation_nanoseconds,
                    std::uint64_t moved = 0) {
    const auto roots = static_cast<double>(options_.roots);
    add_phase(distances ? "sssp and validation" : "bfs and validation",
              roots * (search_nanoseconds + validation_nanoseconds),
              core::size_product(moved, options_.roots));
  }

  void in_memory() {
    const core::Reservation graph =
        environment_.memory.reserve_up_to(internal_run_bytes(list_, parts_, environment_.threads));
    const double m = list_edges();
    add_phase("construct",
              m * ((parts_.neighbours ? rows_nanoseconds : 0) + (parts_.arcs ? arcs_nanoseconds : 0) +
                   generating_again(parts_.arcs) + generating_again(false)));
    if (options_.bfs)
      add_searches(false, m * bfs_nanoseconds, m * (levels_nanoseconds + generating_again(false)));
    if (options_.sssp) {
      add_searches(true, m * sssp_nanoseconds, m * (distances_nanoseconds + generating_again(true)));
    }
  }

  void on_pages() {
    const std::uint64_t nodes = list_.edges.nodes();
    const bool external = forecast_.choice.model == MemoryModel::external;
    // Parents and distances of the kernels, beside those of the solver, and the validation.
    const std::uint64_t of_node = sizeof(std::uint32_t) + (parts_.arcs ? sizeof(double) : 0);
    const core::Reservation arrays = environment_.memory.reserve_up_to(
        external ? 0
                 : core::size_sum(core::size_product(nodes, of_node),
                                  validation_bytes(list_, Validator::Copies::none, environment_.threads)));
    EdgeSource<std::uint32_t> source =
        list_source(environment_, list_, options_.edge_factor, options_.seed, parts_);
    const InputSize size{nodes, list_.count};
    // The pages have weights if one of the searches needs them.
    const Forecast searched = parts_.arcs ? paths(source, size) : levels(source, size);
    construct_pages(searched);
    const double validation = external ? keep_edges() : 0;
    if (options_.bfs) search_pages(parts_.arcs ? levels(source, size) : searched, false, validation);
    if (options_.sssp) search_pages(searched, true, validation);
  }

  /// The phases of a solver after its build.
  static bool searches(const ForecastPhase& phase) {
    return phase.name == "search" || phase.name == "write" || phase.name == "sort results";
  }

  void construct_pages(const Forecast& searched) {
    forecast_.temporary = searched.temporary;
    if (!parts_.arcs) {
      // bfs may keep pages in memory; the benchmark builds them on the temporary disks.
      const core::SpillForecast pages =
          adjacency::expected_page_bytes({.nodes = list_.edges.nodes(),
                                          .entries = core::size_product(list_.count, 2),
                                          .id_bytes = sizeof(std::uint32_t)});
      forecast_.temporary->cover(core::size_sum(forecast_.temporary->most_bytes, pages.most_bytes),
                                 pages.expected_bytes);
    }
    for (ForecastPhase phase : searched.phases) {
      if (searches(phase)) continue;
      const auto readings = static_cast<double>(std::exchange(phase.input_readings, 0));
      phase.cpu_seconds += readings * list_edges() * generating_again(parts_.arcs) * 1e-9;
      forecast_.phases.push_back(std::move(phase));
    }
  }

  /// `kept_validation`: nanoseconds of a validation in the external model; else 0.
  void search_pages(const Forecast& solver, bool distances, double kept_validation) {
    double search = 0;
    std::uint64_t moved = 0;
    for (const ForecastPhase& phase : solver.phases) {
      if (!searches(phase)) continue;
      search += phase.cpu_seconds * 1e9;
      moved = core::size_sum(moved, phase.temporary_bytes);
    }
    const double checking =
        (distances ? distances_nanoseconds : levels_nanoseconds) + generating_again(distances);
    add_searches(distances, search, kept_validation > 0 ? kept_validation : list_edges() * checking, moved);
    forecast_.phases.back().one_thread = kept_validation > 0;
    forecast_.phases.back().least_share = 0.5;
    forecast_.phases.back().most_share = 2;
  }

  /// The external model lets the solvers choose whether they keep bits or distances in memory.
  MemoryModel solver_model() const {
    return forecast_.choice.model == MemoryModel::external ? options_.model : forecast_.choice.model;
  }
  Forecast levels(EdgeSource<std::uint32_t>& source, const InputSize& size) {
    const bfs::Options solver{.model = solver_model(), .roots = {0}, .nodes = size.nodes};
    return bfs::forecast<std::uint32_t>(environment_, source, solver, size,
                                        {.levels = false, .parents = true});
  }
  Forecast paths(EdgeSource<std::uint32_t>& source, const InputSize& size) {
    sssp::Options solver;
    solver.model = solver_model();
    solver.roots = {0};
    solver.nodes = size.nodes;
    return sssp::forecast<std::uint32_t>(environment_, source, solver, size,
                                         {.distances = true, .parents = true});
  }

  /// Foresees the validation in the external model; returns its nanoseconds.
  double keep_edges() {
    const std::uint64_t nodes = list_.edges.nodes();
    const std::uint64_t kernels = std::uint64_t{options_.bfs} + std::uint64_t{options_.sssp};
    const ValidationPlan plan = plan_validation(options_.scale, options_.sssp, kernels * options_.roots,
                                                environment_.memory.available());
    core::SpillForecast& space = *forecast_.temporary;
    // Results, and the pairs of parents and children that are sorted.
    const std::uint64_t values = core::size_product(nodes, sizeof(std::uint32_t) + sizeof(double) + 3 * 8);
    if (!plan.keep) {
      space = {.most_bytes = core::size_sum(space.most_bytes, values),
               .expected_bytes = core::size_sum(space.expected_bytes, values / 2)};
      return list_edges() * (generate_nanoseconds + reading_nanoseconds) *
             static_cast<double>(plan.grid.cells());
    }
    core::SpillForecast kept;
    const core::SpillForecast sorted =
        KeptEdges::rehearse(environment_, plan.grid, list_.count, parts_.arcs, kept);
    // The pages of the graph stay while the edges are sorted; then the edges stay beside each search.
    space = {.most_bytes = core::size_sum(
                 space.most_bytes, std::max(sorted.most_bytes, core::size_sum(kept.most_bytes, values))),
             .expected_bytes = core::size_sum(
                 space.expected_bytes,
                 std::max(sorted.expected_bytes, core::size_sum(kept.expected_bytes, values / 2)))};
    add_phase("keep edges", list_edges() * keep_nanoseconds,
              core::size_sum(2 * sorted.expected_bytes, kept.expected_bytes));
    return list_edges() * reading_nanoseconds;
  }

  core::Environment& environment_;
  const Options& options_;
  const GraphParts parts_;
  const EdgeList list_;
  Forecast forecast_;
  bool stored_ = false;
};

}  // namespace

Forecast forecast(core::Environment& environment, const Options& options) {
  check_options(options);
  return BenchmarkForecast(environment, options).make();
}

}  // namespace emgraph::graph::graph500
