// SPDX-License-Identifier: MIT
// Matrix Market, DIMACS and METIS files of many chunks, and the edges that stand in them.
#pragma once

#include <string>
#include <vector>

#include "tests/graph/format/line_files.hpp"
#include "tests/graph/format/packed_bytes.hpp"

namespace emgraph::tests {

/// A file, and the edges that stand in it.
struct LineSample {
  std::string name;
  std::string content;
  std::vector<Weighted> edges;
  OpenOptions options = {};
};

inline std::string number(std::uint64_t value) {
  return std::to_string(value);
}

inline std::int64_t weight_of(const Weighted& record) {
  std::int64_t weight = 0;
  std::memcpy(&weight, record.attachment.data(), sizeof(weight));
  return weight;
}

inline std::string lines_of(const std::vector<Weighted>& edges, const std::string& prefix,
                            std::uint64_t base) {
  std::string text;
  for (const Weighted& edge : edges) {
    text += prefix + number(edge.source + base) + " " + number(edge.target + base) + " " +
            std::to_string(weight_of(edge)) + "\n";
    if (edge.source % 1000 == 0) text += "\n";
  }
  return text;
}

/// Edges sorted by source; `node` comes first in each line, comments and gaps are strewn in.
inline std::string metis_of(const std::vector<Weighted>& edges, std::uint64_t nodes,
                            const std::string& format, const std::string& node) {
  std::string text = "% comment\n" + number(nodes) + " " + number(edges.size() / 2) + " " + format + "\n";
  const bool weighted = format.back() == '1';
  std::size_t next = 0;
  for (std::uint64_t source = 0; source < nodes; ++source) {
    if (source % 1000 == 0) text += "% so far so good\n";
    text += node;
    for (; next < edges.size() && edges[next].source == source; ++next) {
      text += number(edges[next].target + 1) + " ";
      if (weighted) text += std::to_string(weight_of(edges[next])) + " ";
    }
    text += "\n";
  }
  return text;
}

inline std::vector<Weighted> without_weights(std::vector<Weighted> edges) {
  for (Weighted& edge : edges) edge.attachment = {};
  return edges;
}

/// One file of each kind, of a few chunks.
inline std::vector<LineSample> samples() {
  constexpr std::size_t count = 60000;
  constexpr std::uint64_t nodes = 40000;
  const auto edges = random_records<Weighted>(count, nodes, 4, false);
  const auto sorted = random_records<Weighted>(count, nodes, 4, true);
  const std::string sizes = number(nodes) + " " + number(nodes) + " " + number(count) + "\n";
  return {
      {"a.mtx", "%%MatrixMarket matrix coordinate integer general\n% c\n" + sizes + lines_of(edges, "", 1),
       edges},
      {"a.gr", "c x\np sp " + number(nodes) + " " + number(count) + "\n" + lines_of(edges, "a ", 1), edges},
      {"a.gr", lines_of(edges, "a ", 0), edges, {.format = "gr", .id_base = 0}},
      {"a.graph", metis_of(sorted, nodes, "001", ""), sorted},
      {"a.graph", metis_of(sorted, nodes, "111", "17 3 "), sorted},
      {"a.graph", metis_of(sorted, nodes, "0", ""), without_weights(sorted)},
      {"a.graph", metis_of(sorted, nodes, "010", "5 ") + std::string(200000, '\n'), without_weights(sorted)},
  };
}

/// The format of a pipe can be detected only by the start of the text.
inline OpenOptions named_format(const LineSample& sample) {
  OpenOptions options = sample.options;
  if (sample.name == "a.graph") options.format = "graph";
  return options;
}

}  // namespace emgraph::tests
