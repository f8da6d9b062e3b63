// SPDX-License-Identifier: MIT
// The bytes of an array, from a file or from a member of a zip archive, in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/environment.hpp"
#include "core/io/input_file.hpp"

namespace emgraph::graph::format {

/// A part of a file: the whole rest of a plain file, or a member of an archive.
struct ByteRange {
  std::string name;  ///< for messages: the file, and the member
  std::uint64_t offset = 0;
  std::uint64_t stored_bytes = 0;
  std::uint64_t bytes = 0;  ///< unpacked
  bool deflated = false;
  bool checked = false;  ///< `checksum` is that of the unpacked bytes
  std::uint32_t checksum = 0;
};

/// Memory: none for stored bytes, 112 KiB for deflated ones. Not thread-safe; streams of one file may run in
/// parallel.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  /// Returns fewer bytes than requested only at the end of the range, whose checksum has then been verified.
  /// Throws DataError (truncated or damaged), EnvironmentError.
  virtual std::size_t read(std::span<std::byte> buffer) = 0;
};

/// The file must outlive the stream. Throws DataError if this build has no zlib and the range is deflated.
std::unique_ptr<ByteStream> open_range(core::Environment& environment, core::InputFile& file,
                                       const ByteRange& range);

}  // namespace emgraph::graph::format
