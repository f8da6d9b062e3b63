// SPDX-License-Identifier: MIT
// The commands scc (strongly connected components) and check scc.
#include "graph/scc/scc.hpp"

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/direction_option.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/edge_output.hpp"
#include "apps/files/node_names.hpp"
#include "apps/files/node_output.hpp"
#include "apps/files/node_plan.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "apps/solve/check_values.hpp"
#include "graph/scc/check.hpp"

namespace emgraph::apps {

namespace {

/// Of the edges of the condensation.
graph::EdgeFacts condensation_facts(std::size_t id_bytes, const std::optional<std::uint64_t>& nodes) {
  graph::EdgeFacts facts;
  facts.layout = {.id_bytes = id_bytes};
  facts.nodes = nodes;
  facts.order = graph::EdgeOrder::source_target;
  facts.directed = facts.unique = facts.no_loops = true;
  return facts;
}

/// The edges of the condensation, for an edge file.
template <class Id>
class CondensationFile final : public graph::scc::ArcSink<Id> {
 public:
  CondensationFile(Session& session, const std::string& path, const std::string& codec,
                   const std::optional<std::uint64_t>& nodes)
      : writer_(create_edge_output(session, path, condensation_facts(sizeof(Id), nodes), codec,
                                   {{"made_by", "emgraph scc"}})),
        shape_(graph::record_shape(sizeof(Id), 0)) {
    writer_->reserve_buffers();  // before the solver divides the memory
  }

  void append(std::span<const graph::Edge<Id>> arcs) override {
    writer_->append_records(shape_, std::as_bytes(arcs).data(), arcs.size());
  }
  void finish(Session& session) { finish_edge_output(session, *writer_); }

 private:
  std::unique_ptr<graph::format::EdgeWriter> writer_;
  const core::PairShape shape_;
};

class StrongComponents final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, input_);
    options.group("Solver");
    options
        .value("--condensation", condensation_, "FILE",
               "edge file for the graph of the components, which has no cycle: each component stands as its "
               "smallest node; sorted, without duplicates")
        .as_output();
    declare_codec(options, codec_);
    declare_common_options(
        options, typed_,
        {.solver = true,
         .result = "for each node the smallest node of its component (.npy, .tsv, .csv or .bin)"});
  }

  CommonOptions check() override {
    CommonOptions options = validate(typed_);
    const std::string& output = options.output;
    check_outputs_differ({{"-o", output}, {"--condensation", condensation_}});
    if (!output.empty()) check_node_output(options, output, input_.names());
    if (!condensation_.empty()) check_edge_output(options, condensation_, input_.names(), codec_);
    keep_names(options, {output});
    keep_edge_names(options, {condensation_});
    return options;
  }

  Plan plan(Session& session) override {
    const graph::scc::Options solver = this->solver(session.options());
    PlannedOutput file;
    Plan plan = plan_node_values<void>(
        session, input_, Carry::nothing, false,
        [&]<class Id>(core::Environment& environment, graph::EdgeSource<Id>& edges,
                      const graph::InputSize& size) {
          const auto writer = condensation_file<Id>(session, edges.facts().nodes);
          graph::Forecast forecast =
              graph::scc::forecast<Id>(environment, edges, solver, size, writer != nullptr);
          if (writer) {
            const graph::EdgeFacts facts = condensation_facts(sizeof(Id), edges.facts().nodes);
            const EdgeEstimate most = {.nodes = {size.nodes, ""}, .edges = {size.edges, ""}};
            file = planned_edge_file(session, condensation_, facts, codec_, most);
            if (const auto gapbs = gapbs_size(session, condensation_, facts, most, 1)) {
              add_gapbs_space(session, *gapbs, forecast);
            }
          }
          return forecast;
        });
    if (!condensation_.empty()) plan.outputs.push_back(std::move(file));
    return plan;
  }

  ExitCode run() override {
    const CommonOptions options = check();
    const std::string& output = options.output;
    Session session(options, Spill::possible);
    graph::scc::Result result;
    with_edges(session, input_, Carry::nothing,
               [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
                 warn_of_one_way(session, input.facts(), "");
                 result = solve<Id>(session, graph::known_nodes(options.nodes, input.facts()), edges);
               });

    Report report(session, "scc");
    report.input(input_);
    report.output("output", output);
    report.graph(result.nodes, result.edges);
    report.count("components", result.components);
    report.count("single_nodes", result.single_nodes);
    report.count("largest_component", result.largest_component);
    report.count("passes", result.passes);
    report.output("condensation", condensation_);
    if (!condensation_.empty()) report.count("condensation_edges", result.condensation_edges);
    report.model(result.choice);
    return report.finish();
  }

 private:
  static graph::scc::Options solver(const CommonOptions& options) {
    return {.model = options.model, .nodes = options.nodes};
  }

  /// Null without --condensation.
  template <class Id>
  std::unique_ptr<CondensationFile<Id>> condensation_file(Session& session,
                                                          const std::optional<std::uint64_t>& nodes) const {
    if (condensation_.empty()) return nullptr;
    return std::make_unique<CondensationFile<Id>>(session, condensation_, codec_, nodes);
  }

  template <class Id>
  graph::scc::Result solve(Session& session, const std::optional<std::uint64_t>& nodes,
                           graph::EdgeSource<Id>& edges) {
    const CommonOptions& options = session.options();
    const auto labels =
        options.output.empty() ? nullptr : create_node_links<Id>(session, options.output, nodes);
    const auto condensation = condensation_file<Id>(session, nodes);
    const graph::scc::Result result =
        graph::scc::run<Id>(session.environment(), edges, solver(options), labels.get(), condensation.get());
    if (labels) finish_node_output(session, *labels);
    if (condensation) condensation->finish(session);
    return result;
  }

  TypedOptions typed_;
  Inputs input_;
  std::string condensation_;
  std::string codec_;
};

/// Checks that labels are the strongly connected components of their graph.
struct StrongComponentChecker {
  static constexpr const char* name = "check scc";
  static constexpr const char* key = "labels";
  static constexpr const char* operand = "LABELS";
  static constexpr const char* help = "the component of each node (.npy, .tsv, .csv or .bin)";
  static constexpr Spill spill = Spill::possible;
  using Verdict = graph::scc::Verdict;

  void declare(OptionSet&) {}
  static graph::scc::CheckOptions rules(const CommonOptions& options) { return {.nodes = options.nodes}; }
  static graph::format::NodeReaderOptions values(std::size_t id_bytes) {
    return {.bin_value_bytes = id_bytes};
  }
  static void report(Report& report, const Verdict& verdict) {
    if (verdict.ok) report.count("components", verdict.components);
  }
};

}  // namespace

std::unique_ptr<Command> make_scc() {
  return std::make_unique<StrongComponents>();
}

std::unique_ptr<Command> make_check_scc() {
  return std::make_unique<ForecastCheckValues<StrongComponentChecker>>();
}

}  // namespace emgraph::apps
