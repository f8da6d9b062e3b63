// SPDX-License-Identifier: MIT
// Reads the bytes of a text input and unpacks gzip, zstd, xz and bzip2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/environment.hpp"
#include "core/io/extent_reader.hpp"
#include "core/io/input_file.hpp"

namespace emgraph::graph::format {

inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Not thread-safe.
class TextStream {
 public:
  virtual ~TextStream() = default;
  /// Reads the next bytes of the text; returns fewer than requested only at the end. Throws DataError
  /// (damaged or truncated packed data).
  virtual std::size_t read(std::span<std::byte> buffer) = 0;
  /// Starts again. Requires: a seekable input.
  virtual void rewind() = 0;
};

enum class Packing { none, gzip, zstd, xz, bzip2 };

/// Bytes at the start that packing_of() needs.
inline constexpr std::size_t packing_magic_bytes = 10;

/// Detects the packing by its magic number.
Packing packing_of(std::span<const std::byte> start);

/// The packing of an input. Throws DataError if its name has the extension of a packer and no packed data
/// begin there: such a file is cut short, or has the wrong name. Consumes no input.
Packing packing_of(core::InputFile& input);

/// The input must outlive the stream. Throws DataError for a packing whose library this build lacks (gzip,
/// xz, bzip2), MemoryLimitError if the window of zstd or the dictionary of xz does not fit.
std::unique_ptr<TextStream> open_text_stream(core::Environment& environment, core::InputFile& input);

/// The first `bytes` unpacked bytes, without consuming input; fewer only if there are no more. Memory: that
/// of a stream, during the call. Throws as reading does, and DataError if a pipe must be unpacked beyond what
/// can be peeked at.
std::vector<std::byte> unpacked_start(core::Environment& environment, core::InputFile& input,
                                      std::size_t bytes);

/// The bytes of text of a packed input, estimated from what its start unpacks to; of other inputs their
/// size. Consumes no input. Memory and throws: as unpacked_start. Requires: a seekable input.
std::uint64_t estimated_text_bytes(core::Environment& environment, core::InputFile& input);

/// Reads the bytes of an input in order. Large regular files are read ahead with direct I/O, unless they are
/// in the page cache. Measured: 32 M edges of text that are not in the page cache, one run each: 21 ns per
/// edge in the kernel with pread, 1.4 ns with read-ahead.
class InputCursor {
 public:
  InputCursor(core::Environment& environment, core::InputFile& input);
  /// Reads only the first bytes, without consuming them; after their end read() throws DataError.
  InputCursor(core::InputFile& input, std::size_t most_bytes) : input_(input), start_bytes_(most_bytes) {}
  /// Returns fewer bytes than requested only at the end.
  std::size_t read(std::span<std::byte> buffer);
  void rewind();
  std::uint64_t position() const { return position_; }
  const std::string& name() const { return input_.name(); }
  /// The first bytes of the input, independent of the position of the cursor.
  std::span<const std::byte> first(std::size_t bytes) { return input_.peek(bytes); }

 private:
  std::size_t read_start(std::span<std::byte> buffer);

  core::InputFile& input_;
  std::size_t start_bytes_ = 0;  // 0: all
  std::uint64_t position_ = 0;
  std::unique_ptr<core::ExtentReader> reader_;  // none for pipes, small files and cached ones
  std::optional<core::ExtentReader::Loaded> loaded_;
  std::size_t taken_ = 0;  // bytes of loaded_ already returned
};

// Defined in text_stream_gzip.cpp, text_stream_zstd.cpp, text_stream_xz.cpp and text_stream_bzip2.cpp.
std::unique_ptr<TextStream> open_gzip_stream(core::Environment& environment, InputCursor input);
std::unique_ptr<TextStream> open_zstd_stream(core::Environment& environment, InputCursor input);
std::unique_ptr<TextStream> open_xz_stream(core::Environment& environment, InputCursor input);
std::unique_ptr<TextStream> open_bzip2_stream(core::Environment& environment, InputCursor input);

}  // namespace emgraph::graph::format
