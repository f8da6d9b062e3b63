// SPDX-License-Identifier: MIT
// From the log of a search to one value per node in node order, by sorting; nodes get their old numbers back
// if the search ran under new ones.
//
// I/O: O(sort(n)); under new numbers O(sort(pairs)) for parents. Memory: what is free. Threads: as the sorts.
// Throws: MemoryLimitError, EnvironmentError, what the sinks throw.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/block/run.hpp"
#include "graph/bfs/bfs.hpp"
#include "graph/bfs/external_log.hpp"

namespace emgraph::graph::bfs {

template <class Id, core::IntegerKey Key>
class SearchOutput {
 public:
  SearchOutput(core::Environment& environment, SearchLog<Id>& log, std::uint64_t nodes)
      : environment_(environment), log_(log), nodes_(nodes) {}

  /// Throws DataError (stored_level), as the other write_levels.
  void write_levels(NodeSink<std::uint32_t>& sink) {
    check_levels();
    const core::Phase phase(environment_.progress, "sort levels", log_.reached(), "nodes");
    DenseOutput<std::uint32_t> output(sink);
    Sort levels(environment_, nodes_, log_.levels(), log_.reached(), log_.sampled(), memory(1));
    log_.replay_levels([&](Id node, std::uint64_t level) { levels.push(node, level); });
    levels.drain([&](std::uint64_t node, std::uint64_t level) { output.add(node, level); });
    output.finish(nodes_);
  }

  void write_parents(NodeSink<Id>& sink) {
    const core::Phase phase(environment_.progress, "sort parents", log_.reached(), "nodes");
    DenseOutput<Id> output(sink);
    Sort parents(environment_, nodes_, nodes_, log_.reached(), log_.sampled(), memory(1));
    log_.replay_parents([&](Id node, Id parent) { parents.push(node, parent); });
    parents.drain([&](std::uint64_t node, std::uint64_t parent) { output.add(node, parent); });
    output.finish(nodes_);
  }

  /// The same for a log with new numbers. `originals`: the old id of each new number.
  void write_levels(const core::Run<Id>& originals, NodeSink<std::uint32_t>& sink) {
    check_levels();
    const core::Phase phase(environment_.progress, "sort levels", log_.reached(), "nodes");
    DenseOutput<std::uint32_t> output(sink);
    const std::uint64_t levels = log_.levels();
    const std::size_t bytes = memory(2);
    Sort by_old(environment_, nodes_, levels, log_.reached(), none, bytes);
    {
      Sort by_new(environment_, originals.records, levels, log_.reached(), log_.sampled(), bytes);
      log_.replay_levels([&](Id node, std::uint64_t level) { by_new.push(node, level); });
      Originals original(environment_, originals);
      by_new.drain([&](std::uint64_t node, std::uint64_t level) { by_old.push(original.of(node), level); });
    }
    by_old.drain([&](std::uint64_t node, std::uint64_t level) { output.add(node, level); });
    output.finish(nodes_);
  }

  void write_parents(const core::Run<Id>& originals, NodeSink<Id>& sink) {
    const core::Phase phase(environment_.progress, "sort parents", log_.reached(), "nodes");
    DenseOutput<Id> output(sink);
    const std::uint64_t listed = originals.records;
    const std::uint64_t pairs = log_.parent_pairs();
    const std::size_t bytes = memory(2);
    auto by_child = std::make_unique<Sort>(environment_, listed, nodes_, pairs, none, bytes);
    {
      Sort by_parent(environment_, listed, listed, pairs, none, bytes);
      log_.replay_parents([&](Id node, Id parent) { by_parent.push(parent, node); });
      Originals original(environment_, originals);
      by_parent.drain_all(
          [&](std::uint64_t parent, std::uint64_t node) { by_child->push(node, original.of(parent)); });
    }
    Sort by_old(environment_, nodes_, nodes_, log_.reached(), none, bytes);
    {
      Originals original(environment_, originals);
      by_child->drain(
          [&](std::uint64_t node, std::uint64_t parent) { by_old.push(original.of(node), parent); });
      by_child.reset();
    }
    by_old.drain([&](std::uint64_t node, std::uint64_t parent) { output.add(node, parent); });
    output.finish(nodes_);
  }

 private:
  using Sort = PairSort<Key>;
  void check_levels() const { stored_level(log_.levels() - 1); }

  static inline const std::vector<Id> none;

  // Of one of `sorts` sorts at a time, beside the readers of two runs.
  std::size_t memory(std::size_t sorts) const {
    const std::size_t free = environment_.memory.available();
    return (free - std::min(free, 6 * log_.block_bytes())) / sorts;
  }

  /// Looks up old ids of new numbers. Requires: numbers come in ascending order.
  class Originals {
   public:
    Originals(core::Environment& environment, const core::Run<Id>& originals)
        : reader_(environment, originals), batch_(reader_.next()) {}
    Id of(std::uint64_t node) {
      while (node - first_ >= batch_.size()) {
        first_ += batch_.size();
        batch_ = reader_.next();
      }
      return batch_[static_cast<std::size_t>(node - first_)];
    }

   private:
    core::RunReader<Id> reader_;
    std::span<const Id> batch_;
    std::uint64_t first_ = 0;
  };

  core::Environment& environment_;
  SearchLog<Id>& log_;
  const std::uint64_t nodes_;
};

}  // namespace emgraph::graph::bfs
