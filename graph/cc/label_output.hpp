// SPDX-License-Identifier: MIT
// From the sets in memory to labels in node order, and the sizes of the components without memory for them.
//
// Method: after flattening, steps[v] = v - root(v). Nodes are sent in order, and behind the sending the same
// words become counts: a root precedes all others of its set, its own step is 0 and is not needed once it has
// been sent, so each later node of the set adds one to it there.
//
// I/O: none. Memory: a batch of labels; the steps are written over. Threads: all flatten, one sends.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "core/base/parallel.hpp"
#include "core/environment.hpp"
#include "graph/cc/cc.hpp"
#include "graph/union_find.hpp"

namespace emgraph::graph::cc {

/// Uses the sets up. `nodes` may be less than their size.
template <class Id>
ComponentCount send_labels(core::Environment& environment, UnionFind<Id>& sets, std::uint64_t nodes,
                           NodeSink<Id>* sink) {
  constexpr std::uint64_t batch_nodes = 4096;
  core::Phase phase(environment.progress, "label", nodes, "nodes");
  const auto threads =
      static_cast<unsigned>(std::clamp<std::uint64_t>(nodes / batch_nodes, 1, environment.threads));
  core::run_on_threads(threads, [&](unsigned thread) {
    const std::uint64_t share = nodes / threads + 1;
    sets.flatten(std::min(nodes, thread * share), std::min(nodes, (thread + 1) * share));
  });
  const std::span<Id> steps = sets.steps();
  std::array<Id, batch_nodes> labels;
  ComponentCount count;
  std::uint64_t shared = 0;  // components of two nodes and more
  Id largest = 0;            // nodes of the largest besides its root
  for (std::uint64_t begin = 0; begin < nodes; begin += batch_nodes) {
    const std::uint64_t end = std::min(nodes, begin + batch_nodes);
    for (std::uint64_t v = begin; v < end; ++v) {
      const Id step = steps[v];
      const Id root = static_cast<Id>(v - step);
      labels[v - begin] = root;
      const Id others = static_cast<Id>(steps[root] + (step != 0 ? 1 : 0));
      steps[root] = others;
      count.components += step == 0 ? 1 : 0;
      shared += (step != 0) & (others == 1) ? 1 : 0;
      largest = std::max(largest, others);
    }
    if (sink != nullptr) sink->append({labels.data(), static_cast<std::size_t>(end - begin)});
    phase.advance(end - begin);
  }
  count.isolated_nodes = count.components - shared;
  count.largest_component = nodes == 0 ? 0 : std::uint64_t{largest} + 1;
  return count;
}

}  // namespace emgraph::graph::cc
