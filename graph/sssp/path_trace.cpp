// SPDX-License-Identifier: MIT
// Walks back along tight arcs; where these add nothing, by breadth-first search.
#include "graph/sssp/path_trace.hpp"

#include <algorithm>

#include "graph/sssp/in_memory.hpp"

namespace emgraph::graph::sssp {

NodesBehind::NodesBehind(core::MemoryBudget& memory, std::uint64_t nodes)
    : found_(memory, nodes, "nodes at the same distance"),
      by_node_(memory, nodes, "nodes at the same distance, in order"),
      seen_(memory, nodes, "a bit per node") {}

bool NodesBehind::add(std::uint64_t node, std::uint64_t steps) {
  if (seen_.test(node)) return false;
  found_.reach(size_ + 1);
  found_[size_++] = {node, steps, false};
  seen_.set(node);
  return true;
}

void NodesBehind::sort_by_node() {
  by_node_.reach(size_);
  for (std::uint64_t i = 0; i < size_; ++i) by_node_[i] = i;
  std::sort(by_node_.data(), by_node_.data() + size_,
            [&](std::uint64_t a, std::uint64_t b) { return found_[a].node < found_[b].node; });
}

NodesBehind::Found* NodesBehind::find(std::uint64_t node) const {
  if (!seen_.test(node)) return nullptr;
  const std::uint64_t* const place =
      std::lower_bound(by_node_.data(), by_node_.data() + size_, node,
                       [&](std::uint64_t i, std::uint64_t wanted) { return found_[i].node < wanted; });
  return &found_[*place];
}

void NodesBehind::clear() {
  if (size_ * 64 > seen_.size()) {
    seen_.clear();
  } else {
    for (std::uint64_t i = 0; i < size_; ++i) seen_.reset(found_[i].node);
  }
  size_ = 0;
}

template <class Distances, class RowsType>
PathTrace<Distances, RowsType>::PathTrace(core::MemoryBudget& memory, const RowsType& back, const Id* names,
                                          const std::uint64_t* distances)
    : memory_(memory),
      back_(back),
      names_(names),
      distance_(distances),
      path_(memory, back.nodes(), "the nodes of a path") {}

template <class Distances, class RowsType>
void PathTrace<Distances, RowsType>::add_to(QueryPaths& paths, std::size_t number, const Query& query) {
  length_ = 0;
  append(query.target);
  while (last() != query.source) {
    const std::uint64_t nearer = nearer_parent(last());
    nearer != back_.nodes() ? append(nearer) : follow_equal(query.source);
  }
  if (names_ != nullptr) {
    for (std::uint64_t i = 0; i < length_; ++i) path_[i] = names_[path_[i]];
  }
  paths.add(number, [&](QueryPaths::Writer& writer) {
    writer.append({path_.data(), static_cast<std::size_t>(length_)});
  });
}

template <class Distances, class RowsType>
void PathTrace<Distances, RowsType>::append(std::uint64_t row) {
  path_.reach(length_ + 1);
  path_[length_++] = row;
}

/// The one of two rows whose node is smaller; back_.nodes() is none.
template <class Distances, class RowsType>
std::uint64_t PathTrace<Distances, RowsType>::smaller(std::uint64_t a, std::uint64_t b) const {
  if (names_ == nullptr || a == back_.nodes() || b == back_.nodes()) return std::min(a, b);
  return names_[a] < names_[b] ? a : b;
}

/// The smallest tight in-neighbour that is nearer; back_.nodes() if there is none.
template <class Distances, class RowsType>
std::uint64_t PathTrace<Distances, RowsType>::nearer_parent(std::uint64_t node) const {
  std::uint64_t smallest = back_.nodes();
  for (const auto arc : back_.arcs(node)) {
    const std::uint64_t other = arc.target;
    if (distance_[other] >= distance_[node] ||
        Distances::add(distance_[other], arc.length) != distance_[node])
      continue;
    smallest = smaller(smallest, other);
  }
  return smallest;
}

/// Appends the parents of the last node up to the first one that has a nearer parent or is the root.
/// Requires: the last node has no nearer parent, so only arcs that add nothing are tight.
template <class Distances, class RowsType>
void PathTrace<Distances, RowsType>::follow_equal(std::uint64_t root) {
  if (!behind_) behind_.emplace(memory_, back_.nodes());
  NodesBehind& behind = *behind_;
  const std::uint64_t all = find_behind(root);
  behind.sort_by_node();
  // On a shortest way a node has as many steps left as it needs.
  for (std::uint64_t i = behind.size(); i-- > 0;) {
    NodesBehind::Found& found = behind[i];
    if (found.steps < all) next_on_way(found, [&](std::uint64_t) { found.on_way = true; });
  }
  for (std::uint64_t steps = 0; steps < all; ++steps) {
    std::uint64_t smallest = back_.nodes();
    next_on_way(*behind.find(last()), [&](std::uint64_t other) { smallest = smaller(smallest, other); });
    append(smallest);
  }
  behind.clear();
}

/// Breadth-first search behind the last node, along arcs that add nothing, up to the first level with a node
/// that has a nearer parent, or with the root. Marks these. Returns their steps.
template <class Distances, class RowsType>
std::uint64_t PathTrace<Distances, RowsType>::find_behind(std::uint64_t root) {
  NodesBehind& behind = *behind_;
  std::uint64_t all = ~std::uint64_t{0};
  behind.add(last(), 0);
  for (std::uint64_t i = 0; i < behind.size() && behind[i].steps < all; ++i) {
    const std::uint64_t node = behind[i].node;
    const std::uint64_t steps = behind[i].steps + 1;
    for (const auto arc : back_.arcs(node)) {
      const std::uint64_t other = arc.target;
      if (!adds_nothing(other, arc.length, node) || !behind.add(other, steps)) continue;
      if (other != root && nearer_parent(other) == back_.nodes()) continue;
      all = steps;
      behind[behind.size() - 1].on_way = true;
    }
  }
  return all;
}

/// Calls `take` for the nodes on the way that are a step behind a node.
template <class Distances, class RowsType>
template <class Take>
void PathTrace<Distances, RowsType>::next_on_way(const NodesBehind::Found& from, Take&& take) const {
  for (const auto arc : back_.arcs(from.node)) {
    const NodesBehind::Found* const other = behind_->find(arc.target);
    if (other == nullptr || other->steps != from.steps + 1 || !other->on_way) continue;
    if (adds_nothing(arc.target, arc.length, from.node)) take(arc.target);
  }
}

template <class Distances, class RowsType>
bool PathTrace<Distances, RowsType>::adds_nothing(std::uint64_t from, std::uint64_t length,
                                                  std::uint64_t to) const {
  return distance_[from] == distance_[to] && Distances::add(distance_[from], length) == distance_[to];
}

template class PathTrace<IntegerDistances, AnyRows<std::uint32_t>::Short>;
template class PathTrace<IntegerDistances, AnyRows<std::uint32_t>::Long>;
template class PathTrace<IntegerDistances, AnyRows<std::uint32_t>::Wide>;
template class PathTrace<FloatDistances, AnyRows<std::uint32_t>::Wide>;
template class PathTrace<IntegerDistances, AnyRows<std::uint64_t>::Wide>;
template class PathTrace<FloatDistances, AnyRows<std::uint64_t>::Wide>;

}  // namespace emgraph::graph::sssp
