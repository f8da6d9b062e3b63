// SPDX-License-Identifier: MIT
// Kernels on a graph in memory.
#include <optional>

#include "core/base/bytes.hpp"
#include "core/base/stopwatch.hpp"
#include "graph/graph500/breadth_first.hpp"
#include "graph/graph500/kernels.hpp"
#include "graph/graph500/shortest_paths.hpp"

namespace emgraph::graph::graph500 {
namespace {

class InternalKernels final : public Kernels {
 public:
  InternalKernels(core::Environment& environment, const EdgeList& list, GraphParts parts)
      : graph_(build_graph(environment, list, parts)), team_(environment.threads) {
    if (parts.neighbours) breadth_first_.emplace(environment, team_, *graph_);
    if (parts.arcs) shortest_paths_.emplace(environment, team_, *graph_);
  }

  double breadth_first(std::uint32_t root) override {
    parents_ = breadth_first_->parents();
    return timed(*breadth_first_, root);
  }

  double shortest_paths(std::uint32_t root) override {
    parents_ = shortest_paths_->parents();
    return timed(*shortest_paths_, root);
  }

  std::span<const std::uint32_t> parents() const override { return parents_; }
  std::span<const double> distances() const override { return shortest_paths_->distances(); }

 private:
  template <class Search>
  static double timed(Search& search, std::uint32_t root) {
    search.reset();
    const core::Stopwatch watch;
    search.run(root);
    return watch.seconds();
  }

  const std::unique_ptr<Graph> graph_;
  core::ThreadTeam team_;
  std::optional<BreadthFirst> breadth_first_;
  std::optional<ShortestPaths> shortest_paths_;
  std::span<const std::uint32_t> parents_;
};

}  // namespace

std::unique_ptr<Kernels> internal_kernels(core::Environment& environment, const EdgeList& list,
                                          GraphParts parts) {
  return std::make_unique<InternalKernels>(environment, list, parts);
}

std::uint64_t internal_bytes(const EdgeList& list, GraphParts parts, unsigned threads) {
  const std::uint64_t nodes = list.edges.nodes();
  const GraphBytes graph = graph_bytes(nodes, list.count, parts, threads);
  const std::uint64_t searches =
      core::size_sum(graph.graph, parts.neighbours ? BreadthFirst::bytes(nodes) : 0,
                     parts.arcs ? ShortestPaths::bytes(nodes) : 0);
  return std::max(graph.construction, searches);
}

}  // namespace emgraph::graph::graph500
