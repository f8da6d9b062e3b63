// SPDX-License-Identifier: MIT
// Connected components if an id per node fits into memory: unites the ends of edges in the order of the
// input.
//
// Problem: find the connected components of an unsorted stream of edges.
// Method: union-find (graph/union_find.hpp) on all threads. One by one, each edge would wait for memory. So
// edges are processed in steps: the parents of both ends are prefetched; edges whose ends have the same
// parent are dropped without a branch (in most graphs soon nearly all edges); only for the other edges the
// grandparents are prefetched and the roots searched. A dropped edge connects nodes of one set, and sets only
// grow, so concurrent changes do not matter. Measured, whole run on one thread, median of 3 CPU s, Kronecker
// scale 22 (67 M edges) and 131 M random edges over 21 M nodes: 0.39 and 2.09; without fetching ahead 0.51
// and 2.93; without dropping 0.40 and 2.24 (2-core AMD EPYC). Of the random edges 85 % of the time goes here:
// the parents do not fit in the cache. Without and with the prefetch of grandparents, 60 M random edges of 30
// M nodes 3.7 and 2.8, kron22 the same (least of 5 to 15, 2-core Intel Xeon, 2.1 GHz).
//
// I/O: none. Memory: sizeof(Id) per node. Threads: all. Throws: nothing.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>

#include "core/base/parallel.hpp"
#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "graph/cc/cc.hpp"
#include "graph/prepare/ingest.hpp"
#include "graph/prepare/spooled_source.hpp"
#include "graph/types.hpp"
#include "graph/union_find.hpp"

namespace emgraph::graph::cc {

template <class Id>
void unite_all(UnionFind<Id>& sets, std::span<const Edge<Id>> edges) {
  constexpr std::size_t step = 1024;
  constexpr std::size_t ahead = 32;        // edges between the prefetch of the parents and their comparison
  constexpr std::size_t ahead_apart = 16;  // edges between the prefetch of the grandparents and the union
  std::array<Edge<Id>, step> apart;
  for (std::size_t done = 0; done < edges.size(); done += step) {
    const std::size_t end = std::min(edges.size(), done + step);
    std::size_t count = 0;
    for (std::size_t i = done; i < end; ++i) {
      const Edge<Id>& later = edges[std::min(i + ahead, edges.size() - 1)];
      sets.prefetch(later.source);
      sets.prefetch(later.target);
      const Edge<Id>& edge = edges[i];
      apart[count] = {edge.source, edge.target};
      count += sets.parent(edge.source) != sets.parent(edge.target) ? 1 : 0;
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (i + ahead_apart < count) {
        sets.prefetch(sets.parent(apart[i + ahead_apart].source));
        sets.prefetch(sets.parent(apart[i + ahead_apart].target));
      }
      sets.unite(apart[i].source, apart[i].target);
    }
  }
}

/// The union of all edges when n is known only after the last of them.
///
/// Method: the sets grow with the largest id seen (core/memory/growing_array.hpp), so one reading suffices.
/// If an id comes that memory has no room for, an input that can be read again is only read on to find n. An
/// input that comes only once has its remaining edges spooled to the temporary disks; at the end the parents
/// of the nodes in memory follow, which stand for all edges that have been united.
///
/// I/O: none; from a pipe whose nodes do not fit, an edge out per edge with a large id and per node in
/// memory. Memory: sizeof(Id) per node, at most for `most` nodes. Threads: `take` from any number at once.
/// Throws: MemoryLimitError, EnvironmentError.
template <class Id>
class GrowingScan {
 public:
  /// `most`: most nodes in memory. `spool`: whether to spool further edges.
  GrowingScan(core::Environment& environment, std::uint64_t most, bool spool)
      : environment_(environment),
        most_(most),
        spool_(spool),
        sets_(environment.memory, 0, most, "an id per node") {}

  void take(std::span<const Edge<Id>> batch) {
    const std::uint64_t largest = prepare::largest_id(batch);
    if (largest < most_) {
      if (outgrown() && !spool_) return;
      sets_.reach(largest + 1);
      unite_all(sets_, batch);
      return;
    }
    outgrown_.store(true, std::memory_order_relaxed);
    if (spool_) spool_large(batch);
  }

  /// The parents, as far as they are needed. Requires: no spool; no thread is in take().
  void save(core::StateWriter& to) const {
    if (!outgrown()) to.array(sets_.steps());
  }
  /// Continues with `nodes` parents. With none if they had outgrown the memory, or do not fit into it now.
  void restore(core::StateReader& from, std::uint64_t nodes, bool outgrown) {
    if (outgrown || nodes > most_) {
      outgrown_.store(true);
      return;
    }
    sets_.reach(nodes);
    from.array(sets_.steps().first(static_cast<std::size_t>(nodes)));
  }

  /// An id has come for which there is no memory.
  bool outgrown() const { return outgrown_.load(std::memory_order_relaxed); }
  UnionFind<Id>& sets() { return sets_; }

  /// Returns edges with the same components as all edges so far. Requires: spool.
  core::Run<Edge<Id>> finish_spool() {
    open_spool();
    for (std::uint64_t v = 0; v < sets_.size(); ++v) {
      const Id node = static_cast<Id>(v);
      if (!sets_.is_root(node)) spooled_->push({node, sets_.parent(node)});
    }
    return spooled_->finish();
  }

 private:
  void open_spool() {
    if (!spooled_) spooled_.emplace(environment_, prepare::spool_block_bytes, 2);
  }
  void spool_large(std::span<const Edge<Id>> batch) {
    const std::lock_guard lock(mutex_);
    open_spool();
    for (const Edge<Id>& edge : batch) {
      const std::uint64_t larger = std::max(edge.source, edge.target);
      if (larger < most_) {
        sets_.reach(larger + 1);
        sets_.unite(edge.source, edge.target);
      } else if (edge.source != edge.target) {
        spooled_->push(edge);
      }
    }
  }

  core::Environment& environment_;
  const std::uint64_t most_;
  const bool spool_;
  UnionFind<Id> sets_;
  std::atomic<bool> outgrown_{false};
  std::mutex mutex_;
  std::optional<core::RunWriter<Edge<Id>>> spooled_;
};

/// Sends the labels of nodes 0 … nodes - 1 and counts the components. Afterwards the sets are invalid.
/// `nodes` may be less than their size.
///
/// Method: after flattening, steps[v] = v - root(v). Nodes are sent in order. A root precedes all other nodes
/// of its set, and its step, 0, is not needed after it was sent. So its word becomes a counter, which each
/// later node of the set increments.
///
/// I/O: none. Memory: a batch of labels; the steps are overwritten. Threads: all flatten, one sends.
template <class Id>
ComponentCount send_labels(core::Environment& environment, UnionFind<Id>& sets, std::uint64_t nodes,
                           NodeSink<Id>* sink) {
  constexpr std::uint64_t batch_nodes = 4096;
  core::Phase phase(environment.progress, "label", nodes, "nodes");
  const auto threads =
      static_cast<unsigned>(std::clamp<std::uint64_t>(nodes / batch_nodes, 1, environment.threads));
  core::run_on_threads(threads, [&](unsigned thread) {
    const std::uint64_t share = nodes / threads + 1;
    sets.flatten(std::min(nodes, thread * share), std::min(nodes, (thread + 1) * share));
  });
  const std::span<Id> steps = sets.steps();
  std::array<Id, batch_nodes> labels;
  ComponentCount count;
  std::uint64_t shared = 0;  // components of at least two nodes
  Id largest = 0;            // nodes of the largest component, without its root
  Id largest_root = 0;
  for (std::uint64_t begin = 0; begin < nodes; begin += batch_nodes) {
    const std::uint64_t end = std::min(nodes, begin + batch_nodes);
    for (std::uint64_t v = begin; v < end; ++v) {
      const Id step = steps[v];
      const Id root = static_cast<Id>(v - step);
      labels[v - begin] = root;
      const Id others = static_cast<Id>(steps[root] + (step != 0 ? 1 : 0));
      steps[root] = others;
      count.components += step == 0 ? 1 : 0;
      shared += (step != 0) & (others == 1) ? 1 : 0;
      const bool larger = others > largest || (others == largest && root < largest_root);
      largest = larger ? others : largest;
      largest_root = larger ? root : largest_root;
    }
    if (sink != nullptr) sink->append({labels.data(), static_cast<std::size_t>(end - begin)});
    phase.advance(end - begin);
  }
  count.isolated_nodes = count.components - shared;
  count.largest_component = nodes == 0 ? 0 : std::uint64_t{largest} + 1;
  count.largest_label = largest_root;
  return count;
}

}  // namespace emgraph::graph::cc
