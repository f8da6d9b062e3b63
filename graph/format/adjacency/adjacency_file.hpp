// SPDX-License-Identifier: MIT
// The fixed parts of an adjacency file, as described in ADJACENCY.md, and the file opened for a search.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/environment.hpp"
#include "core/io/input_file.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/format/source/sealed_parts.hpp"
#include "graph/format/table/metadata.hpp"

namespace emgraph::graph::adjacency {

inline constexpr std::array<std::uint8_t, 8> adjacency_magic = {0x89, 'E', 'M', 'A', 0x0d, 0x0a, 0x1a, 0x0a};
inline constexpr std::uint16_t adjacency_major = 1;
/// Files without weights have minor 0, so that they are the same as those of version 1.0.
inline constexpr std::uint16_t adjacency_minor = 1;
inline constexpr std::uint64_t flag_directed = 1;
inline constexpr std::uint64_t flag_weighted = 2;
/// Pages begin at a multiple of this, for direct I/O.
inline constexpr std::size_t data_alignment = 4096;

struct FileHeader {
  std::array<std::uint8_t, 8> magic = adjacency_magic;
  std::uint16_t major = adjacency_major;
  std::uint16_t minor = 0;
  std::uint32_t header_bytes = 128;
  std::uint32_t id_bytes = 4;
  std::uint32_t page_bytes = 0;
  std::uint64_t required_flags = 0;
  std::uint64_t optional_flags = 0;
  std::uint64_t metadata_bytes = 0;
  std::uint64_t data_offset = 0;
  std::uint64_t metadata_checksum = 0;
  std::uint64_t weight = 0;  ///< WeightType
  std::array<std::uint64_t, 6> reserved = {};
  std::uint64_t checksum = 0;

  WeightType weight_type() const { return static_cast<WeightType>(weight); }
};
static_assert(sizeof(FileHeader) == 128);

struct FileIndexHead {
  std::array<char, 8> magic = {'E', 'M', 'A', 'I', 'N', 'D', 'E', 'X'};
  std::uint64_t pages = 0;
};
static_assert(sizeof(FileIndexHead) == 16);

struct FileFooter {
  std::array<char, 8> magic = {'E', 'M', 'A', 'F', 'O', 'O', 'T', 'R'};
  std::uint64_t index_offset = 0;
  std::uint64_t index_checksum = 0;
  std::uint64_t pages = 0;
  std::uint64_t nodes = 0;
  std::uint64_t entries = 0;
  std::uint64_t largest_degree_node = 0;
  std::uint64_t largest_degree = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t header_checksum = 0;
  std::uint64_t least_weight = 0;  ///< stored bits, zero-extended; 0 without weights or entries
  std::uint64_t largest_weight = 0;
  std::array<std::uint64_t, 2> reserved = {};
  std::uint64_t checksum = 0;
  std::array<char, 8> end_magic = {'E', 'M', 'A', '.', 'E', 'N', 'D', '\n'};
};
static_assert(sizeof(FileFooter) == 128);

/// Bytes of the index of `pages` pages: head, first nodes, bits; the last two are padded to 8 bytes.
std::uint64_t index_bytes(std::uint64_t pages, std::size_t id_bytes);

FileHeader make_header(std::size_t id_bytes, std::size_t page_bytes, bool directed, WeightType weight,
                       const std::string& metadata_text);
/// Ranks of the least and the largest weight. Requires: a footer that was read with this header.
WeightRanks weight_ranks(const FileHeader& header, const FileFooter& footer);
/// Reads and checks the header. Throws DataError with `file` and the offset. `bytes` may be shorter
/// (truncated file).
FileHeader read_header(const std::string& file, std::span<const std::byte> bytes);
/// Reads the footer at `offset`, at the end of the file, and checks it, also against the header.
FileFooter read_footer(const std::string& file, std::uint64_t offset, const FileHeader& header,
                       std::span<const std::byte> bytes);

/// The checked header and footer of an adjacency file. Throws UsageError if it is not a regular file,
/// DataError.
struct FileEnds {
  FileHeader header;
  FileFooter footer;
  format::Metadata metadata;
};
FileEnds read_ends(core::InputFile& input);

/// Reads and checks the index. Requires: Id has the width in the header. Memory: the index.
template <class Id>
PageIndex<Id> read_index(core::Environment& environment, core::InputFile& input, const FileEnds& ends);

/// Opens the adjacency of a file. Throws as read_ends, EnvironmentError, MemoryLimitError.
template <class Id>
std::unique_ptr<PagedAdjacency<Id>> open_adjacency(core::Environment& environment, const std::string& path);

/// The same for a file whose ends were read, with chunks of this size.
template <class Id>
std::unique_ptr<PagedAdjacency<Id>> open_adjacency(core::Environment& environment,
                                                   std::shared_ptr<core::InputFile> input,
                                                   const FileEnds& ends, std::size_t chunk_bytes);

}  // namespace emgraph::graph::adjacency
