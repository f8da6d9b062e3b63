// SPDX-License-Identifier: MIT
// How the external search divides its memory. The forecast uses the same arithmetic.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/base/bytes.hpp"
#include "graph/adjacency/list_access.hpp"
#include "graph/node_bits.hpp"
#include "graph/node_values.hpp"
#include "graph/sssp/candidate_bounds.hpp"
#include "graph/sssp/external_bucket.hpp"
#include "graph/visited_pages.hpp"

namespace emgraph::graph::sssp {

/// Of a copy of the distances.
constexpr std::size_t copy_block_bytes = 64 * core::KiB;

/// Of the sort of a value per node: a distance, a parent.
template <class Value>
std::size_t values_bytes(std::size_t free) {
  return std::max(free / 6, NodeValues<Value>::least_sort_bytes(1));
}

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
  static constexpr std::size_t weed_block_bytes = 16 * core::KiB;

  bool pages_fit = false;
  bool settled_in_memory = false;
  bool weeds = false;             ///< the filter knows the nearest candidate of each node
  std::size_t settled_bytes = 0;  ///< at most
  std::size_t filter_bytes = 0;
  std::size_t weed_bytes = 0;          ///< blocks of candidates that are kept
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

    const auto useful = [](std::size_t bytes, std::uint64_t most) {
      return static_cast<std::size_t>(std::min<std::uint64_t>(bytes, most));
    };
    const bool complete = Filter::complete(demand.nodes, demand.entries, free);
    shares.weeds = complete;
    const std::uint64_t waiting = shares.most_waiting<Id>(demand, demand.nodes);
    // Blocks, and a list of them.
    if (complete) shares.weed_bytes = 5 * weed_block_bytes + static_cast<std::size_t>(waiting / 128);
    const std::size_t taken = core::size_sum(shares.settled_bytes, shares.filter_bytes, shares.weed_bytes);
    const std::size_t rest = free - std::min(free, taken);
    const std::uint64_t all_candidates =
        core::size_product(waiting, sizeof(Candidate<Id>)) / 3 * 8 + core::page_bytes;
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
          std::max(shares.queue_bytes, useful(left / 4 * 3, all_candidates));
      shares.bucket_bytes = shares.large_bucket_bytes =
          std::max(shares.bucket_bytes, std::min(shares.large_bucket_bytes, left - shares.queue_bytes));
    }
    return shares;
  }

  /// Candidates in the queue at most; `left`: nodes that are not settled. Where the filter knows the nearest
  /// candidate of each node, the queue is weeded when there are more: then it has one for each node that is
  /// left. Bytes of candidates that are a third of those of the pages need not be weeded. Without the filter:
  /// what is expected.
  template <class Id>
  std::uint64_t most_waiting(const ExternalDemand& demand, std::uint64_t left) const {
    constexpr std::uint64_t few = 16 * 1024;
    if (!weeds)
      return std::min({demand.entries / 2, 2 * demand.nodes, left + left / 2 + demand.nodes / 2}) + few;
    return std::min(demand.entries, std::max(left + demand.nodes / 4 + few,
                                             demand.absent_bytes / (3 * sizeof(Candidate<Id>))));
  }
  /// The bytes on disk of a queue of `bytes` in memory with so many candidates: none while they take 3/8 of
  /// its memory (core/queue/sequence_heap.hpp).
  template <class Id>
  static std::uint64_t queue_on_disk(std::uint64_t candidates, std::size_t bytes) {
    const std::uint64_t all = core::size_product(candidates, sizeof(Candidate<Id>));
    return all <= bytes / 8 * 3 ? 0 : core::size_sum(all, all / 32, bytes / 64);
  }

  /// What a search takes at most of `free_bytes`.
  std::size_t most_bytes(std::size_t free_bytes) const {
    if (!pages_fit) return free_bytes;
    const std::uint64_t all =
        core::size_sum(settled_bytes, filter_bytes, weed_bytes, queue_bytes, bucket_bytes, pages_bytes,
                       64 * core::KiB);  // whole pages for each array
    return static_cast<std::size_t>(std::min<std::uint64_t>(free_bytes, all));
  }

 private:
  static constexpr std::size_t least_spare_bytes = 512 * core::KiB;
};

}  // namespace emgraph::graph::sssp
