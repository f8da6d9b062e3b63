// SPDX-License-Identifier: MIT
// A forest on disk, in any order, to the output in order of its ends.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "graph/mst/choice.hpp"
#include "graph/mst/forest_output.hpp"
#include "graph/mst/order_sorter.hpp"

namespace emgraph::graph::mst {

/// I/O: the run once in, and what the sort spills. Memory: all that is free, but for what the output may
/// need. Throws: MemoryLimitError, EnvironmentError, and of the sink.
template <class Code>
void sort_forest(core::Environment& environment, const EdgeCodes<Code>& codes, const Demand& demand,
                 core::Run<Code> forest, ForestOutput<Code>& output) {
  core::Phase phase(environment.progress, "sort forest", forest.records, "edges");
  CodesAhead<Code> ahead{.bits = codes.layout().bits(), .count = forest.records};
  core::RunReader<Code> reader(environment, std::move(forest), 1);
  const std::size_t free = environment.memory.available();
  ahead.memory_bytes = free - std::min<std::size_t>(free / 8, 32 * core::MiB);
  ahead.threads = std::max(1U, sorter_threads(demand, ahead.memory_bytes));
  OrderSorter<Code> sorter(environment, std::move(ahead));
  std::array<Code, 256> by_ends;
  for (auto block = reader.next(); !block.empty(); block = reader.next()) {
    while (!block.empty()) {
      const std::size_t here = std::min(block.size(), by_ends.size());
      for (std::size_t i = 0; i < here; ++i) by_ends[i] = codes.by_ends(block[i]);
      sorter.push(0, {by_ends.data(), here});
      block = block.subspan(here);
    }
  }
  sorter.finish();
  for (auto batch = sorter.next(); !batch.empty(); batch = sorter.next()) {
    for (const Code& code : batch) output.add(code);
    phase.advance(batch.size());
  }
}

}  // namespace emgraph::graph::mst
