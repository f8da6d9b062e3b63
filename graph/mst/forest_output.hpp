// SPDX-License-Identifier: MIT
// Forest edges in order of their ends, to the sink and into the sum.
#pragma once

#include <array>
#include <cstdint>

#include "graph/mst/edge_code.hpp"
#include "graph/mst/mst.hpp"

namespace emgraph::graph::mst {

/// Gathers batches; counts and adds up what goes through.
template <class Code>
class ForestOutput {
 public:
  ForestOutput(const EdgeCodes<Code>& codes, WeightType type, ForestSink* sink)
      : codes_(codes), type_(type), sink_(sink), sum_(type) {}

  /// A code by ends (EdgeCodes::by_ends), ascending.
  void add(const Code& by_ends) {
    const WideCode edge = codes_.from_ends(by_ends);
    const std::uint64_t weight = weight_of_rank(type_, edge.weight);
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
  ForestSink* const sink_;
  WeightSum sum_;
  std::uint64_t edges_ = 0;
  std::size_t gathered_ = 0;
  std::array<ForestEdge, 1024> batch_{};
};

}  // namespace emgraph::graph::mst
