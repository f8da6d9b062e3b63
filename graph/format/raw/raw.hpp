// SPDX-License-Identifier: MIT
// Formats with rows of pairs: without header, and in NumPy arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "core/io/output_file.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/raw/raw_source.hpp"
#include "graph/format/source/edge_writer.hpp"
#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

/// The contents of a row of the format of this name; nullopt: it is not a raw one.
std::optional<EdgeLayout> raw_layout(std::string_view name);
Opened open_raw(core::Environment& environment, core::InputFile input, const Format& format,
                const OpenOptions& options);
/// Opens rows of `format` after options.skip_bytes, in a file or a pipe.
Opened open_rows(core::Environment& environment, core::InputFile input, const EdgeFacts& facts,
                 const RowFormat& format, const OpenOptions& options);
/// A format without weights drops weight and payload.
std::unique_ptr<EdgeWriter> create_raw(const Creation& creation, const Format& format);

/// Writes rows of `layout` only. Other formats write a header before (NumPy).
class RawWriter : public EdgeWriter {
 public:
  RawWriter(std::unique_ptr<core::OutputFile> output, const EdgeLayout& layout);

  void append_records(const core::PairShape& shape, const std::byte* records, std::size_t count) override;
  std::optional<std::uint64_t> id_limit() const override;
  bool resumable() const override { return output_->resumable(); }
  void save(core::StateWriter& state) override;
  void restore(core::StateReader& state) override;
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
