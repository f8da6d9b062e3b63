// SPDX-License-Identifier: MIT
// Orders of the nodes in memory, so that neighbours are near each other.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "core/base/integers.hpp"
#include "core/base/parallel.hpp"
#include "core/base/vector_sort.hpp"
#include "core/memory/buffer.hpp"
#include "graph/sssp/rows.hpp"
#include "graph/sssp/sssp.hpp"

namespace emgraph::graph::sssp {

/// The place of each node in an order, and the node at each place.
template <class Id>
struct NodeOrder {
  NodeOrder(core::MemoryBudget& budget, std::uint64_t nodes)
      : place(budget, static_cast<std::size_t>(nodes), "the place of each node"),
        node(budget, static_cast<std::size_t>(nodes), "the node at each place") {}
  core::Array<Id> place;
  core::Array<Id> node;

  /// From `node`.
  void set_places() const {
    for (std::size_t i = 0; i < node.size(); ++i)
      place[static_cast<std::size_t>(node[i])] = static_cast<Id>(i);
  }
};

/// Index of a point on Hilbert's curve through a square of 2^32 by 2^32 points.
/// Source: Hilbert 1891, doi 10.1007/BF01199431.
inline std::uint64_t hilbert_index(std::uint32_t x, std::uint32_t y) {
  std::uint64_t index = 0;
  for (std::uint32_t bit = std::uint32_t{1} << 31; bit > 0; bit >>= 1) {
    const bool right = (x & bit) != 0;
    const bool upper = (y & bit) != 0;
    index = index << 2 | (right ? (upper ? 2U : 3U) : (upper ? 1U : 0U));
    if (upper) continue;
    if (right) {
      x = ~x;
      y = ~y;
    }
    std::swap(x, y);
  }
  return index;
}

/// Breadth-first, from node 0, then from the smallest node that is left. Time O(n + m).
template <class RowsType>
void order_by_search(const RowsType& rows, NodeOrder<typename RowsType::Id>& order) {
  using Id = typename RowsType::Id;
  constexpr Id none = static_cast<Id>(~Id{0});
  std::fill(order.place.span().begin(), order.place.span().end(), none);
  std::size_t found = 0;
  const auto find = [&](Id node) {
    if (order.place[static_cast<std::size_t>(node)] != none) return;
    order.place[static_cast<std::size_t>(node)] = static_cast<Id>(found);
    order.node[found++] = node;
  };
  std::size_t done = 0;
  for (std::uint64_t start = 0; start < rows.nodes(); ++start) {
    find(static_cast<Id>(start));
    for (; done < found; ++done) {
      for (const auto arc : rows.arcs(order.node[done])) find(arc.target);
    }
  }
}

/// By degree, the largest first; ties by id. Time O(n + largest degree).
template <class RowsType>
void order_by_degree(core::MemoryBudget& budget, const RowsType& rows,
                     NodeOrder<typename RowsType::Id>& order) {
  using Id = typename RowsType::Id;
  std::uint64_t largest = 0;
  for (std::uint64_t v = 0; v < rows.nodes(); ++v)
    largest = std::max<std::uint64_t>(largest, rows.arcs(v).size());
  core::Array<std::uint64_t> next(budget, static_cast<std::size_t>(largest) + 2, "nodes by degree");
  for (std::uint64_t v = 0; v < rows.nodes(); ++v)
    ++next[static_cast<std::size_t>(largest - rows.arcs(v).size()) + 1];
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  for (std::uint64_t v = 0; v < rows.nodes(); ++v) {
    order.node[static_cast<std::size_t>(next[static_cast<std::size_t>(largest - rows.arcs(v).size())]++)] =
        static_cast<Id>(v);
  }
  order.set_places();
}

/// Along Hilbert's curve; nodes without coordinates come first. Time O(n log n).
template <class Id>
void order_by_coordinates(core::MemoryBudget& budget, const CoordinateReader& read, NodeOrder<Id>& order) {
  const std::size_t nodes = order.node.size();
  core::Array<core::uint128> keys(budget, nodes, "coordinates");
  for (std::size_t v = 0; v < nodes; ++v) keys[v] = v;
  read([&](std::uint64_t node, std::int64_t x, std::int64_t y) {
    if (node >= nodes) return;
    const auto shifted = [](std::int64_t value) {
      constexpr std::int64_t half = std::int64_t{1} << 31;
      return static_cast<std::uint32_t>(std::clamp(value, -half, half - 1) + half);
    };
    keys[static_cast<std::size_t>(node)] = core::uint128{hilbert_index(shifted(x), shifted(y))} << 64 | node;
  });
  core::vector_sort(keys.span());
  for (std::size_t i = 0; i < nodes; ++i)
    order.node[i] = static_cast<Id>(static_cast<std::uint64_t>(keys[i]));
  order.set_places();
}

/// The rows in another order, their targets as places. Threads: `threads`.
template <class RowsType>
std::unique_ptr<RowsType> reordered(core::MemoryBudget& budget, const RowsType& rows,
                                    const NodeOrder<typename RowsType::Id>& order, unsigned threads) {
  using Offset = typename RowsType::Offset;
  auto to = std::make_unique<RowsType>(budget, rows.nodes(), rows.entries());
  const std::span<Offset> offsets = to->offsets();
  for (std::size_t i = 0; i < rows.nodes(); ++i) {
    offsets[i + 1] = static_cast<Offset>(offsets[i] + rows.arcs(order.node[i]).size());
  }
  constexpr std::uint64_t piece = 4096;
  std::atomic<std::uint64_t> cursor{0};
  core::run_on_threads(threads, [&](unsigned) {
    for (std::uint64_t first; (first = cursor.fetch_add(piece)) < rows.nodes();) {
      for (std::uint64_t i = first; i < std::min(rows.nodes(), first + piece); ++i) {
        auto at = static_cast<std::size_t>(offsets[static_cast<std::size_t>(i)]);
        for (const auto arc : rows.arcs(order.node[static_cast<std::size_t>(i)])) {
          to->all_arcs()[at++] = {order.place[static_cast<std::size_t>(arc.target)], arc.length};
        }
      }
    }
  });
  return to;
}

/// The rows in the requested order. `order` becomes that order.
template <class RowsType>
std::unique_ptr<RowsType> reordered(core::Environment& environment, const RowsType& rows,
                                    const Options& options, NodeOrder<typename RowsType::Id>& order) {
  const core::Phase phase(environment.progress, "order nodes", rows.nodes(), "nodes");
  switch (options.order) {
    case OrderRule::given:
      break;
    case OrderRule::bfs:
      order_by_search(rows, order);
      break;
    case OrderRule::degree:
      order_by_degree(environment.memory, rows, order);
      break;
    case OrderRule::hilbert:
      order_by_coordinates(environment.memory, options.coordinates, order);
      break;
  }
  return reordered(environment.memory, rows, order, environment.threads);
}

}  // namespace emgraph::graph::sssp
