// SPDX-License-Identifier: MIT
// Sequential reading; every byte up to the last of the footer is accounted for, and none may follow it.
#include "graph/format/container/container_stream.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/base/error.hpp"
#include "core/io/checksum.hpp"
#include "graph/format/container/container_parts.hpp"

namespace emgraph::graph::format {
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
  // The index head may be the last 16 bytes but the footer's, so look at no more before deciding.
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
  // The number of entries is known from the blocks; a damaged count must not send us reading on.
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
