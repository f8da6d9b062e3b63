// SPDX-License-Identifier: MIT
// The common parts of container and adjacency files: fixed parts with a checksum, and metadata.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/checksum.hpp"
#include "graph/format/table/metadata.hpp"

// A part is a struct with the layout of the file, and a member `checksum` of all bytes before it. A header
// begins with magic, major, minor and header_bytes, and describes the metadata that follow it. A footer ends
// with end_magic, and contains the length of the file and the checksum of its header. Default values of
// members are the valid ones.
namespace emgraph::graph::format {

/// The names of a kind of file in messages.
struct FileKind {
  const char* a_file;  ///< with the article
  const char* file;
  const char* files;
};

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span<const T, 1>(&value, 1));
}

/// Requires: bytes.size() >= sizeof(T).
template <class T>
T load(std::span<const std::byte> bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

template <class Words>
bool all_zero(const Words& words) {
  return std::all_of(words.begin(), words.end(), [](std::uint64_t word) { return word == 0; });
}

template <class Part>
std::uint64_t checksum_of(const Part& part) {
  return core::checksum(bytes_of(part).first(offsetof(Part, checksum)));
}
template <class Part>
bool is_sealed(const Part& part) {
  return part.checksum == checksum_of(part);
}
/// Writes the checksum of a part.
template <class Part>
void seal(Part& part) {
  part.checksum = checksum_of(part);
}

/// Reads a header and checks that it is complete and that its version is known; `bytes` may be shorter than
/// the header (truncated file). The caller checks the other members. Throws DataError, as all reading
/// functions here.
template <class Header>
Header read_sealed_header(const std::string& file, std::span<const std::byte> bytes, const FileKind& kind) {
  const Header right;
  const auto refuse = [&](std::size_t offset, const std::string& what) {
    throw core::DataError::at_offset(file, offset, what);
  };
  if (bytes.size() < right.magic.size() ||
      std::memcmp(bytes.data(), right.magic.data(), right.magic.size()) != 0) {
    refuse(0, "not " + std::string(kind.a_file) + ": its magic number is missing");
  }
  if (bytes.size() < sizeof(Header)) {
    refuse(bytes.size(), "truncated: the header takes " + std::to_string(sizeof(Header)) + " bytes");
  }
  const auto header = load<Header>(bytes);
  if (header.major != right.major) {
    refuse(offsetof(Header, major), std::string(kind.file) + " version " + std::to_string(header.major) +
                                        "." + std::to_string(header.minor) + ", this program reads " +
                                        std::to_string(right.major) + ".x");
  }
  if (!is_sealed(header)) {
    refuse(offsetof(Header, checksum), "the header is damaged: its checksum does not match");
  }
  if (header.header_bytes != sizeof(Header)) {
    refuse(offsetof(Header, header_bytes), "header of " + std::to_string(header.header_bytes) +
                                               " bytes, expected " + std::to_string(sizeof(Header)));
  }
  if (header.id_bytes != 4 && header.id_bytes != 8) {
    refuse(offsetof(Header, id_bytes),
           "ids of " + std::to_string(header.id_bytes) + " bytes, expected 4 or 8");
  }
  return header;
}

/// Reads a footer at `offset`, the end of the file that begins with `header`, and checks that it is complete.
template <class Footer, class Header>
Footer read_sealed_footer(const std::string& file, std::uint64_t offset, const Header& header,
                          std::span<const std::byte> bytes, const FileKind& kind) {
  const Footer right;
  const auto refuse = [&](const std::string& what) { throw core::DataError::at_offset(file, offset, what); };
  const auto footer = load<Footer>(bytes);
  if (footer.magic != right.magic || footer.end_magic != right.end_magic) {
    refuse("no footer at the end: the file is truncated, or bytes were added to it");
  }
  if (!is_sealed(footer)) refuse("the footer is damaged: its checksum does not match");
  if (footer.file_bytes != offset + sizeof(Footer) || footer.header_checksum != header.checksum) {
    refuse("the footer belongs to a file of " + std::to_string(footer.file_bytes) + " bytes, this one has " +
           std::to_string(offset + sizeof(Footer)) + ": " + kind.files + " cannot be concatenated or cut");
  }
  return footer;
}

/// The metadata and the zeros up to data_offset.
template <class Header>
std::string padded_metadata(const Header& header, std::string text) {
  text.resize(static_cast<std::size_t>(header.data_offset) - sizeof(Header), '\0');
  return text;
}

/// The offset of the data: the next multiple of `alignment` after header and metadata.
template <class Header>
void announce_metadata(Header& header, const std::string& text, std::size_t alignment) {
  header.metadata_bytes = text.size();
  header.data_offset = core::round_up(sizeof(Header) + text.size(), alignment);
  const std::string padded = padded_metadata(header, text);
  header.metadata_checksum = core::checksum(std::as_bytes(std::span(padded)));
}

/// Checks and parses the metadata. `bytes`: the bytes between the header and the data, perhaps truncated.
template <class Header>
Metadata read_metadata(const std::string& file, const Header& header, std::span<const std::byte> bytes) {
  if (bytes.size() < header.data_offset - sizeof(Header)) {
    throw core::DataError::at_offset(
        file, sizeof(Header) + bytes.size(),
        "truncated: the metadata end at offset " + std::to_string(header.data_offset));
  }
  if (core::checksum(bytes) != header.metadata_checksum) {
    throw core::DataError::at_offset(file, sizeof(Header),
                                     "the metadata are damaged: their checksum does not match");
  }
  return parse_metadata(std::string(reinterpret_cast<const char*>(bytes.data()), header.metadata_bytes));
}

}  // namespace emgraph::graph::format
