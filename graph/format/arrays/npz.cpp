// SPDX-License-Identifier: MIT
// Finds the arrays of the matrix in the archive. Source: scipy/sparse/_matrix_io.py.
#include "graph/format/arrays/npz.hpp"

#include <cstring>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "graph/format/arrays/column_source.hpp"
#include "graph/format/arrays/npy.hpp"
#include "graph/format/arrays/zip_directory.hpp"
#include "graph/format/text/line_source.hpp"

namespace emgraph::graph::format {
namespace {

using Members = std::map<std::string, ByteRange>;

/// An array of the archive, behind its header.
struct Array {
  NpyArray header;
  ByteRange range;
  std::unique_ptr<ByteStream> stream;  ///< after the header
};

constexpr const char* expected_matrix =
    "expected a matrix of scipy.sparse.save_npz in the form csr, csc or coo";

Array open_array(core::Environment& environment, core::InputFile& file, const Members& members,
                 const std::string& name) {
  const auto found = members.find(name + ".npy");
  if (found == members.end()) {
    throw core::DataError::in_file(file.name(), "has no array '" + name + "', " + expected_matrix);
  }
  Array array{.header = {}, .range = found->second, .stream = open_range(environment, file, found->second)};
  array.header =
      read_npy_array(array.range.name, [&](std::span<std::byte> bytes) { return array.stream->read(bytes); });
  return array;
}

/// The items of a short array.
std::vector<std::byte> small_items(Array& array, std::size_t most_bytes) {
  const std::uint64_t items = array.header.items(array.range.name);
  if (items > most_bytes || items * array.header.item_bytes > most_bytes) {
    throw core::DataError::in_file(array.range.name, std::string("is too large, ") + expected_matrix);
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(items) * array.header.item_bytes);
  bytes.resize(array.stream->read(bytes));
  return bytes;
}

/// "csr", "csc" or "coo": bytes, or characters of four bytes in files of old versions.
std::string form_of(core::Environment& environment, core::InputFile& file, const Members& members) {
  Array array = open_array(environment, file, members, "format");
  std::string form;
  if (array.header.kind == 'U') array.header.item_bytes *= 4;
  for (const std::byte byte : small_items(array, 64)) {
    if (byte != std::byte{0}) form += static_cast<char>(byte);
  }
  if (form == "csr" || form == "csc" || form == "coo") return form;
  throw core::DataError::in_file(array.range.name, "found the form '" + form + "', " + expected_matrix);
}

std::uint64_t side_of(core::Environment& environment, core::InputFile& file, const Members& members) {
  Array array = open_array(environment, file, members, "shape");
  const std::vector<std::byte> bytes = small_items(array, 64);
  std::uint64_t sides[2] = {};
  const std::size_t width = array.header.item_bytes;
  if (!array.header.is_integer() || (width != 4 && width != 8) || bytes.size() != 2 * width) {
    throw core::DataError::in_file(array.range.name, std::string("is not two integers, ") + expected_matrix);
  }
  std::memcpy(&sides[0], bytes.data(), width);
  std::memcpy(&sides[1], bytes.data() + width, width);
  constexpr std::uint64_t most_side = std::uint64_t{1} << 60;
  if (sides[0] != sides[1] || sides[0] > most_side) {
    throw core::DataError::in_file(
        array.range.name, "found " + std::to_string(sides[0]) + " rows and " + std::to_string(sides[1]) +
                              " columns, expected a square matrix; scipy.io.mmwrite makes "
                              "a .mtx of it, which --bipartite reads");
  }
  return sides[0];
}

/// The column of an array with `items` items.
NumberColumn column_of(const Array& array, std::uint64_t items, bool ids) {
  const NpyArray& header = array.header;
  const bool sized =
      header.item_bytes == 1 || header.item_bytes == 2 || header.item_bytes == 4 || header.item_bytes == 8;
  const bool numbers = header.is_integer() || (!ids && (header.is_floating() || header.kind == 'b'));
  if (!sized || !numbers || header.shape.size() != 1) {
    throw core::DataError::in_file(
        array.range.name, std::string("expected one row of ") + (ids ? "integers" : "numbers or bool"));
  }
  if (header.shape[0] != items) {
    throw core::DataError::in_file(array.range.name, "has " + std::to_string(header.shape[0]) +
                                                         " items, expected " + std::to_string(items));
  }
  const std::uint64_t bytes = header.data_offset + items * header.item_bytes;
  if (array.range.bytes != bytes) {
    throw core::DataError::in_file(array.range.name, "has " + std::to_string(array.range.bytes) +
                                                         " bytes, expected " + std::to_string(bytes) +
                                                         " for its " + std::to_string(items) + " items");
  }
  return {.range = array.range,
          .header_bytes = header.data_offset,
          .kind = header.kind,
          .item_bytes = header.item_bytes,
          .big_endian = header.big_endian()};
}

WeightType weight_of(const NpyArray& header) {
  if (header.kind == 'b') return WeightType::none;
  if (header.kind == 'f') return header.item_bytes == 4 ? WeightType::f32 : WeightType::f64;
  return header.kind == 'u' && header.item_bytes < 8 ? WeightType::u32 : WeightType::i64;
}

}  // namespace

bool is_npz(const FileStart& start) {
  return start.extension == "npz" && start.starts_with("PK\x03\x04");
}

Opened open_npz(core::Environment& environment, core::InputFile input, const Format& format,
                const OpenOptions& options) {
  check_regular_file(input, format.name, "has its directory at the end");
  const Members members = read_zip_directory(input);
  const std::string form = form_of(environment, input, members);
  const std::uint64_t nodes = side_of(environment, input, members);
  const Array data = open_array(environment, input, members, "data");
  ColumnLayout layout;
  layout.edges = data.header.items(data.range.name);
  EdgeFacts facts;
  facts.nodes = nodes;
  facts.edges = layout.edges;
  facts.directed = false;
  facts.layout = {.id_bytes = id_bytes_for(nodes, options), .weight = weight_of(data.header)};
  const NumberColumn values = column_of(data, layout.edges, false);
  if (facts.layout.weight != WeightType::none) layout.weight = values;
  const auto ids = [&](const char* name, std::uint64_t items) {
    return column_of(open_array(environment, input, members, name), items, true);
  };
  if (form == "coo") {
    layout.first = ids("row", layout.edges);
    layout.second = ids("col", layout.edges);
  } else {
    layout.row_ends = ids("indptr", nodes + 1);
    layout.rows = nodes;
    layout.second = ids("indices", layout.edges);
    layout.swapped = form == "csc";
  }
  Opened opened;
  opened.details.emplace_back("matrix", form);
  opened.source = std::make_shared<ColumnSource>(environment, std::move(input), std::move(layout), facts,
                                                 options.max_lanes);
  return opened;
}

}  // namespace emgraph::graph::format
