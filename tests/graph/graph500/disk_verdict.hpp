// SPDX-License-Identifier: MIT
// The verdict of external validation on results that a test has in memory.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "graph/graph500/external_validation.hpp"

namespace emgraph::graph::graph500 {

template <class T>
DiskValues<T> on_disk(core::Environment& environment, std::span<const T> values, unsigned piece_bits) {
  DiskValuesWriter<T> writer(environment, piece_bits);
  for (const T value : values) writer.push(value);
  return writer.finish();
}

/// `distances` empty: of a breadth-first search.
inline Verdict disk_verdict(core::Environment& environment, const EdgeList& list, const ValidationPlan& plan,
                            std::uint32_t root, std::span<const std::uint32_t> parents,
                            std::span<const double> distances) {
  const auto parents_there = on_disk(environment, parents, plan.grid.piece_bits);
  DiskValues<double> distances_there;
  if (!distances.empty()) distances_there = on_disk(environment, distances, plan.grid.piece_bits);
  ExternalValidator validator(environment, list, plan, true);
  return validator.check({.root = root,
                          .nodes = parents.size(),
                          .parents = parents_there,
                          .distances = distances.empty() ? nullptr : &distances_there});
}

}  // namespace emgraph::graph::graph500
