// SPDX-License-Identifier: MIT
// The commands mis (maximal independent set) and check mis.
#include <fmt/core.h>

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
#include "apps/solve/check_values.hpp"
#include "core/base/error.hpp"
#include "graph/mis/check.hpp"
#include "graph/mis/mis.hpp"

namespace emgraph::apps {

namespace {

class Mis final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, input_);
    options.group("Solver");
    options
        .word("--queue", queue_, "QUEUE", "how messages reach later nodes",
              {{"auto", graph::mis::Queue::automatic},
               {"bitmap", graph::mis::Queue::bitmap},
               {"ranges", graph::mis::Queue::ranges},
               {"heap", graph::mis::Queue::heap}})
        .otherwise("auto: by the number of nodes and -M");
    options.flag("--directed-scan", directed_scan_,
                 "use edges as they are stored, from the source only: the STXXL paper's listing");
    options.flag("--single-pass", single_pass_,
                 "read the input once and sort all of it, also edges with an end that is already excluded");
    options.flag("--carry-payload", carry_payload_,
                 "take weights and payload through the sort, for benchmarks");
    declare_common_options(options, typed_,
                           {.solver = true,
                            .checkpoint = true,
                            .result = "the nodes of the set in ascending order (.npy, .tsv, .csv or .bin)"});
  }

  CommonOptions check() override {
    CommonOptions options = validate(typed_);
    if (!options.output.empty()) check_node_output(options, options.output, input_.names());
    if (directed_scan_ && !options.checkpoint.empty()) {
      throw core::UsageError("--checkpoint: --directed-scan cannot be resumed");
    }
    keep_names(options, {options.output});
    return options;
  }

  Plan plan(Session& session) override {
    const std::string& output = session.options().output;
    Plan plan{.input = input_};
    with_edges(session, input_, carry_payload_ ? Carry::everything : Carry::nothing,
               [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
                 check_carried(edges.attachment_bytes());
                 plan.size = estimate_edges(session, input_, input, edges);
                 if (!output.empty()) {
                   plan.outputs.push_back(
                       {output, planned_node_bytes(session, output, plan.size.nodes.value, sizeof(Id))});
                 }
                 const auto sink = output.empty() ? nullptr : create_node_list<Id>(session, output);
                 plan.forecast = graph::mis::forecast<Id>(session.environment(), edges,
                                                          solver(session.options()), plan.size.size());
               });
    return plan;
  }

  ExitCode run() override {
    const CommonOptions options = check();
    const graph::mis::Options solver = this->solver(options);
    const std::string& output = options.output;
    Session session(options, Spill::possible);
    graph::mis::Result result;
    const auto solve = [&]<class Id>(graph::format::EdgeInput&, graph::EdgeSource<Id>& edges) {
      check_carried(edges.attachment_bytes());
      announce_kept_space(session, edges.facts(), kept_with_edges(edges.facts().layout, 1));
      const auto sink = output.empty() ? nullptr : create_node_list<Id>(session, output);
      result = graph::mis::run<Id>(session.environment(), edges, solver, sink.get());
      if (sink) finish_node_output(session, *sink);
    };
    with_edges(session, input_, carry_payload_ ? Carry::everything : Carry::nothing, solve);

    Report report(session, "mis");
    report.input(input_);
    report.output("output", output);
    report.graph(result.nodes, result.edges);
    report.count("mis_size", result.mis_size);
    report.model(result.choice);
    report.text("queue", result.queue);
    report.count("passes", result.passes);
    if (!result.passes_reason.empty()) report.text("passes_reason", result.passes_reason);
    return report.finish();
  }

 private:
  graph::mis::Options solver(const CommonOptions& options) const {
    return {.model = options.model,
            .queue = queue_,
            .directed_scan = directed_scan_,
            .passes = !single_pass_,
            .nodes = options.nodes};
  }
  static void check_carried(std::size_t bytes) {
    constexpr std::size_t most_carried_bytes = 8;
    if (bytes <= most_carried_bytes) return;
    throw core::UsageError(
        fmt::format("--carry-payload: edges carry {} bytes, at most 8 travel along", bytes));
  }

  TypedOptions typed_;
  Inputs input_;
  graph::mis::Queue queue_ = graph::mis::Queue::automatic;
  bool directed_scan_ = false;
  bool single_pass_ = false;
  bool carry_payload_ = false;
};

/// Checks that a result is the lexicographically first maximal independent set of its graph.
struct SetChecker {
  static constexpr const char* name = "check mis";
  static constexpr const char* key = "result";
  static constexpr const char* operand = "RESULT";
  static constexpr const char* help = "nodes in ascending order (.npy, .tsv, .csv or .bin)";
  static constexpr Spill spill = Spill::possible;
  using Verdict = graph::mis::Verdict;

  void declare(OptionSet&) {}
  static graph::mis::CheckOptions rules(const CommonOptions& options) { return {.nodes = options.nodes}; }
  static graph::format::NodeReaderOptions values(std::size_t id_bytes) {
    return {.bin_value_bytes = id_bytes};
  }
  static void report(Report& report, const Verdict& verdict) { report.count("members", verdict.members); }
};

}  // namespace

std::unique_ptr<Command> make_mis() {
  return std::make_unique<Mis>();
}

std::unique_ptr<Command> make_check_mis() {
  return std::make_unique<ForecastCheckValues<SetChecker>>();
}

}  // namespace emgraph::apps
