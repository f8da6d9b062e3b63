// SPDX-License-Identifier: MIT
// Pushes along every edge.
#include "tests/oracle/pagerank_oracle.hpp"

namespace emgraph::tests {

std::vector<double> ranks_after(std::uint64_t rounds, std::uint64_t nodes,
                                const std::vector<graph::Edge64>& edges, bool undirected, double damping,
                                const std::vector<std::uint64_t>& sources,
                                const std::vector<double>& weights) {
  struct Arc {
    std::uint64_t source;
    std::uint64_t target;
    long double weight;
  };
  std::vector<Arc> arcs;
  std::vector<long double> out(nodes);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const long double weight = weights.empty() ? 1 : weights[i];
    const auto add = [&](std::uint64_t from, std::uint64_t to) {
      arcs.push_back({from, to, weight});
      out.at(from) += weight;
    };
    add(edges[i].source, edges[i].target);
    if (undirected && edges[i].source != edges[i].target) add(edges[i].target, edges[i].source);
  }
  std::vector<long double> jumps(nodes, sources.empty() ? 1 / static_cast<long double>(nodes) : 0);
  for (const std::uint64_t source : sources) jumps.at(source) = 1 / static_cast<long double>(sources.size());
  std::vector<long double> ranks = jumps;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    long double dangling = 0;
    for (std::uint64_t v = 0; v < nodes; ++v) dangling += out[v] == 0 ? ranks[v] : 0;
    std::vector<long double> sums(nodes);
    for (const Arc& arc : arcs) {
      if (out[arc.source] > 0) sums.at(arc.target) += ranks[arc.source] * arc.weight / out[arc.source];
    }
    for (std::uint64_t v = 0; v < nodes; ++v) {
      ranks[v] = (1 - damping + damping * dangling) * jumps[v] + damping * sums[v];
    }
  }
  return {ranks.begin(), ranks.end()};
}

}  // namespace emgraph::tests
