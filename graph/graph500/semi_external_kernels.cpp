// SPDX-License-Identifier: MIT
// Kernels on a compressed adjacency on disk: the solvers of graph/bfs and graph/sssp.
#include <bit>
#include <limits>

#include "core/base/bytes.hpp"
#include "core/base/stopwatch.hpp"
#include "graph/bfs/bfs.hpp"
#include "graph/graph500/kernels.hpp"
#include "graph/graph500/list_pages.hpp"
#include "graph/sssp/sssp.hpp"

namespace emgraph::graph::graph500 {
namespace {

/// Receives one value per node in an array.
template <class Word, class Value>
class ArraySink final : public NodeSink<Word> {
 public:
  explicit ArraySink(std::span<Value> values) : values_(values) {}
  void rewind() { at_ = 0; }
  void append(std::span<const Word> words) override {
    for (const Word word : words) values_[at_++] = std::bit_cast<Value>(word);
  }

 private:
  const std::span<Value> values_;
  std::size_t at_ = 0;
};

/// The outputs of both solvers.
class Outputs final : public bfs::Outputs<std::uint32_t>, public sssp::Outputs<std::uint32_t> {
 public:
  Outputs(std::span<std::uint32_t> parents, std::span<double> distances)
      : parents_(parents), distances_(distances) {}

  bool wants_levels() const override { return false; }
  bool wants_distances() const override { return true; }
  bool wants_parents() const override { return true; }
  NodeSink<std::uint32_t>& open_levels(std::uint64_t, std::uint64_t) override { return parents_; }
  NodeSink<std::uint64_t>& open_distances(std::uint64_t, std::uint64_t, bool) override {
    distances_.rewind();
    return distances_;
  }
  NodeSink<std::uint32_t>& open_parents(std::uint64_t, std::uint64_t) override {
    parents_.rewind();
    return parents_;
  }
  void close() override {}

 private:
  ArraySink<std::uint32_t, std::uint32_t> parents_;
  ArraySink<std::uint64_t, double> distances_;
};

class SemiExternalKernels final : public Kernels {
 public:
  SemiExternalKernels(core::Environment& environment, const EdgeList& list, std::uint64_t edge_factor,
                      std::uint64_t seed, GraphParts parts)
      : quiet_environment_(environment),
        parents_(environment.memory, list.edges.nodes(), "a parent per node"),
        distances_(environment.memory, parts.arcs ? list.edges.nodes() : 0, "a distance per node"),
        outputs_(parents_.span(), distances_.span()),
        graph_(build_list_pages(environment, list, edge_factor, seed, parts)) {}

  double breadth_first(std::uint32_t root) override {
    const bfs::Options options{.model = MemoryModel::semi_external, .roots = {root}};
    const core::Stopwatch watch;
    bfs::run<std::uint32_t>(quiet_environment_, *graph_, options, &outputs_);
    return watch.seconds();
  }

  double shortest_paths(std::uint32_t root) override {
    sssp::Options options;
    options.model = MemoryModel::semi_external;
    options.roots = {root};
    const core::Stopwatch watch;
    sssp::run<std::uint32_t>(quiet_environment_, *graph_, options, &outputs_);
    return watch.seconds();
  }

  std::span<const std::uint32_t> parents() const override { return parents_.span(); }
  std::span<const double> distances() const override { return distances_.span(); }

 private:
  QuietEnvironment quiet_environment_;
  const core::Array<std::uint32_t> parents_;
  const core::Array<double> distances_;
  Outputs outputs_;
  const std::unique_ptr<adjacency::PagedAdjacency<std::uint32_t>> graph_;
};

}  // namespace

std::unique_ptr<Kernels> semi_external_kernels(core::Environment& environment, const EdgeList& list,
                                               std::uint64_t edge_factor, std::uint64_t seed,
                                               GraphParts parts) {
  return std::make_unique<SemiExternalKernels>(environment, list, edge_factor, seed, parts);
}

std::uint64_t semi_external_bytes(const EdgeList& list, GraphParts parts) {
  // Parents and distances here and in the solver, its sets of nodes, and room for buffers.
  const std::uint64_t nodes = list.edges.nodes();
  return core::size_sum(core::size_product(nodes, parts.arcs ? 25 : 9), 8 * core::MiB);
}

}  // namespace emgraph::graph::graph500
