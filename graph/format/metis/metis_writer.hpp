// SPDX-License-Identifier: MIT
// Writes a line per node with its neighbours, numbered from 1.
#pragma once

#include <cstdint>
#include <memory>

#include "core/io/output_file.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/lines/counted_header.hpp"
#include "graph/format/source/edge_writer.hpp"
#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

/// Takes sorted edges without loops and duplicates, each in both directions. Payload is not written. Throws
/// DataError for an id not below n, a negative weight and 2^32 nodes without edges one after the other.
class MetisWriter final : public EdgeWriter {
 public:
  /// Throws UsageError: the facts do not declare such edges, weights are no integers, or as CountedHeader.
  explicit MetisWriter(const Creation& creation);

  void append_records(const core::PairShape& shape, const std::byte* records, std::size_t count) override;
  void at_least_nodes(std::uint64_t nodes) override { header_.at_least_nodes(nodes); }
  void finish() override;
  std::uint64_t edges() const override { return edges_; }
  std::uint64_t bytes() const override { return output_->size(); }

 private:
  template <class Id>
  char* entry(char* at, const std::byte* record);
  char* weight(char* at, const std::byte* value) const;
  void end_lines(std::uint64_t lines);

  const std::unique_ptr<core::OutputFile> output_;
  const EdgeLayout layout_;
  CountedHeader header_;
  std::uint64_t line_ = 0;  // the node whose line is open
  bool line_is_empty_ = true;
  std::uint64_t last_target_ = 0;  // in that line
  std::uint64_t edges_ = 0;
};

}  // namespace emgraph::graph::format
