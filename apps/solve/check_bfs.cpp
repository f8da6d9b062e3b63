// SPDX-License-Identifier: MIT
// The command check bfs: are these the levels (and parents) of a breadth-first search?
#include <CLI/CLI.hpp>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "graph/bfs/check.hpp"
#include "graph/format/nodes/node_reader.hpp"

namespace emgraph::apps {

namespace {

class CheckBfs final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("GRAPH", graph_, "file, - (standard input) or gen:MODEL,key=value,...")->required();
    app.add_option("LEVELS", levels_, "a level per node: .npy, .tsv or .bin (4 bytes)")->required();
    app.add_option("--parents", parents_, "a parent per node, to be checked as well: .npy, .tsv or .bin")
        ->type_name("FILE")
        ->group("Check");
    app.add_option(
           "--root", root_,
           "the node that must have level 0; with --relabel an original id, with --labels a label [any "
           "one]")
        ->type_name("NODE")
        ->group("Check");
    app.add_flag("--directed", directed_, "edges lead from their source to their target only")
        ->group("Check");
    declare_common_options(app, typed_, {.output = OutputUse::none});
  }

  ExitCode run() override {
    CommonOptions options = validate(typed_);
    refuse_output(options);
    options.other_inputs = {levels_, parents_};
    graph::bfs::CheckOptions check = {.directed = directed_, .nodes = options.nodes};
    if (!root_.empty()) ask_for(options, "--root", {root_});
    Session session(options, Spill::possible);
    Report report(session, "check bfs");
    graph::bfs::Verdict verdict;
    with_edges(session, graph_, NoAttachments(),
               [&]<class R>(graph::format::EdgeInput&, graph::EdgeSource<R>& edges) {
                 core::Environment& environment = session.environment();
                 if (!root_.empty()) check.root = asked_nodes(session, "--root", graph_).front();
                 const auto levels =
                     graph::format::open_node_reader(environment, levels_, {.bin_value_bytes = 4});
                 std::unique_ptr<graph::format::NodeReader> parents;
                 if (!parents_.empty()) {
                   parents = graph::format::open_node_reader(
                       environment, parents_, {.bin_value_bytes = sizeof(typename R::id_type)});
                 }
                 verdict = graph::bfs::check<R>(environment, edges, *levels, parents.get(), check);
               });
    report.text("input", graph_);
    report.text("result", levels_);
    report.file("parents", parents_);
    report.graph(verdict.nodes, verdict.edges);
    if (verdict.root) report.count("root", *verdict.root);
    report.count("reached", verdict.reached);
    report.model(verdict.choice);
    return report.finish_check(verdict.ok, levels_, verdict.message);
  }

 private:
  TypedOptions typed_;
  std::string graph_;
  std::string levels_;
  std::string parents_;
  std::string root_;
  bool directed_ = false;
};

}  // namespace

std::unique_ptr<Command> make_check_bfs() {
  return std::make_unique<CheckBfs>();
}

}  // namespace emgraph::apps
