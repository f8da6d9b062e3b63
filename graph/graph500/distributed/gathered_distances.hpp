// SPDX-License-Identifier: MIT
// Distances of some nodes of the whole graph, gathered from the owners.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/memory/buffer.hpp"
#include "graph/graph500/distributed/gathered_bits.hpp"

namespace emgraph::graph::graph500::distributed {

/// The members, as bits, and their distances, in the order of nodes. Memory: a bit and half a bit per node of
/// the graph, the lists of GatheredBits, and 8 bytes for each of most() nodes, own ones twice.
template <class Id>
class GatheredDistances {
 public:
  GatheredDistances(core::MemoryBudget& memory, const Partition& partition)
      : members_(memory, partition, "nodes of the bucket at all ranks"),
        before_(memory, static_cast<std::size_t>(partition.words()), "places of distances"),
        counts_(partition.ranks(), 1),
        sizes_(partition.ranks()) {
    // A longer array would break the bound of the memory. The length is the same at all ranks, because they
    // decide by it together.
    const std::uint64_t share = std::max<std::uint64_t>(4 * partition.nodes() / partition.ranks(), 65536);
    constexpr std::uint64_t gather_limit = (std::uint64_t{1} << 31) - 1;
    const auto most = static_cast<std::size_t>(std::min({partition.nodes(), share, gather_limit}));
    distances_ = core::Array<double>(memory, most, "distances of a bucket");
    own_ = core::Array<double>(memory,
                               static_cast<std::size_t>(std::min<std::uint64_t>(partition.own_nodes(), most)),
                               "own distances of a bucket");
  }

  /// How many members can have distances.
  std::uint64_t most() const { return distances_.size(); }
  std::span<const std::uint64_t> words() const { return members_.words(); }

  /// `own`: the bits of own members; `total`: the number of members of all ranks. All ranks call it together.
  void gather_members(mpi::Communicator& communicator, std::span<const std::uint64_t> own,
                      std::uint64_t total) {
    members_.gather(communicator, own, total);
  }

  /// Requires: the same members as in gather_members(), at most most() of all ranks. All ranks call it
  /// together. `distances`: of own nodes.
  void gather_distances(mpi::Communicator& communicator, std::span<const std::uint64_t> own,
                        std::span<const double> distances) {
    std::uint64_t own_count = 0;
    for_each_bit(own, [&](std::uint64_t local) { own_[own_count++] = distances[local]; });
    communicator.gather(&own_count, sizes_.data(), counts_, sizeof(std::uint64_t));
    communicator.gather(own_.data(), distances_.data(), sizes_, sizeof(double));
    std::uint64_t before = 0;
    for (std::size_t word = 0; word < before_.size(); ++word) {
      before_[word] = static_cast<std::uint32_t>(before);
      before += static_cast<unsigned>(std::popcount(members_.words()[word]));
    }
  }

  /// Null if the node is no member.
  const double* find(std::uint64_t node) const {
    const std::uint64_t word = members_.words()[node / 64];
    const std::uint64_t bit = std::uint64_t{1} << node % 64;
    if ((word & bit) == 0) return nullptr;
    return distances_.data() + before_[node / 64] + static_cast<unsigned>(std::popcount(word & (bit - 1)));
  }

 private:
  GatheredBits<Id> members_;
  core::Array<std::uint32_t> before_;  ///< members before each word
  core::Array<double> distances_;
  core::Array<double> own_;
  const std::vector<std::uint64_t> counts_;
  std::vector<std::uint64_t> sizes_;
};

}  // namespace emgraph::graph::graph500::distributed
