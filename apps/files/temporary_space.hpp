// SPDX-License-Identifier: MIT
// Temporary space that a sort will need, compared with what is free before the work starts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/run/session.hpp"
#include "graph/edge_facts.hpp"

namespace emgraph::apps {

/// Where a run keeps its temporary data, and how much is free there. A file system counts once, however many
/// disks are on it.
struct TemporarySpace {
  struct Place {
    std::string path;
    std::uint64_t free_bytes = 0;
  };
  std::vector<Place> places;
  std::uint64_t free_bytes = 0;  ///< of all
};
/// `spills`: the run may keep data there; else only disks count that the options name.
TemporarySpace temporary_space(const CommonOptions& options, bool spills);

/// Throws EnvironmentError if the temporary disks cannot hold the edges of an input that is to be sorted.
/// Does nothing if their number is not known, they are sorted already, or they fit in memory. Counts half of
/// the bytes of the edges, because sorters leave out bits that the place of a key implies, and may code
/// blocks. `copies`: of each edge that are sorted. With a checkpoint it tells the space that this takes.
void require_sorting_space(Session& session, const graph::EdgeFacts& input, std::uint64_t copies = 1);

}  // namespace emgraph::apps
