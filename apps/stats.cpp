// SPDX-License-Identifier: MIT
// The command stats: what only a full scan tells.
#include "graph/stats/stats.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "apps/command.hpp"
#include "apps/edge_input.hpp"
#include "apps/node_output.hpp"
#include "apps/options.hpp"
#include "apps/output_check.hpp"
#include "apps/report.hpp"
#include "apps/session.hpp"
#include "apps/stats_summary.hpp"
#include "core/base/error.hpp"

namespace emgraph::apps {

namespace {

/// More than anybody reads, and 16 MB of memory.
constexpr std::uint64_t most_hubs = 1000000;

class Stats final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("INPUT", input_, "file, - (standard input) or gen:MODEL,key=value,...")->required();
    const auto add = [&app](const char* name, std::string& target, const char* help, const char* type) {
      app.add_option(name, target, help)->type_name(type)->group("Stats");
    };
    app.add_flag("--directed", directed_, "also out- and in-degrees: 12 instead of 4 bytes per node")
        ->group("Stats");
    add("--top", top_, "nodes with the largest degrees to show [10]", "K");
    declare_common_options(app, typed_, {.solver = true});
    app.get_option("--output")->description("degree of every node: .npy, .tsv or .bin; - is standard output");
  }

  ExitCode run() override {
    const CommonOptions options = validate(typed_);
    graph::stats::Options solver = {.model = options.model, .directed = directed_, .nodes = options.nodes};
    if (!top_.empty()) solver.hubs = static_cast<std::size_t>(count_option("--top", top_));
    if (solver.hubs > most_hubs) throw core::UsageError(fmt::format("--top: at most {}", most_hubs));
    if (!options.output.empty()) check_node_output(options, options.output, {input_});
    const std::size_t hubs = solver.hubs;
    solver.hubs = std::max<std::size_t>(1, hubs);

    Session session(options, Spill::possible);
    std::optional<graph::stats::Result> result;
    with_edges(session, input_, Attachments<0, 4, 8>(),
               [&]<class R>(graph::format::EdgeInput& input, graph::EdgeSource<R>& edges) {
                 using Id = typename R::id_type;
                 const auto nodes = options.nodes ? options.nodes : input.facts().nodes;
                 const auto sink = options.output.empty()
                                       ? nullptr
                                       : create_node_values<Id>(session, options.output, nodes);
                 result.emplace(graph::stats::run<R>(session.environment(), edges, solver, sink.get()));
                 if (sink) finish_node_output(session, *sink);
               });

    Report report("stats");
    report.text("input", input_);
    if (!options.output.empty()) report.text("output", options.output);
    add_stats(report, *result, hubs);
    report.model(result->choice);
    report.finish(session, is_standard_output(options.output));
    return ExitCode::done;
  }

 private:
  TypedOptions typed_;
  std::string input_;
  bool directed_ = false;
  std::string top_;
};

}  // namespace

std::unique_ptr<Command> make_stats() {
  return std::make_unique<Stats>();
}

}  // namespace emgraph::apps
