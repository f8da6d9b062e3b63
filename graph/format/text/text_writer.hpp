// SPDX-License-Identifier: MIT
// Writes edges as lines of text: source, target and, if there is one, weight.
#pragma once

#include <cstdint>
#include <memory>

#include "core/io/output_file.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/edge_writer.hpp"

namespace emgraph::graph::format {

/// Payload is not written.
class TextWriter final : public EdgeWriter {
 public:
  /// `separator`: '\t', or ',' for CSV.
  TextWriter(std::unique_ptr<core::OutputFile> output, const EdgeLayout& layout, char separator);

  void append_records(const core::PairShape& shape, const std::byte* records, std::size_t count) override;
  void finish() override { output_->finish(); }
  std::uint64_t edges() const override { return edges_; }
  std::uint64_t bytes() const override { return output_->size(); }

 private:
  std::unique_ptr<core::OutputFile> output_;
  const EdgeLayout layout_;
  const char separator_;
  std::uint64_t edges_ = 0;
};

}  // namespace emgraph::graph::format
