// SPDX-License-Identifier: MIT
// Writes edges as rows without blocks: raw pairs.
#pragma once

#include <cstdint>
#include <memory>

#include "core/environment.hpp"
#include "core/io/output_file.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/source/edge_writer.hpp"

namespace emgraph::graph::format {

/// Rows of `layout`, nothing else. Other formats put their header before (NumPy).
class RawWriter : public EdgeWriter {
 public:
  RawWriter(std::unique_ptr<core::OutputFile> output, const EdgeLayout& layout);

  void append_records(const core::PairShape& shape, const std::byte* records, std::size_t count) override;
  void finish() override { output_->finish(); }
  std::uint64_t edges() const override { return edges_; }
  std::uint64_t bytes() const override { return output_->size(); }

 protected:
  core::OutputFile& output() { return *output_; }

 private:
  std::unique_ptr<core::OutputFile> output_;
  const core::PairLayout layout_;
  std::uint64_t edges_ = 0;
};

}  // namespace emgraph::graph::format
