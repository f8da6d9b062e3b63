// SPDX-License-Identifier: MIT
// The bytes of a text input, unpacked on the way if they are gzip or zstd.
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
  /// Next bytes of the text; short only at the end. Throws DataError (damaged or truncated packing).
  virtual std::size_t read(std::span<std::byte> buffer) = 0;
  /// Starts again (seekable inputs).
  virtual void rewind() = 0;
};

enum class Packing { none, gzip, zstd };

/// By magic number.
Packing packing_of(std::span<const std::byte> start);

/// The input outlives the stream. Throws DataError for gzip in a build without zlib, MemoryLimitError where
/// the window of zstd does not fit.
std::unique_ptr<TextStream> open_text_stream(core::Environment& environment, core::InputFile& input);

/// The first bytes of what is packed, none of them consumed; fewer than `bytes` only if that is all. Memory:
/// for the moment what reading takes. Throws as reading does.
std::vector<std::byte> unpacked_start(core::Environment& environment, core::InputFile& input,
                                      std::size_t bytes);

/// The bytes of an input in order: of a large regular file read ahead and around the page cache, or from
/// there where it is held there. Measured: 32 M edges of text just written around the page cache, one run
/// each: 21 ns per edge in the kernel by pread, 1.4 ns read ahead.
class InputCursor {
 public:
  InputCursor(core::Environment& environment, core::InputFile& input);
  /// Only the first bytes, which stay where they are; behind them read() throws DataError.
  explicit InputCursor(core::InputFile& input) : input_(input), start_only_(true) {}
  /// Short only at the end.
  std::size_t read(std::span<std::byte> buffer);
  void rewind();
  std::uint64_t position() const { return position_; }
  const std::string& name() const { return input_.name(); }
  /// The first bytes of the input, wherever the cursor stands.
  std::span<const std::byte> first(std::size_t bytes) { return input_.peek(bytes); }

 private:
  std::size_t read_start(std::span<std::byte> buffer);

  core::InputFile& input_;
  bool start_only_ = false;
  std::uint64_t position_ = 0;
  std::unique_ptr<core::ExtentReader> reader_;  // none for pipes, small files and cached ones
  std::optional<core::ExtentReader::Loaded> loaded_;
  std::size_t taken_ = 0;  // bytes of loaded_ already delivered
};

// One per packing (text_stream_gzip.cpp, text_stream_zstd.cpp).
std::unique_ptr<TextStream> open_gzip_stream(core::Environment& environment, InputCursor input);
std::unique_ptr<TextStream> open_zstd_stream(core::Environment& environment, InputCursor input);

}  // namespace emgraph::graph::format
