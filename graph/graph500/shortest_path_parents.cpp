// SPDX-License-Identifier: MIT
// The second pull of the shortest paths: parents from distances.
#include <algorithm>
#include <vector>

#include "core/base/prefetch.hpp"
#include "graph/graph500/breadth_first.hpp"
#include "graph/graph500/shortest_paths.hpp"

namespace emgraph::graph::graph500 {

/// What its neighbours at distances from `begin` on give a node.
ShortestPaths::Pulled ShortestPaths::pulled(std::uint64_t rank, double begin) const {
  Pulled best{std::atomic_ref(known_[rank]).load(std::memory_order_relaxed), no_parent};
  const auto arcs = arcs_of(rank);
  const Arc* const end = arcs.data() + arcs.size();
  for (const Arc* arc = arcs.data(); arc != end; ++arc) {
    if (begin + double{arc->weight} > best.distance) {
      if (begin + Graph::least_weight(arc->weight) > best.distance) break;
      continue;
    }
    if (arc + targets_ahead < end) core::prefetch(&known_[arc[targets_ahead].target]);
    const double from = std::atomic_ref(known_[arc->target]).load(std::memory_order_relaxed);
    const double distance = from + double{arc->weight};
    if (distance > best.distance) continue;
    if (distance < best.distance) best = {distance, no_parent};
    if (from < distance) best.parent = std::min(best.parent, graph_.rows()[arc->target].node);
  }
  return best;
}

/// All nodes pull, and take their parents. Nodes that are lowered then push, and their neighbours take their
/// parents again. Nodes nearer than `begin` have pushed their distances; now they push themselves as parents.
void ShortestPaths::find_parents(std::uint32_t root, double begin) {
  List& lowered = beyond_[beyond_now_];
  lowered.clear();
  SharedList<std::uint32_t> orphans(memory_, known_.size(), "nodes without a nearer parent");
  const auto assign = [&](std::uint64_t rank, const Pulled& pulled,
                          SharedList<std::uint32_t>::Writer& writer) {
    if (pulled.distance == unreached) return;
    const std::uint32_t node = graph_.rows()[rank].node;
    distances_[node] = pulled.distance;
    parents_[node] = rank == root ? node : pulled.parent;
    if (parents_[node] == no_parent) writer.push(static_cast<std::uint32_t>(rank));
  };
  share(known_.size(), nodes_at_a_time, [&](std::uint64_t first, std::uint64_t last) {
    List::Writer writer(lowered);
    SharedList<std::uint32_t>::Writer orphan(orphans);
    for (std::uint64_t rank = first; rank < last; ++rank) {
      prefetch_rows(rank, last);
      const Pulled now = pulled(rank, begin);
      assign(rank, now, orphan);
      const std::atomic_ref own(known_[rank]);
      if (!(now.distance < own.load(std::memory_order_relaxed))) continue;
      own.store(now.distance, std::memory_order_relaxed);
      writer.push({static_cast<std::uint32_t>(rank), now.distance});
    }
    writer.finish();
    orphan.finish();
  });
  if (lowered.size() > 0) {
    SharedList<std::uint32_t> again(memory_, known_.size(), "nodes near lowered ones");
    settle_lowered(again);
    share(again.size(), nodes_at_a_time, [&](std::uint64_t first, std::uint64_t last) {
      SharedList<std::uint32_t>::Writer orphan(orphans);
      for (std::uint64_t i = first; i < last; ++i) assign(again[i], pulled(again[i], begin), orphan);
      orphan.finish();
    });
  }
  share(pushed_.size(), entries_at_a_time,
        [&](std::uint64_t first, std::uint64_t last) { push_parents(first, last); });
  find_equal_parents(orphans);
}

void ShortestPaths::push_parents(std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t i = first; i < last; ++i) {
    const auto [rank, distance] = pushed_[i];
    const std::uint32_t parent = graph_.rows()[rank].node;
    for (const auto& [target, weight] : arcs_of(rank)) {
      const double sum = distance + double{weight};
      if (sum != known_[target] || sum == distance) continue;
      const std::atomic_ref place(parents_[graph_.rows()[target].node]);
      std::uint32_t known = place.load(std::memory_order_relaxed);
      while (parent < known && !place.compare_exchange_weak(known, parent, std::memory_order_relaxed)) {
      }
    }
  }
}

/// Nodes that only arcs of weight 0 lead to, in order of the number of these arcs.
void ShortestPaths::find_equal_parents(const SharedList<std::uint32_t>& orphans) {
  std::vector<std::uint32_t> left;
  for (std::uint64_t i = 0; i < orphans.size(); ++i) {
    if (parents_[graph_.rows()[orphans[i]].node] == no_parent) left.push_back(orphans[i]);
  }
  std::vector<std::uint32_t> found;
  while (!left.empty()) {
    found.assign(left.size(), no_parent);
    for (std::size_t i = 0; i < left.size(); ++i) {
      for (const auto& [target, weight] : arcs_of(left[i])) {
        if (known_[target] + double{weight} != known_[left[i]]) continue;
        const std::uint32_t node = graph_.rows()[target].node;
        if (parents_[node] != no_parent) found[i] = std::min(found[i], node);
      }
    }
    std::vector<std::uint32_t> still;
    for (std::size_t i = 0; i < left.size(); ++i) {
      parents_[graph_.rows()[left[i]].node] = found[i];
      if (found[i] == no_parent) still.push_back(left[i]);
    }
    if (still.size() == left.size()) return;  // the validation reports it
    left = std::move(still);
  }
}

}  // namespace emgraph::graph::graph500
