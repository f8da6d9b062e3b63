// SPDX-License-Identifier: MIT
// Triangles at each node, counted by rank while they are found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/triangles/lists.hpp"
#include "graph/triangles/run_sort.hpp"

namespace emgraph::graph::triangles {

/// Counters of the first ranks, whose nodes have the most triangles, are every thread's own; those of further
/// ones are shared; what goes to ranks beyond the array is sorted by rank and added up at the end.
///
/// I/O: none when all ranks have a counter; else a RunSort of up to 8 bytes per triangle without one. Memory:
/// 8 bytes per counter and `sorter_bytes`, all reserved on construction. Threads: `take` from all. Throws:
/// MemoryLimitError, EnvironmentError.
class NodeCounts final : public TriangleSink {
 public:
  /// `counters` >= ranks: no sorter.
  NodeCounts(core::Environment& environment, std::uint64_t ranks, std::uint64_t counters,
             std::size_t sorter_bytes);

  void take(unsigned thread, Rank u, Rank v, std::span<const Rank> thirds) override;
  /// All triangles have been taken.
  void finish();
  /// After finish(): count of a rank that has a counter.
  std::uint64_t operator[](Rank rank) const { return shared_[rank]; }
  /// After finish(): calls `visit(rank, count)` for all counts but 0, ascending. Once.
  void for_each(const std::function<void(Rank, std::uint64_t)>& visit);

 private:
  using Sorter = RunSort<std::uint64_t, 0>;
  /// Of a rank that has a counter.
  void count(unsigned thread, Rank rank, std::uint64_t amount);

  core::Array<std::uint64_t> shared_;
  std::size_t own_ranks_ = 0;
  std::vector<core::Array<std::uint64_t>> own_;
  std::unique_ptr<Sorter> beyond_;
};

}  // namespace emgraph::graph::triangles
