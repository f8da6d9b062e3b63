// SPDX-License-Identifier: MIT
// The header says which graph and landmarks the distances belong to; checksums cover header and distances.
#include "graph/sssp/landmark_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/checksum.hpp"
#include "core/io/input_file.hpp"
#include "core/io/output_file.hpp"
#include "graph/format/source/laned_source.hpp"
#include "graph/format/source/sealed_parts.hpp"

namespace emgraph::graph::sssp {
namespace {

constexpr format::FileKind kind{"a file of landmarks", "landmark file", "landmark files"};

struct Header {
  std::array<std::uint8_t, 8> magic = {0x89, 'E', 'M', 'L', 0x0d, 0x0a, 0x1a, 0x0a};
  std::uint16_t major = 1;
  std::uint16_t minor = 0;
  std::uint32_t header_bytes = 128;
  std::uint32_t id_bytes = 4;
  std::uint32_t weight = 0;  ///< WeightType
  std::uint64_t nodes = 0;
  std::uint64_t landmarks = 0;
  std::uint64_t directions = 1;  ///< 2: distances to landmarks, too
  std::uint64_t graph_checksum = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t data_checksum = 0;  ///< of all bytes after the header
  std::array<std::uint64_t, 6> reserved = {};
  std::uint64_t checksum = 0;
};
static_assert(sizeof(Header) == 128);

Header header_of(const LandmarkKey& key, const LandmarkArrays& arrays) {
  Header header;
  header.id_bytes = key.id_bytes;
  header.weight = static_cast<std::uint32_t>(key.weight);
  header.nodes = key.nodes;
  header.landmarks = key.count;
  header.directions = key.both ? 2 : 1;
  header.graph_checksum = key.graph_checksum;
  header.file_bytes = sizeof(Header) + 2 * std::uint64_t{key.count} * sizeof(std::uint64_t) +
                      arrays.from.size_bytes() + arrays.to.size_bytes();
  return header;
}

/// Why the distances of a file are not those that are wanted; "" if they are.
std::string difference(const Header& found, const Header& wanted) {
  if (found.landmarks != wanted.landmarks) {
    return "it has " + std::to_string(found.landmarks) + " landmarks, not " +
           std::to_string(wanted.landmarks);
  }
  const bool same_graph = found.graph_checksum == wanted.graph_checksum && found.nodes == wanted.nodes &&
                          found.id_bytes == wanted.id_bytes && found.weight == wanted.weight &&
                          found.directions == wanted.directions;
  return same_graph ? "" : "it belongs to another graph, or to another order of the nodes";
}

constexpr std::size_t piece_bytes = core::MiB;

/// Reads bytes from `offset` on, which moves past them. Throws DataError if the file ends before.
void read_part(core::InputFile& input, std::uint64_t& offset, std::span<std::byte> bytes,
               core::ChecksumStream& sum) {
  for (std::size_t done = 0; done < bytes.size(); done += piece_bytes) {
    const std::span<std::byte> piece = bytes.subspan(done, std::min(piece_bytes, bytes.size() - done));
    format::read_exactly(input, offset, piece);
    sum.append(piece);
    offset += piece.size();
  }
}

/// Throws DataError for a damaged file.
std::optional<std::vector<std::uint64_t>> read_checked(core::InputFile& input, const Header& wanted,
                                                       const LandmarkArrays& arrays, std::string& refused) {
  std::array<std::byte, sizeof(Header)> start;
  const std::size_t bytes = input.read_at(0, start);
  const auto header = format::read_sealed_header<Header>(input.name(), std::span(start).first(bytes), kind);
  refused = difference(header, wanted);
  if (!refused.empty()) return std::nullopt;
  if (header.file_bytes != wanted.file_bytes || input.size() != wanted.file_bytes) {
    throw format::wrong_size(input.name(), input.size(), wanted.file_bytes, "distances of landmarks");
  }
  std::vector<std::uint64_t> largest(2 * static_cast<std::size_t>(wanted.landmarks));
  core::ChecksumStream sum;
  std::uint64_t offset = sizeof(Header);
  read_part(input, offset, std::as_writable_bytes(std::span(largest)), sum);
  read_part(input, offset, std::as_writable_bytes(arrays.from), sum);
  read_part(input, offset, std::as_writable_bytes(arrays.to), sum);
  if (sum.value() != header.data_checksum) {
    throw core::DataError::at_offset(input.name(), sizeof(Header),
                                     "the distances are damaged: their checksum does not match");
  }
  return largest;
}

bool holds_landmarks(core::InputFile& input) {
  const Header right;
  std::array<std::uint8_t, right.magic.size()> magic;
  return input.seekable() && input.read_at(0, std::as_writable_bytes(std::span(magic))) == magic.size() &&
         magic == right.magic;
}

}  // namespace

std::optional<std::vector<std::uint64_t>> read_landmarks(core::Environment& environment,
                                                         const LandmarkFile& file, const LandmarkKey& key,
                                                         const LandmarkArrays& arrays, LandmarkUse& use) {
  std::error_code ignored;
  if (!std::filesystem::exists(file.path, ignored)) return std::nullopt;
  core::InputFile input(file.path, environment.io);
  if (!holds_landmarks(input)) {
    if (file.foreign == core::Overwrite::refuse) {
      throw core::UsageError(file.path + ": exists already and holds no landmarks; use -f to replace it");
    }
    use.refused = "it held no landmarks";
    return std::nullopt;
  }
  try {
    auto largest = read_checked(input, header_of(key, arrays), arrays, use.refused);
    use.read = largest.has_value();
    return largest;
  } catch (const core::DataError& error) {
    use.refused = error.what();
    use.damaged = true;
    return std::nullopt;
  }
}

void write_landmarks(core::Environment& environment, const LandmarkFile& file, const LandmarkKey& key,
                     const LandmarkArrays& arrays, const std::vector<std::uint64_t>& largest) {
  const core::Overwrite overwrite =
      file.foreign == core::Overwrite::rehearse ? core::Overwrite::rehearse : core::Overwrite::force;
  core::OutputFile output(file.path, overwrite, environment.memory, environment.io, environment.outputs);
  Header header = header_of(key, arrays);
  core::ChecksumStream sum;
  for (const std::span<const std::byte> part :
       {std::as_bytes(std::span(largest)), std::as_bytes(arrays.from), std::as_bytes(arrays.to)}) {
    sum.append(part);
  }
  header.data_checksum = sum.value();
  format::seal(header);
  output.append(format::bytes_of(header));
  output.append(std::as_bytes(std::span(largest)));
  output.append(std::as_bytes(arrays.from));
  output.append(std::as_bytes(arrays.to));
  output.finish();
}

}  // namespace emgraph::graph::sssp
