// SPDX-License-Identifier: MIT
// The command graph500: the benchmark, with the statistics block of its reference code.
#include <fmt/core.h>

#include <algorithm>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/output_check.hpp"
#include "apps/measure/graph500_files.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "core/base/error.hpp"
#include "graph/graph500/benchmark.hpp"

namespace emgraph::apps {

namespace {

namespace graph500 = graph::graph500;

/// The block as the reference code prints it: values begin in column 33, the mark stands in column 30.
std::string block_text(const graph500::RunRecord& run) {
  std::string text;
  for (const graph500::BlockLine& line : graph500::official_block(run)) {
    const std::string name = line.mark ? fmt::format("{:<29}!", line.name + ":") : line.name + ":";
    text += fmt::format("{:<32}{:.{}g}\n", name, line.value, line.digits);
  }
  return text;
}

SummaryObject rates(const graph500::RateStatistics& teps) {
  return {{"min", teps.minimum},
          {"first_quartile", teps.first_quartile},
          {"median", teps.median},
          {"third_quartile", teps.third_quartile},
          {"max", teps.maximum},
          {"harmonic_mean", teps.harmonic_mean},
          {"harmonic_stddev", teps.harmonic_stddev}};
}

SummaryList search_list(const std::vector<graph500::SearchRecord>& searches, bool distances) {
  SummaryList list;
  for (const graph500::SearchRecord& search : searches) {
    SummaryObject one = {{"root", search.root},
                         {"seconds", search.seconds},
                         {"validation_seconds", search.validation_seconds},
                         {"reached", search.reached},
                         {"edges_without_loops", search.edges},
                         {"loops", search.loops},
                         {"levels", search.levels}};
    if (distances) one.set("max_distance", search.max_distance);
    list.push_back(std::move(one));
  }
  return list;
}

class Graph500 final : public Command {
 public:
  void declare(OptionSet& options) override {
    options.group("Benchmark");
    options.value("--scale", scale_, "SCALE", "there are 2^SCALE nodes; required");
    options.value("--edge-factor", edge_factor_, "N", "edges per node").otherwise("16");
    options.value("--roots", roots_, "N", "number of searches, from roots that the benchmark draws")
        .otherwise("64");
    options
        .value("--kernel", kernel_, "KERNEL",
               "which searches: bfs (breadth-first), sssp (shortest paths) or both")
        .only({"bfs", "sssp", "both"})
        .otherwise("both");
    options.value("--csv", csv_, "FILE", "write a row of figures for each search");
    options.value("--plot", plot_, "FILE", "write an HTML page that plots the TEPS of each search");
    declare_common_options(
        options, typed_,
        {.input = false, .nodes = false, .solver = true, .relabel = false, .output = OutputUse::none});
  }

  ExitCode run() override {
    const CommonOptions options = validate(typed_);
    graph500::Options benchmark;
    if (scale_.empty()) throw core::UsageError("--scale is missing, expected a number from 1 to 32");
    benchmark.scale = static_cast<unsigned>(std::min<std::uint64_t>(count_option("--scale", scale_), 1000));
    if (!edge_factor_.empty()) benchmark.edge_factor = count_option("--edge-factor", edge_factor_);
    if (!roots_.empty()) benchmark.roots = count_option("--roots", roots_);
    benchmark.bfs = kernel_ != "sssp";
    benchmark.sssp = kernel_ != "bfs";
    benchmark.seed = options.seed;
    benchmark.model = options.model;
    refuse_output(options, "the figures go to standard output, --csv and --plot");
    check_outputs_differ({{"--csv", csv_}, {"--plot", plot_}});
    if (!csv_.empty()) check_output(csv_, {}, options, false);
    if (!plot_.empty()) check_output(plot_, {}, options, false);

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
    if (result.violation.empty()) {
      write_text_output(session, csv_, graph500_csv(record));
      write_text_output(session, plot_, graph500_page(record));
      report.output("csv", csv_);
      report.output("plot", plot_);
      report_kernel(report, "bfs", record.bfs, false);
      report_kernel(report, "sssp", record.sssp, true);
      report.appendix(block_text(record));
    }
    return report.finish_check(result.violation.empty(), "the result", result.violation);
  }

 private:
  static void report_kernel(Report& report, const std::string& kernel,
                            const std::vector<graph500::SearchRecord>& searches, bool distances) {
    if (searches.empty()) return;
    const auto with_loops = graph500::teps(searches, true);
    const auto without_loops = graph500::teps(searches, false);
    report.hidden(kernel + "_searches", search_list(searches, distances));
    report.hidden(kernel + "_teps_without_loops", rates(without_loops));
    report.hidden(kernel + "_teps", rates(with_loops));
    report.shown(kernel + " TEPS", fmt::format("{:.4g} (harmonic mean, loops counted, by the specification)",
                                               with_loops.harmonic_mean));
    report.shown(kernel + " TEPS", fmt::format("{:.4g} (loops not counted, as the reference code has it)",
                                               without_loops.harmonic_mean));
  }

  TypedOptions typed_;
  std::string scale_;
  std::string edge_factor_;
  std::string roots_;
  std::string kernel_;
  std::string csv_;
  std::string plot_;
};

}  // namespace

std::unique_ptr<Command> make_graph500() {
  return std::make_unique<Graph500>();
}

}  // namespace emgraph::apps
