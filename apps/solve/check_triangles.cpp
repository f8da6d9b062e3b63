// SPDX-License-Identifier: MIT
// The command check triangles: are counts per node, and a list, those of the graph?

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/triangles/check.hpp"

namespace emgraph::apps {

namespace {

class CheckTriangles final : public Command {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, graph_, "GRAPH");
    options.positional("PER_NODE", per_node_,
                       "the number of triangles at each node (.npy, .tsv or .bin of 8-byte counts)");
    options.group("Check");
    options.value("--list", list_, "FILE", "also check this list of triangles (.npy, .tsv or .bin)");
    declare_common_options(options, typed_, {.output = OutputUse::none});
  }

  ExitCode run() override {
    CommonOptions options = validate(typed_);
    refuse_output(options);
    options.other_inputs = {per_node_, list_};
    Session session(options, Spill::possible);
    Report report(session, "check triangles");
    graph::triangles::Verdict verdict;
    with_edges(session, graph_, NoAttachments(),
               [&]<class R>(graph::format::EdgeInput&, graph::EdgeSource<R>& edges) {
                 core::Environment& environment = session.environment();
                 const auto per_node =
                     graph::format::open_node_reader(environment, per_node_, {.bin_value_bytes = 8});
                 const auto list = list_.empty()
                                       ? nullptr
                                       : graph::format::open_node_reader(
                                             environment, list_,
                                             {.bin_value_bytes = sizeof(typename R::id_type), .columns = 3});
                 verdict = graph::triangles::check<R>(environment, edges, *per_node, list.get(),
                                                      {.nodes = options.nodes});
               });
    report.text("input", graph_);
    report.text("per_node", per_node_);
    report.file("list", list_);
    report.graph(verdict.nodes, verdict.edges);
    report.count("triangles", verdict.triangles);
    report.model(verdict.choice);
    return report.finish_check(verdict.ok, verdict.list_is_wrong ? list_ : per_node_, verdict.message);
  }

 private:
  TypedOptions typed_;
  std::string graph_;
  std::string per_node_;
  std::string list_;
};

}  // namespace

std::unique_ptr<Command> make_check_triangles() {
  return std::make_unique<CheckTriangles>();
}

}  // namespace emgraph::apps
