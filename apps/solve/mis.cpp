// SPDX-License-Identifier: MIT
// The command mis: maximal independent set.
#include "graph/mis/mis.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/node_output.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "core/base/error.hpp"

namespace emgraph::apps {

namespace {

using graph::mis::Queue;

Queue queue(const std::string& text) {
  if (text.empty() || text == "auto") return Queue::automatic;
  if (text == "bitmap") return Queue::bitmap;
  if (text == "ranges") return Queue::ranges;
  if (text == "heap") return Queue::heap;
  throw core::UsageError(fmt::format("--queue: '{}' is not one of auto, bitmap, ranges, heap", text));
}

class Mis final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("INPUT", input_, "file, - (standard input) or gen:MODEL,key=value,...")->required();
    app.add_option("--queue", queue_,
                   "bitmap, ranges, heap: how news travels to later nodes [by size and -M]")
        ->type_name("QUEUE")
        ->group("Solver");
    app.add_flag("--directed-scan", directed_scan_,
                 "edges as stored, sources only: the STXXL paper's listing")
        ->group("Solver");
    app.add_flag("--single-pass", single_pass_,
                 "read the input once and sort all of it, even where reading it again saves sorting")
        ->group("Solver");
    app.add_flag("--carry-payload", carry_payload_, "take weights and payload through the sort (benchmarks)")
        ->group("Solver");
    declare_common_options(app, typed_, {.solver = true});
  }

  ExitCode run() override {
    const CommonOptions options = validate(typed_);
    const graph::mis::Options solver = {.model = options.model,
                                        .queue = queue(queue_),
                                        .directed_scan = directed_scan_,
                                        .passes = !single_pass_,
                                        .nodes = options.nodes};
    const std::string& output = options.output;
    if (!output.empty()) check_node_output(options, output, {input_});

    Session session(options, Spill::possible);
    graph::mis::Result result;
    const auto solve = [&]<class R>(graph::format::EdgeInput& input, graph::EdgeSource<R>& edges) {
      const std::size_t carried = input.facts().layout.attachment_bytes();
      if (carry_payload_ && carried > R::attachment_bytes) {
        throw core::UsageError(
            fmt::format("--carry-payload: edges carry {} bytes, at most 8 travel along", carried));
      }
      using Id = typename R::id_type;
      const auto sink = output.empty() ? nullptr : create_node_list<Id>(session, output);
      result = graph::mis::run<R>(session.environment(), edges, solver, sink.get());
      if (sink) finish_node_output(session, *sink);
    };
    if (carry_payload_) {
      with_edges(session, input_, Attachments<0, 8>(), solve);
    } else {
      with_edges(session, input_, NoAttachments(), solve);
    }

    Report report(session, "mis");
    report.text("input", input_);
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
  TypedOptions typed_;
  std::string input_;
  std::string queue_;
  bool directed_scan_ = false;
  bool single_pass_ = false;
  bool carry_payload_ = false;
};

}  // namespace

std::unique_ptr<Command> make_mis() {
  return std::make_unique<Mis>();
}

}  // namespace emgraph::apps
