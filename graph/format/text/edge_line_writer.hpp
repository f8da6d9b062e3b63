// SPDX-License-Identifier: MIT
// Writes a header with the counts, then a line per edge, with nodes numbered from 1.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/io/output_file.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/source/edge_writer.hpp"
#include "graph/format/table/format.hpp"
#include "graph/format/text/header_lines.hpp"

namespace emgraph::graph::format {

struct EdgeLineStyle {
  std::string_view prefix = "";          ///< text before the ids
  bool oriented_low = false;             ///< no source is larger than its target; the target is written first
  std::string_view weight_if_none = "";  ///< third column of edges without weight
};

/// Drops payload. Throws DataError for an id not below n, and for a weight that is not finite.
class EdgeLineWriter final : public EdgeWriter {
 public:
  /// Throws UsageError as CountedHeader.
  EdgeLineWriter(const Creation& creation, const EdgeLineStyle& style, CountedHeader::Text header);

  void append_records(const core::PairShape& shape, const std::byte* records, std::size_t count) override;
  void at_least_nodes(std::uint64_t nodes) override { header_.at_least_nodes(nodes); }
  void finish() override;
  std::uint64_t edges() const override { return edges_; }
  std::uint64_t bytes() const override { return output_->size(); }

 private:
  template <class Id>
  char* line(char* at, const std::byte* record);
  char* weight(char* at, const std::byte* value) const;

  const std::unique_ptr<core::OutputFile> output_;
  const EdgeLayout layout_;
  const EdgeLineStyle style_;
  CountedHeader header_;
  std::uint64_t edges_ = 0;
};

}  // namespace emgraph::graph::format
