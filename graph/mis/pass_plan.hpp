// SPDX-License-Identifier: MIT
// Decides whether to read an input several times instead of sorting it at once, and the range of each pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/integers.hpp"

namespace emgraph::graph::mis {

/// Estimated costs of a pass, in nanoseconds of wall-clock time per edge. The answer does not depend on them.
struct PassCosts {
  double reread = 0;  ///< reading, or generating, an edge again and testing its ends
  double sort = 0;    ///< distributing, sorting and scanning an edge
  double spill = 0;   ///< writing and reading back an edge that does not stay in memory
};

PassCosts pass_costs(bool generated, std::size_t record_bytes, std::size_t sorted_bytes, unsigned threads);

/// When the nodes below a bound are decided, an edge with an excluded end is irrelevant. So an input that can
/// be read again is processed in passes. A pass sorts and scans the edges whose smaller end is in the next
/// range of nodes; all other edges wait for later passes, and most of them become irrelevant. In a random
/// graph of average degree d with x n decided nodes, a fraction of 1 / (1 + d x)² of the other edges is still
/// relevant.
class PassPlan {
 public:
  /// `memory_records`: sorted records that fit into memory. `space_records`: further records that fit into
  /// temporary space. A pass never takes more than both together.
  PassPlan(const PassCosts& costs, std::uint64_t edges, std::uint64_t memory_records,
           std::uint64_t space_records)
      : costs_(costs), edges_(edges), memory_records_(memory_records), space_records_(space_records) {}

  struct End {
    std::uint64_t node = 0;      ///< first node of the next pass; n: this is the last pass
    bool cut_for_space = false;  ///< a larger range would be faster, but there is no space for it
  };
  /// The end of the next pass. `smaller_ends`: the smaller ends of a sample of the remaining edges,
  /// ascending; one of `edges_per_sample` edges is in it.
  End next_end(const std::vector<std::uint64_t>& smaller_ends, double edges_per_sample,
               std::uint64_t nodes) const;

 private:
  double cost(double records) const;
  const PassCosts costs_;
  const std::uint64_t edges_;
  const std::uint64_t memory_records_;
  const std::uint64_t space_records_;
};

}  // namespace emgraph::graph::mis
