// SPDX-License-Identifier: MIT
// Reads the header up to the problem line, and makes the rules for the lines of edges.
#include "graph/format/text/dimacs.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "graph/format/text/edge_line_parser.hpp"
#include "graph/format/text/edge_line_writer.hpp"
#include "graph/format/text/header_lines.hpp"
#include "graph/format/text/line_source.hpp"

namespace emgraph::graph::format {
namespace {

struct DimacsHeader {
  /// Lines "a SOURCE TARGET WEIGHT" (shortest paths); else "e NODE NODE" (colouring, and KaGen's lists).
  bool arcs = true;
  bool undirected = false;                            ///< p edge and p col; KaGen's lists say nothing
  std::optional<std::uint64_t> nodes = std::nullopt;  ///< nullopt: there is no problem line
  std::optional<std::uint64_t> edges = std::nullopt;
};

[[noreturn]] void refuse(LineInput& input, const std::string& what) {
  throw core::DataError::at_line(input.file.name(), input.chunks.lines_before() + 1, what);
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
      if (columns.size() > 3 && columns[2] == "sp" && (columns[3] == "ss" || columns[3] == "p2p")) {
        refuse(input, "found queries (p aux sp " + std::string(columns[3]) +
                          "), expected a graph (p sp); they belong to sssp --queries");
      }
      refuse(input, "found an auxiliary file (p aux: coordinates or queries), expected a graph (p sp)");
    }
    if (!is_problem(problem)) {
      refuse(input, "found the problem '" + problem + "', expected sp, edge or col");
    }
    header.arcs = problem == "sp";
    header.undirected = !header.arcs;
    ++at;
  } else {
    header.arcs = false;
  }
  if (columns.size() != at + 2) {
    refuse(input, "found a problem line of " + std::to_string(columns.size()) + " columns, expected p " +
                      (header.arcs ? "sp " : "edge ") + "NODES EDGES");
  }
  const std::uint64_t line = input.chunks.lines_before() + 1;
  header.nodes = header_number(columns[at], "number of nodes", input.file.name(), line);
  header.edges = header_number(columns[at + 1], "number of edges", input.file.name(), line);
  return header;
}

/// Reads all lines before the first edge. Throws DataError for another kind of problem, and if there is no
/// problem line, unless `headless`. Source: 9th DIMACS Implementation Challenge, "File formats", 2006 (p sp);
/// "Clique and Coloring Problems Graph Format", DIMACS 1993 (p edge, p col); KaGen's edge lists have "p N M".
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

/// True if the first line that is not a comment belongs to such a file. `named`: the name has such an
/// extension, so comments alone suffice.
bool starts_like_dimacs(std::string_view text, bool named) {
  bool comments = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const auto columns = columns_of(text.substr(0, end));
    // `text` may end inside the line.
    const bool ended = end != text.size();
    text.remove_prefix(std::min(end + 1, text.size()));
    if (columns.empty()) continue;
    if (columns[0] == "c" || (named && columns[0].front() == 'c')) {
      comments = true;
      continue;
    }
    if (!ended && columns.size() < 3) break;
    // A line of words may be the header of a table.
    if (columns[0] == "p") {
      return columns.size() >= 3 && (named || is_number(columns[1]) || is_problem(columns[1]));
    }
    return (columns[0] == "a" || columns[0] == "e") && columns.size() >= 3 && is_number(columns[1]);
  }
  return named && comments;
}

}  // namespace

bool is_dimacs(const FileStart& start) {
  const Format* const called = find_format(start.extension);
  const bool named = called != nullptr && called->open == open_dimacs;
  return (named || start.printable()) && starts_like_dimacs(start.text(), named);
}

Opened open_dimacs(core::Environment& environment, core::InputFile file, const Format& /*format*/,
                   const OpenOptions& options) {
  auto input = std::make_unique<LineInput>(environment, std::move(file), LineRules{});
  const DimacsHeader header = take_dimacs_header(*input, options.id_base.has_value());
  EdgeFacts facts;
  facts.layout.id_bytes = id_bytes_for(header.nodes, options);
  if (header.arcs) facts.layout.weight = WeightType::i64;
  facts.nodes = header.nodes;
  facts.edges = header.edges;
  facts.directed = header.arcs;
  facts.undirected = header.undirected;
  const EdgeLineRules rules = {.letter = header.arcs ? 'a' : 'e',
                               .skipped = header.arcs ? "c" : "cndvx",
                               .first = header.arcs ? "source" : "first node",
                               .second = header.arcs ? "target" : "second node",
                               .base = options.id_base.value_or(1),
                               .id_bytes = facts.layout.id_bytes,
                               .weight = facts.layout.weight,
                               .nodes = facts.nodes,
                               .edges = facts.edges,
                               .hint = "; where nodes count from 0: --input-format gr --id-base 0"};
  return {std::make_shared<LineSource>(environment, std::move(input), std::move(facts),
                                       std::make_unique<EdgeLineParser>(rules), options.max_lanes)};
}

std::unique_ptr<EdgeWriter> create_dimacs(const Creation& creation, const Format& /*format*/) {
  const WeightType weight = creation.facts.layout.weight;
  if (weight == WeightType::f32 || weight == WeightType::f64) {
    throw core::UsageError(creation.path +
                           ": the weights of a .gr file are integers, these edges have fractions");
  }
  const EdgeLineStyle style = {.prefix = "a ", .weight_if_none = "1"};
  return std::make_unique<EdgeLineWriter>(creation, style, [](std::uint64_t nodes, std::uint64_t edges) {
    return "p sp " + std::to_string(nodes) + " " + std::to_string(edges);
  });
}

}  // namespace emgraph::graph::format
