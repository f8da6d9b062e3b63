// SPDX-License-Identifier: MIT
// Counts nodes beside their values.
#include "graph/prepare/relabel/node_pairs.hpp"

#include <span>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::relabel {
namespace {

constexpr std::size_t batch_bytes = 128 * core::KiB;

}  // namespace

class NodePairs::Lane final : public format::WorkingLane {
 public:
  Lane(NodePairs& source, const core::PairShape& shape)
      : values_(*source.values_),
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

 private:
  format::NodeReader& values_;
  const core::PairShape shape_;
  const std::uint64_t missing_;
  const std::size_t most_;
  core::Buffer records_;
  std::span<const std::uint64_t> batch_;
  std::uint64_t node_ = 0;
  std::size_t count_ = 0;
};

NodePairs::NodePairs(core::Environment& environment, std::unique_ptr<format::NodeReader> values,
                     std::string name, unsigned max_lanes)
    : LanedSource(environment), values_(std::move(values)) {
  facts_.layout.id_bytes = 8;
  facts_.name = std::move(name);
  facts_.directed = true;
  // The values come from one reader.
  open_lanes(max_lanes, environment.memory.limit());
}

std::unique_ptr<format::WorkingLane> NodePairs::make_lane(const core::PairShape& shape) {
  return std::make_unique<Lane>(*this, shape);
}

}  // namespace emgraph::graph::relabel
