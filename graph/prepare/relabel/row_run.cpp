// SPDX-License-Identifier: MIT
// Packs rows into blocks; each block goes to the lane that asks next.
#include "graph/prepare/relabel/row_run.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/block/manager.hpp"
#include "graph/format/source/laned_source.hpp"

namespace emgraph::graph::relabel {
namespace {

constexpr std::size_t writer_blocks = 2;
constexpr std::size_t read_ahead_blocks = 2;
constexpr std::uint64_t sample_blocks = 32;
constexpr std::size_t most_block_bytes = 256 * core::KiB;

}  // namespace

std::size_t row_block_bytes(const core::MemoryBudget& budget) {
  return core::small_block_bytes(budget, most_block_bytes);
}

RowRunWriter::RowRunWriter(core::Environment& environment, const EdgeLayout& layout)
    : layout_(format::pair_layout(layout)),
      writer_(environment, row_block_bytes(environment.memory), writer_blocks, {}),
      block_rows_(row_block_bytes(environment.memory) / layout.record_bytes()) {}

void RowRunWriter::append(const core::PairShape& shape, const std::byte* records, std::size_t count) {
  while (count > 0) {
    const std::size_t here = std::min(count, block_rows_ - filled_rows_);
    std::byte* const to = writer_.buffer().data() + filled_rows_ * layout_.row_bytes();
    core::pack_pairs(shape, records, here, layout_, to);
    records += here * shape.row_bytes;
    count -= here;
    filled_rows_ += here;
    rows_ += here;
    if (filled_rows_ < block_rows_) continue;
    writer_.write(filled_rows_ * layout_.row_bytes());
    filled_rows_ = 0;
  }
}

RowRun RowRunWriter::finish() {
  if (filled_rows_ > 0) writer_.write(filled_rows_ * layout_.row_bytes());
  filled_rows_ = 0;
  return {writer_.finish(), rows_};
}

class RowRunSource::Lane final : public format::WorkingLane {
 public:
  Lane(RowRunSource& source, const core::PairShape& shape)
      : source_(source),
        shape_(shape),
        as_stored_(core::same_bytes(source.layout_, shape)),
        block_(source.environment_.memory, source.run_.blocks.block_bytes(), "edges on the temporary disks") {
    if (!as_stored_) {
      records_ = core::Buffer(source.environment_.memory, source.block_rows_ * shape.row_bytes,
                              "edges from the temporary disks");
    }
  }

  format::RecordBatch next() override {
    const std::size_t rows = source_.read_block(block_.data(), first_edge_);
    if (rows == 0 || as_stored_) return {block_.data(), rows};
    core::unpack_pairs(source_.layout_, block_.data(), rows, shape_, records_.data());
    return {records_.data(), rows};
  }

 private:
  RowRunSource& source_;
  const core::PairShape shape_;
  const bool as_stored_;
  core::Buffer block_;
  core::Buffer records_;
};

RowRunSource::RowRunSource(core::Environment& environment, EdgeFacts facts, RowRun run, unsigned max_lanes)
    : LanedSource(environment, std::move(facts)),
      layout_(format::pair_layout(facts_.layout)),
      run_(std::move(run)),
      block_rows_(run_.blocks.block_bytes() / layout_.row_bytes()) {
  rewind();
  // A record is at most twice as long as its row, if ids of 4 bytes are requested as 8.
  open_lanes(max_lanes, 3 * run_.blocks.block_bytes());
}

void RowRunSource::rewind() {
  const std::lock_guard lock(mutex_);
  reader_.reset();
  next_row_ = 0;
  reader_.emplace(environment_, run_.blocks, read_ahead_blocks, std::span<std::byte>());
}

std::size_t RowRunSource::read_block(std::byte* to, std::uint64_t& first_row) {
  const std::lock_guard lock(mutex_);
  if (next_row_ == run_.rows) return 0;
  const auto rows = static_cast<std::size_t>(std::min<std::uint64_t>(block_rows_, run_.rows - next_row_));
  std::memcpy(to, reader_->next().data(), rows * layout_.row_bytes());
  first_row = std::exchange(next_row_, next_row_ + rows);
  return rows;
}

std::unique_ptr<format::WorkingLane> RowRunSource::make_lane(const core::PairShape& shape) {
  return std::make_unique<Lane>(*this, shape);
}

std::vector<std::byte> RowRunSource::sample(const core::PairShape& shape, std::size_t count) {
  std::vector<std::byte> records;
  const format::SamplePlan plan =
      format::plan_sample(run_.blocks.size(), sample_blocks, count, environment_.seed);
  if (plan.places.empty()) return records;
  const core::Buffer block(environment_.memory, run_.blocks.block_bytes(), "sampling");
  const core::Buffer unpacked(environment_.memory, block_rows_ * shape.row_bytes, "sampling");
  for (const std::uint64_t place : plan.places) {
    const std::uint64_t left = run_.rows - place * block_rows_;
    const auto rows = static_cast<std::size_t>(std::min<std::uint64_t>(block_rows_, left));
    const std::size_t bytes =
        core::round_up(rows * layout_.row_bytes(), core::BlockManager::granularity_bytes);
    run_.blocks.read(static_cast<std::size_t>(place), block.bytes().first(bytes))->wait();
    core::unpack_pairs(layout_, block.data(), rows, shape, unpacked.data());
    format::take_sample({unpacked.data(), rows}, shape, plan.records_per_place, records);
  }
  return records;
}

std::shared_ptr<RowRunSource> spool(core::Environment& environment, format::RecordSource& source,
                                    EdgeFacts facts, unsigned max_lanes) {
  const core::PairShape shape = record_shape(facts.layout);
  core::Phase phase(environment.progress, "spool edges", facts.edges.value_or(0), "edges");
  RowRunWriter writer(environment, facts.layout);
  const auto lane = source.lane(shape);
  for (auto batch = lane->next(); batch.count > 0; batch = lane->next()) {
    writer.append(shape, batch.records, batch.count);
    phase.advance(batch.count);
  }
  RowRun run = writer.finish();
  facts.edges = run.rows;
  return std::make_shared<RowRunSource>(environment, std::move(facts), std::move(run), max_lanes);
}

}  // namespace emgraph::graph::relabel
