// SPDX-License-Identifier: MIT
// The command graphalytics: the six algorithms of LDBC Graphalytics on a data set, validated.
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/output_check.hpp"
#include "apps/files/text_files.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "core/base/error.hpp"
#include "graph/graphalytics/benchmark.hpp"

namespace emgraph::apps {

namespace {

namespace graphalytics = graph::graphalytics;

/// The algorithms that the user named, in the order of the benchmark; all of the data set if there are none.
std::vector<graphalytics::Algorithm> chosen_algorithms(const graphalytics::DataSet& set,
                                                       const std::vector<std::string>& typed) {
  std::vector<graphalytics::Algorithm> chosen;
  for (const graphalytics::Algorithm algorithm : graphalytics::all_algorithms) {
    const bool asked = std::ranges::find(typed, graphalytics::name(algorithm)) != typed.end();
    if (asked && !set.has(algorithm)) {
      throw core::UsageError(fmt::format("--algorithm {}: {} does not name it among its algorithms",
                                         graphalytics::name(algorithm), set.properties));
    }
    if (asked || (typed.empty() && set.has(algorithm))) chosen.push_back(algorithm);
  }
  return chosen;
}

std::string table(const graphalytics::Result& result) {
  std::string lines =
      fmt::format("{:<10}{:>12}{:>12}{:>12}  {}\n", "algorithm", "makespan", "processing", "EVPS", "result");
  for (const graphalytics::Job& job : result.jobs) {
    lines += fmt::format("{:<10}{:>10.3f} s{:>10.3f} s{:>12.4g}  {}\n", graphalytics::name(job.algorithm),
                         job.makespan_seconds, job.processing_seconds, result.evps(job),
                         graphalytics::name(job.outcome));
  }
  return lines;
}

std::string csv(const graphalytics::Result& result) {
  std::string lines = "algorithm,load_seconds,makespan_seconds,processing_seconds,evps,result\n";
  for (const graphalytics::Job& job : result.jobs) {
    lines += fmt::format("{},{},{},{},{},{}\n", graphalytics::name(job.algorithm), result.load_seconds,
                         job.makespan_seconds, job.processing_seconds, result.evps(job),
                         graphalytics::name(job.outcome));
  }
  return lines;
}

SummaryList job_list(const graphalytics::Result& result) {
  SummaryList list;
  for (const graphalytics::Job& job : result.jobs) {
    SummaryObject one = {{"algorithm", std::string(graphalytics::name(job.algorithm))},
                         {"makespan_seconds", job.makespan_seconds},
                         {"processing_seconds", job.processing_seconds},
                         {"evps", result.evps(job)},
                         {"result", std::string(graphalytics::name(job.outcome))},
                         {"model", std::string(graph::name(job.choice.model))},
                         {"model_reason", job.choice.reason}};
    if (!job.violation.empty()) one.set("violation", job.violation);
    list.push_back(std::move(one));
  }
  return list;
}

/// "mixed" if the algorithms ran in different ones.
std::string common_model(const graphalytics::Result& result) {
  if (result.jobs.empty()) return std::string(graph::name(graph::MemoryModel::automatic));
  const graph::MemoryModel first = result.jobs.front().choice.model;
  const bool same =
      std::ranges::all_of(result.jobs, [&](const auto& job) { return job.choice.model == first; });
  return same ? std::string(graph::name(first)) : "mixed";
}

class Graphalytics final : public Command {
 public:
  void declare(OptionSet& options) override {
    options.positional(
        "DIRECTORY", data_set_,
        "data set of LDBC Graphalytics: a directory with NAME.properties, NAME.v, NAME.e and the "
        "reference outputs NAME-BFS and so on; or the .properties file itself");
    options.group("Benchmark");
    options.list("--algorithm", algorithms_, "NAME", "run this algorithm only; repeat it for several")
        .only({"bfs", "pr", "wcc", "cdlp", "lcc", "sssp"})
        .otherwise("all that the properties name");
    options.value("--csv", csv_, "FILE", "write a row of figures for each algorithm").as_output();
    declare_common_options(options, typed_,
                           {.input = false,
                            .nodes = false,
                            .solver = true,
                            .relabel = false,
                            .output = OutputUse::none,
                            .instead = "the figures go to standard output and --csv"});
  }

  ExitCode run() override {
    const CommonOptions options = validate(typed_);
    if (!csv_.empty()) check_output(csv_, {data_set_}, options, false);
    Session session(options, Spill::possible);
    const graphalytics::DataSet set = graphalytics::read_data_set(data_set_, session.environment().io);
    const std::vector<std::string> files{set.properties, set.vertex_file, set.edge_file};
    if (!csv_.empty()) check_output(csv_, files, options, false);
    for (const std::string& input : files) session.watch_input(input);
    const graphalytics::Result result =
        graphalytics::run(session.environment(), set,
                          {.model = options.model, .algorithms = chosen_algorithms(set, algorithms_)});
    Report report(session, "graphalytics");
    report.text("data_set", set.name);
    report.graph(result.vertices, result.edges);
    report.flag("directed", set.directed);
    report.real("load_seconds", result.load_seconds);
    report.hidden("algorithms", job_list(result));
    report.hidden("model", common_model(result));
    report.hidden("model_reason", "each algorithm has its own choice");
    write_text(session, csv_, csv(result));
    report.output("csv", csv_);
    report.appendix(table(result));
    const auto failed =
        std::ranges::find(result.jobs, graphalytics::Outcome::failed, &graphalytics::Job::outcome);
    const bool ok = failed == result.jobs.end();
    return report.finish_check(
        ok, ok ? "the result" : "the result of " + std::string(graphalytics::name(failed->algorithm)),
        ok ? "" : failed->violation);
  }

 private:
  TypedOptions typed_;
  std::string data_set_;
  std::vector<std::string> algorithms_;
  std::string csv_;
};

}  // namespace

std::unique_ptr<Command> make_graphalytics() {
  return std::make_unique<Graphalytics>();
}

}  // namespace emgraph::apps
