// SPDX-License-Identifier: MIT
// Writes header, blocks, index and footer, and at the end the header again if the output allows it.
#include "graph/format/container/container_writer.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/base/bytes.hpp"
#include "core/io/checksum.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::array<std::byte, plain_block_alignment> zeros{};
constexpr std::size_t first_index_entries = core::page_bytes / sizeof(IndexEntry);

/// Chosen so that head and rows fill the block exactly, if the record size allows it.
std::size_t choose_block_edges(const core::PairLayout& layout, std::size_t block_bytes) {
  const std::size_t bytes = std::clamp<std::size_t>(block_bytes, 128, max_block_bytes - core::page_bytes);
  return std::max<std::size_t>(1, (bytes - sizeof(BlockHead)) / layout.row_bytes());
}

}  // namespace

ContainerWriter::ContainerWriter(core::Environment& environment, std::unique_ptr<core::OutputFile> output,
                                 const EdgeFacts& facts, const ContainerOptions& options)
    : output_(std::move(output)),
      facts_(facts),
      layout_(pair_layout(facts.layout)),
      block_edges_(choose_block_edges(layout_, options.block_bytes)),
      metadata_(metadata_text(options.metadata)),
      codec_(options.codec) {
  if (layout_.attachment_bytes() > max_attachment_bytes) {
    throw std::logic_error("an edge carries at most 64 bytes");
  }
  if (metadata_.size() > max_metadata_bytes) throw core::UsageError("metadata above 1 MiB");
  header_ = make_header(facts_, codec_, block_edges_, metadata_);
  index_memory_ = environment.memory.reserve(core::page_bytes, "container index");
  index_.reserve(first_index_entries);
  blocks_ =
      std::make_unique<BlockEncoder>(environment, facts_, codec_, block_edges_, block_alignment(header_),
                                     [this](const BlockWork& work) { write_block(work); });
  output_->append(bytes_of(header_));
  const std::string padded = padded_metadata(header_, metadata_);
  output_->append(std::as_bytes(std::span(padded)));
}

ContainerWriter::~ContainerWriter() = default;

void ContainerWriter::append_records(const core::PairShape& shape, const std::byte* records,
                                     std::size_t count) {
  if (shape.attachment_bytes < layout_.attachment_bytes()) {
    throw std::logic_error("records with fewer attached bytes than the file's layout");
  }
  while (count > 0) {
    BlockWork& block = blocks_->current();
    const std::size_t take = std::min(count, block_edges_ - block.edges);
    std::byte* to = block.rows.data() + block.edges * layout_.row_bytes();
    if (const auto wide = core::pack_pairs(shape, records, take, layout_, to)) {
      throw IdTooWide(core::DataError::in_file(
          output_->path(), "edge " + std::to_string(edges_ + *wide) + " has an id that needs 8 bytes"));
    }
    block.edges += take;
    edges_ += take;
    records += take * shape.row_bytes;
    count -= take;
    if (block.edges == block_edges_) blocks_->submit();
  }
}

void ContainerWriter::write_block(const BlockWork& work) {
  const BlockSummary& summary = work.summary;
  const std::byte* rows = work.rows.data();
  const std::size_t row_bytes = layout_.row_bytes();
  if (!last_row_.empty()) check_boundary(facts_, last_row_.data(), rows, work.first_edge);
  last_row_.assign(rows + (work.edges - 1) * row_bytes, rows + work.edges * row_bytes);
  loops_ += summary.loops;
  max_id_ = std::max(max_id_, summary.max_id);
  const std::uint64_t id_bound = facts_.nodes.value_or(unknown_count);
  if (max_id_ >= id_bound) {
    throw core::DataError::in_file(output_->path(), "id " + std::to_string(max_id_) + " in edges " +
                                                        std::to_string(work.first_edge) + " to " +
                                                        std::to_string(work.first_edge + work.edges - 1) +
                                                        ", expected ids below " + std::to_string(id_bound));
  }
  if (index_.size() == index_.capacity()) grow_index(2 * index_.capacity());
  index_.push_back({output_->size(), work.first_edge, summary.first_source, summary.first_target,
                    summary.last_source, summary.last_target, work.head.block_bytes, work.head.edges});
  output_->append(bytes_of(work.head));
  output_->append(work.payload);
  output_->append(std::span(zeros).first(work.padding_bytes));
}

void ContainerWriter::grow_index(std::size_t entries) {
  // While the vector grows, the old and the new memory exist.
  index_memory_.resize((index_.capacity() + entries) * sizeof(IndexEntry), "container index");
  index_.reserve(entries);
  index_memory_.resize(index_.capacity() * sizeof(IndexEntry), "container index");
}

// The block that is being filled is a part of the state, so that its edges need not be made again.
void ContainerWriter::save(core::StateWriter& state) {
  blocks_->drain();
  output_->save(state);
  state.value(static_cast<std::uint64_t>(index_.size()));
  state.array(std::span(index_));
  state.value(static_cast<std::uint64_t>(last_row_.size()));
  state.put(last_row_);
  state.value(std::array{edges_, loops_, max_id_});
  const BlockWork& block = blocks_->current();
  state.value(static_cast<std::uint64_t>(block.edges));
  state.put(block.rows.bytes().first(block.edges * layout_.row_bytes()));
}

void ContainerWriter::restore(core::StateReader& state) {
  output_->restore(state);
  const auto entries = static_cast<std::size_t>(state.value<std::uint64_t>());
  if (entries > index_.capacity()) grow_index(entries);
  index_.resize(entries);
  state.array(std::span(index_));
  last_row_.resize(state.value<std::uint64_t>());
  state.get(last_row_);
  const auto counts = state.value<std::array<std::uint64_t, 3>>();
  edges_ = counts[0];
  loops_ = counts[1];
  max_id_ = counts[2];
  BlockWork& block = blocks_->current();
  block.edges = static_cast<std::size_t>(state.value<std::uint64_t>());
  block.first_edge = edges_ - block.edges;
  state.get(block.rows.bytes().first(block.edges * layout_.row_bytes()));
}

std::uint64_t ContainerWriter::growth_bytes(const EdgeFacts& facts, std::uint64_t edges) {
  const std::uint64_t block_edges = choose_block_edges(pair_layout(facts.layout), default_block_bytes);
  std::uint64_t most = core::page_bytes;
  // As write_block grows it.
  for (std::uint64_t entries = first_index_entries; entries < core::divide_up(edges, block_edges);
       entries *= 2) {
    most = 3 * entries * sizeof(IndexEntry);
  }
  return most - core::page_bytes;
}

std::uint64_t ContainerWriter::nodes() const {
  return facts_.nodes.value_or(std::max(least_nodes_, edges_ == 0 ? 0 : max_id_ + 1));
}

void ContainerWriter::finish() {
  check_declared_edges(facts_.edges, edges_);
  if (BlockWork& block = blocks_->current(); block.edges != 0) {
    block.last = true;
    blocks_->submit();
  }
  blocks_->drain();
  ContainerHeader final_header = header_;
  if (output_->rewritable()) {
    final_header.nodes = nodes();
    final_header.edges = edges_;
    seal(final_header);
  }
  write_index(final_header);
  if (output_->rewritable()) output_->rewrite_start(bytes_of(final_header));
  output_->finish();
}

void ContainerWriter::write_index(const ContainerHeader& final_header) {
  ContainerFooter footer;
  IndexHead head;
  head.blocks = index_.size();
  const auto entries = std::as_bytes(std::span(index_));
  core::ChecksumStream sum;
  sum.append(bytes_of(head));
  sum.append(entries);
  footer.index_offset = output_->size();
  footer.index_checksum = sum.value();
  footer.blocks = index_.size();
  footer.nodes = nodes();
  footer.edges = edges_;
  footer.loops = loops_;
  footer.file_bytes = footer.index_offset + sizeof(head) + entries.size() + sizeof(footer);
  footer.header_checksum = final_header.checksum;
  seal(footer);
  output_->append(bytes_of(head));
  output_->append(entries);
  output_->append(bytes_of(footer));
}

}  // namespace emgraph::graph::format
