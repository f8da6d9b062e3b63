// SPDX-License-Identifier: MIT
// Counts lanes, words the errors of files that are read in several places, and chooses places for a sample: a
// random one in each of equal parts.
#include "graph/format/source/laned_source.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>

#include "core/base/integers.hpp"
#include "core/base/random_word.hpp"

namespace emgraph::graph::format {

LanePlace::~LanePlace() {
  if (source_ != nullptr) source_->give_back(working_);
}

/// A lane without edges.
class LanedSource::IdleLane final : public WorkingLane {
 public:
  RecordBatch next() override { return {}; }
  bool idle() const override { return true; }
};

/// Checks the batches of another lane against the facts.
class LanedSource::CheckedLane final : public RecordLane {
 public:
  CheckedLane(std::unique_ptr<RecordLane> lane, OrderCheck& check, const core::PairShape& shape)
      : lane_(std::move(lane)), check_(check), shape_(shape) {}

  RecordBatch next() override {
    const RecordBatch batch = lane_->next();
    check_.check(shape_, batch, lane_->first_edge(), tally_);
    return batch;
  }
  std::uint64_t first_edge() const override { return lane_->first_edge(); }
  bool holds_edges() const override { return lane_->holds_edges(); }

 private:
  const std::unique_ptr<RecordLane> lane_;
  OrderCheck& check_;
  const core::PairShape shape_;
  OrderCheck::LaneTally tally_;
};

void LanedSource::open_lanes(unsigned max_lanes, std::size_t lane_bytes, unsigned most_working) {
  lanes_most_ = lanes_left_ = std::max(max_lanes, 1U);
  working_lanes_ = static_cast<unsigned>(std::min<std::size_t>(
      std::min(lanes_left_, most_working), affordable_lanes(environment_.memory, lane_bytes)));
  working_left_ = working_lanes_;
}

std::unique_ptr<RecordLane> LanedSource::lane(const core::PairShape& shape) {
  const std::lock_guard lock(lanes_mutex_);
  if (lanes_left_ == 0) throw std::logic_error("more lanes at a time than OpenOptions::max_lanes");
  if (order_check_ == nullptr) order_check_ = std::make_unique<OrderCheck>(facts_);
  if (lanes_left_ == lanes_most_) order_check_->begin_pass();
  const bool working = working_left_ > 0;
  std::unique_ptr<WorkingLane> lane = working ? make_lane(shape) : std::make_unique<IdleLane>();
  --lanes_left_;
  working_left_ -= working ? 1 : 0;
  lane->place_ = LanePlace(this, working);
  if (!working || !order_check_->any()) return lane;
  return std::make_unique<CheckedLane>(std::move(lane), *order_check_, shape);
}

void LanedSource::give_back(bool working) {
  const std::lock_guard lock(lanes_mutex_);
  ++lanes_left_;
  working_left_ += working ? 1 : 0;
}

void LanedSource::rewind() {
  throw std::logic_error("a pipe cannot be read again");
}

std::vector<std::byte> LanedSource::sample(const core::PairShape& /*shape*/, std::size_t /*count*/) {
  return {};
}

std::size_t affordable_lanes(const core::MemoryBudget& budget, std::size_t lane_bytes) {
  return std::max<std::size_t>(1, budget.available() / 4 / std::max<std::size_t>(lane_bytes, 1));
}

core::DataError became_shorter(const std::string& file, std::uint64_t offset) {
  return core::DataError::at_offset(file, offset, "truncated while it was being read");
}

void read_exactly(core::InputFile& input, std::uint64_t offset, std::span<std::byte> bytes) {
  if (input.read_at(offset, bytes) != bytes.size()) throw became_shorter(input.name(), offset);
}

void check_regular_file(const core::InputFile& input, std::string_view format, std::string_view demand) {
  if (input.seekable()) return;
  throw core::UsageError(input.name() + ": format '" + std::string(format) + "' " + std::string(demand) +
                         ": give a regular file");
}

core::DataError wrong_size(const std::string& file, std::uint64_t found, std::uint64_t expected,
                           std::string_view content) {
  return core::DataError::at_offset(file, std::min(found, expected),
                                    (found < expected ? "truncated: " : "bytes left over: ") +
                                        std::to_string(found) + " bytes, expected " +
                                        std::to_string(expected) + " for " + std::string(content));
}

SamplePlan plan_sample(std::uint64_t places, std::uint64_t max_places, std::size_t count,
                       std::uint64_t seed) {
  SamplePlan plan;
  const std::uint64_t parts = std::min({places, max_places, std::uint64_t{count}});
  if (parts == 0) return plan;
  std::mt19937_64 random(seed);
  for (std::uint64_t i = 0; i < parts; ++i) {
    const auto part_start = [&](std::uint64_t part) {
      return static_cast<std::uint64_t>(core::uint128{places} * part / parts);
    };
    plan.places.push_back(part_start(i) + random() % (part_start(i + 1) - part_start(i)));
  }
  plan.records_per_place = static_cast<std::size_t>((count + parts - 1) / parts);
  return plan;
}

void take_sample(const RecordBatch& batch, const core::PairShape& shape, std::size_t count,
                 std::vector<std::byte>& out) {
  const std::size_t take = std::min(count, batch.count);
  for (std::size_t i = 0; i < take; ++i) {
    // Anywhere in the i-th of equal parts: regular distances would meet all copies of an edge, or none, in a
    // file that repeats itself.
    const std::uint64_t within = i * core::golden_increment >> 48;
    const auto at = static_cast<std::size_t>(core::uint128{batch.count} * (i << 16 | within) /
                                             (core::uint128{take} << 16));
    const std::byte* record = batch.records + at * shape.row_bytes;
    out.insert(out.end(), record, record + shape.row_bytes);
  }
}

}  // namespace emgraph::graph::format
