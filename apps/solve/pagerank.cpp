// SPDX-License-Identifier: MIT
// The commands pagerank and check pagerank.
#include "graph/pagerank/pagerank.hpp"

#include <fmt/core.h>

#include <optional>
#include <string>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/direction_option.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/kept_space.hpp"
#include "apps/files/node_names.hpp"
#include "apps/files/node_output.hpp"
#include "apps/files/node_plan.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "apps/solve/check_plan.hpp"
#include "apps/solve/rank_sources.hpp"
#include "apps/solve/weights_option.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/pagerank/check.hpp"
#include "graph/pagerank/sources.hpp"

namespace emgraph::apps {

namespace {

/// The options of the definition, which pagerank and its check share.
struct RankOptions {
  bool undirected = false;
  bool weighted = false;
  std::string damping;
  std::string tolerance;
  std::string sources;
};

void declare_rank_options(OptionSet& options, RankOptions& typed, const char* tolerance_help,
                          const char* tolerance_default) {
  options.flag("--undirected", typed.undirected,
               "an edge leads both ways, a loop once; without it, from its source to its target, as stored");
  options.flag("--weighted", typed.weighted,
               "a node shares its rank among its edges in proportion to their weights, which are 0 or more; "
               "without it, evenly");
  options
      .value("--damping", typed.damping, "D",
             "part of its rank that a node passes on along its edges: 0 or more, below 1")
      .otherwise("0.85");
  options.value(
      "--sources", typed.sources, "FILE",
      "list of nodes: rank starts at them, and what is spread evenly goes to them alone (personalised "
      "PageRank)");
  options.value("--tolerance", typed.tolerance, "X", tolerance_help).otherwise(tolerance_default);
}

Carry carried(const RankOptions& typed) {
  return typed.weighted ? Carry::weights : Carry::nothing;
}

double real_option(const std::string& option, const std::string& text) {
  if (const auto value = real_number(text)) return *value;
  throw core::UsageError(fmt::format("{}: '{}' is not a number, such as 0.85 or 1e-6", option, text));
}

double damping_of(const RankOptions& typed, double otherwise) {
  if (typed.damping.empty()) return otherwise;
  const double damping = real_option("--damping", typed.damping);
  if (damping >= 0 && damping < 1) return damping;
  throw core::UsageError(
      fmt::format("--damping: expected a number of 0 or more, below 1, found {}", typed.damping));
}

std::optional<double> tolerance_of(const RankOptions& typed) {
  if (typed.tolerance.empty()) return std::nullopt;
  const double tolerance = real_option("--tolerance", typed.tolerance);
  if (tolerance > 0) return tolerance;
  throw core::UsageError(fmt::format("--tolerance: expected a number above 0, found {}", typed.tolerance));
}

class PageRank final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, input_);
    options.group("Solver");
    options.value("--iterations", iterations_, "K", "number of rounds; with --tolerance, the most rounds")
        .otherwise("until the tolerance is met");
    declare_rank_options(options, typed_rank_,
                         "stop when a round changes the ranks by less than this: the sum of all changes",
                         "1e-6; none with --iterations");
    declare_common_options(options, typed_,
                           {.solver = true,
                            .checkpoint = true,
                            .result = "the rank of each node, a double (.npy, .tsv, .csv or .bin)"});
  }

  CommonOptions check() override {
    CommonOptions options = validate(typed_);
    options.other_inputs = {typed_rank_.sources};
    input_.refuse_standard_input_twice(options.other_inputs);
    const std::string& output = options.output;
    if (!output.empty()) check_node_output(options, output, input_.names());
    keep_names(options, {output});
    return options;
  }

  bool holds_list() const override { return !typed_rank_.sources.empty(); }

  Plan plan(Session& session) override {
    const graph::pagerank::Options solver = this->solver(session.options());
    RankSources sources(typed_rank_.sources);
    sources.read(session);
    return plan_node_values<std::uint64_t>(
        session, input_, carried(typed_rank_), true,
        [&]<class Id>(core::Environment& environment, graph::EdgeSource<Id>& edges,
                      const graph::InputSize& size) {
          if (solver.weighted) require_stored_weights(edges.facts());
          const auto nodes = solver.nodes ? solver.nodes : edges.facts().nodes;
          if (nodes) {
            graph::pagerank::require_sources(sources.nodes(session, input_.text()), typed_rank_.sources,
                                             *nodes);
          }
          return graph::pagerank::forecast<Id>(environment, edges, solver, size);
        });
  }

  ExitCode run() override {
    const CommonOptions options = check();
    graph::pagerank::Options solver = this->solver(options);
    const std::string& output = options.output;
    RankSources sources(typed_rank_.sources);
    Session session(options, Spill::possible);
    sources.read(session);
    graph::pagerank::Result result;
    with_edges(session, input_, carried(typed_rank_),
               [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
                 if (!solver.undirected)
                   warn_of_one_way(session, input.facts(), "--undirected counts both ways; ");
                 if (solver.weighted) require_stored_weights(edges.facts());
                 solver.sources = sources.nodes(session, input_.text());
                 solver.sources_file = typed_rank_.sources;
                 const auto nodes = graph::known_nodes(options.nodes, input.facts());
                 const auto sink = output.empty()
                                       ? nullptr
                                       : create_node_values<std::uint64_t>(session, output, nodes, true);
                 announce_kept_space(session, edges.facts(),
                                     kept_by_pagerank(edges.facts(), solver.undirected, solver.weighted));
                 result = graph::pagerank::run<Id>(session.environment(), edges, solver, sink.get());
                 if (sink) finish_node_output(session, *sink);
               });

    Report report(session, "pagerank");
    report.input(input_);
    report.output("output", output);
    report.graph(result.nodes, result.edges);
    report.count("arcs", result.arcs);
    report.flag("directed", !solver.undirected);
    report.flag("weighted", solver.weighted);
    report.real("damping", solver.damping);
    if (!solver.sources.empty()) report.count("sources", solver.sources.size());
    report.count("iterations", result.iterations);
    report.real("residual", result.residual);
    report.real("sum", result.sum);
    report.model(result.choice);
    if (result.choice.model == graph::MemoryModel::external) report.count("ranges", result.ranges);
    return report.finish();
  }

 private:
  graph::pagerank::Options solver(const CommonOptions& options) const {
    graph::pagerank::Options solver{.model = options.model,
                                    .nodes = options.nodes,
                                    .undirected = typed_rank_.undirected,
                                    .weighted = typed_rank_.weighted,
                                    .tolerance = tolerance_of(typed_rank_)};
    solver.damping = damping_of(typed_rank_, solver.damping);
    if (!iterations_.empty()) solver.iterations = count_option("--iterations", iterations_);
    return solver;
  }

  TypedOptions typed_;
  RankOptions typed_rank_;
  Inputs input_;
  std::string iterations_;
};

/// Checks that values are the PageRank of their graph.
class CheckPageRank final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, graph_, "GRAPH");
    options.positional("RANKS", ranks_, "the rank of each node (.npy, .tsv, .csv or .bin of doubles)");
    options.group("Check");
    declare_rank_options(options, typed_rank_,
                         "largest residual: the sum of all changes that a further round would make", "1e-6");
    declare_common_options(options, typed_, {.output = OutputUse::none});
  }

  CommonOptions check() override { return check_options(typed_, graph_, {ranks_}, {typed_rank_.sources}); }

  Plan plan(Session& session) override {
    damping_of(typed_rank_, 0);
    tolerance_of(typed_rank_);
    RankSources sources(typed_rank_.sources);
    sources.read(session);
    std::unique_ptr<graph::format::NodeReader> ranks;
    return plan_check(
        session, graph_, carried(typed_rank_), [&](const graph::EdgeFacts& facts, const EdgeEstimate& size) {
          if (typed_rank_.weighted) require_stored_weights(facts);
          sources.nodes(session, graph_.text());
          ranks = open_planned_result(session, ranks_, rank_numbers());
          const auto known = checked_nodes(session, facts, ranks.get(), size);
          const std::uint64_t nodes = known.value_or(0);
          const std::uint64_t bytes = core::size_product(nodes, graph::pagerank::checked_node_bytes);
          const std::uint64_t edges = size.edges.value.value_or(0);
          // Measured on random graphs beside the run.
          const double missed = graph::miss_nanoseconds(bytes);
          const double ways = typed_rank_.undirected && !facts.symmetric ? 1.6 : 1;
          constexpr double node_nanoseconds = 60;
          graph::ForecastPhase read{.name = "read ranks",
                                    .cpu_seconds = graph::seconds_for(nodes, node_nanoseconds),
                                    .one_thread = true};
          graph::ForecastPhase count{.name = "count degrees",
                                     .input_readings = 1,
                                     .cpu_seconds = graph::seconds_for(edges, ways * (15 + 3 * missed)),
                                     .one_thread = typed_rank_.weighted};
          graph::ForecastPhase look{.name = "check",
                                    .input_readings = 1,
                                    .cpu_seconds = graph::seconds_for(edges, ways * (15 + 4 * missed)),
                                    .one_thread = true};
          return CheckNeeds{.choice = graph::pagerank::Verdict().choice,
                            .bytes = known ? std::optional(bytes) : std::nullopt,
                            .what = "24 bytes per node",
                            .one_lane = typed_rank_.weighted,
                            .phases = {std::move(read), std::move(count), std::move(look)}};
        });
  }

  ExitCode run() override {
    const CommonOptions options = check();
    graph::pagerank::CheckOptions rules{
        .nodes = options.nodes, .undirected = typed_rank_.undirected, .weighted = typed_rank_.weighted};
    rules.damping = damping_of(typed_rank_, rules.damping);
    rules.tolerance = tolerance_of(typed_rank_).value_or(rules.tolerance);
    RankSources sources(typed_rank_.sources);
    Session session(options, Spill::possible);
    sources.read(session);
    Report report(session, "check pagerank");
    graph::pagerank::Verdict verdict;
    with_edges(session, graph_, carried(typed_rank_),
               [&]<class Id>(graph::format::EdgeInput&, graph::EdgeSource<Id>& edges) {
                 if (rules.weighted) require_stored_weights(edges.facts());
                 rules.sources = sources.nodes(session, graph_.text());
                 rules.sources_file = typed_rank_.sources;
                 const auto ranks =
                     graph::format::open_node_reader(session.environment(), ranks_, rank_numbers());
                 verdict = graph::pagerank::check<Id>(session.environment(), edges, *ranks, rules);
               });
    report.input(graph_);
    report.text("ranks", ranks_);
    report.checked(verdict);
    report.real("residual", verdict.residual);
    report.real("sum", verdict.sum);
    return report.finish_check(verdict, ranks_);
  }

 private:
  static graph::format::NodeReaderOptions rank_numbers() {
    return {.bin_value_bytes = 8, .numbers = graph::format::NodeNumbers::floating};
  }

  TypedOptions typed_;
  RankOptions typed_rank_;
  Inputs graph_;
  std::string ranks_;
};

}  // namespace

std::unique_ptr<Command> make_pagerank() {
  return std::make_unique<PageRank>();
}

std::unique_ptr<Command> make_check_pagerank() {
  return std::make_unique<CheckPageRank>();
}

}  // namespace emgraph::apps
