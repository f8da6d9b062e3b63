// SPDX-License-Identifier: MIT
// Gathers lines before they go to the output.
#include "graph/format/nodes/label_writer.hpp"

#include <cstring>
#include <utility>

#include "core/base/bytes.hpp"
#include "graph/format/text/label_line.hpp"

namespace emgraph::graph::format {
namespace {

/// Holds the longest label and its line break.
constexpr std::size_t lines_bytes = max_label_line_bytes;

}  // namespace

LabelWriter::LabelWriter(core::Environment& environment, const std::string& path, core::Overwrite overwrite)
    : output_(path, overwrite, environment.memory, environment.io, environment.temporary_names),
      lines_(environment.memory, lines_bytes, "labels") {}

void LabelWriter::append(std::string_view label) {
  if (lines_bytes - filled_ < label.size() + 1)
    output_.append(lines_.bytes().first(std::exchange(filled_, 0)));
  std::memcpy(lines_.data() + filled_, label.data(), label.size());
  filled_ += label.size();
  lines_.data()[filled_++] = std::byte{'\n'};
}

void LabelWriter::finish() {
  output_.append(lines_.bytes().first(std::exchange(filled_, 0)));
  output_.finish();
}

}  // namespace emgraph::graph::format
