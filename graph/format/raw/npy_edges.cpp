// SPDX-License-Identifier: MIT
// Edges as a NumPy array: a header, then rows of raw pairs.
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "graph/format/raw/npy.hpp"
#include "graph/format/raw/raw.hpp"
#include "graph/format/raw/raw_source.hpp"

namespace emgraph::graph::format {
namespace {

/// Writes ids only. If the header cannot be rewritten (pipes), facts.edges must be set, else UsageError.
class NpyEdgeWriter final : public RawWriter {
 public:
  NpyEdgeWriter(std::unique_ptr<core::OutputFile> output, const EdgeFacts& facts);
  void finish() override;

 private:
  const EdgeFacts facts_;
};

NpyEdgeWriter::NpyEdgeWriter(std::unique_ptr<core::OutputFile> out, const EdgeFacts& facts)
    : RawWriter(std::move(out), EdgeLayout{.id_bytes = facts.layout.id_bytes}), facts_(facts) {
  if (!output().rewritable() && !facts_.edges) {
    throw core::UsageError(output().path() +
                           ": a NumPy header needs the number of edges, which is not known yet; write to a "
                           "regular file or in another format");
  }
  const std::string header = npy_header(facts_.layout.id_bytes, facts_.edges.value_or(0), 2);
  output().append(std::as_bytes(std::span(header)));
}

void NpyEdgeWriter::finish() {
  if (facts_.edges && *facts_.edges != edges()) {
    throw std::logic_error("a writer declared " + std::to_string(*facts_.edges) + " edges and appended " +
                           std::to_string(edges()));
  }
  if (output().rewritable()) {
    const std::string header = npy_header(facts_.layout.id_bytes, edges(), 2);
    output().rewrite_start(std::as_bytes(std::span(header)));
  }
  RawWriter::finish();
}

}  // namespace

bool is_npy_file(const FileStart& start) {
  return is_npy(start.bytes);
}

Opened open_npy(core::Environment& environment, core::InputFile input, const Format& /*format*/,
                const OpenOptions& options) {
  const NpyHeader header = read_npy_header(input);
  const bool weighted = header.shape.size() == 2 && header.shape[1] == 3;
  if (header.shape.size() != 2 || (header.shape[1] != 2 && !weighted)) {
    std::string shape;
    for (const std::uint64_t size : header.shape)
      shape += (shape.empty() ? "" : " x ") + std::to_string(size);
    throw core::DataError::in_file(
        input.name(), "NumPy array of shape " + shape + ", expected m x 2, or m x 3 with weights");
  }
  EdgeFacts facts;
  facts.layout.id_bytes = header.item_bytes;
  facts.edges = header.shape[0];
  if (*facts.edges > (std::uint64_t{1} << 60)) {
    throw core::DataError::in_file(input.name(), "NumPy array of " + std::to_string(*facts.edges) + " rows");
  }
  if (weighted) facts.layout.weight = header.item_bytes == 4 ? WeightType::u32 : WeightType::i64;
  // Signed weights of 4 bytes become unsigned ones, unsigned ones of 8 bytes become signed ones.
  const RowFormat format = {.layout = pair_layout(facts.layout),
                            .signed_ids = header.signed_items,
                            .checked_weight = weighted && header.signed_items == (header.item_bytes == 4)};
  return {open_raw_rows(environment, std::move(input), facts, header.data_offset, format, options.max_lanes)};
}

std::unique_ptr<EdgeWriter> create_npy(const Creation& creation, const Format& /*format*/) {
  return std::make_unique<NpyEdgeWriter>(creation.open_output(), creation.facts);
}

}  // namespace emgraph::graph::format
