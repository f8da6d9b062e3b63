// SPDX-License-Identifier: MIT
// Reads the index in windows, so that its memory does not grow with the file. Verifies a block, then returns
// its bytes or decodes them.
#include "graph/format/container/container_parts.hpp"

#include <algorithm>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/checksum.hpp"
#include "graph/format/source/laned_source.hpp"

namespace emgraph::graph::format {

namespace {

constexpr std::size_t window_entries = 16384 / sizeof(IndexEntry);

}  // namespace

IndexCheck::IndexCheck(std::string file, const ContainerHeader& header)
    : file_(std::move(file)), header_(header), next_offset_(header.data_offset) {}

void IndexCheck::add(std::uint64_t at, const IndexEntry& entry) {
  if (entry.offset != next_offset_ || entry.first_edge != edges_ || entry.edges == 0 ||
      entry.edges > header_.block_edges || entry.block_bytes > format::largest_block_bytes(header_) ||
      entry.block_bytes < sizeof(BlockHead)) {
    throw core::DataError::at_offset(
        file_, at,
        "block " + std::to_string(blocks_) + " of " + std::to_string(entry.edges) + " edges from edge " +
            std::to_string(entry.first_edge) + " at offset " + std::to_string(entry.offset) +
            ", expected edge " + std::to_string(edges_) + " at offset " + std::to_string(next_offset_));
  }
  ++blocks_;
  edges_ += entry.edges;
  next_offset_ += entry.block_bytes;
  largest_block_bytes_ = std::max<std::size_t>(largest_block_bytes_, entry.block_bytes);
}

void IndexCheck::finish(std::uint64_t footer_offset, const ContainerFooter& footer) const {
  if (blocks_ != footer.blocks || edges_ != footer.edges || next_offset_ != footer.index_offset) {
    throw core::DataError::at_offset(file_, footer_offset,
                                     "the footer counts " + std::to_string(footer.blocks) + " blocks with " +
                                         std::to_string(footer.edges) + " edges, found " +
                                         std::to_string(blocks_) + " with " + std::to_string(edges_));
  }
}

ContainerIndex::ContainerIndex(core::InputFile& input, core::MemoryBudget& budget,
                               const ContainerFooter& footer)
    : input_(input), footer_(footer), window_(budget, window_entries, "container index") {}

void ContainerIndex::load_window(std::uint64_t first) {
  window_first_ = first;
  window_size_ = static_cast<std::size_t>(std::min<std::uint64_t>(window_entries, footer_.blocks - first));
  const auto bytes = std::as_writable_bytes(window_.span().first(window_size_));
  const std::uint64_t offset = footer_.index_offset + sizeof(IndexHead) + first * sizeof(IndexEntry);
  read_exactly(input_, offset, bytes);
}

IndexEntry ContainerIndex::entry(std::uint64_t i) {
  if (i < window_first_ || i >= window_first_ + window_size_) load_window(i);
  return window_[static_cast<std::size_t>(i - window_first_)];
}

std::size_t ContainerIndex::verify(const ContainerHeader& header) {
  const std::uint64_t at = footer_.index_offset;
  IndexHead head;
  const bool whole =
      input_.read_at(at, std::as_writable_bytes(std::span<IndexHead, 1>(&head, 1))) == sizeof(head);
  if (!whole || head.magic != IndexHead{}.magic || head.blocks != footer_.blocks) {
    throw core::DataError::at_offset(
        input_.name(), at, "no index here, expected one of " + std::to_string(footer_.blocks) + " blocks");
  }
  core::ChecksumStream sum;
  sum.append(bytes_of(head));
  for (std::uint64_t first = 0; first < footer_.blocks; first += window_size_) {
    load_window(first);
    sum.append(std::as_bytes(window_.span().first(window_size_)));
  }
  if (sum.value() != footer_.index_checksum) {
    throw core::DataError::at_offset(input_.name(), at, "the index is damaged: its checksum does not match");
  }
  IndexCheck check(input_.name(), header);
  for (std::uint64_t i = 0; i < footer_.blocks; ++i) {
    check.add(at + sizeof(IndexHead) + i * sizeof(IndexEntry), entry(i));
  }
  check.finish(at + sizeof(IndexHead) + footer_.blocks * sizeof(IndexEntry), footer_);
  return check.largest_block_bytes();
}

BlockReader::BlockReader(core::Environment& environment, std::string file, const ContainerHeader& header,
                         const core::PairShape& shape, bool verify)
    : environment_(environment),
      file_(std::move(file)),
      layout_(pair_layout(header_facts(header, "").layout)),
      shape_(shape),
      block_edges_(header.block_edges),
      verify_(verify),
      decoder_(environment.memory, layout_, header.block_edges,
               core::uses_zstd(static_cast<core::Codec>(header.codec))) {
  if (header.codec != 0 || !core::same_bytes(layout_, shape_)) room();
}

std::size_t BlockReader::memory_bytes(const ContainerHeader& header) {
  if (header.codec == 0) return 0;
  constexpr std::size_t zstd_context_bytes = 160 * core::KiB;  // libzstd 1.5 needs 94 KiB
  const std::size_t rows_bytes = largest_block_bytes(header);
  const bool zstd = core::uses_zstd(static_cast<core::Codec>(header.codec));
  return rows_bytes + (zstd ? rows_bytes + zstd_context_bytes : 0);
}

std::byte* BlockReader::room() {
  if (records_.size() == 0) {
    records_ = core::Buffer(environment_.memory, block_edges_ * shape_.row_bytes, "block being read");
  }
  return records_.data();
}

RecordBatch BlockReader::read(std::uint64_t offset, const BlockHead& head, std::span<const std::byte> block) {
  const std::span<const std::byte> content = block.subspan(sizeof(BlockHead));
  if (verify_) check_block_payload(file_, offset, head, content);
  const std::span<const std::byte> stored = content.first(head.stored_bytes);
  const bool aligned = reinterpret_cast<std::uintptr_t>(stored.data()) % shape_.integer_bytes == 0;
  if (head.codec == 0 && aligned && core::same_bytes(layout_, shape_)) return {stored.data(), head.edges};
  const std::string_view wrong = decoder_.decode(static_cast<core::Codec>(head.codec), stored,
                                                 head.plain_bytes, head.edges, shape_, room());
  if (!wrong.empty()) {
    throw core::DataError::at_offset(file_, offset,
                                     "the block with edges from " + std::to_string(head.first_edge) +
                                         " on cannot be decoded: " + std::string(wrong));
  }
  return {room(), head.edges};
}

}  // namespace emgraph::graph::format
