// SPDX-License-Identifier: MIT
// Strongly connected components if the nodes do not fit in memory.
//
// Method: rounds of contraction (contraction_rounds.hpp) until the nodes that are left can be searched in
// memory (node_search.hpp); then the rounds backwards. Rounds stop if they hardly make the graph smaller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "graph/scc/contraction_rounds.hpp"
#include "graph/scc/edge_store.hpp"
#include "graph/scc/external_base.hpp"

namespace emgraph::graph::scc {

/// I/O: a few sorts of the arcs of each round; if many arcs are left in the end, the passes over them.
/// Memory: all that is free. Threads: those of the sort.
/// Throws: EnvironmentError; MemoryLimitError if rounds stop before the nodes fit, with what would be enough.
template <core::IntegerKey Key>
class External {
 public:
  using Pairs = typename ExternalBase<Key>::Pairs;
  using Sorter = typename ExternalBase<Key>::Sorter;

  /// `least_rounds`: at least so many, if arcs are left. `most_batch`: most edges of a search in memory.
  /// `root`: stands for `root_nodes` nodes; the others of them have no arcs.
  struct Parameters {
    std::size_t least_rounds = 0;
    std::uint64_t most_batch = ~std::uint64_t{0};
    std::uint64_t root = 0;
    std::uint64_t root_nodes = 1;
  };

  /// `sample`: of the arcs that will be added.
  External(core::Environment& environment, std::uint64_t nodes, std::uint64_t arcs, const PairSample& sample,
           const Parameters& parameters);

  void add(std::uint64_t source, std::uint64_t target) { rounds_.add(source, target); }

  /// Ends the arcs. Returns pairs (node, smallest node of its component) by node, without those of equal
  /// nodes.
  Pairs run();

  /// Valid after run().
  std::uint64_t passes() const { return passes_; }
  std::uint64_t components() const { return components_; }
  std::uint64_t single_nodes() const { return single_nodes_; }
  std::uint64_t largest_component() const { return largest_; }

  const ExternalBase<Key>& base() const { return base_; }

 private:
  // What fits in memory has ids of 4 bytes.
  using LocalId = std::uint32_t;

  void contract();
  bool fits() const;
  // Cold, since they wait for sorts: compiled for size.
  [[gnu::cold]] Pairs ends_of(const Pairs& arcs) const;
  [[gnu::cold]] Pairs search_rest();
  [[gnu::cold]] void store_numbered(Pairs& arcs, const Pairs& ids, EdgeStore<LocalId>& store) const;
  [[gnu::cold]] Pairs name_sets(std::span<const LocalId> steps, const Pairs& ids) const;
  [[gnu::cold]] void name_roots(Sorter& by_root, const Pairs& ids, Sorter& by_node) const;
  [[gnu::cold]] Pairs smallest_labels(Pairs labels);
  [[noreturn]] void refuse() const;

  core::Environment& environment_;
  const Parameters parameters_;
  const ExternalBase<Key> base_;
  ContractionRounds<Key> rounds_;
  std::uint64_t passes_ = 0;
  std::uint64_t components_ = 0;
  std::uint64_t single_nodes_ = 0;
  std::uint64_t largest_ = 0;
};

}  // namespace emgraph::graph::scc
