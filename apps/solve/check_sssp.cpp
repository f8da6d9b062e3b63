// SPDX-License-Identifier: MIT
// The command check sssp: checks distances and parents of shortest paths.
#include <fmt/core.h>

#include <memory>
#include <string>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/direction_option.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "apps/solve/check_plan.hpp"
#include "apps/solve/weights_option.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/sssp/check.hpp"
#include "graph/sssp/distances.hpp"

namespace emgraph::apps {

namespace {

using graph::format::NodeNumbers;
using graph::format::NodeReader;

class CheckSssp final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, graph_, "GRAPH");
    options.positional(
        "DISTANCES", distances_,
        "the distance of each node (.npy, .tsv, .csv or .bin of 8 bytes): integers if the weights are "
        "integers, else floating-point numbers");
    options.group("Check");
    options.value("--parents", parents_, "FILE",
                  "also check these: the parent of each node (.npy, .tsv, .csv or .bin)");
    options
        .value("--root", root_, "NODE",
               "the node that must have distance 0: with --relabel an original id, with --labels a label. "
               "Give it "
               "if weights can be 0: several nodes may then have distance 0")
        .otherwise("the node that is its own parent; without --parents one of distance 0");
    declare_direction(options, direction_);
    declare_weighting(options, weights_);
    declare_common_options(options, typed_, {.output = OutputUse::none});
  }

  CommonOptions check() override {
    CommonOptions options = check_options(typed_, graph_, {distances_, parents_});
    parse_weighting(weights_);
    if (!root_.empty()) ask_for(options, "--root", {root_});
    return options;
  }

  Plan plan(Session& session) override {
    graph::sssp::CheckOptions check = rules(session.options());
    return plan_whole_check(
        session, graph_, carried(check.weighting),
        [&]<class Id>(const graph::EdgeFacts& facts, graph::EdgeSource<Id>& edges,
                      const graph::InputSize& size) {
          resolve(session, facts, check);
          const auto distances = open_planned_result(session, distances_, numbers(facts, check));
          const auto parents = open_planned_parents<Id>(session, parents_);
          return graph::sssp::forecast_check<Id>(session.environment(), edges, distances.get(),
                                                 !parents_.empty(), check, size);
        });
  }

  ExitCode run() override {
    const CommonOptions options = this->check();
    graph::sssp::CheckOptions check = rules(options);
    Session session(options, Spill::possible);
    Report report(session, "check sssp");
    graph::sssp::Verdict verdict;
    Direction direction;
    const auto work = [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
      direction = resolve(session, input.facts(), check);
      core::Environment& environment = session.environment();
      const std::unique_ptr<NodeReader> distances =
          graph::format::open_node_reader(environment, distances_, numbers(input.facts(), check));
      std::unique_ptr<NodeReader> parents;
      if (!parents_.empty()) {
        parents = graph::format::open_node_reader(environment, parents_, {.bin_value_bytes = sizeof(Id)});
      }
      verdict = graph::sssp::check<Id>(environment, edges, *distances, parents.get(), check);
    };
    with_edges(session, graph_, carried(check.weighting), work);
    report.input(graph_);
    report.text("result", distances_);
    report.file("parents", parents_);
    report.checked(verdict);
    report.value("directed", direction.directed,
                 fmt::format("{}: {}", direction.directed ? "yes" : "no", direction.reason));
    if (const auto root = check.root ? check.root : verdict.root) report.count("root", *root);
    report.count("reached", verdict.reached);
    return report.finish_check(verdict, verdict.about_parents ? parents_ : distances_);
  }

 private:
  graph::sssp::CheckOptions rules(const CommonOptions& options) const {
    return {.weighting = parse_weighting(weights_), .nodes = options.nodes};
  }
  /// Adds what depends on the graph.
  Direction resolve(Session& session, const graph::EdgeFacts& facts, graph::sssp::CheckOptions& check) const {
    require_weights(facts, check.weighting);
    Direction direction = resolve_direction(direction_, facts);
    check.directed = direction.directed;
    if (!root_.empty()) check.root = asked_nodes(session, "--root", graph_.text()).front();
    return direction;
  }
  static graph::format::NodeReaderOptions numbers(const graph::EdgeFacts& facts,
                                                  const graph::sssp::CheckOptions& check) {
    const bool floating = graph::sssp::is_floating(check.weighting.type(facts.layout.weight));
    return {.bin_value_bytes = 8, .numbers = floating ? NodeNumbers::floating : NodeNumbers::integers};
  }

  TypedOptions typed_;
  Inputs graph_;
  std::string distances_;
  std::string parents_;
  std::string root_;
  std::string weights_;
  DirectionOption direction_;
};

}  // namespace

std::unique_ptr<Command> make_check_sssp() {
  return std::make_unique<CheckSssp>();
}

}  // namespace emgraph::apps
