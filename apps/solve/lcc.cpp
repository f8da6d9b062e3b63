// SPDX-License-Identifier: MIT
// The commands lcc and check lcc.
#include "graph/lcc/lcc.hpp"

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "apps/solve/check_plan.hpp"
#include "apps/solve/node_values_command.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/lcc/check.hpp"
#include "graph/lcc/layered_source.hpp"

namespace emgraph::apps {

namespace {

constexpr const char* directed_help =
    "count the arcs between neighbours, one or two for a pair; a neighbour is one along or against an edge";

class ClusteringCoefficients {
 public:
  static constexpr const char* name = "lcc";
  static constexpr const char* output_help =
      "the coefficient of each node, a double (.npy, .tsv, .csv or .bin)";
  using Value = std::uint64_t;  ///< its bits
  static constexpr bool floating = true;
  using Options = graph::lcc::Options;
  using Result = graph::lcc::Result;

  void declare(OptionSet& options) {
    options.group("Solver");
    options.flag("--directed", directed_, directed_help);
  }
  bool directed() const { return directed_; }
  Options options(const CommonOptions& options) const {
    return {.model = options.model, .nodes = options.nodes, .directed = directed_};
  }
  KeptBytes kept(const graph::EdgeFacts& input) const {
    // Degrees, ranks and counts; then two words.
    constexpr std::uint64_t node_bytes = 4 + 4 + 8 + 8;
    KeptBytes bytes = kept_with_edges(input.layout, node_bytes);
    if (directed_) {
      bytes.per_edge *= graph::lcc::edges_per_arc;
      bytes.per_node *= graph::lcc::layers;
    }
    return bytes;
  }
  void report(Report& report, const Result& result) const {
    report.flag("directed", directed_);
    report.real("mean_lcc", result.mean);
  }

 private:
  bool directed_ = false;
};

/// Checks that values are the local clustering coefficients of their graph.
class CheckClusteringCoefficients final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, graph_, "GRAPH");
    options.positional("COEFFICIENTS", values_,
                       "the coefficient of each node (.npy, .tsv, .csv or .bin of doubles)");
    options.group("Check");
    options.flag("--directed", directed_, directed_help);
    declare_common_options(options, typed_, {.output = OutputUse::none});
  }

  CommonOptions check() override { return check_options(typed_, graph_, {values_}); }

  Plan plan(Session& session) override {
    return plan_whole_check(
        session, graph_, Carry::nothing,
        [&]<class Id>(const graph::EdgeFacts&, graph::EdgeSource<Id>& edges, const graph::InputSize& size) {
          const auto values = open_planned_result(session, values_, doubles());
          return graph::lcc::forecast_check<Id>(session.environment(), edges, rules(session.options()), size);
        });
  }

  ExitCode run() override {
    const CommonOptions options = check();
    Session session(options, Spill::possible);
    Report report(session, "check lcc");
    graph::lcc::Verdict verdict;
    with_edges(session, graph_, Carry::nothing,
               [&]<class Id>(graph::format::EdgeInput&, graph::EdgeSource<Id>& edges) {
                 const auto values =
                     graph::format::open_node_reader(session.environment(), values_, doubles());
                 verdict = graph::lcc::check<Id>(session.environment(), edges, *values, rules(options));
               });
    report.input(graph_);
    report.text("coefficients", values_);
    report.graph(verdict.nodes, verdict.edges, verdict.ok);
    report.model(verdict.choice);
    return report.finish_check(verdict.ok, values_, verdict.message);
  }

 private:
  static graph::format::NodeReaderOptions doubles() {
    return {.bin_value_bytes = 8, .numbers = graph::format::NodeNumbers::floating};
  }
  graph::lcc::CheckOptions rules(const CommonOptions& options) const {
    return {.nodes = options.nodes, .directed = directed_};
  }

  TypedOptions typed_;
  Inputs graph_;
  std::string values_;
  bool directed_ = false;
};

}  // namespace

std::unique_ptr<Command> make_lcc() {
  return std::make_unique<NodeValuesCommand<ClusteringCoefficients>>();
}

std::unique_ptr<Command> make_check_lcc() {
  return std::make_unique<CheckClusteringCoefficients>();
}

}  // namespace emgraph::apps
