// SPDX-License-Identifier: MIT
// Rows are packed straight into the output's window.
#include "graph/format/raw/raw_writer.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "graph/format/table/errors.hpp"

namespace emgraph::graph::format {

RawWriter::RawWriter(std::unique_ptr<core::OutputFile> output, const EdgeLayout& layout)
    : output_(std::move(output)), layout_(pair_layout(layout)) {}

void RawWriter::append_records(const core::PairShape& shape, const std::byte* records, std::size_t count) {
  if (shape.attachment_bytes < layout_.attachment_bytes()) {
    throw std::logic_error("records with fewer attached bytes than the file's layout");
  }
  const std::size_t row_bytes = layout_.row_bytes();
  while (count > 0) {
    const std::span<std::byte> window = output_->window();
    const std::size_t take = std::min(count, window.size() / row_bytes);
    if (const auto wide = core::pack_pairs(shape, records, take, layout_, window.data())) {
      throw IdTooWide(core::DataError::in_file(
          output_->path(), "edge " + std::to_string(edges_ + *wide) + " has an id that needs 8 bytes"));
    }
    output_->commit(take * row_bytes);
    edges_ += take;
    records += take * shape.row_bytes;
    count -= take;
  }
}

}  // namespace emgraph::graph::format
