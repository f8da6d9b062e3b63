// SPDX-License-Identifier: MIT
// Counts nodes beside their values.
#include "graph/prepare/relabel/node_pairs.hpp"

#include <span>
#include <stdexcept>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/memory/buffer.hpp"
#include "graph/prepare/relabel/record_shapes.hpp"

namespace emgraph::graph::relabel {
namespace {

constexpr std::size_t batch_bytes = 128 * core::KiB;

}  // namespace

class NodePairs::Lane final : public format::RecordLane {
 public:
  Lane(NodePairs& source, format::LanePlaces::Place place, const core::PairShape& shape)
      : values_(*source.values_),
        place_(std::move(place)),
        shape_(shape),
        missing_(values_.value_bytes() == 4 ? ~std::uint32_t{0} : ~std::uint64_t{0}),
        most_(batch_bytes / shape.row_bytes),
        records_(source.environment_.memory, most_ * shape.row_bytes, "values of nodes") {}

  format::RecordBatch next() override {
    first_edge_ += count_;
    count_ = 0;
    while (count_ < most_) {
      if (batch_.empty() && (batch_ = values_.next()).empty()) break;
      for (; !batch_.empty() && count_ < most_; batch_ = batch_.subspan(1), ++node_) {
        if (batch_.front() == missing_) continue;
        std::byte* const record = records_.data() + count_++ * shape_.row_bytes;
        set_id(shape_, record, 0, node_);
        set_id(shape_, record, 1, batch_.front());
      }
    }
    return {records_.data(), count_};
  }
  std::uint64_t first_edge() const override { return first_edge_; }

 private:
  format::NodeReader& values_;
  const format::LanePlaces::Place place_;
  const core::PairShape shape_;
  const std::uint64_t missing_;
  const std::size_t most_;
  core::Buffer records_;
  std::span<const std::uint64_t> batch_;
  std::uint64_t node_ = 0;
  std::uint64_t first_edge_ = 0;
  std::size_t count_ = 0;
};

NodePairs::NodePairs(core::Environment& environment, std::unique_ptr<format::NodeReader> values,
                     std::string name, unsigned max_lanes)
    : environment_(environment), values_(std::move(values)) {
  facts_.layout.id_bytes = 8;
  facts_.name = std::move(name);
  facts_.directed = true;
  places_.open(max_lanes, 1);
}

std::unique_ptr<format::RecordLane> NodePairs::lane(const core::PairShape& shape) {
  format::LanePlaces::Place place = places_.take();
  if (!place.get_deleter().working) return std::make_unique<format::IdleLane>(std::move(place));
  return std::make_unique<Lane>(*this, std::move(place), shape);
}

void NodePairs::rewind() {
  throw std::logic_error("values of nodes are read once");
}

}  // namespace emgraph::graph::relabel
