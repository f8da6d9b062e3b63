// SPDX-License-Identifier: MIT
// The name of the format determines the contents of a row. Weights are widened if that is exact.
#include "graph/format/raw/raw.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "graph/format/raw/raw_source.hpp"
#include "graph/format/source/record_source.hpp"
#include "graph/format/source/widening_writer.hpp"
#include "graph/format/table/weight_names.hpp"

namespace emgraph::graph::format {
namespace {

struct RawFormat {
  std::string_view name;  ///< also the file extension
  EdgeLayout layout;
};

/// Little-endian: source, target, weight, then payload if the options request it.
constexpr std::array<RawFormat, 6> raw_formats = {{
    {"u32", {4, WeightType::none, 0}},
    {"u64", {8, WeightType::none, 0}},
    {"u32w", {4, WeightType::u32, 0}},
    {"u64w", {8, WeightType::i64, 0}},
    {"f32w", {4, WeightType::f32, 0}},
    {"f64w", {8, WeightType::f64, 0}},
}};

/// The raw formats that store weights of this type, with the same or a greater width.
std::string raw_formats_for(WeightType type) {
  std::string names;
  for (const RawFormat& format : raw_formats) {
    const WeightType weight = format.layout.weight;
    if (weight != type && !widens(type, weight)) continue;
    names.append(names.empty() ? "" : " or ").append(format.name);
  }
  return names;
}

/// Skips a foreign header in a pipe. Files need no skipping, because they are read by offset.
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

std::optional<EdgeLayout> raw_layout(std::string_view name) {
  for (const RawFormat& format : raw_formats) {
    if (format.name == name) return format.layout;
  }
  return std::nullopt;
}

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
  return {open_raw_rows(environment, std::move(input), facts, options.skip_bytes, format, options.max_lanes)};
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

std::optional<std::uint64_t> RawWriter::id_limit() const {
  return layout_.integer_bytes == 4 ? std::optional(std::uint64_t{1} << 32) : std::nullopt;
}

void RawWriter::save(core::StateWriter& state) {
  output_->save(state);
  state.value(edges_);
}

void RawWriter::restore(core::StateReader& state) {
  output_->restore(state);
  edges_ = state.value<std::uint64_t>();
}

}  // namespace emgraph::graph::format
