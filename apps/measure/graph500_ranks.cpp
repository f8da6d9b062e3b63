// SPDX-License-Identifier: MIT
// A rank of graph500: options for its share of the host, the job, and the report of rank 0.
#include "apps/measure/graph500_ranks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "apps/files/output_check.hpp"
#include "apps/run/machine.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "core/base/error.hpp"
#include "core/io/output_file.hpp"
#include "graph/generate/graph500.hpp"
#include "graph/graph500/mpi/distributed.hpp"
#include "graph/graph500/mpi/launcher.hpp"
#include "graph/graph500/mpi/process.hpp"
#include "graph/graph500/statistics.hpp"

namespace emgraph::apps {

namespace {

namespace graph500 = graph::graph500;
namespace mpi = graph::graph500::mpi;

/// -M and -j of a rank where they are not given: its part of the memory and of the cores.
CommonOptions share_of_host(CommonOptions options, const mpi::Launch& launch) {
  const unsigned sharers = std::max(1u, launch.ranks_on_host);
  if (!options.memory_bytes) {
    options.memory_bytes =
        std::max(least_memory_bytes, default_memory_bytes(available_memory_bytes()) / sharers);
  }
  if (!options.threads) options.threads = std::max(1u, available_cores() / sharers);
  if (launch.rank != 0) options.progress = ProgressWhen::never;
  return options;
}

graph500::RunRecord record_of(const RankedGraph500& job, const mpi::Result& result, unsigned ranks) {
  graph500::RunRecord record;
  record.scale = job.scale;
  record.edge_factor = job.edge_factor;
  record.processes = ranks;
  record.generation_seconds = result.generation_seconds;
  record.construction_seconds = result.construction_seconds;
  record.bfs.assign(result.bfs.begin(), result.bfs.end());
  record.sssp.assign(result.sssp.begin(), result.sssp.end());
  return record;
}

SummaryObject traffic_of(const mpi::PhaseTraffic& traffic, std::uint64_t edges, std::size_t searches) {
  const double per_search = 1.0 / static_cast<double>(std::max<std::size_t>(1, searches));
  return {{"sent_bytes", traffic.sent_bytes},
          {"sent_bytes_per_edge", static_cast<double>(traffic.sent_bytes) * per_search /
                                      static_cast<double>(std::max<std::uint64_t>(1, edges))},
          {"rounds", static_cast<double>(traffic.rounds) * per_search},
          {"communication_seconds", traffic.seconds * per_search}};
}

SummaryList search_list(const std::vector<mpi::Search>& searches, bool sssp) {
  SummaryList list;
  for (const mpi::Search& search : searches) {
    SummaryObject entry{{"root", search.root},
                        {"seconds", search.seconds},
                        {"validation_seconds", search.validation_seconds},
                        {"reached", search.reached},
                        {"edges_without_loops", search.edges},
                        {"loops", search.loops},
                        {"checksum", fmt::format("{:016x}", search.checksum)}};
    if (sssp) {
      entry.set("max_distance", search.max_distance);
    } else {
      entry.set("levels", search.levels);
    }
    list.push_back(std::move(entry));
  }
  return list;
}

/// The searches of a kernel, their rates, and what they sent.
void report_kernel(Report& report, const std::string& kernel, const std::vector<mpi::Search>& searches,
                   const mpi::PhaseTraffic& traffic, std::uint64_t edges) {
  if (searches.empty()) return;
  const std::vector<graph500::SearchRecord> records(searches.begin(), searches.end());
  const double with_loops = graph500::teps(records, true).harmonic_mean;
  const double without_loops = graph500::teps(records, false).harmonic_mean;
  report.hidden(kernel + "_searches", search_list(searches, kernel == "sssp"));
  report.hidden(kernel + "_traffic", traffic_of(traffic, edges, searches.size()));
  report.hidden(kernel + "_teps", SummaryObject{{"harmonic_mean", with_loops}});
  report.hidden(kernel + "_teps_without_loops", SummaryObject{{"harmonic_mean", without_loops}});
  report.shown(kernel + " TEPS",
               fmt::format("{:.4g} (harmonic mean, loops counted, by the specification)", with_loops));
  report.shown(kernel + " TEPS",
               fmt::format("{:.4g} (loops not counted, as the reference code has it)", without_loops));
  report.shown(kernel + " sent", fmt::format("{:.3g} bytes per edge and search",
                                             static_cast<double>(traffic.sent_bytes) /
                                                 static_cast<double>(edges * searches.size())));
}

void write_csv(Session& session, const std::string& name, const mpi::Result& result) {
  std::string text = "kernel,root,reached,edges,loops,seconds,validation_seconds,checksum\n";
  const auto add = [&](const char* kernel, const std::vector<mpi::Search>& searches) {
    for (const mpi::Search& search : searches) {
      text +=
          fmt::format("{},{},{},{},{},{:.9g},{:.9g},{:016x}\n", kernel, search.root, search.reached,
                      search.edges, search.loops, search.seconds, search.validation_seconds, search.checksum);
    }
  };
  add("bfs", result.bfs);
  add("sssp", result.sssp);
  core::Environment& environment = session.environment();
  core::OutputFile file(name, overwrite(session.options()), environment.memory, environment.io,
                        environment.outputs);
  file.append(std::as_bytes(std::span(text)));
  file.finish();
}

/// The official block on standard output, or the summary with --json. Called by rank 0.
void report_run(Session& session, const RankedGraph500& job, const mpi::Result& result, unsigned ranks) {
  Report report(session, "graph500");
  report.count("scale", job.scale);
  report.count("edge_factor", job.edge_factor);
  report.graph(result.nodes, result.edges);
  report.count("num_mpi_processes", ranks);
  report.text("mpi_library", mpi::library_name());
  report.model("distributed", fmt::format("processes started by an MPI launcher: {}", ranks));
  report.hidden("graph_generation", result.generation_seconds);
  report.hidden("construction_time", result.construction_seconds);
  report.hidden("construction_traffic", traffic_of(result.construction_traffic, result.edges, 1));
  report_kernel(report, "bfs", result.bfs, result.bfs_traffic, result.edges);
  report_kernel(report, "sssp", result.sssp, result.sssp_traffic, result.edges);
  report.size("rank_memory_peak_bytes", result.memory_peak_bytes);  // of the rank with the most
  report.flag("ok", !result.violation);
  report.output("csv", job.csv);
  if (!job.csv.empty()) write_csv(session, job.csv, result);
  if (!result.violation) {
    std::string block;
    for (const graph500::BlockLine& line : graph500::official_block(record_of(job, result, ranks))) {
      // Values begin in column 33, the mark stands in column 30, as the reference code prints them.
      const std::string name = line.mark ? fmt::format("{:<29}!", line.name + ":") : line.name + ":";
      block += fmt::format("{:<32}{:.{}g}\n", name, line.value, line.digits);
    }
    report.appendix(block);
  }
  report.finish();
}

ExitCode run_rank(const RankedGraph500& job, const mpi::Launch& launch, mpi::Communicator& communicator) {
  if (communicator.ranks() != launch.ranks) {
    throw core::UsageError(
        fmt::format("the launcher has started {} processes, but {} sees {}: start them with its own mpirun",
                    launch.ranks, mpi::library_name(), communicator.ranks()));
  }
  Session session(share_of_host(job.common, launch), Spill::never);
  // Seed 1 stands for the seeds 2 and 3 of the reference code.
  const std::uint64_t seed = job.common.seed;
  const graph::generate::Graph500Edges edges(job.scale, seed + 1, seed + 2);
  graph::generate::Graph500Roots candidates(job.scale, seed + 1, seed + 2);
  mpi::Options options;
  options.list = {.nodes = edges.nodes(),
                  .edges = edges.nodes() * job.edge_factor,
                  .fill = [&](std::uint64_t first, std::span<graph::Edge64> out, std::span<float> weights) {
                    edges.fill(first, out, weights);
                  }};
  options.next_root = [&] { return candidates.next(); };
  options.roots = job.roots;
  options.bfs = job.bfs;
  options.sssp = job.sssp;
  const mpi::Result result = mpi::run(session.environment(), communicator, options);
  if (communicator.rank() == 0) report_run(session, job, result, communicator.ranks());
  if (!result.violation) return ExitCode::done;
  if (communicator.rank() == 0) {
    fmt::print(stderr, "emgraph graph500: {} from root {} breaks rule {} at nodes {} and {}\n",
               result.violation_kernel, result.violation_root, result.violation->rule, result.violation->node,
               result.violation->other);
  }
  return ExitCode::violation;
}

}  // namespace

bool started_by_mpi() {
  return mpi::launch_of_this_process().has_value();
}

ExitCode run_ranked_graph500(const RankedGraph500& job) {
  const mpi::Launch launch = mpi::launch_of_this_process().value_or(mpi::Launch{});
  mpi::Process process;
  ExitCode code = ExitCode::done;
  try {
    code = run_rank(job, launch, process.communicator());
  } catch (...) {
    // The other ranks wait for this one: the job cannot go on.
    const Failure failure = describe_current_exception();
    code = failure.code;
    if (!failure.message.empty()) {
      fmt::print(stderr, "emgraph graph500: rank {}: {}\n", process.communicator().rank(), failure.message);
    }
    std::fflush(stderr);
    process.end_job(static_cast<int>(code));
  }
  return code;
}

}  // namespace emgraph::apps
