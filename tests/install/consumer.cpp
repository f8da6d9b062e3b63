// SPDX-License-Identifier: MIT
// Uses the installed libraries: an environment on disks in memory, generated edges, the sorter of core.
#include <cstdint>
#include <emgraph/core/environment.hpp>
#include <emgraph/core/sort/distribution_sorter.hpp>
#include <emgraph/graph/generate/model.hpp>
#include <memory>
#include <utility>
#include <vector>

#if __has_include("core/environment.hpp") || __has_include("graph/types.hpp")
#error "core/ and graph/ are on the include path without emgraph/ before them"
#endif

namespace core = emgraph::core;
namespace graph = emgraph::graph;

int main() {
  core::MemoryBudget memory(16 << 20);
  core::IoStatistics io;
  core::SilentProgress progress;
  core::TemporaryNames temporary_names;
  core::OutputSet outputs(temporary_names);
  core::SpillCoding spill(core::SpillCodec::none);
  std::vector<std::unique_ptr<core::Disk>> disks;
  disks.push_back(core::make_memory_disk(io));
  core::BlockManager blocks(std::move(disks), core::AllocationStrategy::randomized_cycling, 1, io);
  core::Environment environment{memory, blocks, io, progress, outputs, spill};

  std::vector<graph::Edge32> edges(1000);
  graph::generate::fill<std::uint32_t>(graph::generate::make_model({.nodes = 100, .edges = 1000}), 0, edges);

  using Sorter = core::DistributionSorter<std::uint64_t>;
  Sorter sorter(environment, Sorter::Options{.memory_bytes = 8 << 20});
  for (const graph::Edge32& edge : edges) {
    if (edge.source >= 100 || edge.target >= 100) return 1;
    sorter.lane(0).push(std::uint64_t{edge.source} << 32 | edge.target);
  }
  sorter.lane(0).finish();
  sorter.finish();

  std::uint64_t last = 0;
  std::size_t count = 0;
  for (auto batch = sorter.next(); !batch.empty(); batch = sorter.next()) {
    for (const std::uint64_t key : batch) {
      if (key < last) return 1;
      last = key;
      ++count;
    }
  }
  return count == edges.size() ? 0 : 1;
}
