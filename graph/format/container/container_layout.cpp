// SPDX-License-Identifier: MIT
// Builds and checks the fixed parts of the container.
#include "graph/format/container/container_layout.hpp"

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::format {
namespace {

using core::DataError;

constexpr FileKind kind{"an emgraph container", "container", "containers"};

std::string number(std::uint64_t value) {
  return std::to_string(value);
}

}  // namespace

ContainerHeader make_header(const EdgeFacts& facts, const core::CodecChoice& codec, std::size_t block_edges,
                            const std::string& metadata) {
  ContainerHeader header;
  header.id_bytes = static_cast<std::uint8_t>(facts.layout.id_bytes);
  header.weight = static_cast<std::uint8_t>(facts.layout.weight);
  header.order = static_cast<std::uint8_t>(facts.order);
  header.codec = static_cast<std::uint8_t>(codec.codec);
  header.payload_bytes = static_cast<std::uint32_t>(facts.layout.payload_bytes);
  header.required_flags = (facts.directed ? flag_directed : 0) | (facts.unique ? flag_unique : 0) |
                          (facts.no_loops ? flag_no_loops : 0) |
                          (facts.oriented_low ? flag_oriented_low : 0) |
                          (facts.symmetric ? flag_symmetric : 0);
  header.nodes = facts.nodes.value_or(unknown_count);
  header.edges = facts.edges.value_or(unknown_count);
  header.block_edges = static_cast<std::uint32_t>(block_edges);
  header.codec_level = core::uses_zstd(codec.codec) ? static_cast<std::uint32_t>(codec.level) : 0;
  announce_metadata(header, metadata, block_alignment(header));
  seal(header);
  return header;
}

EdgeFacts header_facts(const ContainerHeader& header, const std::string& name) {
  EdgeFacts facts;
  facts.layout.id_bytes = header.id_bytes;
  facts.layout.weight = static_cast<WeightType>(header.weight);
  facts.layout.payload_bytes = header.payload_bytes;
  if (header.nodes != unknown_count) facts.nodes = header.nodes;
  if (header.edges != unknown_count) facts.edges = header.edges;
  facts.order = static_cast<EdgeOrder>(header.order);
  facts.directed = (header.required_flags & flag_directed) != 0;
  facts.unique = (header.required_flags & flag_unique) != 0;
  facts.no_loops = (header.required_flags & flag_no_loops) != 0;
  facts.oriented_low = (header.required_flags & flag_oriented_low) != 0;
  facts.symmetric = (header.required_flags & flag_symmetric) != 0;
  facts.name = name;
  return facts;
}

std::size_t block_alignment(const ContainerHeader& header) {
  return header.codec == 0 ? plain_block_alignment : coded_block_alignment;
}

std::size_t largest_block_bytes(const ContainerHeader& header) {
  const std::size_t record = pair_layout(header_facts(header, "").layout).row_bytes();
  return core::round_up(sizeof(BlockHead) + header.block_edges * record, block_alignment(header));
}

ContainerHeader read_header(const std::string& file, std::span<const std::byte> bytes) {
  const auto header = read_sealed_header<ContainerHeader>(file, bytes, kind);
  const auto refuse = [&](std::size_t offset, const std::string& what) {
    throw DataError::at_offset(file, offset, what);
  };
  if (header.weight > static_cast<std::uint8_t>(WeightType::f64)) {
    refuse(17, "unknown weight type " + number(header.weight) + "; a newer emgraph may read it");
  }
  if (header.order > static_cast<std::uint8_t>(EdgeOrder::weight)) {
    refuse(18, "unknown edge order " + number(header.order) + "; a newer emgraph may read it");
  }
  if (header.codec > static_cast<std::uint8_t>(core::Codec::delta_zstd)) {
    refuse(19, "unknown codec " + number(header.codec) + "; a newer emgraph may read it");
  }
  const std::size_t weight = weight_bytes(static_cast<WeightType>(header.weight));
  if (header.payload_bytes > max_attachment_bytes - weight) {
    refuse(20, "payload of " + number(header.payload_bytes) + " bytes, expected at most " +
                   number(max_attachment_bytes - weight));
  }
  if (const std::uint64_t unknown = header.required_flags & ~known_required_flags; unknown != 0) {
    refuse(24, "unknown required flags (value " + number(unknown) + "); a newer emgraph may read it");
  }
  if (header.block_edges == 0 || header.block_edges > max_block_bytes / 8 ||
      largest_block_bytes(header) > max_block_bytes) {
    refuse(56, "blocks of " + number(header.block_edges) + " edges, expected 1 to those of 64 MiB");
  }
  if (header.metadata_bytes > max_metadata_bytes ||
      header.data_offset != core::round_up(sizeof(header) + header.metadata_bytes, block_alignment(header))) {
    refuse(64, "metadata of " + number(header.metadata_bytes) + " bytes and blocks from offset " +
                   number(header.data_offset) + " on do not agree");
  }
  if (!all_zero(header.reserved)) {
    refuse(88, "reserved bytes of the header are not zero; a newer emgraph may read it");
  }
  return header;
}

BlockHead read_block_head(const std::string& file, std::uint64_t offset, const ContainerHeader& header,
                          std::span<const std::byte> bytes) {
  if (bytes.size() < sizeof(BlockHead)) {
    throw DataError::at_offset(file, offset + bytes.size(), "truncated: the head of a block takes 64 bytes");
  }
  const auto head = load<BlockHead>(bytes);
  if (head.magic != BlockHead{}.magic) {
    throw DataError::at_offset(file, offset, "no block here: found other bytes, expected \"EMGBLOCK\"");
  }
  if (!is_sealed(head)) {
    throw DataError::at_offset(file, offset, "the head of a block is damaged: its checksum does not match");
  }
  const core::PairLayout layout = pair_layout(header_facts(header, "").layout);
  const std::uint64_t raw_bytes = head.edges * layout.row_bytes();
  const std::uint64_t content = sizeof(BlockHead) + std::uint64_t{head.stored_bytes};
  const bool coded = head.codec != 0;
  if (head.edges == 0 || head.edges > header.block_edges || head.stored_bytes > raw_bytes ||
      head.plain_bytes > raw_bytes || (head.codec & ~std::uint32_t{header.codec}) != 0 ||
      (!coded && head.stored_bytes != raw_bytes) || head.block_bytes < content ||
      head.block_bytes - content >= block_alignment(header) ||
      head.block_bytes % coded_block_alignment != 0 || head.reserved != 0 || head.reserved_2 != 0) {
    throw DataError::at_offset(file, offset,
                               "the head of a block makes no sense (" + number(head.edges) +
                                   " edges, codec " + number(head.codec) + ", " + number(head.stored_bytes) +
                                   " bytes)");
  }
  return head;
}

void check_block_payload(const std::string& file, std::uint64_t offset, const BlockHead& head,
                         std::span<const std::byte> payload) {
  if (core::checksum(payload) != head.payload_checksum) {
    throw DataError::at_offset(file, offset,
                               "the block with edges " + number(head.first_edge) + " to " +
                                   number(head.first_edge + head.edges - 1) +
                                   " is damaged: its checksum does not match");
  }
}

ContainerFooter read_footer(const std::string& file, std::uint64_t offset, const ContainerHeader& header,
                            std::span<const std::byte> bytes) {
  const auto footer = read_sealed_footer<ContainerFooter>(file, offset, header, bytes, kind);
  const auto refuse = [&](const std::string& what) { throw DataError::at_offset(file, offset, what); };
  if (footer.index_offset < header.data_offset || footer.index_offset > offset ||
      footer.blocks > offset / sizeof(IndexEntry) ||
      offset - footer.index_offset != sizeof(IndexHead) + footer.blocks * sizeof(IndexEntry) ||
      footer.reserved != 0) {
    refuse("the footer makes no sense: index at " + number(footer.index_offset) + ", " +
           number(footer.blocks) + " blocks");
  }
  if (header.edges != unknown_count && header.edges != footer.edges) {
    refuse("the footer counts " + number(footer.edges) + " edges, the header " + number(header.edges));
  }
  if (header.nodes != unknown_count && header.nodes != footer.nodes) {
    refuse("the footer counts " + number(footer.nodes) + " nodes, the header " + number(header.nodes));
  }
  return footer;
}

}  // namespace emgraph::graph::format
