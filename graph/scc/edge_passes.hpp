// SPDX-License-Identifier: MIT
// Contracts strongly connected components while it reads the edges in batches, with O(1) words per node.
//
// Method: each node has a rank and a parent in a forest: an arc from the parent leads to it, and the rank of
// the parent is smaller. A batch is searched together with the arcs of the forest. Components are contracted
// to their smallest node. Then the ranks are raised until every arc of the batch leads to a larger rank; a
// node whose rank is raised gets the source of the arc as its parent. Because the forest has been part of the
// search, an arc that would close a cycle with it has been contracted before. Edges inside a component leave
// the run; so do those of nodes that no edge leaves, or enters, in a whole pass: no cycle contains them.
// If a pass changes no rank and contracts nothing, every edge leads to a larger rank: no cycle is left.
// Source: Zhang, Yu, Qin, Chang, Lin (2013), "I/O efficient: computing SCCs in massive graphs", SIGMOD, doi
// 10.1145/2463676.2463703 (1PB-SCC); the ranks are longest paths here, not depths in a tree of one root.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/scc/depth_first.hpp"
#include "graph/types.hpp"
#include "graph/union_find.hpp"

namespace emgraph::graph::scc {

/// Contracts the components that a search has found; the root of a set is its smallest node. Calls
/// merge(root, node) before it unites them.
template <class Id, class Merge>
void contract(const DepthFirst<Id>& search, UnionFind<Id>& sets, Merge&& merge) {
  constexpr Id none = ~Id{0};
  const std::span<const Id> numbers = search.numbers();
  const std::span<Id> first = search.scratch();
  std::fill(first.begin(), first.end(), none);
  for (std::size_t v = 0; v < numbers.size(); ++v) {
    const Id node = static_cast<Id>(v);
    Id& root = first[numbers[v]];
    if (root == none) {
      root = node;
      continue;
    }
    merge(root, node);
    sets.unite(root, node);
  }
}

/// I/O: per pass the edges in and those that are left out. Memory: bytes_for(). Threads: one.
/// Throws: EnvironmentError, MemoryLimitError.
template <class Id>
class EdgePasses {
 public:
  using Run = core::Run<Edge<Id>>;

  /// `sets`: of `nodes` nodes; they outlive this.
  EdgePasses(core::Environment& environment, UnionFind<Id>& sets, std::size_t nodes,
             std::uint64_t batch_edges, std::size_t block_bytes)
      : environment_(environment),
        sets_(sets),
        nodes_(nodes),
        block_bytes_(block_bytes),
        batch_(environment.memory, static_cast<std::size_t>(batch_edges), "two ids per edge of a batch"),
        parents_(environment.memory, nodes, "an id per node"),
        ranks_(environment.memory, nodes, "8 bytes per node"),
        flags_(environment.memory, nodes, "a byte per node"),
        rows_(environment.memory, nodes, static_cast<std::size_t>(batch_edges) + nodes),
        search_(environment.memory, nodes) {
    for (std::size_t v = 0; v < nodes; ++v) parents_[v] = static_cast<Id>(v);
  }

  static std::uint64_t bytes_for(std::uint64_t nodes, std::uint64_t batch_edges, std::size_t block_bytes) {
    return core::size_sum(core::size_product(nodes, sizeof(Id) + 9),
                          core::size_product(batch_edges, sizeof(Edge<Id>)),
                          core::size_sum(DepthFirst<Id>::bytes_for(nodes),
                                         ArcRows<Id>::bytes_for(nodes, core::size_sum(batch_edges, nodes))),
                          4 * core::page_bytes + 5 * block_bytes);
  }

  /// Reads all edges; returns those that may be in a cycle. done() says if there are none.
  Run pass(core::RunReader<Edge<Id>> edges) {
    changed_ = false;
    for (std::uint8_t& flags : flags_.span()) flags &= dead;
    core::RunWriter<Edge<Id>> left(environment_, block_bytes_, 2);
    core::Phase phase(environment_.progress, "contract", edges.unread(), "edges");
    std::size_t filled = 0;
    for (auto block = edges.next(); !block.empty(); block = edges.next()) {
      for (const Edge<Id>& edge : block) {
        const Edge<Id> roots{sets_.find(edge.source), sets_.find(edge.target)};
        if (roots.source == roots.target || ((flags_[roots.source] | flags_[roots.target]) & dead) != 0)
          continue;
        flags_[roots.source] |= leaves;
        flags_[roots.target] |= enters;
        batch_[filled++] = roots;
        if (filled == batch_.size()) solve(std::exchange(filled, 0), left);
      }
      phase.advance(block.size());
    }
    solve(filled, left);
    for (std::uint8_t& flags : flags_.span()) {
      if (flags != (leaves | enters)) flags = dead;
    }
    return left.finish();
  }

  /// After a pass: no edge that is left is in a cycle.
  bool done() const { return !changed_; }

 private:
  enum Flag : std::uint8_t { dead = 1, leaves = 2, enters = 4 };

  void solve(std::size_t count, core::RunWriter<Edge<Id>>& left) {
    if (count == 0) return;
    const std::span<const Edge<Id>> batch = batch_.span().first(count);
    rows_.fill([&](auto&& visit) {
      for (const Edge<Id>& edge : batch) visit(edge.source, edge.target);
      for (std::size_t v = 0; v < nodes_; ++v) {
        const Id node = static_cast<Id>(v);
        if (parents_[v] == node || !sets_.is_root(node) || (flags_[v] & dead) != 0) continue;
        const Id parent = sets_.find(parents_[v]);
        if (parent != node && (flags_[parent] & dead) == 0) visit(parent, node);
      }
    });
    search_.run(rows_);
    contract(search_, sets_, [&](Id root, Id node) {
      changed_ = true;
      flags_[root] |= flags_[node];
      if (ranks_[node] <= ranks_[root]) return;
      ranks_[root] = ranks_[node];
      parents_[root] = parents_[node];
    });
    raise_ranks();
    for (const Edge<Id>& edge : batch) {
      const Edge<Id> roots{sets_.find(edge.source), sets_.find(edge.target)};
      if (roots.source != roots.target) left.push(roots);
    }
  }

  // In topological order the rank of a node is final when its arcs are looked at.
  void raise_ranks() {
    for (const Id member : search_.order()) {
      const std::span<const Id> targets = rows_.of(member);
      if (targets.empty()) continue;
      const Id node = sets_.find(member);
      for (const Id target : targets) {
        const Id root = sets_.find(target);
        if (root == node || ranks_[root] > ranks_[node]) continue;
        ranks_[root] = ranks_[node] + 1;
        parents_[root] = node;
        changed_ = true;
      }
    }
  }

  core::Environment& environment_;
  UnionFind<Id>& sets_;
  const std::size_t nodes_;
  const std::size_t block_bytes_;
  core::Array<Edge<Id>> batch_;
  core::Array<Id> parents_;  ///< itself: none
  core::Array<std::uint64_t> ranks_;
  core::Array<std::uint8_t> flags_;
  ArcRows<Id> rows_;
  DepthFirst<Id> search_;
  bool changed_ = false;
};

}  // namespace emgraph::graph::scc
