// SPDX-License-Identifier: MIT
// A .npy file: magic, version, header length, a Python dict literal padded with spaces, the items.
// Format: numpy/lib/format.py (NEP 1).
#include "graph/format/arrays/npy.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include "core/base/error.hpp"
#include "core/base/integers.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::uint32_t most_dict_bytes = 65536;

/// The text after `'key':` in the dict, without leading spaces.
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

bool is_word(std::string_view text, std::string_view word) {
  const auto goes_on = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return text.starts_with(word) && (text.size() == word.size() || !goes_on(text[word.size()]));
}

/// The numbers of a tuple; nullopt if it is none.
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

}  // namespace

bool is_npy(std::span<const std::byte> start) {
  return start.size() >= sizeof(npy_magic) && std::memcmp(start.data(), npy_magic, sizeof(npy_magic)) == 0;
}

std::string NpyArray::type() const {
  return "'" + std::string(1, byte_order) + kind + std::to_string(item_bytes) + "'";
}

std::uint64_t NpyArray::items(const std::string& name) const {
  constexpr std::uint64_t most = std::uint64_t{1} << 60;
  core::uint128 product = 1;
  for (const std::uint64_t size : shape) {
    product *= size;
    if (product > most) throw core::DataError::in_file(name, "the shape of this array is too large");
  }
  return static_cast<std::uint64_t>(product);
}

NpyArray read_npy_array(const std::string& name,
                        core::FunctionRef<std::size_t(std::span<std::byte> buffer)> read) {
  std::uint64_t offset = 0;
  const auto refuse = [&](const std::string& what) { throw core::DataError::at_offset(name, offset, what); };
  const auto read_exactly = [&](std::span<std::byte> bytes) {
    const std::size_t got = read(bytes);
    offset += got;
    if (got < bytes.size()) refuse("truncated within the NumPy header");
    offset -= got;
  };
  std::array<unsigned char, 12> start{};
  const auto start_bytes = std::as_writable_bytes(std::span(start));
  read_exactly(start_bytes.first(8));
  if (!is_npy(start_bytes)) refuse("not a NumPy array");
  offset = 6;
  if (start[6] < 1 || start[6] > 3) {
    refuse("NumPy format version " + std::to_string(start[6]) + ", expected 1 to 3");
  }
  offset = 8;
  const std::size_t length_bytes = start[6] == 1 ? 2 : 4;
  read_exactly(start_bytes.subspan(8, length_bytes));
  std::uint32_t length = 0;
  std::memcpy(&length, &start[8], length_bytes);
  if (length > most_dict_bytes) refuse("NumPy header of " + std::to_string(length) + " bytes");
  offset += length_bytes;
  std::string dict(length, '\0');
  read_exactly(std::as_writable_bytes(std::span(dict)));

  NpyArray array;
  array.data_offset = offset + length;
  const auto type = npy_value(dict, "descr");
  const auto order = npy_value(dict, "fortran_order");
  const auto shape_text = npy_value(dict, "shape");
  if (!type || !order || !shape_text) refuse("the NumPy header lacks descr, fortran_order or shape");
  const std::string descr(type->substr(0, std::min(type->find_first_of(",}"), type->size())));
  // 'descr': '<i4'
  const std::size_t closing = descr.find(descr.empty() ? '\'' : descr[0], 1);
  if (closing == std::string::npos || closing < 4)
    refuse("NumPy items of type " + descr + ", expected numbers");
  array.byte_order = descr[1];
  array.kind = descr[2];
  const char* const digits = descr.data() + 3;
  if (std::from_chars(digits, descr.data() + closing, array.item_bytes).ptr != descr.data() + closing) {
    refuse("NumPy items of type " + descr + ", expected numbers");
  }
  if (std::string_view("<>=|").find(array.byte_order) == std::string_view::npos) {
    refuse("NumPy items of type " + descr + ", expected '<', '>', '=' or '|' before the kind of number");
  }
  array.fortran_order = is_word(*order, "True");
  if (!array.fortran_order && !is_word(*order, "False")) {
    refuse("found fortran_order " + std::string(order->substr(0, order->find_first_of(",} "))) +
           " in the NumPy header, expected True or False");
  }
  const auto shape = npy_shape(*shape_text);
  if (!shape) refuse("the shape in the NumPy header cannot be read");
  array.shape = *shape;
  return array;
}

NpyHeader read_npy_header(core::InputFile& input, NpyItems items) {
  NpyArray array =
      read_npy_array(input.name(), [&](std::span<std::byte> bytes) { return input.read_next(bytes); });
  const bool taken = array.is_integer() || (array.is_floating() && items == NpyItems::numbers);
  if (!taken || array.byte_order != '<' || (array.item_bytes != 4 && array.item_bytes != 8)) {
    throw core::DataError::in_file(input.name(),
                                   "NumPy items of type " + array.type() + ", expected " +
                                       (items == NpyItems::numbers ? "'<f4', '<f8', " : "integers: ") +
                                       "'<u4', '<u8', '<i4' or '<i8'");
  }
  return {.item_bytes = array.item_bytes,
          .signed_items = array.kind == 'i',
          .floating = array.kind == 'f',
          .fortran_order = array.fortran_order,
          .shape = std::move(array.shape),
          .data_offset = array.data_offset};
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
