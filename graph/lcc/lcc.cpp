// SPDX-License-Identifier: MIT
// Divides the triangles of each node by the pairs of its neighbours.
#include "graph/lcc/lcc.hpp"

#include <array>
#include <bit>
#include <memory>
#include <utility>

#include "graph/lcc/layered_source.hpp"
#include "graph/node_words.hpp"
#include "graph/triangles/triangles.hpp"

namespace emgraph::graph::lcc {
namespace {

/// What is known of a node, on the temporary disks. Of layered nodes, the first copy has both numbers.
struct Counts {
  NodeWords triangles;
  NodeWords degrees;
};

/// Three copies of each node, five edges for an arc.
template <class Id>
EdgeSource<Id> layer(core::Environment& environment, EdgeSource<Id>& edges,
                     const std::optional<std::uint64_t>& nodes) {
  auto copies = std::make_shared<LayeredSource>(environment, edges.records(), edges.facts(), nodes,
                                                sizeof(Id), environment.threads);
  EdgeFacts facts = copies->facts();
  return EdgeSource<Id>(std::move(copies), std::move(facts), 0);
}

/// The options of the count. `nodes`: of the source that is counted.
triangles::Options triangle_options(const Options& options, const std::optional<std::uint64_t>& nodes) {
  return {.model = options.model,
          .nodes = nodes,
          .copies_of_node = options.directed ? layers : 1,
          .copies_of_edge = options.directed ? edges_per_arc : 1};
}

/// Sends the coefficients, and returns their mean.
double write_coefficients(core::Environment& environment, Counts counts, bool directed, std::uint64_t nodes,
                          NodeSink<std::uint64_t>* sink) {
  core::Phase phase(environment.progress, "write coefficients", nodes, "nodes");
  if (sink != nullptr) sink->expect(nodes);
  core::RunCursor<std::uint64_t> triangles(environment, std::move(counts.triangles));
  core::RunCursor<std::uint64_t> degrees(environment, std::move(counts.degrees));
  std::array<std::uint64_t, 1024> batch;
  std::size_t filled = 0;
  double sum = 0;
  for (std::uint64_t node = 0; node < nodes; ++node) {
    const double value =
        directed ? coefficient(*triangles, *degrees / 2) : coefficient(2 * *triangles, *degrees);
    for (std::uint64_t copy = 0; copy < (directed ? layers : 1); ++copy) {
      triangles.next();
      degrees.next();
    }
    sum += value;
    batch[filled++] = std::bit_cast<std::uint64_t>(value);
    if (filled < batch.size() && node + 1 < nodes) continue;
    if (sink != nullptr) sink->append(std::span(batch).first(filled));
    phase.advance(std::exchange(filled, 0));
  }
  return nodes == 0 ? 0 : sum / static_cast<double>(nodes);
}

}  // namespace

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
           NodeSink<std::uint64_t>* sink) {
  const auto declared = declared_nodes<Id>(options.nodes, edges.facts());
  const std::uint64_t copies = options.directed ? layers : 1;
  Counts counts;
  triangles::Result found;
  const auto count = [&](EdgeSource<Id>& source, const std::optional<std::uint64_t>& nodes) {
    NodeWordSink<std::uint64_t> triangles(environment);
    NodeWordSink<std::uint64_t> degrees(environment);
    found = triangles::run<Id>(environment, source, triangle_options(options, nodes),
                               {.per_node = &triangles, .degrees = &degrees});
    counts = {triangles.finish(), degrees.finish()};
  };
  if (options.directed) {
    auto layered = layer(environment, edges, declared);
    count(layered, options.nodes ? layered.facts().nodes : std::nullopt);
  } else {
    count(edges, options.nodes);
  }
  Result result;
  result.nodes = found.nodes / copies;
  result.edges = found.edges / (options.directed ? edges_per_arc : 1);
  result.choice = found.choice;
  result.mean = write_coefficients(environment, std::move(counts), options.directed, result.nodes, sink);
  return result;
}

template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size) {
  const auto declared = declared_nodes<Id>(options.nodes, edges.facts());
  const std::uint64_t copies = options.directed ? layers : 1;
  const auto count = [&](EdgeSource<Id>& source, const std::optional<std::uint64_t>& nodes,
                         const InputSize& counted) {
    const NodeWordSink<std::uint64_t> counts(environment);
    const NodeWordSink<std::uint64_t> degrees(environment);
    return triangles::forecast<Id>(environment, source, triangle_options(options, nodes), counted,
                                   {.per_node = true, .degrees = true});
  };
  Forecast forecast;
  if (options.directed) {
    auto layered = layer(environment, edges, declared);
    InputSize counted = size;
    if (counted.nodes) counted.nodes = core::size_product(*counted.nodes, layers);
    if (counted.edges) counted.edges = core::size_product(*counted.edges, edges_per_arc);
    forecast = count(layered, layered.facts().nodes, counted);
  } else {
    forecast = count(edges, options.nodes, size);
  }
  // Two words per node are written last, and read.
  const std::uint64_t nodes = core::size_product(declared ? *declared : size.nodes.value_or(0), copies);
  const std::uint64_t words = core::size_sum(core::size_product(nodes, 16), 512 * core::KiB);
  if (forecast.temporary) {
    core::SpillForecast& space = *forecast.temporary;
    space.most_bytes = core::size_sum(space.most_bytes, words);
    space.expected_bytes = std::max(space.expected_bytes, words);
  }
  forecast.phases.push_back({.name = "write coefficients",
                             .temporary_bytes = 2 * words,
                             .cpu_seconds = seconds_for(nodes, 15),
                             .one_thread = true});
  return forecast;
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, NodeSink<std::uint64_t>*);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, NodeSink<std::uint64_t>*);
template Forecast forecast(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, const InputSize&);
template Forecast forecast(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, const InputSize&);

}  // namespace emgraph::graph::lcc
