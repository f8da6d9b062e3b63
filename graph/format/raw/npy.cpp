// SPDX-License-Identifier: MIT
// A .npy file: magic, version, header length, a Python dict literal padded with spaces, the items.
// Format: numpy/lib/format.py (NEP 1).
#include "graph/format/raw/npy.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include "core/base/error.hpp"
#include "graph/format/raw/npy_dict.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::size_t max_dict_bytes = 65536;

void read_next_exactly(core::InputFile& input, std::uint64_t offset, std::span<std::byte> buffer) {
  const std::size_t bytes = input.read_next(buffer);
  if (bytes < buffer.size()) {
    throw core::DataError::at_offset(input.name(), offset + bytes, "truncated within the NumPy header");
  }
}

}  // namespace

std::optional<std::string_view> npy_value(std::string_view dict, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    std::string quoted(1, quote);
    quoted.append(key).push_back(quote);
    const std::size_t at = dict.find(quoted);
    if (at == std::string_view::npos) continue;
    std::string_view rest = dict.substr(at + quoted.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(" :"), rest.size()));
    return rest;
  }
  return std::nullopt;
}

std::optional<std::vector<std::uint64_t>> npy_shape(std::string_view text) {
  if (text.empty() || text[0] != '(') return std::nullopt;
  text.remove_prefix(1);
  std::vector<std::uint64_t> shape;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" ,"), text.size()));
    if (text.empty()) return std::nullopt;
    if (text[0] == ')') return shape;
    std::uint64_t size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc()) return std::nullopt;
    shape.push_back(size);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
}

bool is_npy(std::span<const std::byte> start) {
  return start.size() >= sizeof(npy_magic) && std::memcmp(start.data(), npy_magic, sizeof(npy_magic)) == 0;
}

NpyHeader read_npy_header(core::InputFile& input, NpyItems items) {
  std::array<unsigned char, 12> start{};
  const auto start_bytes = std::as_writable_bytes(std::span(start));
  read_next_exactly(input, 0, start_bytes.first(8));
  if (!is_npy(start_bytes)) throw core::DataError::at_offset(input.name(), 0, "not a NumPy array");
  const unsigned version = start[6];
  if (version < 1 || version > 3) {
    throw core::DataError::at_offset(input.name(), 6,
                                     "NumPy format version " + std::to_string(version) + ", expected 1 to 3");
  }
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  read_next_exactly(input, 8, start_bytes.subspan(8, length_bytes));
  std::uint32_t length = 0;
  std::memcpy(&length, &start[8], length_bytes);
  const std::uint64_t dict_offset = 8 + length_bytes;
  if (length > max_dict_bytes) {
    throw core::DataError::at_offset(input.name(), 8, "NumPy header of " + std::to_string(length) + " bytes");
  }
  std::string dict(length, '\0');
  read_next_exactly(input, dict_offset, std::as_writable_bytes(std::span(dict)));

  NpyHeader header;
  header.data_offset = dict_offset + length;
  const auto refuse = [&](const std::string& what) {
    throw core::DataError::at_offset(input.name(), dict_offset, what);
  };
  const auto type = npy_value(dict, "descr");
  const auto order = npy_value(dict, "fortran_order");
  const auto shape_text = npy_value(dict, "shape");
  if (!type || !order || !shape_text) refuse("the NumPy header lacks descr, fortran_order or shape");
  const std::string name(type->substr(0, std::min(type->find_first_of(",}"), type->size())));
  const char kind = name.size() >= 5 && name[4] == name[0] ? name[2] : '\0';
  header.signed_items = kind == 'i';
  header.floating = kind == 'f';
  const bool taken = kind == 'u' || kind == 'i' || (kind == 'f' && items == NpyItems::numbers);
  if (!taken || name[1] != '<' || (name[3] != '4' && name[3] != '8')) {
    refuse("NumPy items of type " + name + ", expected " +
           (items == NpyItems::numbers ? "'<f4', '<f8', " : "integers: ") + "'<u4', '<u8', '<i4' or '<i8'");
  }
  header.item_bytes = name[3] == '4' ? 4 : 8;
  header.fortran_order = order->substr(0, 5) != "False";
  const auto shape = npy_shape(*shape_text);
  if (!shape) refuse("the shape in the NumPy header cannot be read");
  header.shape = *shape;
  return header;
}

std::string npy_header(std::size_t item_bytes, std::uint64_t rows, std::uint64_t columns, bool floating) {
  std::string dict = "{'descr': '<";
  dict += floating ? 'f' : 'u';
  dict += std::to_string(item_bytes);
  dict += "', 'fortran_order': False, 'shape': (";
  dict += std::to_string(rows);
  dict += ',';
  if (columns != 0) dict.append(" ").append(std::to_string(columns));
  dict += "), }";
  constexpr std::size_t dict_bytes = npy_header_bytes - 10;
  dict.resize(dict_bytes - 1, ' ');
  dict += '\n';
  std::string header(npy_magic, sizeof(npy_magic));
  header += '\1';
  header += '\0';
  header += static_cast<char>(dict_bytes);
  header += '\0';
  return header + dict;
}

}  // namespace emgraph::graph::format
