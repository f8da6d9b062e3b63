// SPDX-License-Identifier: MIT
// The command bench mis: the job of the STXXL paper at any size, random edges → sort → independent set.
#include "graph/mis/mis.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/output_check.hpp"
#include "apps/measure/bench.hpp"
#include "apps/run/machine.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::apps {

namespace {

using core::UsageError;

/// Dementiev, Kettner, Sanders (2008), doi 10.1002/spe.844, section 6: 2000 MB of edges of 16 bytes, 512 MB.
constexpr std::uint64_t paper_edges = 131'072'000;
constexpr std::uint64_t paper_memory_bytes = 512 * core::MiB;

double scale_option(const std::string& text) {
  if (text.empty()) return 1;
  const auto scale = real_number(text);
  if (scale && *scale > 0 && *scale <= 1e6) return *scale;
  throw UsageError(fmt::format("--scale: '{}' is not a number above 0 and up to 1000000", text));
}

class BenchMis final : public Command {
 public:
  void declare(OptionSet& options) override {
    options.group("Bench");
    options.value("--edges", edges_, "N", "number of random edges; there is a node for every 6.25")
        .otherwise("131072000, the paper's");
    options.value("--scale", scale_, "FACTOR", "multiplies the number of edges")
        .otherwise("1, with --quick 0.1");
    declare_disk_bandwidth(options, disk_bandwidth_);
    declare_bench_options(options, typed_, quick_,
                          "512M, as in the paper, or half of what is available if less");
  }

  ExitCode run() override {
    CommonOptions options = validate(typed_);
    const double scale = scale_.empty() && quick_ ? 0.1 : scale_option(scale_);
    const std::uint64_t wanted = edges_.empty() ? paper_edges : positive_count_option("--edges", edges_);
    const double scaled = static_cast<double>(wanted) * scale;
    if (scaled > 1e15) throw UsageError("--edges times --scale is more than 10^15 edges");
    const auto edges = static_cast<std::uint64_t>(std::llround(scaled));
    if (edges == 0) throw UsageError("--scale: no edge is left");
    if (!options.memory_given()) {
      options.memory_bytes =
          std::min<std::uint64_t>(paper_memory_bytes, default_memory_bytes(available_memory_bytes()));
    }
    Session session(options, Spill::possible);
    const Bandwidth bandwidth = disk_bandwidth(session, disk_bandwidth_, quick_);
    const std::string input = fmt::format("gen:random,edges={},seed={}", edges, options.seed);
    Figures figures;
    std::optional<graph::mis::Result> first;
    const auto measure = [&](const std::string& name, const std::string& from, auto attachments,
                             std::uint64_t edge_bytes, bool passes) {
      const JobWatch watch(session.environment());
      const graph::mis::Result result = solve(session, from, attachments, passes);
      const JobCost cost = watch.cost();
      // Passes generate edges again instead of storing them, so the bound is 0 bytes.
      const std::uint64_t bytes = edges * edge_bytes;
      const std::uint64_t spilled =
          passes && result.passes > 1
              ? 0
              : bytes - std::min<std::uint64_t>(bytes, session.environment().memory.limit());
      figures.add({.name = name,
                   .subject = fmt::format("{} bytes", edge_bytes),
                   .operations = result.edges,
                   .unit = "edges",
                   .bytes = bytes,
                   .bound_bytes = 2 * spilled,
                   .bound_seconds = bandwidth.bound(spilled, spilled),
                   .cost = cost});
      if (!first) first = result;
      if (result.mis_size == first->mis_size && result.nodes == first->nodes) return;
      throw core::EnvironmentError(
          "two ways to the same set found different ones: memory or a disk of this machine is at fault");
    };
    measure("all edges sorted", input, Carry::nothing, 8, false);
    measure("all sorted, with payload", input + ",payload=8", Carry::everything, 16, false);
    measure("as mis does it", input, Carry::nothing, 8, true);

    Report report(session, "bench mis");
    report.text("input", input);
    report.graph(first->nodes, first->edges);
    report.count("mis_size", first->mis_size);
    report.model(first->choice);
    report.text("queue", first->queue);
    bandwidth.report(report);
    figures.report(report);
    return report.finish();
  }

 private:
  static graph::mis::Result solve(Session& session, const std::string& input, Carry carry, bool passes) {
    graph::mis::Result result;
    graph::mis::Options options;
    options.passes = passes;
    with_edges(session, input, carry, [&]<class Id>(graph::format::EdgeInput&, graph::EdgeSource<Id>& edges) {
      result = graph::mis::run<Id>(session.environment(), edges, options, nullptr);
    });
    return result;
  }

  TypedOptions typed_;
  std::string edges_;
  std::string scale_;
  std::string disk_bandwidth_;
  bool quick_ = false;
};

}  // namespace

std::unique_ptr<Command> make_bench_mis() {
  return std::make_unique<BenchMis>();
}

}  // namespace emgraph::apps
