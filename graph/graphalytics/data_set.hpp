// SPDX-License-Identifier: MIT
// The description of an LDBC Graphalytics data set: its .properties file.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/statistics.hpp"

namespace emgraph::graph::graphalytics {

enum class Algorithm { bfs, pr, wcc, cdlp, lcc, sssp };

inline constexpr std::array all_algorithms = {Algorithm::bfs,  Algorithm::pr,  Algorithm::wcc,
                                              Algorithm::cdlp, Algorithm::lcc, Algorithm::sssp};

/// As the properties and the benchmark's reports call it.
constexpr std::string_view name(Algorithm algorithm) {
  constexpr std::array<std::string_view, all_algorithms.size()> names = {"bfs",  "pr",  "wcc",
                                                                         "cdlp", "lcc", "sssp"};
  return names[static_cast<std::size_t>(algorithm)];
}

/// Numbers of vertices are those of the files.
struct DataSet {
  std::string name;        ///< graph.NAME.… in the properties
  std::string properties;  ///< paths
  std::string vertex_file;
  std::string edge_file;
  bool directed = false;
  std::optional<std::uint64_t> vertices;  ///< declared
  std::optional<std::uint64_t> edges;
  std::optional<unsigned> weight_column;  ///< of the edge file, from 1
  std::vector<Algorithm> algorithms;
  std::uint64_t bfs_root = 0;
  std::uint64_t sssp_root = 0;
  double damping = 0.85;
  std::uint64_t pr_iterations = 10;
  std::uint64_t cdlp_iterations = 10;

  bool has(Algorithm algorithm) const;
  /// NAME-BFS, … beside the properties: a line "vertex value" for each vertex.
  std::string reference_file(Algorithm algorithm) const;
};

/// `path`: a .properties file, or a directory with one. Relative names of files are relative to it. Throws
/// EnvironmentError (a file is missing), DataError (a property is missing or has another kind of value).
DataSet read_data_set(const std::string& path, core::IoStatistics& io);

}  // namespace emgraph::graph::graphalytics
