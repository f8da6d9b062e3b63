// SPDX-License-Identifier: MIT
// Reading an input several times instead of sorting it whole: when, and up to which node each time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/integers.hpp"

namespace emgraph::graph::mis {

/// What a pass costs, in nanoseconds of wall time per edge. Rough: a wrong guess costs time, never the
/// answer.
struct PassCosts {
  double reread = 0;  ///< reading, or generating, an edge once more and looking at its ends
  double sort = 0;    ///< distributing, sorting and scanning an edge
  double spill = 0;   ///< writing and reading back an edge that does not stay in memory
};

PassCosts pass_costs(bool generated, std::size_t record_bytes, std::size_t sorted_bytes, unsigned threads);

/// Once the nodes below some bound are decided, an edge with an excluded end can change nothing any more. An
/// input that can be read again is therefore taken in passes: edges whose smaller end lies in the next range
/// of nodes are sorted and scanned, all others are left for later, and most of those never come to be sorted:
/// on a random graph of average degree d, a fraction of 1 / (1 + d x)² is left of the edges behind x n
/// decided nodes.
class PassPlan {
 public:
  /// `memory_records`: sorted records that stay in memory; `space_records`: those that temporary space takes
  /// besides. A pass does not take more than both, whatever it costs.
  PassPlan(const PassCosts& costs, std::uint64_t edges, std::uint64_t memory_records,
           std::uint64_t space_records)
      : costs_(costs), edges_(edges), memory_records_(memory_records), space_records_(space_records) {}

  struct End {
    std::uint64_t node = 0;      ///< the first not to take in this pass; n to take all
    bool cut_for_space = false;  ///< more would have paid, but there is no room for it
  };
  /// Edges left, of which the ascending `smaller_ends` are a sample of one in `edges_per_sample`.
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
