// SPDX-License-Identifier: MIT
// The commands bfs (breadth-first search from one or several roots) and check bfs.
#include <fmt/core.h>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/direction_option.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/kept_space.hpp"
#include "apps/files/node_names.hpp"
#include "apps/files/node_output.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/plan.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "apps/solve/check_plan.hpp"
#include "apps/solve/root_outputs.hpp"
#include "apps/solve/searched_adjacency.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/bfs/bfs.hpp"
#include "graph/bfs/check.hpp"
#include "graph/format/nodes/node_reader.hpp"

namespace emgraph::apps {

namespace {

/// Files for levels and parents of each search.
template <class Id>
class BfsOutputs final : public graph::bfs::Outputs<Id> {
 public:
  BfsOutputs(Session& session, std::string levels, std::string parents, std::vector<std::uint64_t> roots)
      : files_(session, std::move(levels), std::move(parents), std::move(roots)) {}

  bool wants_levels() const override { return files_.wants_values(); }
  bool wants_parents() const override { return files_.wants_parents(); }
  graph::NodeSink<std::uint32_t>& open_levels(std::uint64_t root, std::uint64_t nodes) override {
    return files_.open_values(root, nodes);
  }
  graph::NodeSink<Id>& open_parents(std::uint64_t root, std::uint64_t nodes) override {
    return files_.open_parents(root, nodes);
  }
  void close() override { files_.close(); }

 private:
  RootFiles<Id, std::uint32_t> files_;
};

SummaryObject summary(const graph::bfs::Traversal& search) {
  return {{"root", search.root},
          {"reached", search.reached},
          {"levels", search.levels},
          {"nodes_per_level", search.nodes_per_level},
          {"method", search.method}};
}

/// The first search in rows of its own; of several the others in a row each, and all in a list.
void report_searches(Session& session, Report& report, const std::vector<graph::bfs::Traversal>& searches) {
  const CommonOptions& options = session.options();
  const graph::bfs::Traversal& first = searches.front();
  report_root(report, options, first.root);
  if (const std::string name = default_root_name(session, options, first.root); !name.empty()) {
    report.value(name_key(session, "root"), name_value(session, name), name);
  }
  report.count("reached", first.reached);
  report.count("levels", first.levels);
  report.text("method", first.method);
  report.hidden("nodes_per_level", first.nodes_per_level);
  if (searches.size() == 1) return;
  const std::vector<std::string> given = given_roots(options);
  SummaryList list;
  for (std::size_t i = 0; i < searches.size(); ++i) {
    SummaryObject one = summary(searches[i]);
    add_given_root(one, options, i);
    list.push_back(std::move(one));
    if (i == 0) continue;
    report.shown(fmt::format("root {}", given[i]),
                 fmt::format("{} reached, {} levels", core::format_count(searches[i].reached),
                             core::format_count(searches[i].levels)));
  }
  report.hidden("searches", std::move(list));
}

class Bfs final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, input_, "INPUT", input_help(" (an adjacency, .adj, is searched as it is)"));
    options.group("Solver");
    options
        .list(
            "--root", roots_, "NODE",
            "node to start from: with --relabel an original id, with --labels a label. Repeat it for several "
            "searches; the names of -o and --parents then need {root}, which stands for the node")
        .otherwise("smallest node with the largest degree; with --directed, with the most arcs from it");
    options
        .value("--parents", parents_, "FILE",
               "output for the parent of each node: its smallest neighbour on the level above (format by its "
               "extension, or --output-format without -o)")
        .as_output();
    options.flag("--directed", directed_, "follow edges from source to target only");
    declare_common_options(
        options, typed_,
        {.solver = true, .checkpoint = true, .result = "the level of each node (.npy, .tsv, .csv or .bin)"});
  }

  CommonOptions check() override {
    CommonOptions options = validate(typed_);
    ask_for(options, "--root", roots_);
    if (!options.checkpoint.empty() && roots_.size() > 1) {
      throw core::UsageError("--checkpoint: searches from several roots cannot be resumed; give one --root");
    }
    check_root_outputs(options, {{"-o", options.output}, {"--parents", parents_}}, given_roots(options),
                       input_.names());
    keep_names(options, {options.output, parents_}, roots_.empty());
    return options;
  }

  Plan plan(Session& session) override {
    const CommonOptions& options = session.options();
    Plan plan{.input = input_};
    with_edges(
        session, input_, Carry::nothing,
        [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
          graph::bfs::Options solver = this->solver(options);
          solver.roots = asked_nodes(session, "--root", input_.text());
          plan.size = estimate_edges(session, input_, input, edges);
          require_some_nodes(plan);
          plan_root_outputs(session, {{options.output, sizeof(std::uint32_t)}, {parents_, sizeof(Id)}}, plan);
          const graph::bfs::WantedOutputs outputs{.levels = !options.output.empty(),
                                                  .parents = !parents_.empty()};
          const auto pages = searched_file<Id>(session, input, solver);
          plan.forecast = pages ? graph::bfs::forecast<Id>(session.environment(), *pages, solver, outputs)
                                : graph::bfs::forecast<Id>(session.environment(), edges, solver,
                                                           plan.size.size(), outputs);
        });
    return plan;
  }

  ExitCode run() override {
    const CommonOptions options = check();
    graph::bfs::Options solver = this->solver(options);
    Session session(options, Spill::possible);
    graph::bfs::Result result;
    with_edges(session, input_, Carry::nothing,
               [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
                 if (directed_) warn_of_one_way(session, input.facts(), without_directed);
                 announce_kept_space(session, edges.facts(), kept_by_search(edges.facts().layout, directed_));
                 solver.roots = asked_nodes(session, "--root", input_.text());
                 result = search<Id>(session, input, edges, solver);
               });
    Report report(session, "bfs");
    report.input(input_);
    report.output("output", options.output);
    report.output("parents", parents_);
    report.graph(result.nodes, result.edges);
    report_searches(session, report, result.traversals);
    report.model(result.choice);
    return report.finish();
  }

 private:
  graph::bfs::Options solver(const CommonOptions& options) const {
    return {.model = options.model, .directed = directed_, .nodes = options.nodes, .input = input_.text()};
  }

  /// An adjacency file that is searched as it is; null: the input is none, or not the wanted one.
  template <class Id>
  std::unique_ptr<graph::adjacency::PagedAdjacency<Id>> searched_file(
      Session& session, const graph::format::EdgeInput& input, const graph::bfs::Options& solver) const {
    if (!graph::bfs::serves(input.facts(), solver)) return nullptr;
    return open_searched_adjacency<Id>(session, input_, input, solver.nodes);
  }

  template <class Id>
  graph::bfs::Result search(Session& session, graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges,
                            const graph::bfs::Options& solver) const {
    BfsOutputs<Id> outputs(session, session.options().output, parents_, solver.roots);
    const auto pages = searched_file<Id>(session, input, solver);
    return pages ? graph::bfs::run<Id>(session.environment(), *pages, solver, &outputs)
                 : graph::bfs::run<Id>(session.environment(), edges, solver, &outputs);
  }

  TypedOptions typed_;
  Inputs input_;
  std::vector<std::string> roots_;
  std::string parents_;
  bool directed_ = false;
};

/// Checks levels (and parents) of a breadth-first search.
class CheckBfs final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, graph_, "GRAPH");
    options.positional("LEVELS", levels_, "the level of each node (.npy, .tsv, .csv or .bin of 4 bytes)");
    options.group("Check");
    options.value("--parents", parents_, "FILE",
                  "also check these: the parent of each node (.npy, .tsv, .csv or .bin)");
    options
        .value("--root", root_, "NODE",
               "the node that must have level 0: with --relabel an original id, with --labels a label")
        .otherwise("any one");
    options.flag("--directed", directed_, "edges lead from source to target only");
    declare_common_options(options, typed_, {.output = OutputUse::none});
  }

  CommonOptions check() override {
    CommonOptions options = check_options(typed_, graph_, {levels_, parents_});
    if (!root_.empty()) ask_for(options, "--root", {root_});
    return options;
  }

  Plan plan(Session& session) override {
    graph::bfs::CheckOptions check = {.directed = directed_, .nodes = session.options().nodes};
    return plan_whole_check(
        session, graph_, Carry::nothing,
        [&]<class Id>(const graph::EdgeFacts&, graph::EdgeSource<Id>& edges, const graph::InputSize& size) {
          if (!root_.empty()) check.root = asked_nodes(session, "--root", graph_.text()).front();
          const auto levels = open_planned_result(session, levels_, {.bin_value_bytes = 4});
          const auto parents = open_planned_parents<Id>(session, parents_);
          return graph::bfs::forecast_check<Id>(session.environment(), edges, levels.get(), !parents_.empty(),
                                                check, size);
        });
  }

  ExitCode run() override {
    const CommonOptions options = check();
    graph::bfs::CheckOptions check = {.directed = directed_, .nodes = options.nodes};
    Session session(options, Spill::possible);
    Report report(session, "check bfs");
    graph::bfs::Verdict verdict;
    with_edges(
        session, graph_, Carry::nothing,
        [&]<class Id>(graph::format::EdgeInput&, graph::EdgeSource<Id>& edges) {
          core::Environment& environment = session.environment();
          if (!root_.empty()) check.root = asked_nodes(session, "--root", graph_.text()).front();
          const auto levels = graph::format::open_node_reader(environment, levels_, {.bin_value_bytes = 4});
          std::unique_ptr<graph::format::NodeReader> parents;
          if (!parents_.empty()) {
            parents = graph::format::open_node_reader(environment, parents_, {.bin_value_bytes = sizeof(Id)});
          }
          verdict = graph::bfs::check<Id>(environment, edges, *levels, parents.get(), check);
        });
    report.input(graph_);
    report.text("result", levels_);
    report.file("parents", parents_);
    report.checked(verdict);
    if (const auto root = check.root ? check.root : verdict.root) report.count("root", *root);
    report.count("reached", verdict.reached);
    return report.finish_check(verdict, verdict.about_parents ? parents_ : levels_);
  }

 private:
  TypedOptions typed_;
  Inputs graph_;
  std::string levels_;
  std::string parents_;
  std::string root_;
  bool directed_ = false;
};

}  // namespace

std::unique_ptr<Command> make_bfs() {
  return std::make_unique<Bfs>();
}

std::unique_ptr<Command> make_check_bfs() {
  return std::make_unique<CheckBfs>();
}

}  // namespace emgraph::apps
