// SPDX-License-Identifier: MIT
// How the external search divides its memory. The forecast uses the same arithmetic.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/base/bytes.hpp"
#include "graph/adjacency/list_access.hpp"
#include "graph/node_bits.hpp"
#include "graph/sssp/candidate_bounds.hpp"
#include "graph/sssp/external_bucket.hpp"
#include "graph/visited_pages.hpp"

namespace emgraph::graph::sssp {

/// The numbers by which the memory is divided.
struct ExternalDemand {
  std::uint64_t nodes = 0;
  std::uint64_t entries = 0;       ///< arcs
  std::uint64_t absent_bytes = 0;  ///< of the pages that are not in memory
  std::size_t chunk_bytes = 0;     ///< of a scan
  unsigned threads = 1;
  std::size_t free_bytes = 0;  ///< for the whole search
};

/// The parts of the memory of a search, bytes.
///
/// If all pages fit beside a small queue and a small bucket, queue and bucket get the rest at once, as far as
/// so many nodes and arcs can use it. If not, they are small at first, so that a narrow frontier, as in a
/// road network, has a large cache of pages, and grow once when they do not fit.
struct ExternalShares {
  static constexpr std::size_t least_queue_bytes = 256 * core::KiB;

  bool pages_fit = false;
  bool settled_in_memory = false;
  std::size_t settled_bytes = 0;  ///< at most
  std::size_t filter_bytes = 0;
  std::size_t queue_bytes = 0;         ///< at first
  std::size_t bucket_bytes = 0;        ///< at first
  std::size_t large_queue_bytes = 0;   ///< after it has grown
  std::size_t large_bucket_bytes = 0;  ///< after it has grown
  std::size_t spare_bytes = 0;         ///< that the pages leave free
  std::uint64_t pages_bytes = 0;       ///< if they fit: with the buffers of a scan and spare_bytes

  template <class Id, class Distances>
  static ExternalShares of(const ExternalDemand& demand) {
    using Filter = CandidateFilter<Id, Distances>;
    const std::size_t free = demand.free_bytes;
    ExternalShares shares;
    const std::uint64_t bits = NodeBits::bytes_for(demand.nodes) + core::page_bytes;
    shares.settled_in_memory = demand.nodes < std::uint64_t{1} << 48 && bits <= free / 4;
    shares.settled_bytes = shares.settled_in_memory ? static_cast<std::size_t>(bits)
                                                    : VisitedPages::bytes_for(demand.nodes, free / 4);
    shares.filter_bytes = Filter::bytes_for(demand.nodes, demand.entries, free);
    const std::size_t taken = core::size_sum(shares.settled_bytes, shares.filter_bytes);
    const std::size_t rest = free - std::min(free, taken);

    const auto useful = [](std::size_t bytes, std::uint64_t most) {
      return static_cast<std::size_t>(std::min<std::uint64_t>(bytes, most));
    };
    // The queue keeps its records in memory while they take 3/8 of it (core/queue/sequence_heap.hpp).
    const std::uint64_t all_candidates =
        core::size_product(demand.entries, 3 * sizeof(Candidate<Id>)) + core::page_bytes;
    const bool complete = Filter::complete(demand.nodes, demand.entries, free);
    shares.large_queue_bytes = std::max(least_queue_bytes, useful(free / (complete ? 8 : 4), all_candidates));
    shares.large_bucket_bytes = useful((rest - std::min(rest, shares.large_queue_bytes)) / 2,
                                       ExternalBucket<Id>::bytes_for(demand.nodes));
    shares.queue_bytes = std::max(least_queue_bytes, std::min(shares.large_queue_bytes, free / 16));
    shares.bucket_bytes = std::min(shares.large_bucket_bytes, free / 16);
    shares.spare_bytes = std::max<std::size_t>(least_spare_bytes, free / 16);

    // A sixteenth of the pages, so that there is room for their marks (PagedAdjacency::open_marks).
    const std::uint64_t spare = core::size_sum(least_spare_bytes, demand.absent_bytes / 16);
    shares.pages_bytes =
        adjacency::bytes_to_load(demand.absent_bytes, demand.chunk_bytes, demand.threads) + spare;
    const std::size_t small = core::size_sum(shares.queue_bytes, shares.bucket_bytes);
    shares.pages_fit = core::size_sum(shares.pages_bytes, small) <= rest;
    if (shares.pages_fit) {
      const std::size_t left = rest - static_cast<std::size_t>(shares.pages_bytes);
      shares.spare_bytes = static_cast<std::size_t>(spare);
      shares.queue_bytes = shares.large_queue_bytes =
          std::max(shares.queue_bytes, std::min(shares.large_queue_bytes, left / 3));
      shares.bucket_bytes = shares.large_bucket_bytes =
          std::max(shares.bucket_bytes, std::min(shares.large_bucket_bytes, left - shares.queue_bytes));
    }
    return shares;
  }

  /// What a search takes at most of `free_bytes`.
  std::size_t most_bytes(std::size_t free_bytes) const {
    if (!pages_fit) return free_bytes;
    const std::uint64_t all =
        core::size_sum(settled_bytes, filter_bytes, queue_bytes, bucket_bytes, pages_bytes,
                       64 * core::KiB);  // whole pages for each array
    return static_cast<std::size_t>(std::min<std::uint64_t>(free_bytes, all));
  }

 private:
  static constexpr std::size_t least_spare_bytes = 512 * core::KiB;
};

}  // namespace emgraph::graph::sssp
