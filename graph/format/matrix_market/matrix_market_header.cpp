// SPDX-License-Identifier: MIT
// Words are compared without regard to case, as the format asks for.
#include "graph/format/matrix_market/matrix_market_header.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "graph/format/lines/header_columns.hpp"

namespace emgraph::graph::format {
namespace {

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

}  // namespace

bool starts_like_matrix_market(std::string_view text) {
  return lower(text.substr(0, banner.size())) == banner;
}

MatrixMarketHeader take_matrix_market_header(LineInput& input) {
  const std::string& file = input.file.name();
  MatrixMarketHeader header;
  read_banner(columns_of(input.chunks.line().value_or("")), file, header);
  for (input.chunks.take_line();; input.chunks.take_line()) {
    const auto line = input.chunks.line();
    if (!line)
      throw core::DataError::in_file(file, "ends before the line of sizes, expected rows columns entries");
    const auto columns = columns_of(*line);
    if (columns.empty() || columns[0].front() == '%') continue;
    const std::uint64_t number = input.chunks.lines_taken() + 1;
    if (columns.size() != 3) {
      throw core::DataError::at_line(
          file, number,
          "found " + std::to_string(columns.size()) + " columns, expected rows, columns and entries");
    }
    header.nodes = header_number(columns[0], "number of rows", file, number);
    const std::uint64_t width = header_number(columns[1], "number of columns", file, number);
    header.entries = header_number(columns[2], "number of entries", file, number);
    if (header.nodes != width) {
      throw core::DataError::at_line(file, number,
                                     "found " + std::to_string(header.nodes) + " rows and " +
                                         std::to_string(width) + " columns, expected a square matrix");
    }
    input.chunks.take_line();
    return header;
  }
}

}  // namespace emgraph::graph::format
