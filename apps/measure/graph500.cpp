// SPDX-License-Identifier: MIT
// The command graph500: the benchmark, with the statistics block of its reference code.
#include <fmt/core.h>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/output_check.hpp"
#include "apps/files/text_files.hpp"
#include "apps/measure/graph500_files.hpp"
#include "apps/measure/graph500_ranks.hpp"
#include "apps/measure/graph500_report.hpp"
#include "apps/run/plan.hpp"
#include "apps/run/ranks.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "core/base/error.hpp"
#include "graph/graph500/benchmark.hpp"

namespace emgraph::apps {

namespace {

namespace graph500 = graph::graph500;

class Graph500 final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    options.group("Benchmark");
    options.value("--scale", scale_, "SCALE",
                  "there are 2^SCALE nodes; required; 1 to 32, with mpirun to 48. Started by mpirun, as in "
                  "mpirun -n 4 emgraph graph500 "
                  "--scale 20, the processes share the graph; -M and -j count for each");
    options.value("--edge-factor", edge_factor_, "N", "edges per node").otherwise("16");
    options.value("--roots", roots_, "N", "number of searches, from roots that the benchmark draws")
        .otherwise("64");
    options
        .value("--kernel", kernel_, "KERNEL",
               "which searches: bfs (breadth-first), sssp (shortest paths) or both")
        .only({"bfs", "sssp", "both"})
        .otherwise("both");
    options.value("--csv", csv_, "FILE", "write a row of figures for each search").as_output();
    options.value("--plot", plot_, "FILE", "write an HTML page that plots the TEPS of each search")
        .as_output();
    declare_common_options(options, typed_,
                           {.input = false,
                            .nodes = false,
                            .solver = true,
                            .relabel = false,
                            .output = OutputUse::none,
                            .instead = "the figures go to standard output, --csv and --plot"});
  }

  CommonOptions check() override {
    const CommonOptions options = validate(typed_);
    benchmark_ = {};
    const std::string range = started_by_mpi() ? "1 to 48" : "1 to 32 (with mpirun to 48)";
    if (scale_.empty()) throw core::UsageError("--scale is missing, expected a number from " + range);
    const std::uint64_t scale = count_option("--scale", scale_);
    if (scale > 64) throw core::UsageError(fmt::format("scale is {}, expected {}", scale, range));
    benchmark_.scale = static_cast<unsigned>(scale);
    if (!edge_factor_.empty()) benchmark_.edge_factor = count_option("--edge-factor", edge_factor_);
    if (!roots_.empty()) benchmark_.roots = count_option("--roots", roots_);
    if (benchmark_.roots < 1) throw core::UsageError("--roots: found 0, expected 1 or more");
    benchmark_.bfs = kernel_ != "sssp";
    benchmark_.sssp = kernel_ != "bfs";
    benchmark_.seed = options.seed;
    benchmark_.model = options.model;
    check_outputs_differ({{"--csv", csv_}, {"--plot", plot_}});
    if (!csv_.empty()) check_output(csv_, {}, options, false);
    if (!plot_.empty()) check_output(plot_, {}, options, false);
    return options;
  }

  Plan plan(Session& session) override {
    if (started_by_mpi()) throw core::UsageError("plan foresees graph500 in one process, not under mpirun");
    Plan plan{.input = fmt::format("gen:graph500,scale={}", benchmark_.scale)};
    plan.forecast = graph500::forecast(session.environment(), benchmark_);
    plan.size = {.nodes = {std::uint64_t{1} << benchmark_.scale, "declared"},
                 .edges = {benchmark_.edge_factor << benchmark_.scale, "declared"},
                 .file_bytes = 0};
    for (const std::string& path : {csv_, plot_}) {
      if (!path.empty()) plan.outputs.push_back({.path = path, .most_bytes = std::nullopt});
    }
    return plan;
  }

  ExitCode run() override {
    const CommonOptions options = check();
    const graph500::Options& benchmark = benchmark_;
    if (started_by_mpi()) return run_graph500_rank({benchmark, csv_, plot_, options});
    Session session(options, Spill::possible);
    const graph500::Result result = graph500::run(session.environment(), benchmark);
    Report report(session, "graph500");
    report.graph(result.nodes, result.edges);
    report.count("scale", benchmark.scale);
    report.count("edge_factor", benchmark.edge_factor);
    report.model(result.choice);
    const graph500::RunRecord& record = result.record;
    report.hidden("graph_generation", record.generation_seconds);
    report.hidden("construction_time", record.construction_seconds);
    report.text("edge_list", result.edge_list);
    if (result.keeping_seconds > 0) report.hidden("edge_list_seconds", result.keeping_seconds);
    if (result.violation.empty()) {
      write_text(session, csv_, graph500_csv(record));
      write_text(session, plot_, graph500_page(record));
      report.output("csv", csv_);
      report.output("plot", plot_);
      report_graph500_kernel(report, "bfs", record.bfs, false);
      report_graph500_kernel(report, "sssp", record.sssp, true);
      report.appendix(graph500_block(record), true);
    }
    return report.finish_check(result.violation.empty(), "the result", result.violation);
  }

 private:
  TypedOptions typed_;
  std::string scale_;
  std::string edge_factor_;
  std::string roots_;
  std::string kernel_;
  std::string csv_;
  std::string plot_;
  graph500::Options benchmark_;  ///< by check()
};

}  // namespace

std::unique_ptr<Command> make_graph500() {
  return std::make_unique<Graph500>();
}

}  // namespace emgraph::apps
