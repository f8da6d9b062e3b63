// SPDX-License-Identifier: MIT
// Strongly connected components with O(1) words per node in memory: of all edges at once, or in batches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/environment.hpp"
#include "graph/scc/depth_first.hpp"
#include "graph/scc/edge_passes.hpp"
#include "graph/scc/edge_store.hpp"
#include "graph/scc/large_component.hpp"
#include "graph/union_find.hpp"

namespace emgraph::graph::scc {

/// Bytes for a search of all edges, which are elsewhere in memory, or on disk in blocks of `block_bytes`.
template <class Id>
std::uint64_t search_bytes(std::uint64_t nodes, std::uint64_t edges, std::size_t block_bytes = 0) {
  return core::size_sum(core::size_product(nodes, sizeof(Id)), DepthFirst<Id>::bytes_for(nodes),
                        ArcRows<Id>::bytes_for(nodes, edges), 2 * core::page_bytes + 3 * block_bytes);
}

/// The fewest edges of a batch with which a pass is worth its work per node.
inline std::uint64_t least_batch(std::uint64_t nodes, std::uint64_t edges) {
  constexpr std::uint64_t always = 64 * 1024;
  return std::max<std::uint64_t>(1, std::min(edges, std::max(nodes / 4, always)));
}

/// Bytes for passes with the smallest batches.
template <class Id>
std::uint64_t least_pass_bytes(std::uint64_t nodes, std::uint64_t edges, std::size_t block_bytes) {
  return core::size_sum(core::size_product(nodes, sizeof(Id)), core::page_bytes,
                        EdgePasses<Id>::bytes_for(nodes, least_batch(nodes, edges), block_bytes));
}

/// The edges of a batch, as memory of `free_bytes` holds. `most`: of a batch, if that is bounded.
template <class Id>
std::uint64_t affordable_batch(std::uint64_t nodes, std::uint64_t edges,
                               const std::optional<std::uint64_t>& most, std::size_t block_bytes,
                               std::uint64_t free_bytes) {
  std::uint64_t batch = least_batch(nodes, edges);
  const std::uint64_t bytes = EdgePasses<Id>::bytes_for(nodes, batch, block_bytes);
  batch += (free_bytes - std::min(free_bytes, bytes)) / (sizeof(Edge<Id>) + sizeof(Id));
  return std::min({batch, edges, most.value_or(batch)});
}

/// I/O: none if the edges are in memory; else the edges in twice, or in and out once per pass; and that of
/// LargestSearch.
/// Memory: search_bytes(), or all that is free. Threads: one; all where edges in memory are contracted.
/// Throws: EnvironmentError, MemoryLimitError.
template <class Id>
class NodeSearch {
 public:
  /// `most_edges`: most edges of a batch; default: as memory holds.
  NodeSearch(core::Environment& environment, std::uint64_t nodes, std::size_t block_bytes,
             std::optional<std::uint64_t> most_edges)
      : environment_(environment),
        nodes_(nodes),
        block_bytes_(block_bytes),
        most_edges_(most_edges),
        sets_(environment.memory, nodes, "an id per node") {}

  /// Two nodes are in one set if they are in one component.
  UnionFind<Id>& sets() { return sets_; }
  /// Readings of the edges that were left; 1 if all were searched at once.
  std::uint64_t passes() const { return passes_; }

  /// Contracts one large component, if there is one. To be called before the other searches, which then get
  /// the number of edges before it: their arrays are for these, so that a forecast of the memory comes true;
  /// pages that are not needed are not touched. Without `keep_edges` the store may lose edges between
  /// components.
  void contract_largest(EdgeStore<Id>& store, bool keep_edges) {
    if (!LargestSearch<Id>::pays(nodes_, store.edges(), block_bytes_, environment_.memory.available()))
      return;
    const core::Phase phase(environment_.progress, "search largest", 0, "edges");
    const auto part = LargestSearch<Id>(environment_, nodes_, store).contract(keep_edges);
    for (std::uint64_t v = part.root; v < nodes_; ++v) {
      if (part.members.test(v)) sets_.unite(part.root, static_cast<Id>(v));
    }
  }

  /// Finds the components of all edges at once. `most_edges`: at least those of the store.
  void search_all(const EdgeStore<Id>& store, std::uint64_t most_edges) {
    ++passes_;
    search(most_edges, "search", [&](auto&& visit) { store.for_each(visit); });
  }

  /// Finds the components in passes over the edges. Without `keep_edges` the edges of the store are freed
  /// while the first reads them. `most_edges`: as for search_all().
  void search_in_batches(std::unique_ptr<EdgeStore<Id>>& store, std::uint64_t most_edges, bool keep_edges) {
    core::Run<Edge<Id>> left;
    {
      const std::uint64_t batch = affordable_batch<Id>(nodes_, most_edges, most_edges_, block_bytes_,
                                                       environment_.memory.available());
      EdgePasses<Id> passes(environment_, sets_, static_cast<std::size_t>(nodes_), batch, block_bytes_);
      left = passes.pass(keep_edges ? store->read() : store->consume());
      ++passes_;
      if (!keep_edges) store.reset();
      while (left.records > 0 && !passes.done() && !one_search_does(left.records, batch)) {
        left = passes.pass(core::RunReader<Edge<Id>>(environment_, std::move(left), 2));
        ++passes_;
      }
      if (passes.done()) left = {};
    }
    if (left.records == 0) return;
    ++passes_;
    search(left.records, "search", [&](auto&& visit) {
      core::RunReader<Edge<Id>> reader(environment_, std::as_const(left), 2);
      for (auto block = reader.next(); !block.empty(); block = reader.next()) {
        for (const Edge<Id>& edge : block) {
          const Id from = sets_.find(edge.source);
          const Id to = sets_.find(edge.target);
          if (from != to) visit(from, to);
        }
      }
    });
  }

 private:
  std::uint64_t batch_bytes(std::uint64_t edges) const {
    return EdgePasses<Id>::bytes_for(nodes_, edges, block_bytes_);
  }

  /// True if the edges that are left fit in memory once the arrays of the passes are freed.
  bool one_search_does(std::uint64_t edges, std::uint64_t batch) const {
    if (most_edges_ && edges > *most_edges_) return false;
    const std::uint64_t freed = batch_bytes(batch) - 5 * block_bytes_;
    return search_bytes<Id>(nodes_, edges, block_bytes_) <= environment_.memory.available() + freed;
  }

  /// Finds the components of these edges, whose ends are roots. `for_each` as of ArcRows::fill.
  template <class ForEach>
  void search(std::uint64_t most_edges, const std::string& what, ForEach&& for_each) {
    core::Phase phase(environment_.progress, what, 0, "edges");
    const auto nodes = static_cast<std::size_t>(nodes_);
    ArcRows<Id> rows(environment_.memory, nodes, static_cast<std::size_t>(most_edges));
    rows.fill(for_each);
    DepthFirst<Id> search(environment_.memory, nodes);
    search.run(rows);
    contract(search, sets_, [](Id, Id) {});
    phase.advance(most_edges);
  }

  core::Environment& environment_;
  const std::uint64_t nodes_;
  const std::size_t block_bytes_;
  const std::optional<std::uint64_t> most_edges_;
  UnionFind<Id> sets_;
  std::uint64_t passes_ = 0;
};

}  // namespace emgraph::graph::scc
