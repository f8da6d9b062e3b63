// SPDX-License-Identifier: MIT
// The memory models a solver chooses from.
#pragma once

#include <string>
#include <string_view>

namespace emgraph::graph {

/// internal: edges and nodes fit in memory. semi_external: O(1) words (or bits) per node fit, edges do not.
/// external: not even the nodes fit. automatic: the solver decides from n, m and the budget.
enum class MemoryModel { automatic, internal, semi_external, external };

constexpr std::string_view name(MemoryModel model) {
  switch (model) {
    case MemoryModel::automatic:
      return "auto";
    case MemoryModel::internal:
      return "internal";
    case MemoryModel::semi_external:
      return "semi-external";
    case MemoryModel::external:
      return "external";
  }
  return "";
}

/// What was chosen and why: printed in every summary.
struct ModelChoice {
  MemoryModel model = MemoryModel::automatic;
  std::string reason;
};

}  // namespace emgraph::graph
