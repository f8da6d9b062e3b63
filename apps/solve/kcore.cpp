// SPDX-License-Identifier: MIT
// The commands kcore and check kcore.
#include "graph/kcore/kcore.hpp"

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "apps/solve/check_plan.hpp"
#include "apps/solve/node_values_command.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/kcore/check.hpp"

namespace emgraph::apps {

namespace {

struct KCore {
  static constexpr const char* name = "kcore";
  static constexpr const char* output_help =
      "the core number of each node (.npy, .tsv, .csv or .bin of 4-byte numbers)";
  using Value = std::uint32_t;
  static constexpr bool floating = false;
  using Options = graph::kcore::Options;
  using Result = graph::kcore::Result;

  void declare(OptionSet&) {}
  static bool directed() { return false; }
  static Options options(const CommonOptions& options) {
    return {.model = options.model, .nodes = options.nodes};
  }
  static KeptBytes kept(const graph::EdgeFacts& input) { return kept_by_search(input.layout, false); }
  static void report(Report& report, const Result& result) {
    report.count("degeneracy", result.degeneracy);
    report.count("rounds", result.rounds);
  }
};

/// Checks that values are the core numbers of their graph.
class CheckKCore final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, graph_, "GRAPH");
    options.positional("CORES", cores_,
                       "the core number of each node (.npy, .tsv, .csv or .bin of 4-byte numbers)");
    declare_common_options(options, typed_, {.output = OutputUse::none});
  }

  CommonOptions check() override { return check_options(typed_, graph_, {cores_}); }

  Plan plan(Session& session) override {
    return plan_whole_check(
        session, graph_, Carry::nothing,
        [&]<class Id>(const graph::EdgeFacts&, graph::EdgeSource<Id>& edges, const graph::InputSize& size) {
          const auto cores = open_planned_result(session, cores_, {.bin_value_bytes = 4});
          return graph::kcore::forecast_check<Id>(session.environment(), edges,
                                                  {.nodes = session.options().nodes}, size);
        });
  }

  ExitCode run() override {
    const CommonOptions options = check();
    Session session(options, Spill::possible);
    Report report(session, "check kcore");
    graph::kcore::Verdict verdict;
    with_edges(session, graph_, Carry::nothing,
               [&]<class Id>(graph::format::EdgeInput&, graph::EdgeSource<Id>& edges) {
                 const auto cores =
                     graph::format::open_node_reader(session.environment(), cores_, {.bin_value_bytes = 4});
                 verdict =
                     graph::kcore::check<Id>(session.environment(), edges, *cores, {.nodes = options.nodes});
               });
    report.input(graph_);
    report.text("cores", cores_);
    report.graph(verdict.nodes, verdict.edges, verdict.ok);
    if (verdict.ok) report.count("degeneracy", verdict.degeneracy);
    report.model(verdict.choice);
    return report.finish_check(verdict.ok, cores_, verdict.message);
  }

 private:
  TypedOptions typed_;
  Inputs graph_;
  std::string cores_;
};

}  // namespace

std::unique_ptr<Command> make_kcore() {
  return std::make_unique<NodeValuesCommand<KCore>>();
}

std::unique_ptr<Command> make_check_kcore() {
  return std::make_unique<CheckKCore>();
}

}  // namespace emgraph::apps
