// SPDX-License-Identifier: MIT
// Blocks are read in order; each goes to the lane that asks next.
#include "graph/prepare/spooled_source.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "core/memory/buffer.hpp"

namespace emgraph::graph::prepare {
namespace {

class SpooledSource final : public RecordSource {
 public:
  SpooledSource(core::Environment& environment, EdgeFacts facts, const core::PairShape& shape,
                SpooledRows rows)
      : environment_(environment),
        facts_(std::move(facts)),
        shape_(shape),
        block_rows_(spool_block_bytes / shape.row_bytes),
        rows_(rows.rows),
        reader_(environment, std::move(rows.blocks), 2, {}) {}

  const EdgeFacts& facts() const override { return facts_; }
  std::unique_ptr<RecordLane> lane(const core::PairShape& shape) override {
    if (shape.row_bytes != shape_.row_bytes || shape.integer_bytes != shape_.integer_bytes) {
      throw std::logic_error("spooled edges asked for in another shape");
    }
    return std::make_unique<Lane>(*this);
  }
  bool rewindable() const override { return false; }
  void rewind() override {}
  std::vector<std::byte> sample(const core::PairShape&, std::size_t) override { return {}; }

 private:
  class Lane final : public RecordLane {
   public:
    explicit Lane(SpooledSource& source)
        : source_(source), batch_(source.environment_.memory, spool_block_bytes, "spooled edges") {}
    RecordBatch next() override {
      const std::lock_guard lock(source_.mutex_);
      const auto count = static_cast<std::size_t>(
          std::min<std::uint64_t>(source_.block_rows_, source_.rows_ - source_.read_));
      first_edge_ = source_.read_;
      if (count == 0) return {};
      std::memcpy(batch_.data(), source_.reader_.next().data(), count * source_.shape_.row_bytes);
      source_.read_ += count;
      return {batch_.data(), count};
    }
    std::uint64_t first_edge() const override { return first_edge_; }

   private:
    SpooledSource& source_;
    core::Buffer batch_;
    std::uint64_t first_edge_ = 0;
  };

  core::Environment& environment_;
  const EdgeFacts facts_;
  const core::PairShape shape_;
  const std::size_t block_rows_;
  const std::uint64_t rows_;
  std::mutex mutex_;
  core::BlockReader reader_;
  std::uint64_t read_ = 0;
};

}  // namespace

void SpoolWriter::append(const std::byte* rows, std::size_t count) {
  const std::size_t block_rows = spool_block_bytes / row_bytes_;
  while (count > 0) {
    const std::size_t here = std::min(count, block_rows - filled_rows_);
    std::memcpy(writer_.buffer().data() + filled_rows_ * row_bytes_, rows, here * row_bytes_);
    rows += here * row_bytes_;
    count -= here;
    filled_rows_ += here;
    rows_ += here;
    if (filled_rows_ < block_rows) continue;
    writer_.write(filled_rows_ * row_bytes_);
    filled_rows_ = 0;
  }
}

SpooledRows SpoolWriter::finish() {
  if (filled_rows_ > 0) writer_.write(filled_rows_ * row_bytes_);
  filled_rows_ = 0;
  return {writer_.finish(), rows_};
}

std::shared_ptr<RecordSource> spooled_source(core::Environment& environment, EdgeFacts facts,
                                             const core::PairShape& shape, SpooledRows rows) {
  return std::make_shared<SpooledSource>(environment, std::move(facts), shape, std::move(rows));
}

}  // namespace emgraph::graph::prepare
