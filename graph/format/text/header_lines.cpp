// SPDX-License-Identifier: MIT
// Header lines are short, so this code is simple rather than fast.
#include "graph/format/text/header_lines.hpp"

#include <charconv>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

#include "core/base/error.hpp"
#include "graph/format/source/edge_writer.hpp"
#include "graph/format/text/quoted_text.hpp"

namespace emgraph::graph::format {
namespace {

/// Ids in the file count from 1, so the largest 64-bit id has no number.
constexpr std::uint64_t most_nodes = std::numeric_limits<std::uint64_t>::max();

}  // namespace

std::string show_column(const char* at) {
  const char* stop = at;
  while (*stop != '\n' && *stop != '\r' && *stop != ' ' && *stop != '\t') ++stop;
  if (stop == at && *at != '\r') return "the end of the line";
  if (stop == at) return at[1] == '\n' ? "the end of the line" : "a carriage return inside a line";
  const std::string text = quoted_text({at, stop});
  return text + (text.front() == '\'' && *stop == '\r' && stop[1] != '\n' ? " and a carriage return" : "");
}

std::string wrong_number(const char* at, const std::string& which, std::uint64_t least, std::uint64_t most) {
  const std::string range = most == std::numeric_limits<std::uint64_t>::max()
                                ? "of " + std::to_string(least) + " or more, below 2^64"
                                : "from " + std::to_string(least) + " to " + std::to_string(most);
  return "found " + show_column(at) + " as the " + which + ", expected a number " + range;
}

std::vector<std::string_view> columns_of(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  std::vector<std::string_view> columns;
  for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
    columns.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(blanks, end);
  }
  return columns;
}

bool is_number(std::string_view column) {
  return !column.empty() && column.front() >= '0' && column.front() <= '9';
}

std::uint64_t header_number(std::string_view column, const std::string& which, const std::string& file,
                            std::uint64_t line) {
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(column.data(), column.data() + column.size(), number);
  if (error != std::errc() || stop != column.data() + column.size()) {
    const std::string shown = std::string(column) + '\n';
    throw core::DataError::at_line(
        file, line,
        "found " + show_column(shown.c_str()) + " as the " + which + ", expected a number below 2^64");
  }
  return number;
}

CountedHeader::CountedHeader(core::OutputFile& output, const EdgeFacts& facts, Text text)
    : output_(output),
      declared_nodes_(facts.nodes),
      declared_edges_(facts.edges),
      text_(std::move(text)),
      bound_(facts.nodes.value_or(most_nodes)) {
  std::string header;
  if (declared_nodes_ && declared_edges_) {
    header = text_(*declared_nodes_, *declared_edges_);
  } else {
    if (!output_.rewritable()) {
      throw core::UsageError(
          output_.path() +
          ": the header declares the numbers of nodes and edges, which are not known before "
          "the end: write to a file");
    }
    header = text_(most_nodes, most_nodes);
    room_bytes_ = header.size();
    header.assign(room_bytes_, ' ');
  }
  header += '\n';
  output_.append(std::as_bytes(std::span(header)));
}

void CountedHeader::refuse(std::uint64_t id, std::uint64_t edge) const {
  refuse_written_id(output_.path(), edge, id, bound_);
}

void CountedHeader::complete(std::uint64_t edges) {
  check_declared_edges(declared_edges_, edges);
  if (room_bytes_ == 0) return;
  std::string header = text_(nodes(), edges);
  header.resize(room_bytes_, ' ');
  output_.rewrite_start(std::as_bytes(std::span(header)));
}

}  // namespace emgraph::graph::format
