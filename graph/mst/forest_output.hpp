// SPDX-License-Identifier: MIT
// The output of a forest: sends edges, in the order of their ends, to the sink, and adds up their weights.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "graph/mst/choice.hpp"
#include "graph/mst/edge_code.hpp"
#include "graph/mst/mst.hpp"
#include "graph/mst/order_sorter.hpp"

namespace emgraph::graph::mst {

/// Collects batches, counts edges and adds up weights.
template <class Code>
class ForestOutput {
 public:
  ForestOutput(const EdgeCodes<Code>& codes, WeightType type, const RankOrder& order, ForestSink* sink)
      : codes_(codes), type_(type), order_(order), sink_(sink), sum_(type) {}

  /// Takes the next edge as a code by ends (EdgeCodes::by_ends). Requires: codes ascend.
  void add(const Code& by_ends) {
    const WideCode edge = codes_.from_ends(by_ends);
    const std::uint64_t weight = weight_of_rank(type_, order_(edge.weight));
    sum_.add(weight);
    ++edges_;
    batch_[gathered_++] = {edge.low, edge.high, weight};
    if (gathered_ == batch_.size()) flush();
  }
  void finish(Result& result) {
    flush();
    result.forest_edges = edges_;
    result.weight = sum_;
    result.weight_type = type_;
  }

 private:
  void flush() {
    if (sink_ != nullptr && gathered_ > 0) sink_->append({batch_.data(), gathered_});
    gathered_ = 0;
  }

  const EdgeCodes<Code> codes_;
  const WeightType type_;
  const RankOrder order_;
  ForestSink* const sink_;
  WeightSum sum_;
  std::uint64_t edges_ = 0;
  std::size_t gathered_ = 0;
  std::array<ForestEdge, 1024> batch_{};
};

/// Sorts a forest on disk by its ends and sends it to the output. I/O: reads the run once, and that of the
/// sort. Memory: all free memory except that of the output. Throws: MemoryLimitError, EnvironmentError,
/// exceptions of the sink.
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
