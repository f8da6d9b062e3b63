// SPDX-License-Identifier: MIT
// Edges as a format would give them, and what relabelling must make of them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"
#include "graph/prepare/relabel/relabel.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/record.hpp"

namespace emgraph::tests::relabel {

/// Rows of a layout in memory as a RecordSource; lanes share a cursor.
class RowsSource final : public graph::format::RecordSource {
 public:
  RowsSource(const EdgeList& edges, graph::EdgeFacts facts, bool rewindable, bool sampled = true)
      : facts_(std::move(facts)), rewindable_(rewindable), sampled_(sampled) {
    const graph::EdgeLayout& layout = facts_.layout;
    rows_.resize(edges.size() * layout.record_bytes());
    std::byte* to = rows_.data();
    for (std::size_t i = 0; i < edges.size(); ++i, to += layout.record_bytes()) {
      std::memcpy(to, &edges[i].source, layout.id_bytes);
      std::memcpy(to + layout.id_bytes, &edges[i].target, layout.id_bytes);
      for (std::size_t byte = 0; byte < layout.attachment_bytes(); ++byte) {
        to[2 * layout.id_bytes + byte] = attached(i, byte);
      }
    }
  }

  /// What travels with edge i.
  static std::byte attached(std::size_t i, std::size_t byte) {
    return static_cast<std::byte>((i * 2654435761U >> 7) + byte * 31);
  }

  const graph::EdgeFacts& facts() const override { return facts_; }
  std::unique_ptr<graph::format::RecordLane> lane(const core::PairShape& shape) override {
    return std::make_unique<Lane>(*this, shape);
  }
  bool rewindable() const override { return rewindable_; }
  void rewind() override {
    if (!rewindable_) throw std::logic_error("rewound a source that is not rewindable");
    cursor_ = 0;
    if (rewound) rewound(rows_);
  }
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override {
    std::vector<std::byte> records;
    if (!rewindable_ || !sampled_ || edges() == 0) return records;
    const std::size_t take = std::min(count, edges());
    records.resize(take * shape.row_bytes);
    for (std::size_t i = 0; i < take; ++i) {
      const std::byte* const row = rows_.data() + edges() * i / take * facts_.layout.record_bytes();
      core::unpack_pairs(graph::format::pair_layout(facts_.layout), row, 1, shape,
                         records.data() + i * shape.row_bytes);
    }
    return records;
  }

  /// What happens to the rows when they are rewound.
  void (*rewound)(std::vector<std::byte>& rows) = nullptr;
  std::size_t batch_edges = 251;

 private:
  class Lane final : public graph::format::RecordLane {
   public:
    Lane(RowsSource& source, const core::PairShape& shape)
        : source_(source), shape_(shape), records_(source.batch_edges * shape.row_bytes) {}
    graph::format::RecordBatch next() override {
      std::fill(records_.begin(), records_.end(), std::byte{0xa5});
      const std::size_t all = source_.edges();
      first_edge_ = std::min(all, source_.cursor_.fetch_add(source_.batch_edges));
      const std::size_t count = std::min(source_.batch_edges, all - first_edge_);
      core::unpack_pairs(graph::format::pair_layout(source_.facts_.layout),
                         source_.rows_.data() + first_edge_ * source_.facts_.layout.record_bytes(), count,
                         shape_, records_.data());
      return {records_.data(), count};
    }
    std::uint64_t first_edge() const override { return first_edge_; }

   private:
    RowsSource& source_;
    const core::PairShape shape_;
    std::vector<std::byte> records_;
    std::size_t first_edge_ = 0;
  };

  std::size_t edges() const { return rows_.size() / facts_.layout.record_bytes(); }

  graph::EdgeFacts facts_;
  const bool rewindable_;
  const bool sampled_;
  std::vector<std::byte> rows_;
  std::atomic<std::size_t> cursor_{0};
};

/// Keeps what it is sent.
class KeptIds final : public graph::NodeSink<std::uint64_t> {
 public:
  void append(std::span<const std::uint64_t> values) override {
    ids.insert(ids.end(), values.begin(), values.end());
  }
  std::vector<std::uint64_t> ids;
};

/// All edges of a source in input order, read by `lanes` threads.
template <class R>
std::vector<R> read_all(graph::format::RecordSource& source, unsigned lanes) {
  std::vector<std::vector<std::pair<std::uint64_t, std::vector<R>>>> parts(lanes);
  std::vector<std::unique_ptr<graph::format::RecordLane>> open;
  for (unsigned i = 0; i < lanes; ++i) open.push_back(source.lane(graph::shape_of<R>()));
  core::run_on_threads(lanes, [&](unsigned thread) {
    for (auto batch = open[thread]->next(); batch.count > 0; batch = open[thread]->next()) {
      const auto* const records = reinterpret_cast<const R*>(batch.records);
      parts[thread].emplace_back(open[thread]->first_edge(), std::vector<R>(records, records + batch.count));
    }
  });
  std::map<std::uint64_t, std::vector<R>> in_order;
  for (auto& part : parts) {
    for (auto& [first, records] : part) in_order.emplace(first, std::move(records));
  }
  std::vector<R> all;
  for (const auto& [first, records] : in_order) {
    if (first != all.size()) throw std::logic_error("a gap in the numbers of edges");
    all.insert(all.end(), records.begin(), records.end());
  }
  return all;
}

/// The same by a sorted list and a search per end. Slow on purpose.
struct Expected {
  std::vector<std::uint64_t> ids;
  EdgeList edges;
};

inline Expected expected(const EdgeList& edges) {
  Expected result;
  std::map<std::uint64_t, std::uint64_t> numbers;
  for (const graph::Edge64& edge : edges) numbers[edge.source] = numbers[edge.target] = 0;
  for (auto& [id, number] : numbers) {
    number = result.ids.size();
    result.ids.push_back(id);
  }
  for (const graph::Edge64& edge : edges) {
    result.edges.push_back({numbers.at(edge.source), numbers.at(edge.target)});
  }
  return result;
}

/// `count` edges between about `nodes` ids spread over `bits` bits.
inline EdgeList sparse_edges(std::uint64_t nodes, std::size_t count, unsigned bits, std::uint64_t seed) {
  EdgeList edges = random_edges(nodes, count, seed);
  const auto spread = [bits](std::uint64_t id) {
    std::uint64_t hash = (id + 1) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 31;
    return hash >> (64 - bits);
  };
  for (graph::Edge64& edge : edges) edge = {spread(edge.source), spread(edge.target)};
  return edges;
}

}  // namespace emgraph::tests::relabel
