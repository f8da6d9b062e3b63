// SPDX-License-Identifier: MIT
// n, m, and a format of up to three binary digits: node sizes, node weights, edge weights.
#include "graph/format/metis/metis_header.hpp"

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "graph/format/lines/header_columns.hpp"

namespace emgraph::graph::format {
namespace {

MetisHeader read_header(const std::vector<std::string_view>& columns, const std::string& file,
                        std::uint64_t line) {
  const auto refuse = [&](const std::string& what) { throw core::DataError::at_line(file, line, what); };
  if (columns.size() < 2 || columns.size() > 4) {
    refuse("found a header of " + std::to_string(columns.size()) +
           " columns, expected NODES EDGES [FORMAT [NODE_WEIGHTS]]");
  }
  MetisHeader header;
  header.nodes = header_number(columns[0], "number of nodes", file, line);
  const std::uint64_t edges = header_number(columns[1], "number of edges", file, line);
  if (edges > std::numeric_limits<std::uint64_t>::max() / 2) {
    refuse("found " + std::to_string(edges) + " edges, expected fewer than 2^63");
  }
  header.entries = 2 * edges;
  if (columns.size() < 3) return header;
  const std::string_view format = columns[2];
  if (format.size() > 3 || format.find_first_not_of("01") != std::string_view::npos) {
    refuse("found the format '" + std::string(format) +
           "', expected up to three digits 0 or 1: node sizes, node weights, edge weights");
  }
  const auto digit = [&](std::size_t from_right) {
    return format.size() > from_right && format[format.size() - 1 - from_right] == '1';
  };
  header.weighted = digit(0);
  if (digit(1)) header.node_columns = 1;
  if (columns.size() == 4) {
    const std::uint64_t weights = header_number(columns[3], "number of node weights", file, line);
    constexpr std::uint64_t most_weights = 1 << 20;
    if (weights > most_weights)
      refuse("found " + std::to_string(weights) + " weights per node, expected fewer");
    if (digit(1)) header.node_columns = weights;
  }
  if (digit(2)) ++header.node_columns;
  return header;
}

}  // namespace

MetisHeader take_metis_header(LineInput& input) {
  const std::string& file = input.file.name();
  for (;; input.chunks.take_line()) {
    const auto line = input.chunks.line();
    if (!line)
      throw core::DataError::in_file(file, "has no header, expected NODES EDGES [FORMAT [NODE_WEIGHTS]]");
    if (line->starts_with('%')) continue;
    const MetisHeader header = read_header(columns_of(*line), file, input.chunks.lines_taken() + 1);
    input.chunks.take_line();
    return header;
  }
}

}  // namespace emgraph::graph::format
