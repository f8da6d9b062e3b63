// SPDX-License-Identifier: MIT
// A RecordSource seen as an EdgeSource of one record type.
#pragma once

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "graph/edge_source.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::format {

template <class R>
class TypedLane final : public EdgeLane<R> {
 public:
  explicit TypedLane(std::unique_ptr<RecordLane> lane) : lane_(std::move(lane)) {}
  std::span<const R> next() override {
    const RecordBatch batch = lane_->next();
    return {reinterpret_cast<const R*>(batch.records), batch.count};
  }
  std::uint64_t first_edge() const override { return lane_->first_edge(); }

 private:
  std::unique_ptr<RecordLane> lane_;
};

template <class R>
class TypedSource final : public EdgeSource<R> {
 public:
  TypedSource(std::shared_ptr<RecordSource> source, EdgeFacts facts)
      : source_(std::move(source)), facts_(std::move(facts)) {}
  const EdgeFacts& facts() const override { return facts_; }
  std::unique_ptr<EdgeLane<R>> lane() override {
    return std::make_unique<TypedLane<R>>(source_->lane(shape_of<R>()));
  }
  bool rewindable() const override { return source_->rewindable(); }
  void rewind() override { source_->rewind(); }
  std::vector<R> sample(std::size_t count) override {
    const std::vector<std::byte> bytes = source_->sample(shape_of<R>(), count);
    std::vector<R> records(bytes.size() / sizeof(R));
    if (!records.empty()) std::memcpy(records.data(), bytes.data(), records.size() * sizeof(R));
    return records;
  }

 private:
  std::shared_ptr<RecordSource> source_;
  const EdgeFacts facts_;
};

}  // namespace emgraph::graph::format
