// SPDX-License-Identifier: MIT
// A source that refuses edges with invalid weights as they are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graph/edge_source.hpp"
#include "graph/edge_weights.hpp"

namespace emgraph::graph::adjacency {

/// The edges of another source, with its attachments. I/O, Memory, Threads: as that source. Throws: what it
/// throws; DataError, naming the edge, for a weight that is NaN or beyond the limits.
template <class Id>
class CheckedSource final : public RecordSource {
 public:
  CheckedSource(EdgeSource<Id>& edges, const EdgeWeights& weights, const WeightLimits& limits)
      : edges_(edges), weights_(weights), limits_(limits) {}

  const EdgeFacts& facts() const override { return edges_.facts(); }
  /// `shape`: that of the edges.
  std::unique_ptr<RecordLane> lane(const core::PairShape&) override {
    return std::make_unique<Lane>(*this, edges_.lane());
  }
  bool in_pieces() const override { return edges_.in_pieces(); }
  bool rewindable() const override { return edges_.rewindable(); }
  void rewind() override { edges_.rewind(); }
  std::uint64_t seek(std::uint64_t edge) override { return edges_.seek(edge); }
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override {
    std::vector<std::byte> rows;
    const auto take = [&](const void* data, std::size_t bytes) {
      rows.resize(bytes);
      if (bytes > 0) std::memcpy(rows.data(), data, bytes);
    };
    if (shape.attachment_bytes == 0) {
      const std::vector<Edge<Id>> edges = edges_.sample(count);
      take(edges.data(), edges.size() * sizeof(Edge<Id>));
    } else {
      edges_.sample(count,
                    [&](const EdgeBatch<Id>& edges) { take(edges.rows(), edges.size() * shape.row_bytes); });
    }
    return rows;
  }

 private:
  class Lane final : public RecordLane {
   public:
    Lane(const CheckedSource& source, EdgeLane<Id> lane) : source_(source), lane_(std::move(lane)) {}
    RecordBatch next() override {
      const EdgeBatch<Id> batch = lane_.next();
      check_weights(batch, source_.weights_, source_.limits_, source_.facts().name, lane_.first_edge());
      return {batch.rows(), batch.size()};
    }
    std::uint64_t first_edge() const override { return lane_.first_edge(); }
    bool holds_edges() const override { return lane_.holds_edges(); }
    BatchPlace place() const override { return lane_.place(source_.facts().name); }

   private:
    const CheckedSource& source_;
    const EdgeLane<Id> lane_;
  };

  EdgeSource<Id>& edges_;
  const EdgeWeights& weights_;
  const WeightLimits limits_;
};

}  // namespace emgraph::graph::adjacency
