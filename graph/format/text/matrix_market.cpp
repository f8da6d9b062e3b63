// SPDX-License-Identifier: MIT
// Derives facts and rules from banner and size line. Compares words case-insensitively, as the format
// requires.
#include "graph/format/text/matrix_market.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <memory>
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

enum class MatrixSymmetry { general, symmetric, skew_symmetric };

struct MatrixMarketHeader {
  WeightType weight = WeightType::none;  ///< pattern: none, integer: i64, real: f64
  MatrixSymmetry symmetry = MatrixSymmetry::general;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t entries = 0;
};

constexpr std::string_view banner = "%%matrixmarket";

std::string lower(std::string_view word) {
  std::string text(word);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

void read_banner(const std::vector<std::string_view>& words, const std::string& file,
                 MatrixMarketHeader& header) {
  const auto refuse = [&](const std::string& what) { throw core::DataError::at_line(file, 1, what); };
  if (words.empty() || lower(words[0]) != banner) {
    refuse(
        "found no Matrix Market header, expected %%MatrixMarket matrix coordinate ...; "
        "a list of edges numbered from 1 is read by --input-format text --id-base 1");
  }
  if (words.size() != 5) {
    refuse("found a header of " + std::to_string(words.size()) +
           " words, expected %%MatrixMarket matrix coordinate FIELD SYMMETRY");
  }
  if (const std::string object = lower(words[1]); object != "matrix") {
    refuse("found the object '" + object + "', expected a matrix");
  }
  if (const std::string layout = lower(words[2]); layout != "coordinate") {
    refuse("found the layout '" + layout +
           "', expected coordinate: a dense matrix is no list of edges; write it as sparse first");
  }
  const std::string field = lower(words[3]);
  if (field == "integer" || field == "unsigned-integer") {
    header.weight = WeightType::i64;
  } else if (field == "real" || field == "double") {
    header.weight = WeightType::f64;
  } else if (field != "pattern") {
    refuse("found the field '" + field + "', expected pattern, integer or real");
  }
  const std::string symmetry = lower(words[4]);
  if (symmetry == "symmetric") {
    header.symmetry = MatrixSymmetry::symmetric;
  } else if (symmetry == "skew-symmetric") {
    header.symmetry = MatrixSymmetry::skew_symmetric;
  } else if (symmetry != "general") {
    refuse("found the symmetry '" + symmetry + "', expected general, symmetric or skew-symmetric");
  }
}

/// Refuses sides that are not those of an adjacency matrix; of a bipartite one, sides that are not two.
void check_sides(const MatrixMarketHeader& header, bool bipartite, const std::string& file,
                 std::uint64_t line) {
  const std::string sides =
      "found " + std::to_string(header.rows) + " rows and " + std::to_string(header.columns) + " columns, ";
  if (!bipartite) {
    if (header.rows == header.columns) return;
    throw core::DataError::at_line(file, line,
                                   sides +
                                       "expected a square matrix; --bipartite takes rows and columns as "
                                       "the two sides of a graph, columns numbered after rows");
  }
  if (header.symmetry != MatrixSymmetry::general) {
    throw core::DataError::at_line(file, 1,
                                   "found a symmetric matrix, expected a general one with --bipartite: its "
                                   "rows and columns are the same nodes");
  }
  if (header.rows + header.columns < header.rows) {
    throw core::DataError::at_line(file, line, sides + "expected fewer than 2^64 together");
  }
}

/// Reads the header. Throws DataError if it is not that of an adjacency matrix: not square (unless it is
/// `bipartite`), not sparse, complex. Source: R. Boisvert, R. Pozo, K. Remington, "The Matrix Market Exchange
/// Formats: Initial Design", NISTIR 5935, 1996; unsigned-integer and `%%GraphBLAS` comments as SciPy and
/// LAGraph write them.
MatrixMarketHeader take_matrix_market_header(LineInput& input, bool bipartite) {
  const std::string& file = input.file.name();
  MatrixMarketHeader header;
  read_banner(columns_of(input.chunks.line().value_or("")), file, header);
  for (input.chunks.take_line();; input.chunks.take_line()) {
    const auto line = input.chunks.line();
    if (!line)
      throw core::DataError::in_file(file, "ends before the line of sizes, expected rows columns entries");
    const auto columns = columns_of(*line);
    if (columns.empty() || columns[0].front() == '%') continue;
    const std::uint64_t number = input.chunks.lines_before() + 1;
    if (columns.size() != 3) {
      throw core::DataError::at_line(
          file, number,
          "found " + std::to_string(columns.size()) + " columns, expected rows, columns and entries");
    }
    header.rows = header_number(columns[0], "number of rows", file, number);
    header.columns = header_number(columns[1], "number of columns", file, number);
    header.entries = header_number(columns[2], "number of entries", file, number);
    check_sides(header, bipartite, file, number);
    input.chunks.take_line();
    return header;
  }
}

const char* field_of(WeightType weight) {
  switch (weight) {
    case WeightType::none:
      return "pattern";
    case WeightType::u32:
    case WeightType::i64:
      return "integer";
    case WeightType::f32:
    case WeightType::f64:
      return "real";
  }
  return "";
}

}  // namespace

bool is_matrix_market(const FileStart& start) {
  return lower(start.text().substr(0, banner.size())) == banner;
}

Opened open_matrix_market(core::Environment& environment, core::InputFile file, const Format& /*format*/,
                          const OpenOptions& options) {
  auto input = std::make_unique<LineInput>(environment, std::move(file), LineRules{});
  const MatrixMarketHeader header = take_matrix_market_header(*input, options.bipartite);
  const std::uint64_t nodes = options.bipartite ? header.rows + header.columns : header.rows;
  const bool lower = header.symmetry == MatrixSymmetry::symmetric;
  EdgeFacts facts;
  facts.layout = {.id_bytes = id_bytes_for(nodes, options), .weight = header.weight};
  facts.nodes = nodes;
  facts.edges = header.entries;
  facts.undirected = header.symmetry != MatrixSymmetry::general || options.bipartite;
  facts.oriented_low = lower || options.bipartite;
  facts.no_loops = options.bipartite;
  EdgeLineRules rules = {.skipped = "%",
                         .first = "row",
                         .second = "column",
                         .base = options.id_base.value_or(1),
                         .id_bytes = facts.layout.id_bytes,
                         .second_is_source = lower,
                         .weight = header.weight,
                         .nodes = facts.nodes,
                         .edges = facts.edges};
  if (options.bipartite) rules.left_nodes = header.rows;
  if (lower) rules.triangle = EdgeLineRules::Triangle::lower;
  if (header.symmetry == MatrixSymmetry::skew_symmetric) {
    rules.triangle = EdgeLineRules::Triangle::strictly_lower;
  }
  return {std::make_shared<LineSource>(environment, std::move(input), std::move(facts),
                                       std::make_unique<EdgeLineParser>(rules), options.max_lanes)};
}

std::unique_ptr<EdgeWriter> create_matrix_market(const Creation& creation, const Format& /*format*/) {
  const EdgeFacts& facts = creation.facts;
  const bool symmetric = facts.oriented_low && !facts.directed;
  const std::string banner = std::string("%%MatrixMarket matrix coordinate ") +
                             field_of(facts.layout.weight) + (symmetric ? " symmetric\n" : " general\n");
  const EdgeLineStyle style = {.oriented_low = symmetric};
  return std::make_unique<EdgeLineWriter>(creation, style,
                                          [banner](std::uint64_t nodes, std::uint64_t edges) {
                                            const std::string n = std::to_string(nodes);
                                            return banner + n + " " + n + " " + std::to_string(edges);
                                          });
}

}  // namespace emgraph::graph::format
