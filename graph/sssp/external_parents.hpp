// SPDX-License-Identifier: MIT
// Parents where neither distances nor parents fit in memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/forecast.hpp"
#include "graph/node_values.hpp"
#include "graph/prepare/sorted_edges.hpp"
#include "graph/sssp/distance_tags.hpp"
#include "graph/sssp/distances.hpp"
#include "graph/sssp/external_shares.hpp"
#include "graph/sssp/level_parents.hpp"
#include "graph/visited_pages.hpp"

namespace emgraph::graph::sssp {

/// Problem: as find_parents (parents.hpp), with distances in runs on disk.
///
/// Method: a scan of the pages, merged with the distances by source, gives each arc the distance of its way.
/// Bits of the distance of its target tell that most arcs are not tight; the others, sorted by target and
/// source, are merged with the distances by target. The first arc from a nearer node
/// whose way is as long as the distance gives the parent. A node without such an arc is stored with its tight
/// arcs from nodes at the same distance. A round gives a parent to each stored node with an arc from a node
/// that has one, the smallest such. Rounds end when no node is left. As soon as the arcs that wait fit in
/// the memory of the sort, all further rounds are levels of a search there. I/O: O(sort(m)), and the waiting
/// arcs per round. Memory: all free memory, at least about 2 MiB. Threads: one; those of the sort. Throws:
/// MemoryLimitError, DataError (damaged page), EnvironmentError, exceptions of the sink.
template <class Id>
class ExternalParents {
 public:
  using Pages = adjacency::PagedAdjacency<Id>;

  ExternalParents(core::Environment& environment, Pages& graph, Id root)
      : environment_(environment), graph_(graph), root_(root) {}

  /// `by_source`, `by_target`: the distances in node order. `tags`: of the same distances.
  void run(core::Run<std::uint64_t> by_source, core::Run<std::uint64_t> by_target, const DistanceTags& tags,
           NodeSink<Id>& sink) {
    const std::size_t free = environment_.memory.available();
    const std::uint64_t nodes = graph_.facts().nodes;
    Values parents(environment_, nodes, 1, false, values_bytes<Id>(free), "a parent per node");
    {
      VisitedPages known(environment_, nodes, known_bytes(free));
      const Found found{parents, known};
      prepare::with_edge_keys<Id>(std::optional(nodes),
                                  [&]<core::IntegerKey Key>(const prepare::EdgeKeys<Key>& keys) {
                                    find(keys, std::move(by_source), std::move(by_target), tags, found);
                                  });
    }
    const core::Phase phase(environment_.progress, "write parents", nodes, "nodes");
    parents.finish(sink);
  }

  /// For a forecast: reserves the memory that run() takes, apart from the buffers of a scan of the pages.
  /// Returns the space of the sorts.
  static core::SpillForecast rehearse(core::Environment& environment, std::uint64_t nodes,
                                      std::uint64_t entries, unsigned tag_bits, bool few_weights) {
    const std::size_t free = environment.memory.available();
    Values parents(environment, nodes, 1, false, values_bytes<Id>(free), "a parent per node");
    core::SpillForecast space;
    {
      const core::Reservation known =
          environment.memory.reserve(VisitedPages::bytes_for(nodes, known_bytes(free)), "pages of bits");
      prepare::with_edge_keys<Id>(std::optional(nodes), [&]<core::IntegerKey Key>(
                                                            const prepare::EdgeKeys<Key>& keys) {
        core::DistributionSorter<Key> ways(environment,
                                           way_options(environment, keys, nodes, entries, tag_bits));
        const core::SpillForecast sorted =
            ways.rehearse_distribution(few_weights ? entries : most_ways(nodes, entries, tag_bits));
        space.cover(sorted.most_bytes, sorted.expected_bytes);
        const core::Reservation blocks = environment.memory.reserve_up_to(8 * block_bytes);
        // While the sort of the parents has a sample only, and later.
        ways.rehearse_sorting(entries);
        const core::SpillForecast found = parents.rehearse_puts(nodes);
        space.cover(peak_while_sort_is_read(sorted.most_bytes, sorted.whole_bytes, found.most_bytes),
                    peak_while_sort_is_read(sorted.expected_bytes, sorted.whole_bytes, found.expected_bytes));
        ways.rehearse_sorting(entries);
      });
    }
    parents.rehearse_finish();
    return space;
  }

 private:
  using Values = NodeValues<Id>;
  /// Arcs whose targets have no parent yet.
  using Waiting = core::Run<LevelArc<Id>>;
  /// The parents, and the nodes that have one.
  struct Found {
    Values& parents;
    VisitedPages& known;

    void put(Id node, Id parent) const {
      parents.put(0, node, parent);
      known.visit(node);
    }
  };
  /// The distance of the way over an arc; whether its source is nearer.
  struct __attribute__((packed)) Way {
    std::uint64_t distance;
    std::uint8_t nearer;
  };
  static constexpr std::size_t block_bytes = 64 * core::KiB;

  /// An arc for each node, arcs whose bits are right by chance, and some that are as short as others.
  static std::uint64_t most_ways(std::uint64_t nodes, std::uint64_t entries, unsigned tag_bits) {
    const std::uint64_t ways = core::size_sum(nodes, entries >> tag_bits);
    return std::min(entries, core::size_sum(ways, ways / 8, 16 * 1024));
  }
  static std::size_t sorting_bytes(const core::Environment& environment) {
    return environment.memory.available() / 3 * 2;
  }
  static std::size_t known_bytes(std::size_t free) {
    return std::max<std::size_t>(core::page_bytes, free / 8);
  }
  /// Of the sort of the ways over arcs.
  template <core::IntegerKey Key>
  static typename core::DistributionSorter<Key>::Options way_options(const core::Environment& environment,
                                                                     const prepare::EdgeKeys<Key>& keys,
                                                                     std::uint64_t nodes,
                                                                     std::uint64_t entries,
                                                                     unsigned tag_bits) {
    typename core::DistributionSorter<Key>::Options options;
    options.range = keys.range(nodes - 1);
    options.records = nodes + (entries >> tag_bits);  // more if many ways are as short
    options.memory_bytes = sorting_bytes(environment);
    options.threads = 1;
    options.attachment_bytes = sizeof(Way);
    return options;
  }

  /// Reads a run of values one at a time.
  class Stream {
   public:
    Stream(core::Environment& environment, core::Run<std::uint64_t> run)
        : reader_(environment, std::move(run)) {}
    /// The value of a node. Requires: nodes ascend.
    std::uint64_t of(std::uint64_t node) {
      while (node >= first_ + batch_.size()) {
        first_ += batch_.size();
        batch_ = reader_.next();
      }
      return batch_[static_cast<std::size_t>(node - first_)];
    }

   private:
    core::RunReader<std::uint64_t> reader_;
    std::span<const std::uint64_t> batch_;
    std::uint64_t first_ = 0;
  };

  /// Takes the ways to a node, in the order of their sources, and then those to the next one. The first from
  /// a nearer source gives the parent; of a node without such a way the tight arcs wait.
  class WaysByTarget {
   public:
    WaysByTarget(core::Environment& environment, core::Run<std::uint64_t> distances, Id root,
                 const Found& found)
        : distances_(environment, std::move(distances)),
          waiting_(environment, block_bytes, 2),
          root_(root),
          found_(found) {
      found_.put(root_, root_);
    }

    void take(Id target, Id source, const Way& way) {
      if (node_ != target) begin_node(target);
      if (has_parent_ || way.distance != distance_) return;
      if (way.nearer != 0) {
        has_parent_ = true;
        found_.put(target, source);
        return;
      }
      // Too many to wait for a nearer source: they are passed over later if it comes.
      if (level_arcs_.size() == most_arcs_in_memory) store_level_arcs();
      level_arcs_.push_back({target, source});
    }
    Waiting finish() {
      end_node();
      return waiting_.finish();
    }

   private:
    void begin_node(Id node) {
      end_node();
      node_ = node;
      has_parent_ = node == root_;
      distance_ = distances_.of(node);
    }
    void end_node() {
      if (!has_parent_) return store_level_arcs();
      level_arcs_.clear();
    }
    void store_level_arcs() {
      waiting_.append(level_arcs_);
      level_arcs_.clear();
    }

    Stream distances_;
    core::RunWriter<LevelArc<Id>> waiting_;
    const Id root_;
    const Found found_;
    std::optional<Id> node_;
    std::uint64_t distance_ = 0;
    bool has_parent_ = false;
    std::vector<LevelArc<Id>> level_arcs_;  ///< the tight arcs to the node from its distance
  };

  template <core::IntegerKey Key>
  void find(const prepare::EdgeKeys<Key>& keys, core::Run<std::uint64_t> by_source,
            core::Run<std::uint64_t> by_target, const DistanceTags& tags, const Found& found) {
    std::optional<core::DistributionSorter<Key>> ways;
    ways.emplace(environment_,
                 way_options(environment_, keys, graph_.facts().nodes, graph_.facts().entries, tags.bits()));
    push_ways(keys, std::move(by_source), tags, *ways);
    core::Phase phase(environment_.progress, "parents", graph_.facts().nodes, "nodes");
    Waiting waiting = by_nearer_sources(keys, *ways, std::move(by_target), found, phase);
    ways.reset();
    while (waiting.records > 0) {
      if (core::size_product(waiting.records, level_arc_bytes<Id>) <= sorting_bytes(environment_)) {
        return find_level_parents<Id>(environment_, std::move(waiting), found.parents, found.known);
      }
      const std::uint64_t before = waiting.records;
      waiting = settle_round(std::move(waiting), found);
      if (waiting.records == before) return;  // not reached: every reached node has a way to the root
    }
  }

  /// Gives parents to the nodes that have a tight arc from a nearer source. Returns the tight arcs to the
  /// others.
  template <core::IntegerKey Key>
  Waiting by_nearer_sources(const prepare::EdgeKeys<Key>& keys, core::DistributionSorter<Key>& ways,
                            core::Run<std::uint64_t> by_target, const Found& found, core::Phase& phase) {
    WaysByTarget by_node(environment_, std::move(by_target), root_, found);
    for (auto batch = ways.next(); !batch.empty(); batch = ways.next()) {
      const std::byte* attachment = ways.attachments();
      for (const Key key : batch) {
        Way way;
        std::memcpy(&way, attachment, sizeof way);
        attachment += sizeof way;
        by_node.take(static_cast<Id>(keys.first(key)), static_cast<Id>(keys.second(key)), way);
      }
      phase.advance(0);
    }
    return by_node.finish();
  }

  /// Sorts the ways over the arcs that may be tight.
  template <core::IntegerKey Key>
  void push_ways(const prepare::EdgeKeys<Key>& keys, core::Run<std::uint64_t> by_source,
                 const DistanceTags& tags, core::DistributionSorter<Key>& ways) {
    core::Phase phase(environment_.progress, "ways over arcs", graph_.facts().entries, "arcs");
    const WeightType type = graph_.facts().weight;
    const std::uint64_t unreached = unreached_word(type);
    Stream distances(environment_, std::move(by_source));
    graph_.scan(1, 0, [&](unsigned, adjacency::PageCursor<Id>& cursor) {
      std::array<Id, adjacency::fragment_neighbours + 3> list;
      std::array<std::uint64_t, adjacency::fragment_neighbours> weights;
      while (cursor.next()) {
        const Id source = cursor.node();
        const std::uint64_t distance = distances.of(source);
        if (distance == unreached) continue;
        cursor.decode(list.data());
        cursor.decode_weights(weights.data());
        for (unsigned i = 0; i < cursor.count(); ++i) {
          if (list[i] == source) continue;
          const std::uint64_t sum = distance_after(type, distance, length_of(type, weights[i]));
          if (sum == unreached || !tags.may_be_at(list[i], sum)) continue;
          ways.lane(0).push_with(keys.make(list[i], source),
                                 Way{sum, static_cast<std::uint8_t>(distance < sum)});
        }
        phase.advance(cursor.count());
      }
    });
    ways.lane(0).finish();
    ways.finish();
  }

  /// Gives parents to the waiting nodes that have an arc from a node with one.
  Waiting settle_round(Waiting arcs, const Found& found) {
    core::RunReader<LevelArc<Id>> reader(environment_, std::move(arcs));
    core::RunWriter<LevelArc<Id>> later(environment_, block_bytes, 2);
    core::RunWriter<Id> with_parent(environment_, block_bytes, 2);
    std::optional<Id> node;
    bool done = false;
    for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
      for (const LevelArc<Id>& arc : batch) {
        if (node != arc.target) {
          node = arc.target;
          done = found.known.test(arc.target);
        }
        if (done) continue;
        if (found.known.test(arc.source)) {
          found.parents.put(0, arc.target, arc.source);
          with_parent.push(arc.target);
          done = true;
        } else {
          later.push(arc);
        }
      }
    }
    auto new_nodes = with_parent.finish();
    core::RunReader<Id> nodes(environment_, std::move(new_nodes));
    for (auto batch = nodes.next(); !batch.empty(); batch = nodes.next()) {
      for (const Id each : batch) found.known.visit(each);
    }
    return later.finish();
  }

  static constexpr std::size_t most_arcs_in_memory = 4096;

  core::Environment& environment_;
  Pages& graph_;
  const Id root_;
};

}  // namespace emgraph::graph::sssp
