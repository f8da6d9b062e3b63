// SPDX-License-Identifier: MIT
// Triangles at each node: counted by rank while they are found, then sorted by node.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/function_ref.hpp"
#include "core/base/integers.hpp"
#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "core/sort/serial_sort.hpp"
#include "graph/sinks.hpp"
#include "graph/triangles/degree_ranks.hpp"
#include "graph/triangles/external_ranks.hpp"
#include "graph/triangles/lists.hpp"
#include "graph/triangles/run_sort.hpp"

namespace emgraph::graph::triangles {

/// Every thread has its own counters for the first ranks, whose nodes have the most triangles. Counters of
/// further ranks are shared. Counts of ranks beyond the array are sorted by rank and added up at the end.
///
/// I/O: none when all ranks have a counter; else a RunSort of up to 8 bytes per triangle without one. Memory:
/// 8 bytes per counter and `sorter_bytes`, all reserved on construction. Threads: `take` from all. Throws:
/// MemoryLimitError, EnvironmentError.
class NodeCounts final : public TriangleSink {
 public:
  /// If `counters` >= ranks, there is no sorter.
  NodeCounts(core::Environment& environment, std::uint64_t ranks, std::uint64_t counters,
             std::size_t sorter_bytes);

  void take(unsigned thread, Rank u, Rank v, std::span<const Rank> thirds) override;
  /// True if all ranks have a counter: save() and restore() work.
  bool resumable() const { return beyond_ == nullptr; }
  /// The counts so far. Threads: none in take().
  void save(core::StateWriter& to) const;
  void restore(core::StateReader& from) { from.array(shared_.span()); }
  /// Ends the input.
  void finish();
  /// The count of a rank with a counter. Requires: finish() was called.
  std::uint64_t operator[](Rank rank) const { return shared_[rank]; }
  /// Calls `visit(rank, count)` for all counts except 0, by ascending rank. Requires: finish() was called;
  /// called once.
  void for_each(core::FunctionRef<void(Rank, std::uint64_t)> visit);

 private:
  using Sorter = RunSort<std::uint64_t, 0>;
  /// Adds to the count of a rank with a counter.
  void count(unsigned thread, Rank rank, std::uint64_t amount);

  core::Array<std::uint64_t> shared_;
  std::size_t own_ranks_ = 0;
  std::vector<core::Array<std::uint64_t>> own_;
  std::unique_ptr<Sorter> beyond_;
};

/// Collects values in batches for the sink.
class CountBatches {
 public:
  explicit CountBatches(NodeSink<std::uint64_t>& sink) : sink_(sink) {}
  void add(std::uint64_t count) {
    batch_[filled_++] = count;
    ++nodes_;
    if (filled_ == batch_.size()) flush();
  }
  /// Adds zeros for nodes without a value, up to `node`.
  void fill(std::uint64_t node) {
    while (nodes_ < node) add(0);
  }
  void flush() {
    if (filled_ > 0) sink_.append(std::span<const std::uint64_t>(batch_.data(), filled_));
    filled_ = 0;
  }

 private:
  NodeSink<std::uint64_t>& sink_;
  std::array<std::uint64_t, 1024> batch_;
  std::size_t filled_ = 0;
  std::uint64_t nodes_ = 0;
};

/// Sends values in node order, with ranks in memory. `values`: by rank, for nodes with an edge.
template <class Values>
void write_by_rank(const Values& values, const DegreeRanks& ranks, std::uint64_t nodes,
                   NodeSink<std::uint64_t>& sink) {
  CountBatches out(sink);
  for (std::uint64_t node = 0; node < std::min(nodes, ranks.size()); ++node) {
    out.add(ranks[node] == no_rank ? 0 : values[ranks[node]]);
  }
  out.fill(nodes);
  out.flush();
}

/// Sends values in node order, with ids on disk by rank: sorts the values by id. `for_each(visit)` calls
/// visit(rank, value) by ascending rank; a node that it leaves out has 0. I/O: a sort of the values; reads
/// the ids once.
template <class Id, class ForEach>
void write_by_rank(core::Environment& environment, ForEach&& for_each, const core::Run<Id>& ids,
                   std::uint64_t nodes, NodeSink<std::uint64_t>& sink) {
  constexpr unsigned value_bits = 64;
  const core::uint128 last = static_cast<core::uint128>(nodes) << value_bits | ~std::uint64_t{0};
  core::SerialSort<core::uint128> by_id(environment, last, ids.records,
                                        environment.memory.available() / 4 * 3);
  {
    core::RunCursor<Id> id(environment, ids);
    Rank at = 0;
    for_each([&](Rank rank, std::uint64_t value) {
      for (; at < rank; ++at) id.next();
      by_id.push(static_cast<core::uint128>(*id) << value_bits | value);
    });
  }
  by_id.start();
  CountBatches out(sink);
  for (; !by_id.at_end(); by_id.next()) {
    out.fill(static_cast<std::uint64_t>(by_id.key() >> value_bits));
    out.add(static_cast<std::uint64_t>(by_id.key()));
  }
  out.fill(nodes);
  out.flush();
}

}  // namespace emgraph::graph::triangles
