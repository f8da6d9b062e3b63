// SPDX-License-Identifier: MIT
// Graphs of the WebGraph framework (BVGraph) as one of the edge formats, and the text file NAME.properties
// with the parameters of the coding.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

/// True for a file NAME.graph that is not text; METIS files have the same extension, and are text.
bool is_webgraph(const FileStart& start);

/// The name of the properties of a graph: NAME.properties.
std::string webgraph_properties(const std::string& graph);

/// Opens a graph. Reads NAME.properties in the same directory, and no other file. Throws DataError if it is
/// missing.
Opened open_webgraph(core::Environment& environment, core::InputFile input, const Format& format,
                     const OpenOptions& options);

/// Instantaneous codes of natural numbers.
enum class BitCode : std::uint8_t { gamma, delta, zeta, unary, nibble };

struct WebgraphProperties {
  std::uint64_t nodes = 0;
  std::uint64_t arcs = 0;
  std::uint64_t window_size = 7;     ///< number of previous lists that a list may refer to
  std::uint64_t least_interval = 4;  ///< shortest interval of successors; 0: there are no intervals
  unsigned zeta_k = 3;
  BitCode outdegrees = BitCode::gamma;
  BitCode references = BitCode::unary;
  BitCode block_counts = BitCode::gamma;
  BitCode blocks = BitCode::gamma;
  BitCode residuals = BitCode::zeta;
  std::string flags = {};  ///< the flags as written in the file
};

/// Greatest accepted counts and windows: arithmetic with them cannot overflow, and windows fit into memory.
inline constexpr std::uint64_t webgraph_most = std::uint64_t{1} << 48;
inline constexpr std::uint64_t webgraph_largest_window = 128;
inline constexpr unsigned webgraph_largest_k = 16;

/// Parses the `text` of file `name`: keys and values as written by java.util.Properties. Throws DataError for
/// an invalid line or value, a missing key, and an unsupported class of graph, code or bit order.
WebgraphProperties parse_webgraph_properties(const std::string& name, std::string_view text);

}  // namespace emgraph::graph::format
