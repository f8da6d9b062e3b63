// SPDX-License-Identifier: MIT
// An input that changes while it is read.
#pragma once

#include <memory>
#include <vector>

#include "tests/support/graph_zoo.hpp"
#include "tests/support/vector_source.hpp"

namespace emgraph::tests {

/// Gives other edges once it was rewound.
class ChangingRecords final : public graph::RecordSource {
 public:
  ChangingRecords(const EdgeList& first, const EdgeList& second, const VectorSourceOptions& options)
      : first_(records_of<Record>(first), options), second_(records_of<Record>(second), options) {}
  const graph::EdgeFacts& facts() const override { return first_.facts(); }
  std::unique_ptr<graph::RecordLane> lane(const core::PairShape& shape) override {
    return std::make_unique<Lane>(*this, first_.lane(shape), second_.lane(shape));
  }
  bool rewindable() const override { return true; }
  bool quick_to_reread() const override { return true; }
  void rewind() override { changed_ = true; }
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override {
    return first_.sample(shape, count);
  }

 private:
  using Record = graph::Record<std::uint32_t, 0>;
  class Lane final : public graph::RecordLane {
   public:
    Lane(const ChangingRecords& source, std::unique_ptr<graph::RecordLane> first,
         std::unique_ptr<graph::RecordLane> second)
        : source_(source), first_(std::move(first)), second_(std::move(second)) {}
    graph::RecordBatch next() override { return now().next(); }
    std::uint64_t first_edge() const override { return now().first_edge(); }

   private:
    graph::RecordLane& now() const { return source_.changed_ ? *second_ : *first_; }
    const ChangingRecords& source_;
    const std::unique_ptr<graph::RecordLane> first_;
    const std::unique_ptr<graph::RecordLane> second_;
  };
  VectorRecords<Record> first_;
  VectorRecords<Record> second_;
  bool changed_ = false;
};

}  // namespace emgraph::tests
