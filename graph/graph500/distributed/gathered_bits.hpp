// SPDX-License-Identifier: MIT
// A bit per node of the whole graph, gathered from the owners as words or as a list of nodes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "core/memory/buffer.hpp"
#include "graph/graph500/distributed/partition.hpp"
#include "graph/mpi/communicator.hpp"

namespace emgraph::graph::graph500::distributed {

/// Calls visit(bit number) for each set bit, ascending.
template <class Visit>
void for_each_bit(std::span<const std::uint64_t> words, Visit&& visit) {
  for (std::size_t word = 0; word < words.size(); ++word) {
    for (std::uint64_t bits = words[word]; bits != 0; bits &= bits - 1) {
      visit(64 * word + static_cast<unsigned>(std::countr_zero(bits)));
    }
  }
}

/// Memory: a bit per node of the graph; 4 or 8 bytes per node of a list shorter than that.
template <class Id>
class GatheredBits {
 public:
  GatheredBits(core::MemoryBudget& memory, const Partition& partition, std::string_view what)
      : partition_(partition),
        words_(memory, static_cast<std::size_t>(partition.words()), what),
        list_(memory, static_cast<std::size_t>(longest_list()), what),
        own_list_(memory, static_cast<std::size_t>(std::min(longest_list(), partition.own_nodes())), what),
        counts_(partition.ranks()) {}

  bool contains(std::uint64_t node) const { return (words_[node / 64] >> node % 64 & 1) != 0; }
  void insert(std::uint64_t node) { words_[node / 64] |= std::uint64_t{1} << node % 64; }
  void clear() { std::ranges::fill(words_.span(), 0); }
  std::span<std::uint64_t> words() { return words_.span(); }
  std::span<const std::uint64_t> words() const { return words_.span(); }

  /// Replaces all bits by those of the owners. `total`: how many bits are set at all owners together. Few
  /// bits are sent as a list, which is shorter than the words. All ranks call it together.
  void gather(mpi::Communicator& communicator, std::span<const std::uint64_t> own, std::uint64_t total) {
    if (total > longest_list()) {
      for (unsigned rank = 0; rank < counts_.size(); ++rank) counts_[rank] = partition_.words_of(rank);
      communicator.gather(own.data(), words_.data(), counts_, sizeof(std::uint64_t));
      return;
    }
    std::size_t size = 0;
    for_each_bit(own, [&](std::uint64_t local) {
      own_list_[size++] = static_cast<Id>(partition_.own_first() + local);
    });
    const std::uint64_t own_count = size;
    std::fill(counts_.begin(), counts_.end(), 1);
    std::vector<std::uint64_t> sizes(counts_.size());
    communicator.gather(&own_count, sizes.data(), counts_, sizeof(std::uint64_t));
    communicator.gather(own_list_.data(), list_.data(), sizes, sizeof(Id));
    clear();
    for (std::size_t i = 0; i < total; ++i) insert(list_[i]);
  }

 private:
  /// A list of this length has half the bytes of the words.
  std::uint64_t longest_list() const { return partition_.words() * sizeof(std::uint64_t) / sizeof(Id) / 2; }

  const Partition partition_;
  core::Array<std::uint64_t> words_;
  core::Array<Id> list_;
  core::Array<Id> own_list_;
  std::vector<std::uint64_t> counts_;
};

}  // namespace emgraph::graph::graph500::distributed
