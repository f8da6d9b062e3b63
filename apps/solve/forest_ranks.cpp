// SPDX-License-Identifier: MIT
// What ranks agree on: width of ids, type of weights, number of nodes.
#include "apps/solve/forest_ranks.hpp"

#include <fmt/core.h>

#include <string>

#include "core/base/error.hpp"
#include "graph/mpi/process.hpp"
#include "graph/mst/forest_merge.hpp"

namespace emgraph::apps {
namespace {

using graph::mpi::Reduction;

/// The forest of a rank's inputs.
struct OwnForest {
  bool declares_nodes = true;
  graph::EdgeLayout layout;
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  graph::prepare::SpooledRows rows;
};

void check_inputs(const CommonOptions& options, const Inputs& inputs) {
  if (options.relabel || options.labels || !options.map.empty()) {
    throw core::UsageError("--relabel and --labels number the nodes of one process; this job has several");
  }
  for (const std::string& name : inputs.names()) {
    if (name == "-")
      throw core::UsageError("standard input is no file that one of several processes can read");
  }
}

Inputs inputs_of(const Inputs& all, const Communicator& communicator) {
  Inputs own;
  for (std::size_t i = communicator.rank(); i < all.names().size(); i += communicator.ranks()) {
    own.parsed().push_back(all.names()[i]);
  }
  return own;
}

/// Has the session count what all processes have left out: lines of text, and edges by the filter.
void add_left_out(Session& session, core::FunctionRef<std::uint64_t(std::uint64_t, Reduction)> of_all) {
  const auto sum = [&](std::uint64_t own) { return of_all(own, Reduction::sum); };
  if (const auto& lines = session.options().text.left_out) {
    const graph::format::LeftOutCounts own = lines->all();
    const std::uint64_t skipped = sum(own.skipped);
    lines->restore({.skipped = skipped, .missing = sum(own.missing)});
  }
  session.filter_counts()->left_out = sum(session.filter_counts()->left_out);
}

}  // namespace

std::optional<GatheredForest> gather_forest(Session& session, Communicator& communicator,
                                            const Inputs& inputs, const graph::mst::Options& solver,
                                            core::FunctionRef<void(const graph::EdgeFacts&)> check) {
  check_inputs(session.options(), inputs);
  core::Environment& environment = session.environment();
  const bool stored = solver.weighting.rule == graph::WeightRule::stored;
  OwnForest own;
  const Inputs mine = inputs_of(inputs, communicator);
  if (!mine.names().empty()) {
    with_edges(session, mine, stored ? Carry::weights : Carry::nothing,
               [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
                 check(input.facts());
                 own.layout = {.id_bytes = sizeof(Id)};
                 if (stored) own.layout.weight = input.facts().layout.weight;
                 graph::mst::ForestSpool spool(environment, graph::record_shape(own.layout));
                 const graph::mst::Result result = graph::mst::run<Id>(environment, edges, solver, &spool);
                 own.rows = spool.finish();
                 own.declares_nodes = input.facts().nodes.has_value();
                 own.nodes = result.nodes;
                 own.edges = result.edges;
               });
  }
  const auto of_all = [&](std::uint64_t value, Reduction reduction) {
    return communicator.reduce(value, reduction);
  };
  add_left_out(session, of_all);
  const bool idle = mine.names().empty();
  const auto weight = static_cast<std::uint64_t>(own.layout.weight);
  const std::uint64_t most_weight = of_all(idle ? 0 : weight, Reduction::maximum);
  const std::uint64_t least_weight = of_all(idle ? most_weight : weight, Reduction::minimum);
  if (most_weight != least_weight) {
    throw core::UsageError("the inputs have weights of several types: the edges of one graph need the same");
  }
  GatheredForest forest;
  forest.ranks = communicator.ranks();
  forest.facts.layout = {
      .id_bytes = static_cast<std::size_t>(of_all(own.layout.id_bytes, Reduction::maximum)),
      .weight = static_cast<graph::WeightType>(most_weight)};
  forest.facts.name = "the forests of the processes";
  forest.facts.no_loops = forest.facts.oriented_low = true;
  forest.nodes = of_all(own.nodes, Reduction::maximum);
  forest.edges = of_all(own.edges, Reduction::sum);
  if (of_all(own.declares_nodes, Reduction::minimum) != 0) forest.facts.nodes = forest.nodes;
  own.layout.weight = forest.facts.layout.weight;
  if (own.layout.id_bytes != forest.facts.layout.id_bytes) {
    own.rows = graph::mst::widened(environment, forest.facts, graph::record_shape(own.layout),
                                   graph::record_shape(forest.facts.layout), std::move(own.rows));
  }
  graph::mst::Options merging = solver;
  merging.nodes = forest.nodes;
  const auto merge = forest.facts.layout.id_bytes == 4 ? graph::mst::merge_forests<std::uint32_t>
                                                       : graph::mst::merge_forests<std::uint64_t>;
  forest.rows = merge(environment, communicator, forest.facts, merging, std::move(own.rows));
  forest.sent_bytes = of_all(communicator.traffic().sent_bytes, Reduction::sum);
  if (communicator.rank() != 0) return std::nullopt;
  return forest;
}

void report_ranks(Report& report, const GatheredForest& forest) {
  report.model("distributed", fmt::format("processes started by an MPI launcher: {}", forest.ranks));
  report.count("num_mpi_processes", forest.ranks);
  report.text("mpi_library", graph::mpi::library_name());
  report.size("sent_bytes", forest.sent_bytes);
}

}  // namespace emgraph::apps
