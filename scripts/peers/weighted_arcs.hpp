// SPDX-License-Identifier: MIT
// What the peers of `emgraph sssp` share: the arcs of an undirected graph, and the summary of a search.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace peer {

/// Both directions of every edge, by ascending source. Arc i has the length lengths[i].
struct Arcs {
  int nodes = 0;  ///< largest id + 1
  std::size_t edges = 0;
  std::vector<std::pair<int, int>> ends;
  std::vector<int> lengths;
};

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Reads raw little-endian triples of u32: source, target, weight. Ids and weights must be below 2^31.
inline Arcs read_arcs(const std::string& path) {
  struct Edge {
    std::uint32_t source, target, weight;
  };
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<Edge> edges(static_cast<std::size_t>(file.tellg()) / sizeof(Edge));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(edges.data()), std::streamsize(edges.size() * sizeof(Edge)));
  if (!file) throw std::runtime_error("cannot read " + path);

  Arcs arcs;
  arcs.edges = edges.size();
  std::vector<std::size_t> next;  // next[v]: where the next arc of v goes
  for (const Edge& edge : edges) {
    if ((edge.source | edge.target | edge.weight) >> 31 != 0) {
      throw std::runtime_error(path + ": an id or a weight of 2^31 or more");
    }
    const std::size_t largest = edge.source > edge.target ? edge.source : edge.target;
    if (next.size() < largest + 2) next.resize(largest + 2);
    ++next[edge.source + 1];
    ++next[edge.target + 1];
  }
  arcs.nodes = next.empty() ? 0 : int(next.size() - 1);
  for (std::size_t v = 1; v < next.size(); ++v) next[v] += next[v - 1];
  arcs.ends.resize(2 * edges.size());
  arcs.lengths.resize(2 * edges.size());
  const auto put = [&](std::uint32_t source, std::uint32_t target, std::uint32_t weight) {
    const std::size_t at = next[source]++;
    arcs.ends[at] = {int(source), int(target)};
    arcs.lengths[at] = int(weight);
  };
  for (const Edge& edge : edges) {
    put(edge.source, edge.target, edge.weight);
    put(edge.target, edge.source, edge.weight);
  }
  return arcs;
}

constexpr std::int64_t unreached = -1;

/// Prints the figures of a search as a JSON object; its keys are those of `emgraph sssp` where it has them.
/// distance(v): length of the shortest path to v, or `unreached`. Throws if an arc leads to a shorter path,
/// which an overflow of the distances would cause.
template <class Distance>
void print_summary(const Arcs& arcs, double build_seconds, double search_seconds, Distance distance) {
  std::int64_t reached = 0, farthest = 0, sum = 0;
  for (int v = 0; v < arcs.nodes; ++v) {
    const std::int64_t length = distance(v);
    if (length == unreached) continue;
    if (length < 0) throw std::runtime_error("a distance is negative");
    ++reached;
    sum += length;
    if (length > farthest) farthest = length;
  }
  for (std::size_t i = 0; i < arcs.ends.size(); ++i) {
    const std::int64_t from = distance(arcs.ends[i].first), to = distance(arcs.ends[i].second);
    if (from != unreached && (to == unreached || to > from + arcs.lengths[i])) {
      throw std::runtime_error("the distances are wrong: there is a shorter path to node " +
                               std::to_string(arcs.ends[i].second));
    }
  }
  std::printf(
      "{\"nodes\": %d, \"edges\": %zu, \"reached\": %lld, \"max_distance\": %lld, \"distance_sum\": %lld, "
      "\"build_seconds\": %.6f, \"search_seconds\": %.6f}\n",
      arcs.nodes, arcs.edges, static_cast<long long>(reached), static_cast<long long>(farthest),
      static_cast<long long>(sum), build_seconds, search_seconds);
}

}  // namespace peer
