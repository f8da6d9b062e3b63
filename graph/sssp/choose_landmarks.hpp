// SPDX-License-Identifier: MIT
// The choice of landmarks: nodes far from each other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/base/function_ref.hpp"
#include "core/base/progress.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/sssp/landmarks.hpp"

namespace emgraph::graph::sssp {

/// The smallest node of the largest degree.
template <class RowsType>
std::uint64_t node_of_most_arcs(const RowsType& rows) {
  std::uint64_t best = 0;
  for (std::uint64_t v = 1; v < rows.nodes(); ++v) {
    if (rows.arcs(v).size() > rows.arcs(best).size()) best = v;
  }
  return best;
}

/// Fills the landmarks: each is the farthest node from those before it, the first one from `start`. Unreached
/// nodes are not chosen while a reached one is left. search(back, root, distances) is a full search, with
/// `back` along the reversed arcs. I/O: none. Memory: two distances per node, and that of a
/// search. Threads: those of the search. Throws: MemoryLimitError.
template <class Distances>
void choose_landmarks(core::Environment& environment, std::uint64_t nodes, std::uint64_t start,
                      Landmarks<Distances>& landmarks,
                      core::FunctionRef<void(bool, std::uint64_t, std::span<std::uint64_t>)> search) {
  core::Phase phase(environment.progress, "landmarks", landmarks.count(), "landmarks");
  core::Array<std::uint64_t> distances(environment.memory, nodes, "a distance per node");
  core::Array<std::uint64_t> nearest(environment.memory, nodes, "a distance per node");
  const auto largest = [&] {
    std::uint64_t most = 0;
    for (const std::uint64_t distance : distances.span()) {
      if (distance != Distances::unreached) most = std::max(most, distance);
    }
    return most;
  };
  search(false, start, nearest.span());
  for (unsigned i = 0; i < landmarks.count(); ++i) {
    std::uint64_t far = start;
    std::uint64_t most = 0;
    for (std::uint64_t v = 0; v < nodes; ++v) {
      if (nearest[v] == Distances::unreached || nearest[v] < most) continue;
      if (nearest[v] > most) far = v;
      most = nearest[v];
    }
    search(false, far, distances.span());
    landmarks.set(i, false, distances.span(), largest());
    for (std::uint64_t v = 0; v < nodes; ++v) {
      // The first landmark replaces the node that it was chosen by.
      nearest[v] = i == 0 ? distances[v] : std::min(nearest[v], distances[v]);
    }
    if (landmarks.both()) {
      search(true, far, distances.span());
      landmarks.set(i, true, distances.span(), largest());
    }
    phase.advance(1);
  }
}

}  // namespace emgraph::graph::sssp
