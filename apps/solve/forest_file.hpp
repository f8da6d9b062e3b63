// SPDX-License-Identifier: MIT
// An edge file for the forest of `cc --forest` and `mst`.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/files/edge_output.hpp"
#include "apps/run/session.hpp"
#include "graph/edge_facts.hpp"
#include "graph/edge_source.hpp"
#include "graph/format/source/edge_writer.hpp"
#include "graph/sinks.hpp"

namespace emgraph::apps {

/// The declared facts of the file. `weight`: none leaves the weights out.
inline graph::EdgeFacts forest_facts(const graph::EdgeFacts& input, const std::optional<std::uint64_t>& nodes,
                                     graph::WeightType weight) {
  graph::EdgeFacts facts;
  facts.layout = {.id_bytes = input.layout.id_bytes, .weight = weight};
  facts.nodes = nodes ? nodes : input.nodes;
  facts.order = graph::EdgeOrder::source_target;
  facts.unique = facts.no_loops = facts.oriented_low = true;
  return facts;
}

class ForestFile final : public graph::ForestSink {
 public:
  /// `facts`: forest_facts. `command`: is named in the file's metadata. Throws as create_edge_output.
  ForestFile(Session& session, const std::string& path, const graph::EdgeFacts& facts,
             const std::string& codec, const std::string& command)
      : writer_(create_edge_output(session, path, facts, codec, {{"made_by", "emgraph " + command}})),
        shape_(graph::record_shape(facts.layout)) {
    writer_->reserve_buffers();  // before the solver divides the memory
  }

  void append(std::span<const graph::ForestEdge> edges) override {
    records_.resize(edges.size() * shape_.row_bytes);
    std::byte* row = records_.data();
    for (const graph::ForestEdge& edge : edges) {
      graph::set_id(shape_, row, 0, edge.low);
      graph::set_id(shape_, row, 1, edge.high);
      std::memcpy(row + 2 * shape_.integer_bytes, &edge.weight, shape_.attachment_bytes);
      row += shape_.row_bytes;
    }
    writer_->append_records(shape_, records_.data(), edges.size());
  }
  void finish(Session& session) { finish_edge_output(session, *writer_); }

 private:
  std::unique_ptr<graph::format::EdgeWriter> writer_;
  const core::PairShape shape_;
  std::vector<std::byte> records_;
};

}  // namespace emgraph::apps
