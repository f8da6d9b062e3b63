// SPDX-License-Identifier: MIT
// The solvers of graph/bfs and graph/sssp, with sinks that write runs.
#include "graph/graph500/external_kernels.hpp"

#include <optional>
#include <stdexcept>

#include "core/base/stopwatch.hpp"
#include "graph/bfs/bfs.hpp"
#include "graph/sssp/sssp.hpp"

namespace emgraph::graph::graph500 {
namespace {

/// The outputs of both solvers.
class DiskOutputs final : public bfs::Outputs<std::uint32_t>, public sssp::Outputs<std::uint32_t> {
 public:
  DiskOutputs(core::Environment& environment, unsigned piece_bits)
      : environment_(environment), piece_bits_(piece_bits) {}

  bool wants_levels() const override { return false; }
  bool wants_distances() const override { return true; }
  bool wants_parents() const override { return true; }
  NodeSink<std::uint32_t>& open_levels(std::uint64_t, std::uint64_t) override {
    throw std::logic_error("graph500: levels are not wanted");
  }
  NodeSink<std::uint64_t>& open_distances(std::uint64_t, std::uint64_t, bool) override {
    return distances_.emplace(environment_, piece_bits_);
  }
  NodeSink<std::uint32_t>& open_parents(std::uint64_t, std::uint64_t) override {
    return parents_.emplace(environment_, piece_bits_);
  }
  void close() override {
    parents = parents_->finish();
    if (distances_) distances = distances_->finish();
  }

  DiskValues<std::uint32_t> parents;
  DiskValues<double> distances;

 private:
  core::Environment& environment_;
  const unsigned piece_bits_;
  std::optional<DiskValuesWriter<std::uint32_t>> parents_;
  std::optional<DiskValuesWriter<double, std::uint64_t>> distances_;
};

}  // namespace

ExternalKernels::ExternalKernels(core::Environment& environment, const EdgeList& list,
                                 std::uint64_t edge_factor, std::uint64_t seed, GraphParts parts,
                                 MemoryModel model)
    : quiet_environment_(environment),
      model_(model),
      graph_(build_list_pages(environment, list, edge_factor, seed, parts)) {}

double ExternalKernels::breadth_first(std::uint32_t root, unsigned piece_bits) {
  parents_ = {};
  distances_ = {};
  const bfs::Options options{.model = model_, .roots = {root}};
  const core::Stopwatch watch;
  DiskOutputs outputs(quiet_environment_, piece_bits);
  bfs::run<std::uint32_t>(quiet_environment_, *graph_, options, &outputs);
  root_ = root;
  with_distances_ = false;
  parents_ = std::move(outputs.parents);
  return watch.seconds();
}

double ExternalKernels::shortest_paths(std::uint32_t root, unsigned piece_bits) {
  parents_ = {};
  distances_ = {};
  sssp::Options options;
  options.model = model_;
  options.roots = {root};
  const core::Stopwatch watch;
  DiskOutputs outputs(quiet_environment_, piece_bits);
  sssp::run<std::uint32_t>(quiet_environment_, *graph_, options, &outputs);
  root_ = root;
  with_distances_ = true;
  parents_ = std::move(outputs.parents);
  distances_ = std::move(outputs.distances);
  return watch.seconds();
}

DiskAnswer ExternalKernels::answer() const {
  return {.root = root_,
          .nodes = graph_->facts().nodes,
          .parents = parents_,
          .distances = with_distances_ ? &distances_ : nullptr};
}

}  // namespace emgraph::graph::graph500
