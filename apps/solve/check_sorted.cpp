// SPDX-License-Identifier: MIT
// The command check sorted: checks that edges are in order and, if requested, distinct.
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "apps/solve/check_plan.hpp"
#include "core/base/bytes.hpp"
#include "graph/prepare/ingest.hpp"

namespace emgraph::apps {

namespace {

struct Finding {
  std::uint64_t edges = 0;  ///< read, up to the violation
  std::uint64_t largest_id_plus_1 = 0;
  std::optional<std::uint64_t> first_violation;
  std::string message;
};

/// Property: for every i > 0, (source, target) of edge i - 1 is less than that of edge i, or equal to it
/// unless `unique` is set. With `by_target` the pair is (target, source).
template <class Id>
Finding find_violation(core::Environment& environment, graph::EdgeSource<Id>& edges,
                       const std::optional<std::uint64_t>& nodes, bool by_target, bool unique) {
  Finding finding;
  const auto key = [by_target](const graph::Edge<Id>& edge) {
    return by_target ? std::pair(edge.target, edge.source) : std::pair(edge.source, edge.target);
  };
  core::Phase phase(environment.progress, "check order", edges.facts().edges.value_or(0), "edges");
  const auto lane = edges.lane();
  graph::Edge<Id> last{};
  for (auto batch = lane.next(); !batch.empty(); batch = lane.next()) {
    const std::uint64_t largest = graph::prepare::check_ids(batch, nodes, lane.place(edges.facts().name));
    finding.largest_id_plus_1 = std::max(finding.largest_id_plus_1, core::size_sum(largest, 1));
    for (const graph::Edge<Id>& edge : batch) {
      const bool wrong = finding.edges > 0 && (unique ? key(edge) <= key(last) : key(edge) < key(last));
      if (wrong) {
        finding.first_violation = finding.edges;
        finding.message =
            fmt::format("edge {} is {} {} after {} {}: {}", finding.edges, edge.source, edge.target,
                        last.source, last.target, key(edge) == key(last) ? "not unique" : "out of order");
        return finding;
      }
      last = edge;
      ++finding.edges;
    }
    phase.advance(batch.size());
  }
  return finding;
}

class CheckSorted final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, input_);
    options.group("Check");
    options.flag("-u,--unique", unique_, "no two edges may have the same source and target");
    options
        .word("--by", by_, "KEY", "the order to check",
              {{"source", graph::EdgeOrder::source_target}, {"target", graph::EdgeOrder::target_source}})
        .otherwise("source");
    declare_common_options(options, typed_, {.output = OutputUse::none});
  }

  CommonOptions check() override { return check_options(typed_, input_); }
  Spill spill() const override { return Spill::never; }

  Plan plan(Session& session) override {
    return plan_check(
        session, input_, Carry::nothing, [&](const graph::EdgeFacts&, const EdgeEstimate& size) {
          // Measured beside the run, of sorted edges; the first one out of order ends the check.
          constexpr double edge_nanoseconds = 12;
          graph::ForecastPhase phase{
              .name = "check order",
              .input_readings = 1,
              .cpu_seconds = graph::seconds_for(size.edges.value.value_or(0), edge_nanoseconds),
              .one_thread = true,
              .least_share = 0};
          return CheckNeeds{.choice = graph::one_pass(), .one_lane = true, .phases = {std::move(phase)}};
        });
  }

  ExitCode run() override {
    const CommonOptions options = check();
    Session session(options, spill());
    Finding finding;
    std::uint64_t nodes = 0;
    Report report(session, "check sorted");
    with_edges(session, input_, Carry::nothing,
               [&]<class Id>(graph::format::EdgeInput&, graph::EdgeSource<Id>& edges) {
                 const auto declared = graph::known_nodes(options.nodes, edges.facts());
                 finding = find_violation<Id>(session.environment(), edges, declared,
                                              by_ == graph::EdgeOrder::target_source, unique_);
                 report.input(input_);
                 nodes = declared.value_or(finding.largest_id_plus_1);
               });
    if (!finding.first_violation) {
      report.graph(nodes, finding.edges);
    } else {  // not all edges are read, which the table would not tell
      report.hidden("nodes", nodes);
      report.hidden("edges", finding.edges);
      report.count("first_violation", *finding.first_violation);
    }
    report.model(graph::one_pass());
    return report.finish_check(!finding.first_violation, input_.text(), finding.message);
  }

 private:
  TypedOptions typed_;
  Inputs input_;
  graph::EdgeOrder by_ = graph::EdgeOrder::source_target;
  bool unique_ = false;
};

}  // namespace

std::unique_ptr<Command> make_check_sorted() {
  return std::make_unique<CheckSorted>();
}

}  // namespace emgraph::apps
