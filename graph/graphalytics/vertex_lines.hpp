// SPDX-License-Identifier: MIT
// Reads lines "vertex value", of reference outputs, or "vertex", of vertex files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/environment.hpp"
#include "core/io/input_file.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/text/line_chunks.hpp"

namespace emgraph::graph::graphalytics {

/// The numbers that follow the vertex in a line. Later columns are not read.
enum class ValueKind { none, integer, real };

struct VertexLine {
  std::uint64_t vertex = 0;
  std::uint64_t value = 0;  ///< of a real number the bits of the double
};

/// Text may be packed. I/O: reads the file once. Memory: 256 KiB and that of the text. Threads: one. Throws:
/// DataError (names the line), EnvironmentError, MemoryLimitError.
class VertexLines {
 public:
  VertexLines(core::Environment& environment, const std::string& path, ValueKind kind);

  /// The next line; nullopt at the end. Lines without text are skipped.
  std::optional<VertexLine> next();
  const std::string& name() const { return file_.name(); }
  /// For messages: the number of the line that next() returned.
  std::uint64_t line() const { return line_; }

 private:
  VertexLine parse(std::string_view line) const;

  core::InputFile file_;
  const ValueKind kind_;
  format::LineChunks chunks_;
  core::Buffer buffer_;
  std::string_view rest_;
  std::uint64_t line_ = 0;
};

}  // namespace emgraph::graph::graphalytics
