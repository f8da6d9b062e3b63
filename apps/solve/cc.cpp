// SPDX-License-Identifier: MIT
// The commands cc (connected components) and check cc.
#include "graph/cc/cc.hpp"

#include <algorithm>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/edge_output.hpp"
#include "apps/files/kept_space.hpp"
#include "apps/files/node_names.hpp"
#include "apps/files/node_output.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/plan.hpp"
#include "apps/run/ranks.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "apps/solve/check_plan.hpp"
#include "apps/solve/check_values.hpp"
#include "apps/solve/forest_file.hpp"
#include "apps/solve/forest_ranks.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/cc/check.hpp"
#include "graph/cc/component_lists.hpp"
#include "graph/cc/spanning_forest.hpp"
#include "graph/mst/mst.hpp"
#include "graph/sparse_ids.hpp"

namespace emgraph::apps {

namespace {

/// The lexicographically first spanning forest is the minimum one when all weights are equal.
graph::mst::Options forest_solver(const graph::cc::Options& solver) {
  graph::mst::Options unit{.model = solver.model, .weighting = {}, .nodes = solver.nodes};
  unit.weighting.rule = graph::WeightRule::unit;
  return unit;
}

template <class Id>
graph::cc::ForestFound find_forest(core::Environment& environment, graph::EdgeSource<Id>& edges,
                                   const graph::cc::Options& solver, graph::ForestSink& sink) {
  graph::mst::Result found = graph::mst::run<Id>(environment, edges, forest_solver(solver), &sink);
  return {.nodes = found.nodes,
          .edges = found.edges,
          .forest_edges = found.forest_edges,
          .choice = std::move(found.choice)};
}

/// The files of --sizes and --groups, if they are given.
template <class Id>
class Lists {
 public:
  /// `labels` may be null, and receives the labels of sink().
  Lists(Session& session, const std::string& sizes, const std::string& groups, graph::NodeSink<Id>* labels)
      : labels_(labels) {
    if (!sizes.empty()) sizes_ = create_node_counts(session, sizes, {"component", "size"});
    if (!groups.empty()) groups_ = create_node_rows<Id>(session, groups, {"component", "node"});
    if (sizes_ || groups_) lists_.emplace(session.environment(), labels);
  }
  graph::NodeSink<Id>* sink() { return lists_ ? &*lists_ : labels_; }
  /// For a plan, in place of the labels and finish().
  void rehearse(const std::optional<std::uint64_t>& nodes, graph::Forecast& forecast) {
    if (lists_ && nodes) lists_->rehearse(*nodes, sizes_ != nullptr, forecast);
  }
  void finish(Session& session) {
    if (!lists_) return;
    lists_->finish(sizes_.get(), groups_.get());
    if (sizes_) finish_node_output(session, *sizes_);
    if (groups_) finish_node_output(session, *groups_);
  }

 private:
  graph::NodeSink<Id>* labels_;
  std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> sizes_;
  std::unique_ptr<graph::format::NodeWriter<Id>> groups_;
  std::optional<graph::cc::ComponentLists<Id>> lists_;
};

class ConnectedComponents final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, input_, "INPUT", input_help() + parts_of_ranks);
    options.group("Solver");
    options
        .value("--forest", forest_, "FILE",
               "edge file for the lexicographically first spanning forest: low id first, sorted")
        .as_output();
    options
        .value("--sizes", sizes_, "FILE",
               "output for the components by size, the largest first: the component and its number of "
               "nodes (.npy of k x 2, .tsv, .csv or .bin of 8-byte numbers)")
        .as_output();
    options
        .value("--groups", groups_, "FILE",
               "output for the members of each component, one after the other: the component and a member "
               "(.npy of n x 2, .tsv, .csv or .bin)")
        .as_output();
    declare_common_options(
        options, typed_,
        {.solver = true,
         .checkpoint = true,
         .result = "for each node the smallest node of its component (.npy, .tsv, .csv or .bin)"});
  }

  CommonOptions check() override {
    CommonOptions options = validate(typed_);
    const std::string& output = options.output;
    check_outputs_differ({{"-o", output}, {"--forest", forest_}, {"--sizes", sizes_}, {"--groups", groups_}});
    if (!output.empty()) check_node_output(options, output, input_.names());
    if (!forest_.empty()) check_edge_output(options, forest_, input_.names(), "");
    for (const std::string& list : {sizes_, groups_}) {
      if (!list.empty()) check_node_output(options, list, input_.names());
    }
    if (!options.checkpoint.empty() && !(forest_.empty() && sizes_.empty() && groups_.empty())) {
      throw core::UsageError("--checkpoint: --forest, --sizes and --groups cannot be resumed");
    }
    keep_names(options, {output, sizes_, groups_});
    keep_edge_names(options, {forest_});
    return options;
  }

  Plan plan(Session& session) override {
    const CommonOptions& options = session.options();
    core::Environment& environment = session.environment();
    Plan plan{.input = input_};
    with_edges(
        session, input_, Carry::nothing,
        [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
          plan.size = estimate_edges(session, input_, input, edges);
          const graph::InputSize size = plan.size.size();
          const auto nodes = graph::known_nodes(options.nodes, input.facts());
          const auto sink =
              options.output.empty() ? nullptr : create_node_values<Id>(session, options.output, nodes);
          Lists<Id> lists(session, sizes_, groups_, sink.get());
          plan_outputs<Id>(session, input.facts(), plan);
          if (forest_.empty()) {
            plan.forecast = graph::cc::forecast<Id>(environment, edges, solver(options), size);
          } else {
            const ForestFile forest = forest_file(session, input.facts());
            plan.forecast =
                graph::cc::forecast_with_forest<Id>(environment, edges.facts(), solver(options), size, [&] {
                  return graph::mst::forecast<Id>(environment, edges, forest_solver(solver(options)), size);
                });
          }
          lists.rehearse(size.nodes, plan.forecast);
        });
    return plan;
  }

  ExitCode run() override {
    const CommonOptions options = check();
    if (one_of_several_ranks()) {
      return run_as_rank("cc", options, [&](const CommonOptions& common, Communicator& communicator) {
        return run_rank(common, communicator);
      });
    }
    Session session(options, Spill::possible);
    graph::cc::Result result;
    with_edges(session, input_, Carry::nothing,
               [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
                 announce_kept_space(session, input.facts(),
                                     kept_with_edges(input.facts().layout, 2 * sizeof(Id)));
                 result = solve<Id>(session, input.facts(), edges, solver(options));
               });
    Report report(session, "cc");
    report_result(report, options, result);
    report.model(result.choice);
    if (result.choice.model == graph::MemoryModel::external) report.count("ranges", result.ranges);
    return report.finish();
  }

 private:
  static graph::cc::Options solver(const CommonOptions& options) {
    return {.model = options.model, .nodes = options.nodes};
  }

  template <class Id>
  void plan_outputs(Session& session, const graph::EdgeFacts& facts, Plan& plan) const {
    const std::optional<std::uint64_t>& nodes = plan.size.nodes.value;
    const auto add = [&](const std::string& path, std::size_t value_bytes, std::uint64_t columns) {
      if (path.empty()) return;
      const auto values = nodes ? std::optional(core::size_product(*nodes, columns)) : std::nullopt;
      plan.outputs.push_back(
          {.path = path, .most_bytes = planned_node_bytes(session, path, values, value_bytes)});
    };
    add(session.options().output, sizeof(Id), 1);
    add(sizes_, sizeof(std::uint64_t), 2);
    add(groups_, sizeof(Id), 2);
    if (forest_.empty()) return;
    EdgeEstimate size = plan.size;
    if (nodes && size.edges.value) size.edges.value = std::min(*nodes, *size.edges.value);
    graph::EdgeFacts of_forest;
    of_forest.layout.id_bytes = facts.layout.id_bytes;
    plan.outputs.push_back(planned_edge_file(session, forest_, of_forest, "", size));
  }

  ForestFile forest_file(Session& session, const graph::EdgeFacts& input) const {
    return {session, forest_, forest_facts(input, session.options().nodes, graph::WeightType::none), "",
            "cc"};
  }

  /// Components of the edges, into the outputs. `facts`: as the inputs declare them.
  template <class Id>
  graph::cc::Result solve(Session& session, const graph::EdgeFacts& facts, graph::EdgeSource<Id>& edges,
                          const graph::cc::Options& solver) {
    const std::string& output = session.options().output;
    const auto nodes = graph::known_nodes(session.options().nodes, facts);
    const auto sink = output.empty() ? nullptr : create_node_links<Id>(session, output, nodes);
    core::Environment& environment = session.environment();
    Lists<Id> lists(session, sizes_, groups_, sink.get());
    graph::cc::Result result;
    if (forest_.empty()) {
      result = graph::cc::run<Id>(environment, edges, solver, lists.sink());
    } else {
      ForestFile forest = forest_file(session, facts);
      result = graph::cc::run_with_forest<Id>(
          environment, edges.facts(), solver, lists.sink(), forest,
          [&](graph::ForestSink& found) { return find_forest<Id>(environment, edges, solver, found); });
      forest.finish(session);
    }
    lists.finish(session);
    if (sink) finish_node_output(session, *sink);
    return result;
  }

  void report_result(Report& report, const CommonOptions& options, const graph::cc::Result& result) {
    report.input(input_);
    report.output("output", options.output);
    report.graph(result.nodes, result.edges);
    report.output("forest", forest_);
    report.output("sizes", sizes_);
    report.output("groups", groups_);
    report.count("components", result.count.components);
    report.count("isolated_nodes", result.count.isolated_nodes);
    report.count("largest_component", result.count.largest_component);
  }

  /// A spanning forest has the components of its graph.
  ExitCode run_rank(const CommonOptions& options, Communicator& communicator) {
    Session session(options, Spill::possible);
    auto forest = gather_forest(session, communicator, input_, forest_solver(solver(options)),
                                [](const graph::EdgeFacts&) {});
    if (!forest) return ExitCode::done;
    graph::EdgeFacts inputs;
    inputs.name = input_.text();
    graph::require_justified(inputs, options.nodes, forest->nodes, forest->edges,
                             "one process takes --relabel, which numbers them without gaps");
    graph::cc::Options of_forest = solver(options);
    of_forest.nodes = forest->nodes;
    graph::cc::Result result;
    forest->with_edges(session.environment(),
                       [&]<class Id>(const graph::EdgeFacts& facts, graph::EdgeSource<Id>& edges) {
                         result = solve<Id>(session, facts, edges, of_forest);
                       });
    result.edges = forest->edges;
    Report report(session, "cc");
    report_result(report, options, result);
    report_ranks(report, *forest);
    return report.finish();
  }

  TypedOptions typed_;
  Inputs input_;
  std::string forest_;
  std::string sizes_;
  std::string groups_;
};

/// Checks that labels are the connected components of their graph.
struct ComponentChecker {
  static constexpr const char* name = "check cc";
  static constexpr const char* key = "labels";
  static constexpr const char* operand = "LABELS";
  static constexpr const char* help = "the component of each node (.npy, .tsv, .csv or .bin)";
  static constexpr Spill spill = Spill::never;
  using Verdict = graph::cc::Verdict;

  void declare(OptionSet&) {}
  static graph::cc::CheckOptions rules(const CommonOptions& options) { return {.nodes = options.nodes}; }
  static graph::format::NodeReaderOptions values(std::size_t id_bytes) {
    return {.bin_value_bytes = id_bytes};
  }
  static void report(Report& report, const Verdict& verdict) {
    if (verdict.ok) report.count("components", verdict.components);
  }
};

class CheckConnectedComponents final : public CheckValues<ComponentChecker> {
 public:
  Plan plan(Session& session) override {
    std::unique_ptr<graph::format::NodeReader> labels;
    return plan_check(
        session, graph_, Carry::nothing, [&](const graph::EdgeFacts& facts, const EdgeEstimate& size) {
          const std::size_t id_bytes = facts.layout.id_bytes;
          labels = open_planned_result(session, file_, ComponentChecker::values(id_bytes));
          const auto known = checked_nodes(session, facts, labels.get(), size);
          const std::uint64_t nodes = known.value_or(0);
          const std::uint64_t bytes = core::size_product(nodes, graph::cc::checked_node_bytes(id_bytes));
          // Measured on random graphs beside the run.
          const double edge_nanoseconds = 25 + 4 * graph::miss_nanoseconds(bytes);
          constexpr double node_nanoseconds = 60;
          graph::ForecastPhase read{.name = "read labels",
                                    .cpu_seconds = graph::seconds_for(nodes, node_nanoseconds),
                                    .one_thread = true};
          graph::ForecastPhase look{
              .name = "check",
              .input_readings = 1,
              .cpu_seconds = graph::seconds_for(size.edges.value.value_or(0), edge_nanoseconds),
              .one_thread = true};
          return CheckNeeds{.choice = graph::cc::Verdict().choice,
                            .bytes = known ? std::optional(bytes) : std::nullopt,
                            .what = "a label and a link per node",
                            .one_lane = true,
                            .phases = {std::move(read), std::move(look)}};
        });
  }
};

}  // namespace

std::unique_ptr<Command> make_cc() {
  return std::make_unique<ConnectedComponents>();
}

std::unique_ptr<Command> make_check_cc() {
  return std::make_unique<CheckConnectedComponents>();
}

}  // namespace emgraph::apps
