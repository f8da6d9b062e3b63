// SPDX-License-Identifier: MIT
// Writes edges as lines of text: source, target and, if there is one, weight.
#pragma once

#include <cstdint>
#include <memory>

#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/packing/text_output.hpp"
#include "graph/format/source/edge_writer.hpp"

namespace emgraph::graph::format {

/// Records to lines. Payload is left out. Memory: 3 MiB, less where memory is short.
class TextEncoder final : public RecordEncoder {
 public:
  TextEncoder(core::MemoryBudget& budget, const EdgeLayout& layout, char separator);
  std::size_t encode(const core::PairShape& shape, const std::byte* records, std::size_t count) override;

 private:
  const EdgeLayout layout_;
  const char separator_;
  core::Buffer lines_;
};

/// Measured: formatting takes 4 to 5 ns per edge of 15 bytes and core (AMD EPYC); threads share it by
/// encoder().
class TextWriter final : public EdgeWriter {
 public:
  /// `separator`: '\t', ' ', or ',' for CSV.
  TextWriter(core::Environment& environment, std::unique_ptr<TextOutput> output, const EdgeLayout& layout,
             char separator);

  void append_records(const core::PairShape& shape, const std::byte* records, std::size_t count) override;
  std::unique_ptr<RecordEncoder> encoder() override;
  void append_encoded(const RecordEncoder& encoder) override;
  void finish() override { output_->finish(); }
  std::uint64_t edges() const override { return edges_; }
  std::uint64_t bytes() const override { return output_->size(); }

 private:
  core::MemoryBudget& budget_;
  std::unique_ptr<TextOutput> output_;
  const EdgeLayout layout_;
  const char separator_;
  std::unique_ptr<RecordEncoder> own_;  // of append_records, once that is called
  std::uint64_t edges_ = 0;
};

}  // namespace emgraph::graph::format
