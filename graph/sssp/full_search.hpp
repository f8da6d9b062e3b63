// SPDX-License-Identifier: MIT
// A full search from one root with a distance per node in memory, and its outputs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/base/stopwatch.hpp"
#include "core/memory/buffer.hpp"
#include "graph/sssp/overflow.hpp"
#include "graph/sssp/parents.hpp"
#include "graph/sssp/run_models.hpp"

namespace emgraph::graph::sssp {

/// A full search with a distance per node in memory.
template <class Id, class Graph>
Search full_search(const RunArguments<Id>& arguments, const Graph& graph, const LengthFacts& lengths,
                   std::uint64_t root) {
  using Distances = typename Graph::Distances;
  core::Environment& environment = arguments.environment;
  Search found;
  found.root = root;
  NodeSink<std::uint64_t>* distance_sink = nullptr;
  NodeSink<Id>* parent_sink = nullptr;
  if (arguments.wants_distances()) {
    distance_sink = &arguments.outputs->open_distances(root, lengths.nodes, Distances::floating);
  }
  if (arguments.wants_parents()) parent_sink = &arguments.outputs->open_parents(root, lengths.nodes);
  core::Array<std::uint64_t> distances(environment.memory, lengths.nodes, "a distance per node");
  core::Array<Id> parents;
  const auto take_parents = [&] {
    parents = core::Array<Id>(environment.memory, lengths.nodes, "a parent per node");
  };
  if (Graph::takes_all_memory && parent_sink != nullptr) take_parents();
  {
    const core::Phase phase(environment.progress, "search", lengths.nodes, "nodes");
    const core::Stopwatch watch;
    found.method = graph.search(root, distances.span());
    found.seconds = watch.seconds();
  }
  for (const std::uint64_t distance : distances.span()) {
    if (distance == Distances::unreached) continue;
    ++found.reached;
    found.max_distance = std::max(found.max_distance, distance);
  }
  refuse_overflow<Distances>(arguments.options.input, graph.arcs(), distances.span(), found.max_distance,
                             lengths.longest);
  if (distance_sink != nullptr) {
    const core::Phase phase(environment.progress, "write", lengths.nodes, "nodes");
    append_in_batches(*distance_sink, std::span<const std::uint64_t>(distances.span()));
  }
  if (parent_sink != nullptr) {
    if (!Graph::takes_all_memory) take_parents();
    {
      const core::Phase phase(environment.progress, "parents", lengths.nodes, "nodes");
      auto arcs = graph.arcs();
      find_parents<Distances>(environment, std::span<const std::uint64_t>(distances.span()),
                              static_cast<Id>(root), parents.span(), arcs);
    }
    append_in_batches(*parent_sink, std::span<const Id>(parents.span()));
  }
  if (distance_sink != nullptr || parent_sink != nullptr) arguments.outputs->close();
  return found;
}

}  // namespace emgraph::graph::sssp
