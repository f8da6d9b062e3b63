// SPDX-License-Identifier: MIT
// Shortest paths by the Boost Graph Library: boost_sssp colors|no-colors EDGES.u32w ROOT
//
// Each edge counts for both ends. Times the search alone and prints a JSON object. The graph is Boost's most
// compact one, compressed sparse rows, with lengths and distances of 32 bits; it keeps no parents.
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/dijkstra_shortest_paths_no_color_map.hpp>
#include <boost/property_map/property_map.hpp>
#include <iostream>
#include <limits>

#include "scripts/peers/weighted_arcs.hpp"

namespace {

struct Arc {
  int length = 0;
};
using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Arc,
                                                 boost::no_property, std::uint32_t, std::uint32_t>;

void search(const peer::Arcs& arcs, int root, bool colors) {
  const peer::Stopwatch building;
  std::vector<Arc> lengths(arcs.lengths.size());
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i].length = arcs.lengths[i];
  const Graph graph(boost::edges_are_sorted, arcs.ends.begin(), arcs.ends.end(), lengths.begin(),
                    std::uint32_t(arcs.nodes), std::uint32_t(arcs.ends.size()));
  std::vector<int> distances(std::size_t(arcs.nodes));
  const double build_seconds = building.seconds();

  const peer::Stopwatch searching;
  const auto index = get(boost::vertex_index, graph);
  const auto parameters = boost::weight_map(get(&Arc::length, graph))
                              .distance_map(boost::make_iterator_property_map(distances.begin(), index));
  if (colors) {
    boost::dijkstra_shortest_paths(graph, std::uint32_t(root), parameters);
  } else {
    boost::dijkstra_shortest_paths_no_color_map(graph, std::uint32_t(root), parameters);
  }
  const double search_seconds = searching.seconds();

  peer::print_summary(arcs, build_seconds, search_seconds, [&](int node) -> std::int64_t {
    const int distance = distances[std::size_t(node)];
    return distance == std::numeric_limits<int>::max() ? peer::unreached : distance;
  });
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string kind = argc == 4 ? argv[1] : "";
  if (kind != "colors" && kind != "no-colors") {
    std::cerr << "usage: boost_sssp colors|no-colors EDGES.u32w ROOT\n";
    return 2;
  }
  const peer::Arcs arcs = peer::read_arcs(argv[2]);
  const int root = std::stoi(argv[3]);
  if (root < 0 || root >= arcs.nodes) throw std::runtime_error("there is no node " + std::to_string(root));
  search(arcs, root, kind == "colors");
  return 0;
} catch (const std::exception& error) {
  std::cerr << "boost_sssp: " << error.what() << "\n";
  return 1;
}
