// SPDX-License-Identifier: MIT
// Makes the list of targets from the table of formats.
#include "tests/fuzz/targets.hpp"

#include "graph/format/table/format.hpp"

namespace emgraph::fuzz {

std::vector<Target> targets() {
  std::vector<Target> all;
  for (const graph::format::Format& format : graph::format::formats()) {
    if (format.open == nullptr) continue;
    const std::string name(format.name);
    all.push_back({name, [name](Bytes input) { return read_edges(name, input); }});
  }
  for (const std::string name : {"npy", "tsv", "bin"}) {
    all.push_back({"nodes-" + name, [name](Bytes input) { return read_node_values(name, input); }});
  }
  for (const std::string name : {"csv", "text-i64w"}) {
    all.push_back({"labels-" + name, [name](Bytes input) { return read_labels(name, input); }});
  }
  return all;
}

}  // namespace emgraph::fuzz
