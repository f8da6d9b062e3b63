// SPDX-License-Identifier: MIT
// Takes the lines of one chunk of text after another.
#include "graph/graphalytics/vertex_lines.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <system_error>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::graph::graphalytics {
namespace {

constexpr std::size_t chunk_bytes = 256 * core::KiB;

/// Removes the next column and returns it; empty at the end of the line.
std::string_view take_column(std::string_view& line) {
  constexpr std::string_view blanks = " \t\r";
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  const std::string_view column = line.substr(0, line.find_first_of(blanks));
  line.remove_prefix(column.size());
  return column;
}

template <class Number>
bool read_number(std::string_view column, Number& number) {
  const auto [end, error] = std::from_chars(column.data(), column.data() + column.size(), number);
  return error == std::errc() && end == column.data() + column.size();
}

}  // namespace

VertexLines::VertexLines(core::Environment& environment, const std::string& path, ValueKind kind)
    : file_(path, environment.io),
      kind_(kind),
      chunks_(environment, file_, format::LineRules{}),
      buffer_(environment.memory, chunk_bytes, "lines of vertices") {}

std::optional<VertexLine> VertexLines::next() {
  for (;;) {
    if (rest_.empty()) {
      format::LineChunk chunk;
      if (!chunks_.read({buffer_.data(), buffer_.size()}, chunk)) return std::nullopt;
      if (!chunk.wrong.empty()) throw core::DataError::at_line(name(), line_ + 1, chunk.wrong);
      rest_ = chunk.text;
      continue;
    }
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++line_;
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) return parse(line);
  }
}

VertexLine VertexLines::parse(std::string_view line) const {
  const auto refuse = [&](std::string_view found, const std::string& expected) {
    throw core::DataError::at_line(
        name(), line_,
        "found " + (found.empty() ? "nothing" : "'" + std::string(found.substr(0, 40)) + "'") +
            ", expected " + expected);
  };
  VertexLine result;
  const std::string_view vertex = take_column(line);
  if (!read_number(vertex, result.vertex)) refuse(vertex, "the number of a vertex");
  if (kind_ == ValueKind::none) return result;
  const std::string_view value = take_column(line);
  if (kind_ == ValueKind::integer) {
    if (!read_number(value, result.value)) refuse(value, "a whole number as the value of the vertex");
    return result;
  }
  double real = 0;
  if (!read_number(value, real)) refuse(value, "a number as the value of the vertex");
  result.value = std::bit_cast<std::uint64_t>(real);
  return result;
}

}  // namespace emgraph::graph::graphalytics
