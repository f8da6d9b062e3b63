// SPDX-License-Identifier: MIT
// What a sample tells of the edges before they are read: how many are left without duplicates and loops, and
// how many nodes have an edge. For forecasts.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/edge_source.hpp"

namespace emgraph::graph {

/// Estimates for the whole input.
struct SampleFacts {
  double distinct_share = 1;             ///< of all edges: without loops, each once
  std::optional<std::uint64_t> touched;  ///< nodes with an edge to another node; nullopt: not estimated
  /// Each edge is a list entry of its end of smaller degree. The mean length of the list of an entry.
  double list_length = 1;
  /// The mean length of the code of an edge's two ends as a gap (adjacency/gap_codec.hpp). The gaps of a list
  /// of near neighbours are not longer.
  std::optional<double> gap_bytes = std::nullopt;

  /// Whether a search from any node is likely to reach most nodes: random edges of this number would connect
  /// them.
  bool connected(std::uint64_t nodes, std::uint64_t edges) const;
  std::uint64_t distinct(std::uint64_t edges) const {
    return static_cast<std::uint64_t>(static_cast<double>(edges) * distinct_share);
  }
};

/// The value that occurs most often, of several the smallest, and how often. Sorts `values`.
struct MostFrequent {
  std::uint64_t value = 0;
  std::uint64_t count = 0;
};
MostFrequent most_frequent(std::vector<std::uint64_t>& values);

/// Estimates how many different values there are among `total` from a sample of them. Values with many copies
/// in the sample are counted. The number of further copies of another one is taken as negatively binomial:
/// its mean and its variance follow from the pairs and the triples of equal values. Sorts `sample`.
double distinct_values(std::vector<std::uint64_t>& sample, double total);

/// The share of the nodes that is in the largest component of so many random edges between them: it fulfils
/// s = 1 - exp(-s · degree) (Erdős, Rényi 1960).
double largest_component_share(double nodes, double edges);

/// Mixes the bits of a pair of ids, so that it fits in 64 bits. Equal results of different pairs are rare.
std::uint64_t hash_of_pair(std::uint64_t a, std::uint64_t b);

/// `edges`: of the input. `arcs`: (u, v) and (v, u) are different. If the sample is in the order of its
/// sources, as from a sorted file, equal edges are near each other, and nothing is estimated.
/// I/O: a sample of 2^18 edges.
template <class Id>
SampleFacts sample_facts(EdgeSource<Id>& source, std::uint64_t edges, bool arcs);

extern template SampleFacts sample_facts(EdgeSource<std::uint32_t>&, std::uint64_t, bool);
extern template SampleFacts sample_facts(EdgeSource<std::uint64_t>&, std::uint64_t, bool);

}  // namespace emgraph::graph
