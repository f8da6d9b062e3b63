// SPDX-License-Identifier: MIT
// Opens a container from both its ends, then reads blocks ahead for all lanes.
#include "graph/format/container/container_file.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/base/error.hpp"
#include "graph/format/container/container_parts.hpp"
#include "graph/format/source/sampling.hpp"

namespace emgraph::graph::format {

class ContainerFile::Lane final : public WorkingLane {
 public:
  Lane(ContainerFile& source, const core::PairShape& shape)
      : source_(source),
        held_(source.held_, *source.reader_),
        block_(source.environment_, source.facts_.name, source.header_, shape, source.verify_) {}

  RecordBatch next() override {
    const core::ExtentReader::Loaded* loaded = held_.next();
    if (loaded == nullptr) return {};
    const IndexEntry expected = source_.take_expected(loaded->index);
    const std::string& file = source_.facts_.name;
    const BlockHead head = read_block_head(file, loaded->offset, source_.header_, loaded->bytes);
    if (head.first_edge != expected.first_edge || head.edges != expected.edges ||
        head.block_bytes != loaded->bytes.size()) {
      throw core::DataError::at_offset(file, loaded->offset,
                                       "block of " + std::to_string(head.edges) + " edges from edge " +
                                           std::to_string(head.first_edge) + " on, the index expects " +
                                           std::to_string(expected.edges) + " from edge " +
                                           std::to_string(expected.first_edge) + " on");
    }
    first_edge_ = head.first_edge;
    return block_.read(loaded->offset, head, loaded->bytes);
  }

 private:
  ContainerFile& source_;
  HeldExtent held_;
  BlockReader block_;
};

ContainerFile::ContainerFile(core::Environment& environment, core::InputFile input, unsigned max_lanes,
                             bool verify)
    : LanedSource(environment), input_(std::move(input)), verify_(verify) {
  load_ends();
  facts_ = header_facts(header_, input_.name());
  facts_.nodes = footer_.nodes;
  facts_.edges = footer_.edges;
  index_ = std::make_unique<ContainerIndex>(input_, environment_.memory, footer_);
  largest_block_bytes_ = index_->verify(header_);
  open_lanes(max_lanes, largest_block_bytes_ + BlockReader::memory_bytes(header_));
}

ContainerFile::~ContainerFile() = default;

void ContainerFile::load_ends() {
  std::array<std::byte, sizeof(ContainerHeader)> start;
  header_ = read_header(input_.name(), std::span(start).first(input_.read_at(0, start)));
  std::vector<std::byte> metadata(header_.data_offset - sizeof(header_));
  if (!metadata.empty()) metadata.resize(input_.read_at(sizeof(header_), metadata));
  metadata_ = read_metadata(input_.name(), header_, metadata);

  std::array<std::byte, sizeof(ContainerFooter)> end;
  const std::uint64_t size = input_.size();
  if (size < header_.data_offset + sizeof(IndexHead) + end.size()) {
    throw core::DataError::at_offset(input_.name(), size, "truncated: the end of the container is missing");
  }
  read_exactly(input_, size - end.size(), end);
  footer_ = read_footer(input_.name(), size - end.size(), header_, end);
}

void ContainerFile::open_blocks() {
  const auto sequence = [this](std::uint64_t i) -> std::optional<core::FileExtent> {
    if (i >= index_->blocks()) return std::nullopt;
    const IndexEntry entry = index_->entry(i);
    const std::lock_guard lock(mutex_);
    expected_[i] = entry;
    return core::FileExtent{entry.offset, entry.block_bytes};
  };
  reader_ = std::make_unique<core::ExtentReader>(
      input_.disk(), environment_.io, environment_.memory, sequence, largest_block_bytes_,
      read_depth(environment_.memory, largest_block_bytes_, working_lanes()), working_lanes());
}

IndexEntry ContainerFile::take_expected(std::uint64_t block) {
  const std::lock_guard lock(mutex_);
  const IndexEntry entry = expected_.at(block);
  expected_.erase(block);
  return entry;
}

std::unique_ptr<WorkingLane> ContainerFile::make_lane(const core::PairShape& shape) {
  if (reader_ == nullptr) open_blocks();
  return std::make_unique<Lane>(*this, shape);
}

void ContainerFile::rewind() {
  held_.release_all();
  if (reader_ != nullptr) reader_->rewind();
  expected_.clear();
}

std::vector<std::byte> ContainerFile::sample(const core::PairShape& shape, std::size_t count) {
  std::vector<std::byte> records;
  ContainerIndex index(input_, environment_.memory, footer_);
  const SamplePlan plan = plan_sample(footer_.blocks, sample_blocks, count, environment_.seed);
  if (plan.places.empty()) return records;
  BlockReader block(environment_, facts_.name, header_, shape, verify_);
  const core::Buffer buffer(environment_.memory, largest_block_bytes_, "sampling");
  for (const std::uint64_t i : plan.places) {
    const IndexEntry entry = index.entry(i);
    const auto bytes = buffer.bytes().first(entry.block_bytes);
    read_exactly(input_, entry.offset, bytes);
    const BlockHead head = read_block_head(facts_.name, entry.offset, header_, bytes);
    if (head.block_bytes != bytes.size()) {
      throw core::DataError::at_offset(facts_.name, entry.offset, "block and index disagree about its size");
    }
    take_sample(block.read(entry.offset, head, bytes), shape, plan.records_per_place, records);
  }
  return records;
}

}  // namespace emgraph::graph::format
