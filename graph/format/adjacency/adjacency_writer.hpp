// SPDX-License-Identifier: MIT
// Writes an adjacency file (ADJACENCY.md) from sorted edges.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "core/environment.hpp"
#include "core/io/output_file.hpp"
#include "graph/adjacency/page_builder.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/adjacency/adjacency_file.hpp"
#include "graph/format/source/ascending_rows.hpp"
#include "graph/format/source/edge_writer.hpp"

namespace emgraph::graph::adjacency {

/// Edges must be declared ascending by (source, target), unique, without loops, and either symmetric or
/// directed, else UsageError (`emgraph convert` prepares them). `facts.nodes`, if set, bounds the ids; else n
/// becomes the largest id + 1, or at_least_nodes. Payload is dropped. The two edges between a pair of nodes
/// of a symmetric graph must have the same weight, and none may be NaN, else DataError. The bytes depend on
/// edges, facts and metadata only. Memory: the index (page_index.hpp). Threads: one.
class AdjacencyWriter final : public format::EdgeWriter {
 public:
  AdjacencyWriter(core::Environment& environment, std::unique_ptr<core::OutputFile> output,
                  const EdgeFacts& facts, const format::Metadata& metadata,
                  std::size_t page_bytes = default_page_bytes);
  ~AdjacencyWriter() override;

  void append_records(const core::PairShape& shape, const std::byte* records, std::size_t count) override;
  void at_least_nodes(std::uint64_t nodes) override { least_nodes_ = nodes; }
  void finish() override;
  std::uint64_t edges() const override { return edges_; }
  std::uint64_t bytes() const override { return output_->size(); }

 private:
  template <class Id>
  struct Pages;
  template <class Id, class RowId>
  void push(Pages<Id>& pages, const core::PairShape& shape, const std::byte* records, std::size_t count);
  /// The stored bits of a weight, zero-extended. Throws DataError if it is NaN.
  std::uint64_t weight_of(const std::byte* attachment, std::uint64_t source, std::uint64_t target) const;
  template <class Id>
  void finish_pages(Pages<Id>& pages);

  std::unique_ptr<core::OutputFile> output_;
  const EdgeFacts facts_;
  format::AscendingRows rows_;
  FileHeader header_;
  std::uint64_t unmatched_ = 0;  ///< a sum that is 0 if the two edges between each pair have the same weight
  std::uint64_t edges_ = 0;
  std::uint64_t least_nodes_ = 0;
  std::unique_ptr<Pages<std::uint32_t>> narrow_;
  std::unique_ptr<Pages<std::uint64_t>> wide_;
};

}  // namespace emgraph::graph::adjacency
