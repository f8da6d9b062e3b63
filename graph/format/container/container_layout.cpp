// SPDX-License-Identifier: MIT
// Builds and checks the fixed parts of the container.
#include "graph/format/container/container_layout.hpp"

#include <algorithm>
#include <cstring>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/checksum.hpp"
#include "graph/format/record_source.hpp"

namespace emgraph::graph::format {
namespace {

using core::DataError;

template <class T>
std::uint64_t checksum_before(const T& value, std::size_t end) {
  return core::checksum(bytes_of(value).first(end));
}

template <class T>
T load(std::span<const std::byte> bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

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
  header.metadata_bytes = metadata.size();
  header.data_offset = core::round_up(sizeof(header) + metadata.size(), block_alignment(header));
  core::ChecksumStream sum;
  sum.append(std::as_bytes(std::span(metadata)));
  const std::string padding(header.data_offset - sizeof(header) - metadata.size(), '\0');
  sum.append(std::as_bytes(std::span(padding)));
  header.metadata_checksum = sum.value();
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

std::string metadata_text(const Metadata& metadata) {
  std::string text;
  for (const auto& [key, value] : metadata) {
    std::string line = key + '=' + value;
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\0'; }, ' ');
    text += line + '\n';
  }
  return text;
}

Metadata parse_metadata(const std::string& text) {
  Metadata metadata;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const std::size_t equals = std::min(line.find('='), line.size());
    metadata.emplace_back(line.substr(0, equals), equals < line.size() ? line.substr(equals + 1) : "");
    at = end + 1;
  }
  return metadata;
}

void seal(ContainerHeader& header) {
  header.checksum = checksum_before(header, offsetof(ContainerHeader, checksum));
}
void seal(BlockHead& head) {
  head.checksum = checksum_before(head, offsetof(BlockHead, checksum));
}
void seal(ContainerFooter& footer) {
  footer.checksum = checksum_before(footer, offsetof(ContainerFooter, checksum));
}

ContainerHeader read_header(const std::string& file, std::span<const std::byte> bytes) {
  if (bytes.size() < container_magic.size() ||
      std::memcmp(bytes.data(), container_magic.data(), container_magic.size()) != 0) {
    throw DataError::at_offset(file, 0, "not an emgraph container: its magic number is missing");
  }
  if (bytes.size() < sizeof(ContainerHeader)) {
    throw DataError::at_offset(file, bytes.size(), "truncated: the header takes 128 bytes");
  }
  const auto header = load<ContainerHeader>(bytes);
  const auto refuse = [&](std::size_t offset, const std::string& what) {
    throw DataError::at_offset(file, offset, what);
  };
  if (header.major != container_major) {
    refuse(8, "container version " + number(header.major) + "." + number(header.minor) +
                  ", this program reads " + number(container_major) + ".x");
  }
  if (header.checksum != checksum_before(header, offsetof(ContainerHeader, checksum))) {
    refuse(120, "the header is damaged: its checksum does not match");
  }
  if (header.header_bytes != sizeof(header)) {
    refuse(12, "header of " + number(header.header_bytes) + " bytes, expected 128");
  }
  if (header.id_bytes != 4 && header.id_bytes != 8) {
    refuse(16, "ids of " + number(header.id_bytes) + " bytes, expected 4 or 8");
  }
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
  if (std::any_of(header.reserved.begin(), header.reserved.end(),
                  [](std::uint64_t word) { return word != 0; })) {
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
  if (head.checksum != checksum_before(head, offsetof(BlockHead, checksum))) {
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
  const auto footer = load<ContainerFooter>(bytes);
  const auto refuse = [&](const std::string& what) { throw DataError::at_offset(file, offset, what); };
  if (footer.magic != ContainerFooter{}.magic || footer.end_magic != ContainerFooter{}.end_magic) {
    refuse("no footer at the end: the file is truncated, or bytes were added to it");
  }
  if (footer.checksum != checksum_before(footer, offsetof(ContainerFooter, checksum))) {
    refuse("the footer is damaged: its checksum does not match");
  }
  if (footer.file_bytes != offset + sizeof(footer) || footer.header_checksum != header.checksum) {
    refuse("the footer belongs to a file of " + number(footer.file_bytes) + " bytes, this one has " +
           number(offset + sizeof(footer)) + ": containers cannot be concatenated or cut");
  }
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

Metadata read_metadata(const std::string& file, const ContainerHeader& header,
                       std::span<const std::byte> bytes) {
  if (bytes.size() < header.data_offset - sizeof(header)) {
    throw DataError::at_offset(file, sizeof(header) + bytes.size(),
                               "truncated: the metadata end at offset " + number(header.data_offset));
  }
  if (core::checksum(bytes) != header.metadata_checksum) {
    throw DataError::at_offset(file, sizeof(header),
                               "the metadata are damaged: their checksum does not match");
  }
  return parse_metadata(std::string(reinterpret_cast<const char*>(bytes.data()), header.metadata_bytes));
}

}  // namespace emgraph::graph::format
