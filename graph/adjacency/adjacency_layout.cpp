// SPDX-License-Identifier: MIT
// Builds and checks the fixed parts of an adjacency file.
#include "graph/adjacency/adjacency_layout.hpp"

#include <algorithm>
#include <cstring>

#include "core/base/bytes.hpp"
#include "core/io/checksum.hpp"
#include "graph/format/container/container_layout.hpp"

namespace emgraph::graph::adjacency {
namespace {

using core::DataError;

template <class T>
std::uint64_t checksum_before(const T& value, std::size_t end) {
  return core::checksum(format::bytes_of(value).first(end));
}

std::string number(std::uint64_t value) {
  return std::to_string(value);
}

template <class Words>
bool all_zero(const Words& words) {
  return std::all_of(words.begin(), words.end(), [](std::uint64_t word) { return word == 0; });
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
  header.metadata_bytes = metadata_text.size();
  header.data_offset = core::round_up(sizeof(header) + metadata_text.size(), data_alignment);
  const std::string padded = padded_metadata(header, metadata_text);
  header.metadata_checksum = core::checksum(std::as_bytes(std::span(padded)));
  seal(header);
  return header;
}

std::string padded_metadata(const FileHeader& header, std::string metadata_text) {
  metadata_text.resize(static_cast<std::size_t>(header.data_offset) - sizeof(header), '\0');
  return metadata_text;
}

void seal(FileHeader& header) {
  header.checksum = checksum_before(header, offsetof(FileHeader, checksum));
}
void seal(FileFooter& footer) {
  footer.checksum = checksum_before(footer, offsetof(FileFooter, checksum));
}

FileHeader read_header(const std::string& file, std::span<const std::byte> bytes) {
  const auto refuse = [&](std::size_t offset, const std::string& what) {
    throw DataError::at_offset(file, offset, what);
  };
  if (bytes.size() < adjacency_magic.size() ||
      std::memcmp(bytes.data(), adjacency_magic.data(), adjacency_magic.size()) != 0) {
    refuse(0, "not an adjacency: its magic number is missing");
  }
  if (bytes.size() < sizeof(FileHeader)) refuse(bytes.size(), "truncated: the header takes 128 bytes");
  FileHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.major != adjacency_major) {
    refuse(8, "adjacency version " + number(header.major) + "." + number(header.minor) +
                  ", this program reads " + number(adjacency_major) + ".x");
  }
  if (header.checksum != checksum_before(header, offsetof(FileHeader, checksum))) {
    refuse(120, "the header is damaged: its checksum does not match");
  }
  if (header.header_bytes != sizeof(header)) {
    refuse(12, "header of " + number(header.header_bytes) + " bytes, expected 128");
  }
  if (header.id_bytes != 4 && header.id_bytes != 8) {
    refuse(16, "ids of " + number(header.id_bytes) + " bytes, expected 4 or 8");
  }
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
  if (!all_zero(header.reserved)) {
    refuse(64, "reserved bytes of the header are not zero; a newer emgraph may read it");
  }
  return header;
}

format::Metadata read_metadata(const std::string& file, const FileHeader& header,
                               std::span<const std::byte> bytes) {
  if (bytes.size() < header.data_offset - sizeof(header)) {
    throw DataError::at_offset(file, sizeof(header) + bytes.size(),
                               "truncated: the metadata end at offset " + number(header.data_offset));
  }
  if (core::checksum(bytes) != header.metadata_checksum) {
    throw DataError::at_offset(file, sizeof(header),
                               "the metadata are damaged: their checksum does not match");
  }
  return format::parse_metadata(
      std::string(reinterpret_cast<const char*>(bytes.data()), header.metadata_bytes));
}

FileFooter read_footer(const std::string& file, std::uint64_t offset, const FileHeader& header,
                       std::span<const std::byte> bytes) {
  const auto refuse = [&](const std::string& what) { throw DataError::at_offset(file, offset, what); };
  FileFooter footer;
  std::memcpy(&footer, bytes.data(), sizeof(footer));
  if (footer.magic != FileFooter{}.magic || footer.end_magic != FileFooter{}.end_magic) {
    refuse("no footer at the end: the file is truncated, or bytes were added to it");
  }
  if (footer.checksum != checksum_before(footer, offsetof(FileFooter, checksum))) {
    refuse("the footer is damaged: its checksum does not match");
  }
  if (footer.file_bytes != offset + sizeof(footer) || footer.header_checksum != header.checksum) {
    refuse("the footer belongs to a file of " + number(footer.file_bytes) + " bytes, this one has " +
           number(offset + sizeof(footer)) + ": adjacencies cannot be concatenated or cut");
  }
  const bool sized = footer.pages <= offset / header.page_bytes &&
                     footer.index_offset == header.data_offset + footer.pages * header.page_bytes &&
                     offset - footer.index_offset == index_bytes(footer.pages, header.id_bytes);
  const bool counted = footer.entries / header.page_bytes <= footer.pages &&
                       (footer.entries == 0) == (footer.pages == 0) &&
                       (footer.nodes == 0 ? footer.pages == 0 : footer.largest_degree_node < footer.nodes) &&
                       (header.id_bytes == 8 || footer.nodes <= std::uint64_t{1} << 32);
  if (!sized || !counted || !all_zero(footer.reserved)) {
    refuse("the footer makes no sense: " + number(footer.pages) + " pages with " + number(footer.entries) +
           " entries, index at " + number(footer.index_offset));
  }
  return footer;
}

}  // namespace emgraph::graph::adjacency
