// SPDX-License-Identifier: MIT
// The union of all edges when n is known only after the last of them.
//
// Method: the sets grow with the largest id seen (core/memory/growing_array.hpp), so that one reading does.
// If ids appear for which memory does not suffice, an input that can be read again is only read on to know n.
// From a pipe the edges that can no longer be united are spooled to the temporary disks, at the end together
// with the parents of the nodes in memory, which stand for all edges that have been united.
//
// I/O: none; from a pipe whose nodes do not fit, an edge out per edge with a large id and per node in memory.
// Memory: sizeof(Id) per node, at most what is free but a rest. Threads: `take` from any number at once.
// Throws: MemoryLimitError, EnvironmentError.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>

#include "core/block/run.hpp"
#include "graph/cc/union_scan.hpp"
#include "graph/prepare/ingest.hpp"
#include "graph/prepare/spooled_source.hpp"

namespace emgraph::graph::cc {

template <class R>
class GrowingScan {
 public:
  using Id = typename R::id_type;

  /// `most`: nodes that may be kept in memory. `spool`: keep edges beyond that.
  GrowingScan(core::Environment& environment, std::uint64_t most, bool spool)
      : environment_(environment),
        most_(most),
        spool_(spool),
        sets_(environment.memory, 0, most, "an id per node") {}

  void take(std::span<const R> batch) {
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

  /// Ids have appeared for which there is no memory.
  bool outgrown() const { return outgrown_.load(std::memory_order_relaxed); }
  UnionFind<Id>& sets() { return sets_; }

  /// Edges with the same components as all that were taken. Requires: spool.
  core::Run<R> finish_spool() {
    open_spool();
    for (std::uint64_t v = 0; v < sets_.size(); ++v) {
      const Id node = static_cast<Id>(v);
      if (!sets_.is_root(node)) spooled_->push({node, sets_.parent(node)});
    }
    return spooled_->finish();
  }

 private:
  void open_spool() {
    if (!spooled_) spooled_.emplace(environment_, prepare::SpooledSource<R>::block_bytes, 2);
  }
  void spool_large(std::span<const R> batch) {
    const std::lock_guard lock(mutex_);
    open_spool();
    for (const R& edge : batch) {
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
  std::optional<core::RunWriter<R>> spooled_;
};

}  // namespace emgraph::graph::cc
