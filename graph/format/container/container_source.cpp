// SPDX-License-Identifier: MIT
// Of a file the header, the footer and the index are read first, then blocks are read ahead for all lanes. In
// a pipe every byte is checked up to the end of the footer, which must be the end of the pipe.
#include "graph/format/container/container_source.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/base/error.hpp"
#include "core/io/checksum.hpp"
#include "graph/format/container/container_parts.hpp"
#include "graph/format/source/laned_source.hpp"

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
      input_.disk(), environment_.memory, sequence, largest_block_bytes_,
      read_depth(environment_.memory, largest_block_bytes_, working_lanes()), working_lanes());
  reader_->rewind(first_block_);
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

void ContainerFile::start_at(std::uint64_t block) {
  held_.release_all();
  first_block_ = block;
  if (reader_ != nullptr) reader_->rewind(block);
  expected_.clear();
}

std::uint64_t ContainerFile::seek(std::uint64_t edge) {
  std::uint64_t first = 0;
  for (std::uint64_t end = index_->blocks(); end - first > 1;) {
    const std::uint64_t middle = first + (end - first) / 2;
    (index_->entry(middle).first_edge <= edge ? first : end) = middle;
  }
  start_at(first);
  return index_->blocks() == 0 ? 0 : index_->entry(first).first_edge;
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

namespace {

void append_place(core::ChecksumStream& places, const IndexEntry& entry) {
  places.append(bytes_of(entry.offset));
  places.append(bytes_of(entry.first_edge));
  places.append(bytes_of(entry.block_bytes));
  places.append(bytes_of(entry.edges));
}

}  // namespace

class ContainerStream::Lane final : public WorkingLane {
 public:
  Lane(ContainerStream& source, const core::PairShape& shape)
      : source_(source),
        buffer_(source.environment_.memory, largest_block_bytes(source.header_), "block from a pipe"),
        block_(source.environment_, source.facts_.name, source.header_, shape, source.verify_) {}

  RecordBatch next() override {
    Block block;
    {
      const std::lock_guard lock(source_.mutex_);
      if (!source_.read_block(buffer_.bytes(), block)) return {};
    }
    first_edge_ = block.head.first_edge;
    return block_.read(block.offset, block.head, buffer_.bytes().first(block.head.block_bytes));
  }

 private:
  ContainerStream& source_;
  core::Buffer buffer_;
  BlockReader block_;
};

ContainerStream::ContainerStream(core::Environment& environment, core::InputFile input, unsigned max_lanes,
                                 bool verify)
    : LanedSource(environment), input_(std::move(input)), verify_(verify) {
  facts_.name = input_.name();
  std::array<std::byte, sizeof(ContainerHeader)> start;
  header_ = read_header(input_.name(), std::span(start).first(input_.read_next(start)));
  std::vector<std::byte> metadata(header_.data_offset - sizeof(header_));
  if (!metadata.empty()) metadata.resize(input_.read_next(metadata));
  metadata_ = read_metadata(input_.name(), header_, metadata);
  facts_ = header_facts(header_, input_.name());
  position_ = header_.data_offset;
  blocks_ = std::make_unique<IndexCheck>(input_.name(), header_);
  open_lanes(max_lanes, largest_block_bytes(header_) + BlockReader::memory_bytes(header_));
}

std::unique_ptr<WorkingLane> ContainerStream::make_lane(const core::PairShape& shape) {
  return std::make_unique<Lane>(*this, shape);
}

void ContainerStream::read_next(std::span<std::byte> buffer) {
  const std::size_t bytes = input_.read_next(buffer);
  position_ += bytes;
  if (bytes < buffer.size()) {
    throw core::DataError::at_offset(
        facts_.name, position_,
        "truncated: the container ends here, after " + std::to_string(blocks_->edges()) + " whole edges");
  }
}

bool ContainerStream::read_block(std::span<std::byte> buffer, Block& block) {
  if (ended_) return false;
  block.offset = position_;
  // The index may have no entries; then only its head of 16 bytes and the footer follow. So no more than 16
  // bytes are read before it is known whether a block or the index follows.
  const auto start = buffer.first(sizeof(IndexHead));
  read_next(start);
  if (std::memcmp(start.data(), IndexHead{}.magic.data(), IndexHead{}.magic.size()) == 0) {
    read_end(block.offset, start);
    ended_ = true;
    return false;
  }
  read_next(buffer.subspan(start.size(), sizeof(BlockHead) - start.size()));
  block.head = read_block_head(facts_.name, block.offset, header_, buffer.first(sizeof(BlockHead)));
  const IndexEntry entry{.offset = block.offset,
                         .first_edge = block.head.first_edge,
                         .block_bytes = block.head.block_bytes,
                         .edges = block.head.edges};
  blocks_->add(block.offset, entry);
  append_place(block_places_, entry);
  read_next(buffer.subspan(sizeof(BlockHead), block.head.block_bytes - sizeof(BlockHead)));
  return true;
}

void ContainerStream::read_end(std::uint64_t index_offset, std::span<const std::byte> start) {
  IndexHead head;
  std::memcpy(&head, start.data(), sizeof(head));
  core::ChecksumStream sum;
  core::ChecksumStream places;
  sum.append(start);
  std::array<std::byte, 128 * sizeof(IndexEntry)> window;
  // The number of entries is known from the blocks, so a damaged count must not cause further reads.
  if (head.blocks != blocks_->blocks()) {
    throw core::DataError::at_offset(
        facts_.name, index_offset,
        "index of " + std::to_string(head.blocks) + " blocks, found " + std::to_string(blocks_->blocks()));
  }
  for (std::uint64_t left = head.blocks * sizeof(IndexEntry); left > 0;) {
    const auto piece = std::span(window).first(std::min<std::uint64_t>(left, window.size()));
    read_next(piece);
    sum.append(piece);
    for (std::size_t at = 0; at < piece.size(); at += sizeof(IndexEntry)) {
      append_place(places, load<IndexEntry>(piece.subspan(at)));
    }
    left -= piece.size();
  }
  std::array<std::byte, sizeof(ContainerFooter)> end;
  const std::uint64_t footer_offset = position_;
  read_next(end);
  const ContainerFooter footer = read_footer(facts_.name, footer_offset, header_, end);
  if (footer.index_checksum != sum.value()) {
    throw core::DataError::at_offset(facts_.name, index_offset,
                                     "the index is damaged: its checksum does not match");
  }
  blocks_->finish(footer_offset, footer);
  if (places.value() != block_places_.value()) {
    throw core::DataError::at_offset(facts_.name, index_offset,
                                     "the index places blocks where there are none, or of other sizes");
  }
  if (std::array<std::byte, 1> more; input_.read_next(more) != 0) {
    throw core::DataError::at_offset(
        facts_.name, position_, "bytes follow the end of the container; containers cannot be concatenated");
  }
}

}  // namespace emgraph::graph::format
