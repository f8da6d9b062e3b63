// SPDX-License-Identifier: MIT
// Reads edges from a vector, in place of a file or pipe.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tests/support/record.hpp"

namespace emgraph::tests {

struct VectorSourceOptions {
  graph::EdgeFacts facts{};
  bool rewindable = true;
  bool quick_to_reread = false;
  bool sampled = false;  ///< sample() returns edges from the whole input
  std::size_t batch_edges = 251;
};

inline graph::EdgeFacts facts_with(std::optional<std::uint64_t> nodes,
                                   graph::EdgeOrder order = graph::EdgeOrder::none) {
  graph::EdgeFacts facts;
  facts.nodes = nodes;
  facts.order = order;
  return facts;
}

/// Lanes share a cursor. A lane overwrites its batch in the next call, as the contract allows.
template <class R>
class VectorRecords final : public graph::RecordSource {
 public:
  VectorRecords(std::vector<R> edges, VectorSourceOptions options)
      : edges_(std::move(edges)), options_(std::move(options)) {
    if (options_.facts.name.empty()) options_.facts.name = "edges.test";
  }

  const graph::EdgeFacts& facts() const override { return options_.facts; }
  std::unique_ptr<graph::RecordLane> lane(const core::PairShape& shape) override {
    if (shape.row_bytes != sizeof(R)) throw std::logic_error("edges asked for in another shape");
    return std::make_unique<Lane>(*this);
  }
  bool rewindable() const override { return options_.rewindable; }
  bool quick_to_reread() const override { return options_.quick_to_reread; }
  void rewind() override {
    if (!options_.rewindable) throw std::logic_error("rewound a source that is not rewindable");
    cursor_ = 0;
  }
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override {
    std::vector<std::byte> sample;
    if (!options_.sampled || edges_.empty()) return sample;
    const std::size_t step = std::max<std::size_t>(1, edges_.size() / count);
    for (std::size_t i = 0; i < edges_.size(); i += step) {
      const std::byte* const row = std::as_bytes(std::span(&edges_[i], 1)).data();
      sample.insert(sample.end(), row, row + std::min(shape.row_bytes, sizeof(R)));
    }
    return sample;
  }

 private:
  class Lane final : public graph::RecordLane {
   public:
    explicit Lane(VectorRecords& source) : source_(source), batch_(source.options_.batch_edges) {}
    graph::RecordBatch next() override {
      std::memset(static_cast<void*>(batch_.data()), 0xa5, batch_.size() * sizeof(R));
      const std::size_t all = source_.edges_.size();
      const std::size_t first = std::min(all, source_.cursor_.fetch_add(batch_.size()));
      const std::size_t count = std::min(batch_.size(), all - first);
      std::copy_n(source_.edges_.begin() + static_cast<std::ptrdiff_t>(first), count, batch_.begin());
      first_edge_ = first;
      return {std::as_bytes(std::span(batch_)).data(), count};
    }
    std::uint64_t first_edge() const override { return first_edge_; }

   private:
    VectorRecords& source_;
    std::vector<R> batch_;
    std::uint64_t first_edge_ = 0;
  };

  const std::vector<R> edges_;
  VectorSourceOptions options_;
  std::atomic<std::size_t> cursor_{0};
};

/// The edges of VectorRecords with all their attachments.
template <class R>
class VectorSource final : public graph::EdgeSource<typename R::id_type> {
 public:
  explicit VectorSource(std::vector<R> edges, VectorSourceOptions options = {})
      : VectorSource(std::make_shared<VectorRecords<R>>(std::move(edges), std::move(options))) {}

 private:
  explicit VectorSource(const std::shared_ptr<VectorRecords<R>>& records)
      : graph::EdgeSource<typename R::id_type>(records, records->facts(), R::attachment_bytes) {}
};

/// Converts edges to records with different attached bytes.
template <class R>
std::vector<R> records_of(const std::vector<graph::Edge64>& edges, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  std::vector<R> records;
  records.reserve(edges.size());
  for (const graph::Edge64& edge : edges) {
    R record{};
    record.source = static_cast<typename R::id_type>(edge.source);
    record.target = static_cast<typename R::id_type>(edge.target);
    if constexpr (R::attachment_bytes > 0) {
      for (std::byte& byte : record.attachment) byte = static_cast<std::byte>(random());
    }
    records.push_back(record);
  }
  return records;
}

}  // namespace emgraph::tests
