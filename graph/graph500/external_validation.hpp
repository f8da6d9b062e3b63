// SPDX-License-Identifier: MIT
// The five rules (validation.hpp) on a result that lies on the temporary disks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/environment.hpp"
#include "graph/graph500/edge_list.hpp"
#include "graph/graph500/kept_edges.hpp"
#include "graph/graph500/tree_levels.hpp"
#include "graph/graph500/validation.hpp"

namespace emgraph::graph::graph500 {

/// How edges meet the values of their ends.
struct ValidationPlan {
  Grid grid;
  bool keep = false;  ///< the edge list is kept, sorted into cells; else generated once for each cell

  std::string text() const;  ///< for the summary
};

/// The fewest pieces whose values fit in half of the free memory, two of them at a time, and whichever of
/// keeping and generating takes less time for `validations` validations. `distances`: some results have them.
/// Throws MemoryLimitError if 1/512 of the nodes is too large a piece.
ValidationPlan plan_validation(unsigned scale, bool distances, std::uint64_t validations,
                               std::uint64_t free_bytes);

/// Problem: as Validator, with nothing per node in memory. The verdict is the same, including the message.
/// Method: rule 1 by sorts (tree_levels.hpp). Then each cell of the grid: the values of two pieces of nodes
/// are loaded, and the edges between them scanned, which checks rules 2 to 4 and confirms the tree edges
/// between the pieces; a node whose parent is there and that was not confirmed breaks rule 5. If a kept edge
/// breaks a rule, the list is generated again to find the first one.
///
/// I/O: O(sort(n)); reads the edges kept once and the values P/2 times, for P pieces. Memory: half of the
/// free memory for values. Threads: those of the environment. Throws: MemoryLimitError, EnvironmentError.
class ExternalValidator {
 public:
  ExternalValidator(core::Environment& environment, const EdgeList& list, const ValidationPlan& plan,
                    bool distances);

  /// Values have the pieces of the plan.
  Verdict check(const DiskAnswer& answer);

 private:
  core::Environment& environment_;
  const EdgeList& list_;
  const ValidationPlan plan_;
  std::optional<KeptEdges> kept_;
};

}  // namespace emgraph::graph::graph500
