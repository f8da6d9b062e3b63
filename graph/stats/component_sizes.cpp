// SPDX-License-Identifier: MIT
// Sorted labels, counted while they repeat.
#include "graph/stats/component_sizes.hpp"

#include <algorithm>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/sort/serial_sort.hpp"
#include "graph/format/nodes/node_reader.hpp"

namespace emgraph::graph::stats {

ValueHistogram read_component_sizes(core::Environment& environment, const std::string& path,
                                    std::uint64_t nodes, std::size_t bin_value_bytes) {
  ValueHistogram sizes(environment.memory);
  const auto reader =
      graph::format::open_node_reader(environment, path, {.bin_value_bytes = bin_value_bytes});
  core::SerialSort<std::uint64_t> labels(environment, std::max<std::uint64_t>(1, nodes) - 1, nodes,
                                         environment.memory.available() / 8 * 7);
  std::uint64_t node = 0;
  {
    core::Phase phase(environment.progress, "read components", nodes, "nodes");
    for (auto batch = reader->next(); !batch.empty(); batch = reader->next()) {
      for (const std::uint64_t label : batch) {
        if (label >= nodes) {
          throw core::DataError(path + ": node " + std::to_string(node) + ": label " + std::to_string(label) +
                                " found, expected one below the number of nodes, " + std::to_string(nodes));
        }
        labels.push(label);
        ++node;
      }
      phase.advance(batch.size());
    }
  }
  if (node != nodes) {
    throw core::DataError(path + ": " + core::format_count(node) +
                          " values found, expected a label for each of " + core::format_count(nodes) +
                          " nodes");
  }
  labels.start();
  core::Phase phase(environment.progress, "count components", nodes, "nodes");
  while (!labels.at_end()) {
    const std::uint64_t label = labels.key();
    std::uint64_t size = 0;
    for (; !labels.at_end() && labels.key() == label; labels.next()) ++size;
    sizes.add(size);
    phase.advance(size);
  }
  return sizes;
}

}  // namespace emgraph::graph::stats
