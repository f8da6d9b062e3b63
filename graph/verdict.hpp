// SPDX-License-Identifier: MIT
// What the check of a result finds.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "graph/memory_model.hpp"

namespace emgraph::graph {

/// Each check adds what it counts on the way.
struct Verdict {
  Verdict() = default;
  explicit Verdict(ModelChoice model) : choice(std::move(model)) {}

  bool ok = false;
  std::string message;      ///< when not ok: the first node or edge that is wrong, found and expected
  std::uint64_t nodes = 0;  ///< of the graph; 0 if the check stopped before it knew them
  std::uint64_t edges = 0;  ///< as read; fewer than there are if the check stopped early
  ModelChoice choice;
};

}  // namespace emgraph::graph
