// SPDX-License-Identifier: MIT
// Edges with attachments as values, a type for each width: what tests make, compare and keep.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "graph/edge_source.hpp"
#include "graph/format/source/edge_writer.hpp"
#include "graph/format/table/open.hpp"

namespace emgraph::graph {

/// An edge with `A` bytes that travel with it: weight, payload, zeros.
template <class Id, std::size_t A>
struct Record {
  using id_type = Id;
  static constexpr std::size_t attachment_bytes = A;
  Id source;
  Id target;
  std::array<std::byte, A> attachment;
};

template <class Id>
struct Record<Id, 0> {
  using id_type = Id;
  static constexpr std::size_t attachment_bytes = 0;
  Id source;
  Id target;
};

/// The shape of a Record<Id, A>.
template <class R>
constexpr core::PairShape shape_of() {
  return {.integer_bytes = sizeof(typename R::id_type),
          .attachment_bytes = R::attachment_bytes,
          .row_bytes = sizeof(R)};
}

}  // namespace emgraph::graph

namespace emgraph::tests {

template <class R>
class TypedLane {
 public:
  explicit TypedLane(std::unique_ptr<graph::RecordLane> lane) : lane_(std::move(lane)) {}
  std::span<const R> next() {
    const graph::RecordBatch batch = lane_->next();
    return {reinterpret_cast<const R*>(batch.records), batch.count};
  }
  std::uint64_t first_edge() const { return lane_->first_edge(); }

 private:
  std::unique_ptr<graph::RecordLane> lane_;
};

/// A RecordSource whose records are of one type.
template <class R>
class TypedSource {
 public:
  TypedSource(std::shared_ptr<graph::RecordSource> source, graph::EdgeFacts facts)
      : source_(std::move(source)), facts_(std::move(facts)) {}
  const graph::EdgeFacts& facts() const { return facts_; }
  std::unique_ptr<TypedLane<R>> lane() {
    return std::make_unique<TypedLane<R>>(source_->lane(graph::shape_of<R>()));
  }
  bool rewindable() const { return source_->rewindable(); }
  void rewind() { source_->rewind(); }
  std::vector<R> sample(std::size_t count) {
    const std::vector<std::byte> bytes = source_->sample(graph::shape_of<R>(), count);
    std::vector<R> records(bytes.size() / sizeof(R));
    if (!records.empty()) std::memcpy(records.data(), bytes.data(), records.size() * sizeof(R));
    return records;
  }

 private:
  std::shared_ptr<graph::RecordSource> source_;
  const graph::EdgeFacts facts_;
};

/// The edges of an input, which may go before them.
template <class R>
std::unique_ptr<TypedSource<R>> typed_source(graph::format::EdgeInput& input) {
  return std::make_unique<TypedSource<R>>(input.records(), input.facts());
}

/// Appends the records of a batch of any shape with the ids of R and no fewer attached bytes.
template <class R>
void append_records(const core::PairShape& shape, const graph::RecordBatch& batch, std::vector<R>& records) {
  for (std::size_t i = 0; i < batch.count; ++i) {
    R& record = records.emplace_back();
    std::memcpy(static_cast<void*>(&record), batch.records + i * shape.row_bytes,
                2 * sizeof(typename R::id_type) + R::attachment_bytes);
  }
}

template <class R>
void append(graph::format::EdgeWriter& writer, std::span<const R> records) {
  writer.append_records(graph::shape_of<R>(), std::as_bytes(records).data(), records.size());
}

}  // namespace emgraph::tests
