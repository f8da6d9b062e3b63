// SPDX-License-Identifier: MIT
// Builds and checks the fixed parts of an adjacency file.
#include "graph/adjacency/adjacency_layout.hpp"

#include "core/base/bytes.hpp"

namespace emgraph::graph::adjacency {
namespace {

using core::DataError;

constexpr format::FileKind kind{"an adjacency", "adjacency", "adjacencies"};

std::string number(std::uint64_t value) {
  return std::to_string(value);
}

}  // namespace

std::uint64_t index_bytes(std::uint64_t pages, std::size_t id_bytes) {
  return sizeof(FileIndexHead) + core::round_up(pages * id_bytes, 8) +
         core::round_up(core::divide_up(pages, 8), 8);
}

FileHeader make_header(std::size_t id_bytes, std::size_t page_bytes, bool directed,
                       const std::string& metadata_text) {
  FileHeader header;
  header.id_bytes = static_cast<std::uint32_t>(id_bytes);
  header.page_bytes = static_cast<std::uint32_t>(page_bytes);
  header.required_flags = directed ? flag_directed : 0;
  format::announce_metadata(header, metadata_text, data_alignment);
  format::seal(header);
  return header;
}

FileHeader read_header(const std::string& file, std::span<const std::byte> bytes) {
  const auto refuse = [&](std::size_t offset, const std::string& what) {
    throw DataError::at_offset(file, offset, what);
  };
  const auto header = format::read_sealed_header<FileHeader>(file, bytes, kind);
  if (header.page_bytes == 0 || header.page_bytes % data_alignment != 0 ||
      header.page_bytes > most_page_bytes) {
    refuse(20, "pages of " + number(header.page_bytes) + " bytes, expected a multiple of 4096 up to 32768");
  }
  if (const std::uint64_t unknown = header.required_flags & ~flag_directed; unknown != 0) {
    refuse(24, "unknown required flags (value " + number(unknown) + "); a newer emgraph may read it");
  }
  if (header.metadata_bytes > format::max_metadata_bytes ||
      header.data_offset != core::round_up(sizeof(header) + header.metadata_bytes, data_alignment)) {
    refuse(40, "metadata of " + number(header.metadata_bytes) + " bytes and pages from offset " +
                   number(header.data_offset) + " on do not agree");
  }
  if (!format::all_zero(header.reserved)) {
    refuse(64, "reserved bytes of the header are not zero; a newer emgraph may read it");
  }
  return header;
}

FileFooter read_footer(const std::string& file, std::uint64_t offset, const FileHeader& header,
                       std::span<const std::byte> bytes) {
  const auto refuse = [&](const std::string& what) { throw DataError::at_offset(file, offset, what); };
  const auto footer = format::read_sealed_footer<FileFooter>(file, offset, header, bytes, kind);
  const bool sized = footer.pages <= offset / header.page_bytes &&
                     footer.index_offset == header.data_offset + footer.pages * header.page_bytes &&
                     offset - footer.index_offset == index_bytes(footer.pages, header.id_bytes);
  const bool counted = footer.entries / header.page_bytes <= footer.pages &&
                       (footer.entries == 0) == (footer.pages == 0) &&
                       (footer.nodes == 0 ? footer.pages == 0 : footer.largest_degree_node < footer.nodes) &&
                       (header.id_bytes == 8 || footer.nodes <= std::uint64_t{1} << 32);
  if (!sized || !counted || !format::all_zero(footer.reserved)) {
    refuse("the footer makes no sense: " + number(footer.pages) + " pages with " + number(footer.entries) +
           " entries, index at " + number(footer.index_offset));
  }
  return footer;
}

}  // namespace emgraph::graph::adjacency
