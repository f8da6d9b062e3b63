// SPDX-License-Identifier: MIT
// The banner and the size line of a Matrix Market file.
#pragma once

#include <cstdint>
#include <string_view>

#include "graph/edge_facts.hpp"
#include "graph/format/lines/line_source.hpp"

namespace emgraph::graph::format {

enum class MatrixSymmetry { general, symmetric, skew_symmetric };

struct MatrixMarketHeader {
  WeightType weight = WeightType::none;  ///< pattern: none, integer: i64, real: f64
  MatrixSymmetry symmetry = MatrixSymmetry::general;
  std::uint64_t nodes = 0;  ///< rows and columns
  std::uint64_t entries = 0;
};

/// Is the first word that of the banner? Upper and lower case do not matter.
bool starts_like_matrix_market(std::string_view text);

/// Takes the header from the input. Throws DataError for what is no adjacency matrix: not square, not sparse,
/// complex.
/// Source: R. Boisvert, R. Pozo, K. Remington, "The Matrix Market Exchange Formats: Initial Design", NISTIR
/// 5935, 1996; unsigned-integer and `%%GraphBLAS` comments as SciPy and LAGraph write them.
MatrixMarketHeader take_matrix_market_header(LineInput& input);

}  // namespace emgraph::graph::format
