// SPDX-License-Identifier: MIT
// Rows of 12 bytes, read by the readers of raw rows.
#include "graph/format/graph500/open_graph500.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "graph/format/graph500/packed_edge.hpp"
#include "graph/format/raw/open_raw.hpp"

namespace emgraph::graph::format {
namespace {

class PackedEdgeWriter final : public EdgeWriter {
 public:
  explicit PackedEdgeWriter(std::unique_ptr<core::OutputFile> output) : output_(std::move(output)) {}

  void append_records(const core::PairShape& shape, const std::byte* records, std::size_t count) override {
    while (count > 0) {
      const std::span<std::byte> window = output_->window();
      const std::size_t take = std::min(count, window.size() / packed_edge_bytes);
      if (const auto wide = pack_edges(shape, records, take, window.data())) {
        throw core::DataError::in_file(output_->path(), "edge " + std::to_string(edges_ + *wide) +
                                                            " has an id that needs more than 47 bits, the "
                                                            "most that packed edges hold");
      }
      output_->commit(take * packed_edge_bytes);
      edges_ += take;
      records += take * shape.row_bytes;
      count -= take;
    }
  }
  void finish() override { output_->finish(); }
  std::uint64_t edges() const override { return edges_; }
  std::uint64_t bytes() const override { return output_->size(); }

 private:
  const std::unique_ptr<core::OutputFile> output_;
  std::uint64_t edges_ = 0;
};

}  // namespace

Opened open_graph500(core::Environment& environment, core::InputFile input, const Format& /*format*/,
                     const OpenOptions& options) {
  EdgeFacts facts;
  facts.layout.id_bytes = options.id_bytes.value_or(4);
  return open_rows(environment, std::move(input), facts,
                   {.layout = pair_layout(facts.layout), .packed_edges = true}, options);
}

std::unique_ptr<EdgeWriter> create_graph500(const Creation& creation, const Format& /*format*/) {
  return std::make_unique<PackedEdgeWriter>(creation.open_output());
}

}  // namespace emgraph::graph::format
