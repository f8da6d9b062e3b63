// SPDX-License-Identifier: MIT
// Line by line to the problem line.
#include "graph/format/dimacs/dimacs_header.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "graph/format/lines/header_columns.hpp"

namespace emgraph::graph::format {
namespace {

[[noreturn]] void refuse(LineInput& input, const std::string& what) {
  throw core::DataError::at_line(input.file.name(), input.chunks.lines_taken() + 1, what);
}

constexpr std::string_view auxiliary = "aux";

bool is_problem(std::string_view word) {
  return word == "sp" || word == "edge" || word == "col" || word == auxiliary;
}

DimacsHeader read_problem(LineInput& input, const std::vector<std::string_view>& columns) {
  DimacsHeader header;
  std::size_t at = 1;
  if (columns.size() > 1 && !is_number(columns[1])) {
    const std::string problem(columns[1]);
    if (problem == auxiliary) {
      refuse(input, "found an auxiliary file (p aux: coordinates or queries), expected a graph (p sp)");
    }
    if (!is_problem(problem)) {
      refuse(input, "found the problem '" + problem + "', expected sp, edge or col");
    }
    header.arcs = problem == "sp";
    ++at;
  } else {
    header.arcs = false;
  }
  if (columns.size() != at + 2) {
    refuse(input, "found a problem line of " + std::to_string(columns.size()) + " columns, expected p " +
                      (header.arcs ? "sp " : "edge ") + "NODES EDGES");
  }
  const std::uint64_t line = input.chunks.lines_taken() + 1;
  header.nodes = header_number(columns[at], "number of nodes", input.file.name(), line);
  header.edges = header_number(columns[at + 1], "number of edges", input.file.name(), line);
  return header;
}

}  // namespace

DimacsHeader take_dimacs_header(LineInput& input, bool headless) {
  for (;; input.chunks.take_line()) {
    const auto line = input.chunks.line();
    if (!line && headless) return {};
    if (!line)
      throw core::DataError::in_file(input.file.name(), "ends without a problem line (p sp NODES ARCS)");
    const auto columns = columns_of(*line);
    if (columns.empty() || line->starts_with('c')) continue;
    if (columns[0] == "p") {
      const DimacsHeader header = read_problem(input, columns);
      input.chunks.take_line();
      return header;
    }
    if (columns[0] != "a" && columns[0] != "e") {
      refuse(input, "found neither a problem line (p sp NODES ARCS) nor a comment (c), expected one of them");
    }
    if (!headless) {
      refuse(input,
             "found an edge, expected the problem line (p sp NODES ARCS) before it; what has none and counts "
             "nodes from 0 is read by --input-format gr --id-base 0");
    }
    return {.arcs = columns[0] == "a"};
  }
}

bool starts_like_dimacs(std::string_view text, bool named) {
  bool comments = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const auto columns = columns_of(text.substr(0, end));
    // What is looked at may end within it.
    const bool ended = end != text.size();
    text.remove_prefix(std::min(end + 1, text.size()));
    if (columns.empty()) continue;
    if (columns[0] == "c" || (named && columns[0].front() == 'c')) {
      comments = true;
      continue;
    }
    if (!ended && columns.size() < 3) break;
    // Words alone may be the header of a table.
    if (columns[0] == "p") {
      return columns.size() >= 3 && (named || is_number(columns[1]) || is_problem(columns[1]));
    }
    return (columns[0] == "a" || columns[0] == "e") && columns.size() >= 3 && is_number(columns[1]);
  }
  return named && comments;
}

}  // namespace emgraph::graph::format
