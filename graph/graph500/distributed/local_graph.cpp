// SPDX-License-Identifier: MIT
// Kernel 1: edges to the owners of both ends, rows sorted by neighbour and by weight.
#include "graph/graph500/distributed/local_graph.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/stopwatch.hpp"
#include "core/base/vector_sort.hpp"

namespace emgraph::graph::graph500::distributed {

namespace {

/// Edges that a rank generates between two exchanges.
constexpr std::uint64_t chunk_edges = std::uint64_t{1} << 18;
/// Nodes that a thread takes at a time.
constexpr std::uint64_t chunk_nodes = 1024;

/// Calls work(first, end) for ranges of 0 … nodes - 1, on all threads of the team.
template <class Work>
void by_node_ranges(core::ThreadTeam& team, std::uint64_t nodes, Work&& work) {
  std::atomic<std::uint64_t> next{0};
  team.all([&](unsigned) {
    for (;;) {
      const std::uint64_t first = next.fetch_add(chunk_nodes);
      if (first >= nodes) return;
      work(first, std::min(first + chunk_nodes, nodes));
    }
  });
}

}  // namespace

std::uint64_t RowStarts::sum_up() {
  std::uint64_t sum = 0;
  const std::span<std::uint32_t> within = within_.span();
  for (std::size_t node = 0; node < within.size(); ++node) {
    if (node % 64 == 0) block_[node / 64] = sum;
    const std::uint64_t place = sum - block_[node / 64];
    if (place > 0xffff'ffff) throw core::EnvironmentError("64 nodes have more than 2^32 arcs");
    const std::uint32_t degree = within[node];
    within[node] = static_cast<std::uint32_t>(place);
    sum += degree;
  }
  return sum;
}

template <class Id>
LocalGraph<Id>::LocalGraph(Room& room, const EdgeList& list, bool weighted)
    : partition_(list.nodes, room.communicator.rank(), room.communicator.ranks()),
      tuples_(room.memory, list.edges, "edges") {
  distribute(room, list);
  room.communicator.barrier();
  const core::Stopwatch constructing;
  make_rows(room, weighted);
  room.communicator.barrier();
  construction_seconds_ += constructing.seconds();
}

/// Each rank generates an equal range of the edges and sends each edge to the owner of its source.
template <class Id>
void LocalGraph<Id>::distribute(Room& room, const EdgeList& list) {
  mpi::Communicator& communicator = room.communicator;
  const unsigned rank = communicator.rank();
  const unsigned ranks = communicator.ranks();
  const auto share = [&](std::uint64_t r) {
    return static_cast<std::uint64_t>(core::uint128{list.edges} * r / ranks);
  };
  const std::uint64_t first = share(rank);
  const std::uint64_t end = share(rank + 1);
  const std::uint64_t chunks = (list.edges / ranks + chunk_edges) / chunk_edges;  // of the longest range
  const std::size_t most = static_cast<std::size_t>(std::min(chunk_edges, end - first));
  core::Array<Edge<std::uint64_t>> edges(room.memory, most, "a chunk of edges");
  core::Array<float> weights(room.memory, most, "a chunk of weights");
  MessagePool<Half> pool(communicator, room.pools);
  const auto append = [&](const Half& half) { tuples_[count_++] = half; };

  for (std::uint64_t chunk = 0; chunk < chunks; ++chunk) {
    const std::uint64_t begin = std::min(end, first + chunk * chunk_edges);
    const auto size = static_cast<std::size_t>(std::min(end - begin, chunk_edges));
    const core::Stopwatch generating;
    list.fill(begin, edges.span().first(size), weights.span().first(size));
    communicator.barrier();
    generation_seconds_ += generating.seconds();
    const core::Stopwatch constructing;
    std::size_t at = 0;
    pool.rounds(
        MessagePool<Half>::Until::all_sent,
        [&] {
          tuples_.reach(count_ + (size - at));
          for (; at < size; ++at) {
            const Edge<std::uint64_t> edge = edges[at];
            const unsigned to = partition_.owner(edge.source);
            const Half half{partition_.local(edge.source, to), static_cast<Id>(edge.target), weights[at]};
            if (to == rank) {
              append(half);
            } else if (pool.full(to)) {
              return true;
            } else {
              pool.push(to, half);
            }
          }
          return false;
        },
        [&](std::span<const Half> received) {
          tuples_.reach(count_ + received.size());
          std::for_each(received.begin(), received.end(), append);
        });
    construction_seconds_ += constructing.seconds();
  }
}

/// Sends each edge but loops to the owner of its target; returns how many this rank has got.
template <class Id>
std::uint64_t LocalGraph<Id>::receive_reversed(Room& room, core::GrowingArray<Half>& reversed) {
  MessagePool<Half> pool(room.communicator, room.pools);
  const unsigned rank = partition_.rank();
  const std::uint64_t own_first = partition_.own_first();
  std::uint64_t received_count = 0;
  std::uint64_t at = 0;
  pool.rounds(
      MessagePool<Half>::Until::all_sent,
      [&] {
        for (; at < count_; ++at) {
          const Half half = tuples_[at];
          const unsigned to = partition_.owner(half.other);
          if (to == rank) continue;  // both ends are here: make_rows reads it from the tuples
          if (pool.full(to)) return true;
          pool.push(to,
                    {partition_.local(half.other, to), static_cast<Id>(own_first + half.local), half.weight});
        }
        return false;
      },
      [&](std::span<const Half> received) {
        reversed.reach(received_count + received.size());
        std::memcpy(static_cast<void*>(reversed.data() + received_count), received.data(),
                    received.size_bytes());
        received_count += received.size();
      });
  return received_count;
}

template <class Id>
void LocalGraph<Id>::make_rows(Room& room, bool weighted) {
  const std::uint64_t nodes = partition_.own_nodes();
  const std::uint64_t own_first = partition_.own_first();
  // At most all edges of the graph: their number is not known here, nor is it needed for address space.
  std::optional<core::GrowingArray<Half>> reversed(std::in_place, room.memory,
                                                   ~std::uint64_t{0} / sizeof(Half), "reversed edges");
  const std::uint64_t reversed_count = receive_reversed(room, *reversed);
  // visit(local, other, weight) for all arcs of own nodes
  const auto for_all_arcs = [&](auto&& visit) {
    for (std::uint64_t i = 0; i < count_; ++i) {
      const Half half = tuples_[i];
      if (half.other == own_first + half.local) continue;
      visit(half.local, half.other, half.weight);
      if (partition_.owns(half.other)) {
        visit(static_cast<std::uint32_t>(half.other - own_first), static_cast<Id>(own_first + half.local),
              half.weight);
      }
    }
    for (std::uint64_t i = 0; i < reversed_count; ++i) {
      const Half half = (*reversed)[i];
      visit(half.local, half.other, half.weight);
    }
  };

  RowStarts raw(room.memory, nodes);
  const std::span<std::uint32_t> within = raw.within();
  for_all_arcs([&](std::uint32_t local, Id, float) { ++within[local]; });
  const std::uint64_t raw_arcs = raw.sum_up();
  core::Array<Key> keys(room.memory, static_cast<std::size_t>(raw_arcs), "arcs");
  {
    core::Array<std::uint32_t> filled(room.memory, static_cast<std::size_t>(nodes), "filled row places");
    for_all_arcs([&](std::uint32_t local, Id other, float weight) {
      // -0.0 is 0.0: keys are compared as integers
      const std::uint32_t bits = std::bit_cast<std::uint32_t>(weight) & 0x7fff'ffff;
      keys[static_cast<std::size_t>(raw[local] + filled[local]++)] = Arc<Id>::by_neighbour(other, bits);
    });
  }
  reversed.reset();
  pack_rows(room, raw, keys, weighted);
}

/// Sorts the rows, leaves out parallel edges, and closes the gaps that these leave.
template <class Id>
void LocalGraph<Id>::pack_rows(Room& room, const RowStarts& raw, core::Array<Key>& keys, bool weighted) {
  const std::uint64_t nodes = partition_.own_nodes();
  const auto row_of = [&](std::uint64_t node) {
    return keys.span().subspan(static_cast<std::size_t>(raw[node]),
                               static_cast<std::size_t>(raw[node + 1] - raw[node]));
  };
  starts_ = RowStarts(room.memory, nodes);
  const std::span<std::uint32_t> degrees = starts_.within();
  by_node_ranges(room.team, nodes, [&](std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t node = first; node < end; ++node) {
      const std::span<Key> row = row_of(node);
      core::vector_sort(row);
      const auto last = std::unique(row.begin(), row.end(), [](Key a, Key b) { return a >> 32 == b >> 32; });
      degrees[node] = static_cast<std::uint32_t>(last - row.begin());
    }
  });
  isolated_ = core::Array<std::uint64_t>(room.memory, static_cast<std::size_t>(partition_.own_words()),
                                         "isolated nodes");
  for (std::uint64_t node = 0; node < 64 * partition_.own_words(); ++node) {
    if (node >= nodes || degrees[node] == 0) isolated_[node / 64] |= std::uint64_t{1} << node % 64;
  }
  arc_count_ = starts_.sum_up();
  targets_ = core::Array<Id>(room.memory, static_cast<std::size_t>(arc_count_), "neighbours");
  by_node_ranges(room.team, nodes, [&](std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t node = first; node < end; ++node) {
      const std::span<Key> row = row_of(node).first(static_cast<std::size_t>(degree(node)));
      Id* target = targets_.data() + starts_[node];
      for (Key& key : row) {
        *target++ = static_cast<Id>(key >> 32);
        key = Arc<Id>::by_weight(key);
      }
      if (weighted) core::vector_sort(row);
    }
  });
  if (!weighted) return;
  // Rows move towards the front only.
  for (std::uint64_t node = 0; node < nodes; ++node) {
    const std::span<Key> row = row_of(node).first(static_cast<std::size_t>(degree(node)));
    std::memmove(keys.data() + starts_[node], row.data(), row.size_bytes());
  }
  arcs_ = std::move(keys);
}

template class LocalGraph<std::uint32_t>;
template class LocalGraph<std::uint64_t>;

}  // namespace emgraph::graph::graph500::distributed
