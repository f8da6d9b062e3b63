// SPDX-License-Identifier: MIT
// Counts by rank become counts by node, one for each of 0 … n-1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/integers.hpp"
#include "core/block/run.hpp"
#include "core/sort/serial_sort.hpp"
#include "graph/node_sink.hpp"
#include "graph/triangles/degree_ranks.hpp"
#include "graph/triangles/external_ranks.hpp"
#include "graph/triangles/node_counts.hpp"

namespace emgraph::graph::triangles {

/// Values in batches for the sink.
class CountBatches {
 public:
  explicit CountBatches(NodeSink<std::uint64_t>& sink) : sink_(sink) {}
  void add(std::uint64_t count) {
    batch_[filled_++] = count;
    ++nodes_;
    if (filled_ == batch_.size()) flush();
  }
  /// Nodes without a triangle up to `node`.
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

/// The ranks are in memory.
inline void write_counts(const NodeCounts& counts, const DegreeRanks& ranks, std::uint64_t nodes,
                         NodeSink<std::uint64_t>& sink) {
  CountBatches out(sink);
  for (std::uint64_t node = 0; node < std::min(nodes, ranks.size()); ++node) {
    out.add(ranks[node] == no_rank ? 0 : counts[ranks[node]]);
  }
  out.fill(nodes);
  out.flush();
}

/// The ids are on disk, by rank: the counts are sorted by id. I/O: a sort of the counts, the ids once.
template <class Id>
void write_counts(core::Environment& environment, NodeCounts& counts, const core::Run<Id>& ids,
                  std::uint64_t nodes, NodeSink<std::uint64_t>& sink) {
  constexpr unsigned count_bits = 64;
  const core::uint128 last = static_cast<core::uint128>(nodes) << count_bits | ~std::uint64_t{0};
  core::SerialSort<core::uint128> by_id(environment, last, ids.records,
                                        environment.memory.available() / 4 * 3);
  {
    core::RunCursor<Id> id(environment, ids);
    Rank at = 0;
    counts.for_each([&](Rank rank, std::uint64_t count) {
      for (; at < rank; ++at) id.next();
      by_id.push(static_cast<core::uint128>(*id) << count_bits | count);
    });
  }
  by_id.start();
  CountBatches out(sink);
  for (; !by_id.at_end(); by_id.next()) {
    out.fill(static_cast<std::uint64_t>(by_id.key() >> count_bits));
    out.add(static_cast<std::uint64_t>(by_id.key()));
  }
  out.fill(nodes);
  out.flush();
}

}  // namespace emgraph::graph::triangles
