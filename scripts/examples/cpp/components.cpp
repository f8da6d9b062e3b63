// SPDX-License-Identifier: MIT
// Connected components of an edge file in any format: writes the label of every node as a NumPy array.
//
//     components EDGES LABELS.npy [TEMPORARY_DIRECTORY]
#include <cstdint>
#include <cstdio>
#include <emgraph/core/base/error.hpp>
#include <emgraph/core/environment.hpp>
#include <emgraph/graph/cc/cc.hpp>
#include <emgraph/graph/format/nodes/node_writer.hpp>
#include <emgraph/graph/format/table/open.hpp>
#include <string>
#include <vector>

namespace core = emgraph::core;
namespace graph = emgraph::graph;

namespace {

/// Id: 4 or 8 bytes, as wide as the ids of the input.
template <class Id>
void find_components(core::Environment& environment, graph::format::EdgeInput& input,
                     const std::string& output) {
  graph::EdgeSource<Id> edges = input.source<Id>();
  const auto labels = graph::format::open_node_writer<Id>(environment, output, {.dense = true});
  const graph::cc::Result result = graph::cc::run<Id>(environment, edges, {}, labels.get());
  labels->finish();
  std::printf("%llu nodes, %llu edges, %llu components, the largest has %llu nodes\n",
              static_cast<unsigned long long>(result.nodes), static_cast<unsigned long long>(result.edges),
              static_cast<unsigned long long>(result.count.components),
              static_cast<unsigned long long>(result.count.largest_component));
}

void open_and_solve(core::Environment& environment, const std::string& edges, const std::string& output,
                    std::size_t text_id_bytes) {
  const auto input = graph::format::open_edges(environment, edges,
                                               {.id_bytes = text_id_bytes, .max_lanes = environment.threads});
  if (input->facts().layout.id_bytes == 4) {
    find_components<std::uint32_t>(environment, *input, output);
  } else {
    find_components<std::uint64_t>(environment, *input, output);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr, "usage: components EDGES LABELS.npy [TEMPORARY_DIRECTORY]\n");
    return 2;
  }
  try {
    // Everything large is reserved in this budget; what does not fit goes to the disks.
    core::MemoryBudget memory(std::size_t{256} << 20);
    core::IoStatistics io;
    core::SilentProgress progress;
    core::TemporaryNames temporary_names;
    core::OutputSet outputs(temporary_names);
    core::SpillCoding spill(core::SpillCodec::automatic);
    std::vector<core::DiskSpec> disks(1);
    disks[0].path = count > 3 ? arguments[3] : "/tmp";
    core::BlockManager blocks(disks, core::AllocationStrategy::randomized_cycling, 1, io);
    core::Environment environment{memory, blocks, io, progress, outputs, spill};
    environment.threads = 2;
    try {
      open_and_solve(environment, arguments[1], arguments[2], 4);
    } catch (const graph::format::IdTooWide&) {  // text with ids of 2^32 and more
      open_and_solve(environment, arguments[1], arguments[2], 8);
    }
    return 0;
  } catch (const core::Error& error) {  // names the file, the place and the cause
    std::fprintf(stderr, "components: %s\n", error.what());
    return 1;
  }
}
