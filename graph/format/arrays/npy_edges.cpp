// SPDX-License-Identifier: MIT
// A header, then rows of raw pairs; other arrays are read as columns.
#include "graph/format/arrays/npy_edges.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "graph/format/arrays/column_source.hpp"
#include "graph/format/arrays/npy.hpp"
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
  check_declared_edges(facts_.edges, edges());
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

namespace {

/// What the axes of an array of edges mean.
struct Axes {
  std::uint64_t edges = 0;
  bool weighted = false;
  bool side_by_side = true;  ///< the items of an edge are neighbours in the file
};

/// m x 2 and m x 3, or 2 x m and 3 x m for more than 3 edges.
std::optional<Axes> axes_of(const NpyArray& array) {
  if (array.shape.size() != 2) return std::nullopt;
  const auto items = [](std::uint64_t size) { return size == 2 || size == 3; };
  if (items(array.shape[1])) {
    return Axes{array.shape[0], array.shape[1] == 3, !array.fortran_order};
  }
  if (items(array.shape[0])) {
    return Axes{array.shape[1], array.shape[0] == 3, array.fortran_order};
  }
  return std::nullopt;
}

Axes checked_axes(const core::InputFile& input, const NpyArray& array) {
  const std::optional<Axes> axes = axes_of(array);
  if (!axes) {
    std::string shape;
    for (const std::uint64_t size : array.shape) shape += (shape.empty() ? "" : " x ") + std::to_string(size);
    throw core::DataError::in_file(
        input.name(),
        "NumPy array of shape " + shape + ", expected m x 2, or m x 3 with weights (2 x m, 3 x m)");
  }
  array.items(input.name());
  if (!array.is_readable()) {
    throw core::DataError::in_file(input.name(), "NumPy items of type " + array.type() +
                                                     ", expected integers (i1 to i8, u1 to u8), f4 or f8");
  }
  return *axes;
}

/// The arrays of edges whose items are not rows of integers.
ColumnLayout columns_of(const core::InputFile& input, const NpyArray& array, const Axes& axes) {
  const std::uint64_t data_bytes = input.size() - std::min(input.size(), array.data_offset);
  const std::uint64_t bytes = array.items(input.name()) * array.item_bytes;
  if (data_bytes != bytes) {
    throw wrong_size(input.name(), input.size(), array.data_offset + bytes,
                     std::to_string(axes.edges) + " edges");
  }
  ColumnLayout layout{.edges = axes.edges};
  const std::uint64_t items = axes.weighted ? 3 : 2;
  const auto column = [&](std::uint64_t number, std::uint64_t parts) {
    const std::uint64_t part = bytes / parts;
    return NumberColumn{.range = {.name = input.name(),
                                  .offset = array.data_offset + number * part,
                                  .stored_bytes = part,
                                  .bytes = part},
                        .kind = array.kind,
                        .item_bytes = array.item_bytes,
                        .big_endian = array.big_endian()};
  };
  if (axes.side_by_side) {
    layout.first = column(0, 1);
    layout.side_by_side = static_cast<std::size_t>(items);
    return layout;
  }
  layout.first = column(0, items);
  layout.second = column(1, items);
  if (axes.weighted) layout.weight = column(2, items);
  return layout;
}

}  // namespace

Opened open_npy(core::Environment& environment, core::InputFile input, const Format& format,
                const OpenOptions& options) {
  const NpyArray array =
      read_npy_array(input.name(), [&](std::span<std::byte> bytes) { return input.read_next(bytes); });
  const Axes axes = checked_axes(input, array);
  EdgeFacts facts;
  facts.edges = axes.edges;
  // Ids that are floating-point numbers have no width of their own.
  const bool narrow = array.item_bytes <= 4;
  facts.layout.id_bytes = array.is_floating() ? options.id_bytes.value_or(4) : narrow ? 4 : 8;
  const WeightType weight = array.is_floating() ? (narrow ? WeightType::f32 : WeightType::f64)
                                                : (narrow ? WeightType::u32 : WeightType::i64);
  if (axes.weighted) facts.layout.weight = weight;
  if (array.is_integer() && axes.side_by_side && array.item_bytes >= 4 && !array.big_endian()) {
    // Signed weights of 4 bytes become unsigned ones, unsigned ones of 8 bytes become signed ones.
    const RowFormat rows = {.layout = pair_layout(facts.layout),
                            .signed_ids = array.kind == 'i',
                            .checked_weight = axes.weighted && (array.kind == 'i') == narrow};
    return {open_raw_rows(environment, std::move(input), facts, array.data_offset, rows, options.max_lanes)};
  }
  check_regular_file(
      input, format.name,
      "in Fortran order, 2 x m, big-endian, of short integers or of floating-point numbers is read in "
      "parts");
  ColumnLayout columns = columns_of(input, array, axes);
  return {std::make_shared<ColumnSource>(environment, std::move(input), std::move(columns), facts,
                                         options.max_lanes)};
}

std::unique_ptr<EdgeWriter> create_npy(const Creation& creation, const Format& /*format*/) {
  return std::make_unique<NpyEdgeWriter>(creation.open_output(), creation.facts);
}

}  // namespace emgraph::graph::format
