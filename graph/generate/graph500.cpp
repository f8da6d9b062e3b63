// SPDX-License-Identifier: MIT
// Checks the parameters of a Graph500 graph and gives its edges, weights and roots.
#include "graph/generate/graph500.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

namespace emgraph::graph::generate {
namespace {

int checked_graph500_scale(unsigned scale) {
  if (scale < 1 || scale > 62) {
    throw std::invalid_argument("graph500: scale is " + std::to_string(scale) + ", expected 1 to 62");
  }
  return static_cast<int>(scale);
}

}  // namespace

Graph500Edges::Graph500Edges(unsigned scale, std::uint64_t seed_1, std::uint64_t seed_2)
    : plan_(make_graph500_plan(checked_graph500_scale(scale), seed_1, seed_2)) {}

template <class Id>
void Graph500Edges::fill(std::uint64_t first, std::span<Edge<Id>> edges, std::span<float> weights) const {
  require_id_width(nodes(), sizeof(Id));
  if (!weights.empty() && weights.size() != edges.size()) {
    throw std::invalid_argument("graph500: " + std::to_string(weights.size()) + " weights for " +
                                std::to_string(edges.size()) + " edges");
  }
  fill_graph500(plan_, first, EdgeSlots<Id>(edges).ids(), weights.empty() ? nullptr : weights.data(),
                edges.size());
}

template void Graph500Edges::fill<std::uint32_t>(std::uint64_t, std::span<Edge32>, std::span<float>) const;
template void Graph500Edges::fill<std::uint64_t>(std::uint64_t, std::span<Edge64>, std::span<float>) const;

Graph500Roots::Graph500Roots(unsigned scale, std::uint64_t seed_1, std::uint64_t seed_2)
    : nodes_(std::uint64_t{1} << checked_graph500_scale(scale)),
      state_(jumped(make_recurrence_jumps(), seeded_recurrence(seed_1, seed_2), 2, 0, 0)) {}

std::uint64_t Graph500Roots::next() {
  const double first = state_.next_double();
  const double second = state_.next_double();
  return static_cast<std::uint64_t>((first + second) * static_cast<double>(nodes_)) % nodes_;
}

Graph500Model::Graph500Model(unsigned scale, std::uint64_t edge_factor, std::uint64_t seed)
    : list_(scale, seed + 1, seed + 2), edge_factor_(edge_factor), seed_(seed) {
  if (edge_factor > (std::uint64_t{1} << (63 - scale))) {
    throw std::invalid_argument("graph500: edge factor " + std::to_string(edge_factor) + " at scale " +
                                std::to_string(scale) + " makes more than 2^63 edges");
  }
}

template <class Id>
void Graph500Model::fill_slots(std::uint64_t first_edge, EdgeSlots<Id> out) const {
  require_edge_range(first_edge, out.size(), edges());
  require_id_width(nodes(), sizeof(Id));
  fill_by_batches<Id>(first_edge, out, [&](std::uint64_t first, Id* ids, std::size_t count) {
    fill_graph500(list_.plan(), first, ids, nullptr, count);
  });
}

template <class Id>
void Graph500Model::fill_weighted_slots(std::uint64_t first_edge, EdgeSlots<Id> out) const {
  require_edge_range(first_edge, out.size(), edges());
  require_id_width(nodes(), sizeof(Id));
  constexpr std::size_t batch_edges = 1024;
  Id ids[2 * batch_edges];
  float weights[batch_edges];
  for (std::size_t done = 0; done < out.size();) {
    const std::size_t count = std::min(out.size() - done, batch_edges);
    fill_graph500(list_.plan(), first_edge + done, ids, weights, count);
    for (std::size_t i = 0; i < count; ++i) {
      out.put(done + i, ids[2 * i], ids[2 * i + 1]);
      std::memcpy(out.slot(done + i) + EdgeSlots<Id>::edge_bytes, &weights[i], sizeof(float));
    }
    done += count;
  }
}

template void Graph500Model::fill_slots(std::uint64_t, EdgeSlots<std::uint32_t>) const;
template void Graph500Model::fill_slots(std::uint64_t, EdgeSlots<std::uint64_t>) const;
template void Graph500Model::fill_weighted_slots(std::uint64_t, EdgeSlots<std::uint32_t>) const;
template void Graph500Model::fill_weighted_slots(std::uint64_t, EdgeSlots<std::uint64_t>) const;

}  // namespace emgraph::graph::generate
