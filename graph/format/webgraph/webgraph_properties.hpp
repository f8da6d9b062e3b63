// SPDX-License-Identifier: MIT
// How a WebGraph file is coded: the text file NAME.properties beside it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace emgraph::graph::format {

/// Instantaneous codes of natural numbers.
enum class BitCode : std::uint8_t { gamma, delta, zeta, unary, nibble };

struct WebgraphProperties {
  std::uint64_t nodes = 0;
  std::uint64_t arcs = 0;
  std::uint64_t window_size = 7;     ///< lists before a list that it may refer to
  std::uint64_t least_interval = 4;  ///< shortest run of successors coded as an interval; 0: none are
  unsigned zeta_k = 3;
  BitCode outdegrees = BitCode::gamma;
  BitCode references = BitCode::unary;
  BitCode block_counts = BitCode::gamma;
  BitCode blocks = BitCode::gamma;
  BitCode residuals = BitCode::zeta;
  std::string flags = {};  ///< as they stand in the file
};

/// Bounds of what is taken for good: counts that arithmetic on them cannot overflow, windows that memory
/// holds.
inline constexpr std::uint64_t webgraph_most = std::uint64_t{1} << 48;
inline constexpr std::uint64_t webgraph_largest_window = 128;
inline constexpr unsigned webgraph_largest_k = 16;

/// `text` of the file `name`: keys and values as java.util.Properties writes them. Throws DataError: a line
/// or value that makes no sense, a missing key, a class of graph, code or bit order that is not read here.
WebgraphProperties parse_webgraph_properties(const std::string& name, std::string_view text);

}  // namespace emgraph::graph::format
