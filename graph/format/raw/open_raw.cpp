// SPDX-License-Identifier: MIT
// What a row holds is fixed by the name; weights are widened where that loses nothing.
#include "graph/format/raw/open_raw.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "graph/format/raw/npy.hpp"
#include "graph/format/raw/npy_edges.hpp"
#include "graph/format/raw/raw_file.hpp"
#include "graph/format/raw/raw_layout.hpp"
#include "graph/format/raw/raw_stream.hpp"
#include "graph/format/raw/raw_writer.hpp"
#include "graph/format/source/widening_writer.hpp"
#include "graph/format/table/weight_names.hpp"

namespace emgraph::graph::format {
namespace {

/// The raw formats that store weights of this type, as they are or wider.
std::string raw_formats_for(WeightType type) {
  std::string names;
  for (const RawFormat& format : raw_formats) {
    const WeightType weight = format.layout.weight;
    if (weight != type && !widens(type, weight)) continue;
    names.append(names.empty() ? "" : " or ").append(format.name);
  }
  return names;
}

/// Goes past a header that others wrote. Files are read from there anyway.
void skip_bytes(core::InputFile& input, std::uint64_t count) {
  std::uint64_t skipped = 0;
  if (input.seekable()) {
    skipped = std::min(count, input.size());
  } else {
    std::array<std::byte, 4096> ignored;
    while (skipped < count) {
      const auto wanted = std::span(ignored).first(std::min<std::uint64_t>(ignored.size(), count - skipped));
      const std::size_t bytes = input.read_next(wanted);
      skipped += bytes;
      if (bytes < wanted.size()) break;
    }
  }
  if (skipped < count) {
    throw core::DataError::at_offset(
        input.name(), skipped,
        "ends within the " + std::to_string(count) + " bytes to be skipped before the first edge");
  }
}

}  // namespace

Opened open_raw(core::Environment& environment, core::InputFile input, const Format& format,
                const OpenOptions& options) {
  EdgeFacts facts;
  facts.layout = raw_layout(format.name).value();
  facts.layout.payload_bytes = options.payload_bytes;
  if (facts.layout.attachment_bytes() > max_attachment_bytes) {
    throw core::UsageError("an edge carries at most " + std::to_string(max_attachment_bytes) + " bytes");
  }
  return open_rows(environment, std::move(input), facts, {.layout = pair_layout(facts.layout)}, options);
}

Opened open_rows(core::Environment& environment, core::InputFile input, const EdgeFacts& facts,
                 const RowFormat& format, const OpenOptions& options) {
  skip_bytes(input, options.skip_bytes);
  if (input.seekable()) {
    return {std::make_shared<RawFile>(environment, std::move(input), facts, options.skip_bytes, format,
                                      options.max_lanes)};
  }
  return {std::make_shared<RawStream>(environment, std::move(input), facts, options.skip_bytes, format)};
}

std::unique_ptr<EdgeWriter> create_raw(const Creation& creation, const Format& format) {
  EdgeLayout layout = raw_layout(format.name).value();
  const EdgeLayout& carried = creation.facts.layout;
  const bool dropped = layout.weight == WeightType::none;
  const bool widened = widens(carried.weight, layout.weight);
  if (!dropped && layout.weight != carried.weight && !widened) {
    const std::string found(carried.weight == WeightType::none ? "no" : weight_name(carried.weight));
    throw core::UsageError(creation.path + ": this format stores " + std::string(weight_name(layout.weight)) +
                           " weights, the edges have " + found + " weights; write them as " +
                           raw_formats_for(carried.weight) +
                           ", emg or text (u32 weights become i64, f32 become f64 where the format asks for "
                           "it; nothing else is converted)");
  }
  if (!dropped || carried.weight == WeightType::none) layout.payload_bytes = carried.payload_bytes;
  auto writer = std::make_unique<RawWriter>(creation.open_output(), layout);
  if (!widened) return writer;
  return std::make_unique<WideningWriter>(creation.environment, std::move(writer), carried, layout.weight);
}

bool is_npy_file(const FileStart& start) {
  return is_npy(start.bytes);
}

Opened open_npy(core::Environment& environment, core::InputFile input, const Format& /*format*/,
                const OpenOptions& options) {
  return {open_npy_edges(environment, std::move(input), options.max_lanes)};
}

std::unique_ptr<EdgeWriter> create_npy(const Creation& creation, const Format& /*format*/) {
  return std::make_unique<NpyEdgeWriter>(creation.open_output(), creation.facts);
}

}  // namespace emgraph::graph::format
