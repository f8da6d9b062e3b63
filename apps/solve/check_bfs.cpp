// SPDX-License-Identifier: MIT
// The command check bfs: are these the levels (and parents) of a breadth-first search?

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
  void declare(OptionSet& options) override {
    declare_input(options, graph_, "GRAPH");
    options.positional("LEVELS", levels_, "the level of each node (.npy, .tsv or .bin of 4 bytes)");
    options.group("Check");
    options.value("--parents", parents_, "FILE",
                  "also check these: the parent of each node (.npy, .tsv or .bin)");
    options
        .value("--root", root_, "NODE",
               "the node that must have level 0: with --relabel an original id, with --labels a label")
        .otherwise("any one");
    options.flag("--directed", directed_, "edges lead from source to target only");
    declare_common_options(options, typed_, {.output = OutputUse::none});
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
