// SPDX-License-Identifier: MIT
// Shortest paths by LEMON 1.3.1: lemon_sssp HEAP EDGES.u32w ROOT
//
// Each edge counts for both ends. Times the search alone and prints a JSON object. The graph is LEMON's most
// compact one, StaticDigraph, with lengths and distances of 32 bits; it keeps no parents.
#include <lemon/bin_heap.h>
#include <lemon/bucket_heap.h>
#include <lemon/dheap.h>
#include <lemon/dijkstra.h>
#include <lemon/fib_heap.h>
#include <lemon/pairing_heap.h>
#include <lemon/quad_heap.h>
#include <lemon/radix_heap.h>
#include <lemon/static_graph.h>

#include <iostream>

#include "scripts/peers/weighted_arcs.hpp"

namespace {

using Graph = lemon::StaticDigraph;
using Places = Graph::NodeMap<int>;

/// The length of an arc, by its number.
class Lengths {
 public:
  using Key = Graph::Arc;
  using Value = int;
  explicit Lengths(const std::vector<int>& lengths) : lengths_(lengths) {}
  int operator[](const Graph::Arc& arc) const { return lengths_[std::size_t(Graph::id(arc))]; }

 private:
  const std::vector<int>& lengths_;
};

struct Traits : lemon::DijkstraDefaultTraits<Graph, Lengths> {
  using PredMap = lemon::NullMap<Graph::Node, Graph::Arc>;
  static PredMap* createPredMap(const Graph&) { return new PredMap(); }
};

template <class Heap>
void search(const peer::Arcs& arcs, int root) {
  const peer::Stopwatch building;
  Graph graph;
  graph.build(arcs.nodes, arcs.ends.begin(), arcs.ends.end());
  const Lengths lengths(arcs.lengths);
  Graph::NodeMap<int> distances(graph);
  const double build_seconds = building.seconds();

  const peer::Stopwatch searching;
  using Base = lemon::Dijkstra<Graph, Lengths, Traits>;
  typename Base::template SetStandardHeap<Heap, Places>::Create dijkstra(graph, lengths);
  dijkstra.distMap(distances);
  dijkstra.run(Graph::node(root));
  const double search_seconds = searching.seconds();

  peer::print_summary(arcs, build_seconds, search_seconds, [&](int node) -> std::int64_t {
    const Graph::Node v = Graph::node(node);
    return dijkstra.reached(v) ? distances[v] : peer::unreached;
  });
}

struct Kind {
  const char* name;
  void (*search)(const peer::Arcs& arcs, int root);
};
constexpr Kind kinds[] = {
    {"binary", search<lemon::BinHeap<int, Places>>},
    {"quad", search<lemon::QuadHeap<int, Places>>},
    {"16-ary", search<lemon::DHeap<int, Places>>},
    {"fibonacci", search<lemon::FibHeap<int, Places>>},
    {"pairing", search<lemon::PairingHeap<int, Places>>},
    {"radix", search<lemon::RadixHeap<Places>>},
    // An array entry for each distance: for short paths only.
    {"bucket", search<lemon::BucketHeap<Places>>},
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 4) {
    for (const Kind& kind : kinds) {
      if (argv[1] != std::string(kind.name)) continue;
      const peer::Arcs arcs = peer::read_arcs(argv[2]);
      const int root = std::stoi(argv[3]);
      if (root < 0 || root >= arcs.nodes)
        throw std::runtime_error("there is no node " + std::to_string(root));
      kind.search(arcs, root);
      return 0;
    }
  }
  std::cerr << "usage: lemon_sssp binary|quad|16-ary|fibonacci|pairing|radix|bucket EDGES.u32w ROOT\n";
  return 2;
} catch (const std::exception& error) {
  std::cerr << "lemon_sssp: " << error.what() << "\n";
  return 1;
}
