// SPDX-License-Identifier: MIT
// The commands triangles (number, counts per node, list) and check triangles.
#include "graph/triangles/triangles.hpp"

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/kept_space.hpp"
#include "apps/files/node_names.hpp"
#include "apps/files/node_output.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/plan.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "apps/solve/check_plan.hpp"
#include "core/base/error.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/triangles/check.hpp"

namespace emgraph::apps {

namespace {

/// Of --list as text.
const std::vector<std::string> list_columns = {"node", "node_2", "node_3"};

class Triangles final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, input_);
    options.group("Solver");
    options
        .value("--per-node", per_node_, "FILE",
               "output for the number of triangles at each node (.npy, .tsv, .csv or .bin of 8-byte counts)")
        .as_output();
    options
        .value("--list", list_, "FILE",
               "output for all triangles a < b < c in ascending order (.npy of t x 3, .tsv, .csv or .bin)")
        .as_output();
    declare_common_options(options, typed_,
                           {.solver = true,
                            .checkpoint = true,
                            .output = OutputUse::named,
                            .instead = "triangles has two: name them by --per-node FILE and --list FILE (or "
                                       "- for standard output)"});
  }

  CommonOptions check() override {
    CommonOptions options = validate(typed_);
    check_outputs_differ({{"--per-node", per_node_}, {"--list", list_}});
    if (!per_node_.empty()) check_node_output(options, per_node_, input_.names());
    if (!list_.empty()) check_node_output(options, list_, input_.names());
    for (const std::string& output : {per_node_, list_}) {
      if (!options.checkpoint.empty() && !output.empty() && written_in_place(output)) {
        throw core::UsageError("--checkpoint: the outputs must be regular files");
      }
    }
    options.kept_output = per_node_.empty() ? list_ : per_node_;
    keep_names(options, {per_node_, list_});
    return options;
  }

  Plan plan(Session& session) override {
    const CommonOptions& options = session.options();
    Plan plan{.input = input_};
    with_edges(
        session, input_, Carry::nothing,
        [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
          plan.size = estimate_edges(session, input_, input, edges);
          const auto nodes = graph::known_nodes(options.nodes, input.facts());
          const auto per_node =
              per_node_.empty() ? nullptr : create_node_values<std::uint64_t>(session, per_node_, nodes);
          const auto list = list_.empty() ? nullptr : create_node_rows<Id>(session, list_, list_columns);
          if (per_node) {
            plan.outputs.push_back({per_node_, planned_node_bytes(session, per_node_, plan.size.nodes.value,
                                                                  8, value_characters(8))});
          }
          if (list) plan.outputs.push_back({list_, std::nullopt});
          plan.forecast = graph::triangles::forecast<Id>(
              session.environment(), edges, {.model = options.model, .nodes = options.nodes},
              plan.size.size(), {.per_node = per_node != nullptr, .list = list != nullptr});
        });
    return plan;
  }

  ExitCode run() override {
    const CommonOptions options = check();
    Session session(options, Spill::possible);
    graph::triangles::Result result;
    with_edges(
        session, input_, Carry::nothing,
        [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
          const auto nodes = graph::known_nodes(options.nodes, input.facts());
          const auto per_node =
              per_node_.empty() ? nullptr : create_node_values<std::uint64_t>(session, per_node_, nodes);
          const auto list = list_.empty() ? nullptr : create_node_rows<Id>(session, list_, list_columns);
          announce_kept_space(session, edges.facts(),
                              kept_with_edges(edges.facts().layout, per_node ? 12 : 4));
          result = graph::triangles::run<Id>(session.environment(), edges,
                                             {.model = options.model, .nodes = options.nodes},
                                             {.per_node = per_node.get(), .list = list.get()});
          if (list) finish_node_output(session, *list);
          if (per_node) finish_node_output(session, *per_node);
        });

    Report report(session, "triangles");
    report.input(input_);
    report.output("per_node", per_node_);
    report.output("list", list_);
    report.graph(result.nodes, result.edges);
    report.count("simple_edges", result.simple_edges);
    report.count("triangles", result.triangles);
    report.value("wedges", result.wedges, grouped(result.wedges));
    report.real("clustering", result.clustering());
    report.model(result.choice);
    report.count("chunks", result.chunks);
    return report.finish();
  }

 private:
  TypedOptions typed_;
  Inputs input_;
  std::string per_node_;
  std::string list_;
};

/// Checks counts per node and a list of triangles.
class CheckTriangles final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, graph_, "GRAPH");
    options.positional("PER_NODE", per_node_,
                       "the number of triangles at each node (.npy, .tsv, .csv or .bin of 8-byte counts)");
    options.group("Check");
    options.value("--list", list_, "FILE", "also check this list of triangles (.npy, .tsv, .csv or .bin)");
    declare_common_options(options, typed_, {.output = OutputUse::none});
  }

  CommonOptions check() override { return check_options(typed_, graph_, {per_node_, list_}); }

  Plan plan(Session& session) override {
    return plan_whole_check(
        session, graph_, Carry::nothing,
        [&]<class Id>(const graph::EdgeFacts&, graph::EdgeSource<Id>& edges, const graph::InputSize& size) {
          const auto per_node = open_planned_result(session, per_node_, {.bin_value_bytes = 8});
          const auto list =
              list_.empty()
                  ? nullptr
                  : open_planned_result(session, list_, {.bin_value_bytes = sizeof(Id), .columns = 3});
          return graph::triangles::forecast_check<Id>(session.environment(), edges,
                                                      {.nodes = session.options().nodes}, size);
        });
  }

  ExitCode run() override {
    const CommonOptions options = check();
    Session session(options, Spill::possible);
    Report report(session, "check triangles");
    graph::triangles::Verdict verdict;
    with_edges(session, graph_, Carry::nothing,
               [&]<class Id>(graph::format::EdgeInput&, graph::EdgeSource<Id>& edges) {
                 core::Environment& environment = session.environment();
                 const auto per_node =
                     graph::format::open_node_reader(environment, per_node_, {.bin_value_bytes = 8});
                 const auto list =
                     list_.empty() ? nullptr
                                   : graph::format::open_node_reader(
                                         environment, list_, {.bin_value_bytes = sizeof(Id), .columns = 3});
                 verdict = graph::triangles::check<Id>(environment, edges, *per_node, list.get(),
                                                       {.nodes = options.nodes});
               });
    report.input(graph_);
    report.text("per_node", per_node_);
    report.file("list", list_);
    report.checked(verdict);
    report.count("triangles", verdict.triangles);
    return report.finish_check(verdict, verdict.list_is_wrong ? list_ : per_node_);
  }

 private:
  TypedOptions typed_;
  Inputs graph_;
  std::string per_node_;
  std::string list_;
};

}  // namespace

std::unique_ptr<Command> make_triangles() {
  return std::make_unique<Triangles>();
}

std::unique_ptr<Command> make_check_triangles() {
  return std::make_unique<CheckTriangles>();
}

}  // namespace emgraph::apps
