// SPDX-License-Identifier: MIT
// A rank of graph500: the job, and the report of rank 0.
#include "apps/measure/graph500_ranks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <vector>

#include "apps/files/text_files.hpp"
#include "apps/measure/graph500_files.hpp"
#include "apps/measure/graph500_report.hpp"
#include "apps/run/ranks.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "core/base/error.hpp"
#include "graph/generate/graph500.hpp"
#include "graph/graph500/distributed/run.hpp"
#include "graph/graph500/statistics.hpp"
#include "graph/mpi/process.hpp"

namespace emgraph::apps {

namespace {

namespace graph500 = graph::graph500;
namespace distributed = graph::graph500::distributed;

/// Ids of 48 bits, as the edges of the reference code have them.
constexpr unsigned most_scale = 48;
constexpr std::uint64_t most_edge_factor = 32768;  // 2^63 edges

graph500::RunRecord record_of(const graph500::Options& benchmark, const distributed::Result& result,
                              unsigned ranks) {
  graph500::RunRecord record;
  record.scale = benchmark.scale;
  record.edge_factor = benchmark.edge_factor;
  record.processes = ranks;
  record.generation_seconds = result.generation_seconds;
  record.construction_seconds = result.construction_seconds;
  record.bfs.assign(result.bfs.begin(), result.bfs.end());
  record.sssp.assign(result.sssp.begin(), result.sssp.end());
  return record;
}

SummaryObject traffic_of(const distributed::PhaseTraffic& traffic, std::uint64_t edges,
                         std::size_t searches) {
  const double per_search = 1.0 / static_cast<double>(std::max<std::size_t>(1, searches));
  return {{"sent_bytes", traffic.sent_bytes},
          {"sent_bytes_per_edge", static_cast<double>(traffic.sent_bytes) * per_search /
                                      static_cast<double>(std::max<std::uint64_t>(1, edges))},
          {"rounds", static_cast<double>(traffic.rounds) * per_search},
          {"communication_seconds", traffic.seconds * per_search}};
}

/// What a kernel sent.
void report_traffic(Report& report, const std::string& kernel,
                    const std::vector<distributed::Search>& searches,
                    const distributed::PhaseTraffic& traffic, std::uint64_t edges) {
  if (searches.empty()) return;
  report.hidden(kernel + "_traffic", traffic_of(traffic, edges, searches.size()));
  report.shown(kernel + " sent", fmt::format("{:.3g} bytes per edge and search",
                                             static_cast<double>(traffic.sent_bytes) /
                                                 static_cast<double>(edges * searches.size())));
}

/// Called by rank 0.
ExitCode report_run(Session& session, const RankedGraph500& job, const distributed::Result& result,
                    unsigned ranks) {
  Report report(session, "graph500");
  report.graph(result.nodes, result.edges);
  report.count("scale", job.benchmark.scale);
  report.count("edge_factor", job.benchmark.edge_factor);
  report.model("distributed", fmt::format("processes started by an MPI launcher: {}", ranks));
  report.count("num_mpi_processes", ranks);
  report.text("mpi_library", graph::mpi::library_name());
  const graph500::RunRecord record = record_of(job.benchmark, result, ranks);
  report.hidden("graph_generation", record.generation_seconds);
  report.hidden("construction_time", record.construction_seconds);
  report.hidden("construction_traffic", traffic_of(result.construction_traffic, result.edges, 1));
  report.size("rank_memory_peak_bytes", result.memory_peak_bytes);  // of the rank with the most
  if (result.violation) {
    const distributed::Violation& violation = *result.violation;
    return report.finish_check(
        false, "the result",
        fmt::format("{} from root {}: rule {} is broken at node {} and node {}", result.violation_kernel,
                    result.violation_root, violation.rule, violation.node, violation.other));
  }
  write_text(session, job.csv, graph500_csv(record));
  write_text(session, job.plot, graph500_page(record));
  report.output("csv", job.csv);
  report.output("plot", job.plot);
  report_graph500_kernel(report, "bfs", record.bfs, false);
  report_traffic(report, "bfs", result.bfs, result.bfs_traffic, result.edges);
  report_graph500_kernel(report, "sssp", record.sssp, true);
  report_traffic(report, "sssp", result.sssp, result.sssp_traffic, result.edges);
  report.appendix(graph500_block(record), true);
  return report.finish_check(true, "the result", "");
}

ExitCode run_rank(const RankedGraph500& job, const CommonOptions& common, Communicator& communicator) {
  Session session(common, Spill::never);
  // Seed 1 stands for the seeds 2 and 3 of the reference code.
  const graph500::Options& benchmark = job.benchmark;
  const graph::generate::Graph500Edges edges(benchmark.scale, benchmark.seed + 1, benchmark.seed + 2);
  graph::generate::Graph500Roots candidates(benchmark.scale, benchmark.seed + 1, benchmark.seed + 2);
  distributed::Options options;
  options.list = {.nodes = edges.nodes(),
                  .edges = edges.nodes() * benchmark.edge_factor,
                  .fill = [&](std::uint64_t first, std::span<graph::Edge64> out, std::span<float> weights) {
                    edges.fill(first, out, weights);
                  }};
  options.next_root = [&] { return candidates.next(); };
  options.roots = benchmark.roots;
  options.bfs = benchmark.bfs;
  options.sssp = benchmark.sssp;
  const distributed::Result result = distributed::run(session.environment(), communicator, options);
  if (communicator.rank() == 0) return report_run(session, job, result, communicator.ranks());
  return result.violation ? ExitCode::violation : ExitCode::done;
}

/// Throws UsageError for what a job of several processes does not have.
void check_options(const RankedGraph500& job) {
  const graph500::Options& benchmark = job.benchmark;
  if (benchmark.scale < 1 || benchmark.scale > most_scale) {
    throw core::UsageError(fmt::format("--scale: {} is not from 1 to {}", benchmark.scale, most_scale));
  }
  if (benchmark.edge_factor < 1 || benchmark.edge_factor > most_edge_factor) {
    throw core::UsageError(
        fmt::format("--edge-factor: {} is not from 1 to {}", benchmark.edge_factor, most_edge_factor));
  }
  if (benchmark.model != graph::MemoryModel::automatic) {
    throw core::UsageError("--model: a graph that several processes share is in their memory");
  }
}

}  // namespace

ExitCode run_graph500_rank(const RankedGraph500& job) {
  check_options(job);
  return run_as_rank("graph500", job.common, [&](const CommonOptions& common, Communicator& communicator) {
    return run_rank(job, common, communicator);
  });
}

}  // namespace emgraph::apps
