// SPDX-License-Identifier: MIT
// The fixed parts of emgraph's container, as described in CONTAINER.md.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/io/codec.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/source/sealed_parts.hpp"

namespace emgraph::graph::format {

static_assert(std::endian::native == std::endian::little, "files are little-endian, and so is this code");

/// 0x89 and the line ends detect damage by text-mode transfers, as in PNG.
inline constexpr std::array<std::uint8_t, 8> container_magic = {0x89, 'E', 'M', 'G', 0x0d, 0x0a, 0x1a, 0x0a};
inline constexpr std::uint16_t container_major = 1;
inline constexpr std::uint16_t container_minor = 0;
inline constexpr std::uint64_t unknown_count = ~std::uint64_t{0};

/// Blocks of codec none begin at multiples of a page, other blocks at multiples of 8 bytes.
inline constexpr std::size_t plain_block_alignment = 4096;
inline constexpr std::size_t coded_block_alignment = 8;
/// Largest block. The limit bounds the memory that a header can make a reader allocate.
inline constexpr std::size_t max_block_bytes = std::size_t{64} << 20;

/// Bits of ContainerHeader::required_flags. A reader refuses unknown bits.
inline constexpr std::uint64_t flag_directed = 1;
inline constexpr std::uint64_t flag_unique = 2;
inline constexpr std::uint64_t flag_no_loops = 4;
inline constexpr std::uint64_t flag_oriented_low = 8;
inline constexpr std::uint64_t flag_symmetric = 16;
inline constexpr std::uint64_t known_required_flags = 31;

struct ContainerHeader {
  std::array<std::uint8_t, 8> magic = container_magic;
  std::uint16_t major = container_major;
  std::uint16_t minor = container_minor;
  std::uint32_t header_bytes = 128;
  std::uint8_t id_bytes = 4;
  std::uint8_t weight = 0;
  std::uint8_t order = 0;
  std::uint8_t codec = 0;
  std::uint32_t payload_bytes = 0;
  std::uint64_t required_flags = 0;
  std::uint64_t optional_flags = 0;
  std::uint64_t nodes = unknown_count;
  std::uint64_t edges = unknown_count;
  std::uint32_t block_edges = 0;
  std::uint32_t codec_level = 0;
  std::uint64_t metadata_bytes = 0;
  std::uint64_t data_offset = 0;
  std::uint64_t metadata_checksum = 0;
  std::array<std::uint64_t, 4> reserved = {};
  std::uint64_t checksum = 0;
};
static_assert(sizeof(ContainerHeader) == 128);

struct BlockHead {
  std::array<char, 8> magic = {'E', 'M', 'G', 'B', 'L', 'O', 'C', 'K'};
  std::uint32_t edges = 0;
  std::uint32_t codec = 0;
  std::uint32_t stored_bytes = 0;
  std::uint32_t plain_bytes = 0;
  std::uint64_t first_edge = 0;
  std::uint32_t block_bytes = 0;
  std::uint32_t reserved = 0;
  std::uint64_t reserved_2 = 0;
  std::uint64_t payload_checksum = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(BlockHead) == 64);

struct IndexHead {
  std::array<char, 8> magic = {'E', 'M', 'G', 'I', 'N', 'D', 'E', 'X'};
  std::uint64_t blocks = 0;
};
static_assert(sizeof(IndexHead) == 16);

struct IndexEntry {
  std::uint64_t offset = 0;
  std::uint64_t first_edge = 0;
  std::uint64_t first_source = 0;
  std::uint64_t first_target = 0;
  std::uint64_t last_source = 0;
  std::uint64_t last_target = 0;
  std::uint32_t block_bytes = 0;
  std::uint32_t edges = 0;
};
static_assert(sizeof(IndexEntry) == 56);

struct ContainerFooter {
  std::array<char, 8> magic = {'E', 'M', 'G', 'F', 'O', 'O', 'T', 'R'};
  std::uint64_t index_offset = 0;
  std::uint64_t index_checksum = 0;
  std::uint64_t blocks = 0;
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  std::uint64_t loops = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t header_checksum = 0;
  std::uint64_t reserved = 0;
  std::uint64_t checksum = 0;
  std::array<char, 8> end_magic = {'E', 'M', 'G', '.', 'E', 'N', 'D', '\n'};
};
static_assert(sizeof(ContainerFooter) == 96);

/// The sealed header of a file with these facts; `metadata_text`: the metadata as stored in the file.
ContainerHeader make_header(const EdgeFacts& facts, const core::CodecChoice& codec, std::size_t block_edges,
                            const std::string& metadata_text);
/// The facts a header declares, for a file called `name`.
EdgeFacts header_facts(const ContainerHeader& header, const std::string& name);

std::size_t block_alignment(const ContainerHeader& header);
/// Largest block a file with this header can hold, head and padding included.
std::size_t largest_block_bytes(const ContainerHeader& header);

// The following functions check parts that were read. They throw DataError with the name `file` and the
// offset.

/// `bytes` may be shorter than the header (truncated file).
ContainerHeader read_header(const std::string& file, std::span<const std::byte> bytes);
BlockHead read_block_head(const std::string& file, std::uint64_t offset, const ContainerHeader& header,
                          std::span<const std::byte> bytes);
/// Checks payload and padding of a block against its head.
void check_block_payload(const std::string& file, std::uint64_t offset, const BlockHead& head,
                         std::span<const std::byte> payload);
/// Reads the footer at `offset` of a file of offset + 96 bytes, and checks it against the header.
ContainerFooter read_footer(const std::string& file, std::uint64_t offset, const ContainerHeader& header,
                            std::span<const std::byte> bytes);

}  // namespace emgraph::graph::format
