// SPDX-License-Identifier: MIT
// Stores the lists of near nodes together, for graphs of high diameter with ids in random order.
//
// Problem: with thousands of levels, each of nodes all over the adjacency, every node costs a page read of
// its own, or every level a scan. Method: nodes are gathered into clusters of small diameter, and the lists
// of a cluster lie together. A page that was read for one node stays in the cache while the search passes
// through its cluster. The page cache is the hot pool of Mehlhorn and Meyer 2002
// (doi 10.1007/3-540-45749-6_63); a look-up replaces its merging with the level. Clusters grow as in that
// paper, in parallel from random masters, one in cluster_nodes. A round scans the lists that belong to no
// cluster yet, merged with the sorted messages to their nodes; lists that join a cluster are not read again.
// Nodes are then numbered by (cluster, old id), and the adjacency is sorted anew under these numbers.
// Engineering of the original: Ajwani, Dementiev, Meyer 2006, doi 10.5555/1109557.1109623.
//
// Measured (2 cores, loaded machine): grid of 2048 x 2048 with permuted ids, -M 16M: 11.3 s, both outputs
// written, 1.6 of it in the search that gave up, 5.0 in regrouping, 1.7 in the second search; without
// clusters and without outputs 53 s.
//
// I/O: expected O(cluster_nodes) scans of shrinking lists (grids: about its root), O(sort(m)). Memory: what
// is free, in halves for two sorts; afterwards the index of the new pages. Threads: as the sorts.
// Throws: DataError (damaged page), MemoryLimitError, EnvironmentError.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/random_word.hpp"
#include "core/block/run.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/sort/bucket_sort.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/bfs/external_log.hpp"
#include "graph/prepare/adjacency/build_pages.hpp"

namespace emgraph::graph::bfs {

/// A graph under new numbers; nodes without neighbours get no number.
template <class Id>
struct ClusteredGraph {
  std::unique_ptr<adjacency::PagedAdjacency<Id>> adjacency;
  core::Run<Id> originals;  ///< the old id of each new number
  std::optional<Id> root;   ///< new number of the root; nullopt: it has no neighbours

  ClusteredGraph() = default;
  /// The graph that save() has described.
  ClusteredGraph(core::Environment& environment, core::StateReader& state)
      : adjacency(adjacency::PagedAdjacency<Id>::restored(environment, state)),
        originals(core::Run<Id>::restored(environment, state)),
        root(state.value<Id>()) {}
  /// Requires: the root has a number.
  void save(core::StateWriter& state) const {
    adjacency->save(state);
    originals.save(state);
    state.value(*root);
  }
};

template <class Id, core::IntegerKey Key>
class Clustering {
 public:
  using Adjacency = adjacency::PagedAdjacency<Id>;

  /// Expected nodes of a cluster, which has a master and the nodes nearest to it. Larger clusters fill pages
  /// better and take more rounds.
  static constexpr std::uint64_t cluster_nodes = 64;

  /// Least memory that must be free.
  static std::size_t least_bytes() {
    core::SortDemand demand;
    demand.record_bytes = demand.sort_bytes = sizeof(Key);
    demand.sort_fixed_bytes = core::BucketSort<Key>::fixed_bytes(0);
    return 3 * (core::SortPlan::least_bytes(demand) + 64 * core::KiB);
  }

  Clustering(core::Environment& environment, Adjacency& graph, std::size_t block_bytes)
      : environment_(environment), graph_(graph), block_bytes_(block_bytes) {}

  ClusteredGraph<Id> run(Id root) {
    core::Run<Edge<Id>> numbers = number(grow(), root);
    rebuild(std::move(numbers));
    return std::move(result_);
  }

 private:
  using Messages = PairSort<Key>;
  // Of two sorts at a time, beside runs.
  std::size_t sort_bytes() const {
    const std::size_t free = environment_.memory.available();
    return (free - std::min(free, 12 * block_bytes_)) / 2;
  }
  std::uint64_t nodes() const { return graph_.facts().nodes; }

  bool is_master(std::uint64_t node) const {
    const std::uint64_t mixed = core::mix_word(node + environment_.seed * core::golden_increment);
    return mixed % cluster_nodes == 0;
  }

  /// (cluster, node) of every node that has neighbours.
  core::Run<Edge<Id>> grow() {
    core::Phase phase(environment_.progress, "grow clusters", nodes(), "nodes");
    core::RunWriter<Edge<Id>> members(environment_, block_bytes_, 2);
    const std::size_t bytes = sort_bytes();
    auto messages = std::make_unique<Messages>(environment_, nodes(), nodes(),
                                               graph_.facts().entries / cluster_nodes, no_sample, bytes);
    core::Run<Edge<Id>> rest;
    {
      core::RunWriter<Edge<Id>> writer(environment_, block_bytes_, 2);
      for_each_edge([&](Id node, Id neighbour, bool first) {
        if (!is_master(node)) return writer.push({node, neighbour});
        if (first) members.push({node, node});
        messages->push(neighbour, node);
      });
      rest = writer.finish();
    }
    for (bool grown = true; rest.records > 0 && grown;) {
      if (environment_.checkpoint != nullptr) environment_.checkpoint->stop_if_asked();
      const std::uint64_t before = members.records();
      auto replies =
          std::make_unique<Messages>(environment_, nodes(), nodes(), rest.records, no_sample, bytes);
      core::RunWriter<Edge<Id>> writer(environment_, block_bytes_, 2);
      EdgeGroups groups(environment_, std::move(rest));
      messages->drain([&](std::uint64_t node, std::uint64_t cluster) {
        groups.copy_below(static_cast<Id>(node), writer);
        if (!groups.at(static_cast<Id>(node))) return;  // the node has a cluster already
        members.push({static_cast<Id>(cluster), static_cast<Id>(node)});
        groups.take(static_cast<Id>(node), [&](Id neighbour) { replies->push(neighbour, cluster); });
      });
      groups.copy_all(writer);
      rest = writer.finish();
      messages = std::move(replies);
      grown = members.records() > before;
      phase.advance(members.records() - before);
    }
    messages.reset();
    // In components without a master every node is a cluster.
    EdgeGroups groups(environment_, std::move(rest));
    while (!groups.at_end()) {
      const Id node = groups.node();
      members.push({node, node});
      groups.take(node, [](Id) {});
    }
    return members.finish();
  }

  /// Returns (old, new) sorted by old, and stores the old ids sorted by new in the result.
  core::Run<Edge<Id>> number(core::Run<Edge<Id>> members, Id root) {
    core::Phase phase(environment_.progress, "number clusters", members.records, "nodes");
    listed_ = members.records;
    const std::size_t bytes = sort_bytes();
    Messages by_old(environment_, nodes(), std::max<std::uint64_t>(1, listed_), listed_, no_sample, bytes);
    {
      Messages by_cluster(environment_, nodes(), nodes(), listed_, no_sample, bytes);
      core::RunReader<Edge<Id>> reader(environment_, std::move(members));
      for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
        for (const Edge<Id>& member : batch) by_cluster.push(member.source, member.target);
      }
      core::RunWriter<Id> originals(environment_, block_bytes_, 2);
      by_cluster.drain_all([&](std::uint64_t, std::uint64_t node) {
        if (node == root) result_.root = static_cast<Id>(originals.records());
        by_old.push(node, originals.records());
        originals.push(static_cast<Id>(node));
      });
      result_.originals = originals.finish();
    }
    core::RunWriter<Edge<Id>> numbers(environment_, block_bytes_, 2);
    by_old.drain_all([&](std::uint64_t old_id, std::uint64_t new_id) {
      numbers.push({static_cast<Id>(old_id), static_cast<Id>(new_id)});
    });
    return numbers.finish();
  }

  /// Builds the adjacency with the new numbers.
  void rebuild(core::Run<Edge<Id>> numbers) {
    core::Phase phase(environment_.progress, "regroup adjacency", graph_.facts().entries, "edges");
    adjacency::PageAppender<Id> pages(environment_, graph_.context().page_bytes, 0);
    {
      const std::uint64_t entries = graph_.facts().entries;
      const std::size_t free = environment_.memory.available();
      // Beside two runs, chunks of pages, and the new index, which takes twice its size while it grows.
      const std::size_t others = 4 * block_bytes_ + 8 * graph_.store().chunk_bytes() +
                                 static_cast<std::size_t>(graph_.pages()) * 3 * sizeof(Id);
      const std::size_t bytes = (free - std::min(free, others)) / 2;
      Messages by_new(environment_, listed_, listed_, entries, no_sample, bytes);
      {
        Messages by_target(environment_, nodes(), listed_, entries, no_sample, bytes);
        {
          Numbers source_number(environment_, numbers);
          for_each_edge(
              [&](Id node, Id neighbour, bool) { by_target.push(neighbour, source_number.of(node)); });
        }
        Numbers number(environment_, numbers);
        by_target.drain_all([&](std::uint64_t target, std::uint64_t source) {
          by_new.push(number.of(static_cast<Id>(target)), source);
        });
      }
      by_new.drain_all([&](std::uint64_t source, std::uint64_t target) {
        pages.push(static_cast<Id>(source), static_cast<Id>(target));
      });
    }
    result_.adjacency = pages.finish(listed_, false);
  }

  /// Calls take(node, neighbour, first) for all edges in order. `first`: it is the first neighbour of the
  /// node.
  template <class Take>
  void for_each_edge(Take&& take) {
    std::array<Id, adjacency::fragment_neighbours + 3> list;
    bool any = false;
    Id last = 0;
    graph_.scan(1, 0, [&](unsigned, adjacency::PageCursor<Id>& cursor) {
      while (cursor.next()) {
        cursor.decode(list.data());
        for (unsigned i = 0; i < cursor.count(); ++i) {
          take(cursor.node(), list[i], !any || last != cursor.node());
          any = true;
          last = cursor.node();
        }
      }
    });
  }

  /// Reads sorted edges, grouped by source.
  class EdgeGroups {
   public:
    EdgeGroups(core::Environment& environment, core::Run<Edge<Id>>&& edges)
        : reader_(environment, std::move(edges)), batch_(reader_.next()) {}

    bool at_end() const { return batch_.empty(); }
    Id node() const { return batch_.front().source; }
    bool at(Id node) const { return !at_end() && this->node() == node; }
    void copy_below(Id node, core::RunWriter<Edge<Id>>& to) {
      while (!at_end() && this->node() < node) {
        const auto end = std::partition_point(batch_.begin(), batch_.end(),
                                              [&](const Edge<Id>& edge) { return edge.source < node; });
        const auto count = static_cast<std::size_t>(end - batch_.begin());
        to.append(batch_.first(count));
        skip(count);
      }
    }
    void copy_all(core::RunWriter<Edge<Id>>& to) {
      for (; !at_end(); skip(batch_.size())) to.append(batch_);
    }
    template <class Take>
    void take(Id node, Take&& take) {
      for (; at(node); skip(1)) take(batch_.front().target);
    }

   private:
    void skip(std::size_t count) {
      batch_ = batch_.subspan(count);
      if (batch_.empty()) batch_ = reader_.next();
    }
    core::RunReader<Edge<Id>> reader_;
    std::span<const Edge<Id>> batch_;
  };

  /// Looks up new numbers of old ids. Requires: ids come in ascending order.
  class Numbers {
   public:
    Numbers(core::Environment& environment, const core::Run<Edge<Id>>& numbers)
        : reader_(environment, numbers), batch_(reader_.next()) {}
    Id of(Id node) {
      while (batch_.front().source != node) {
        batch_ = batch_.subspan(1);
        if (batch_.empty()) batch_ = reader_.next();
      }
      return batch_.front().target;
    }

   private:
    core::RunReader<Edge<Id>> reader_;
    std::span<const Edge<Id>> batch_;
  };

  static inline const std::vector<Id> no_sample;

  core::Environment& environment_;
  Adjacency& graph_;
  const std::size_t block_bytes_;
  std::uint64_t listed_ = 0;
  ClusteredGraph<Id> result_;
};

}  // namespace emgraph::graph::bfs
