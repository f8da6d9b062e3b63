// SPDX-License-Identifier: MIT
// Magic, version, length, and a dict literal of Python with descr, fortran_order and shape (NEP 1).
#include "graph/format/arrays/npy_array.hpp"

#include <array>
#include <charconv>
#include <cstring>

#include "core/base/error.hpp"
#include "graph/format/raw/npy.hpp"
#include "graph/format/raw/npy_dict.hpp"

namespace emgraph::graph::format {

std::uint64_t NpyArray::items(const std::string& name) const {
  constexpr std::uint64_t most = std::uint64_t{1} << 60;
  unsigned __int128 product = 1;
  for (const std::uint64_t size : shape) {
    product *= size;
    if (product > most) throw core::DataError::in_file(name, "the shape of this array is too large");
  }
  return static_cast<std::uint64_t>(product);
}

NpyArray read_npy_array(const std::string& name,
                        const std::function<std::size_t(std::span<std::byte> buffer)>& read) {
  const auto refuse = [&](const std::string& what) { throw core::DataError::in_file(name, what); };
  const auto read_exactly = [&](std::span<std::byte> bytes) {
    if (read(bytes) < bytes.size()) refuse("truncated within the NumPy header");
  };
  std::array<unsigned char, 12> start{};
  const auto start_bytes = std::as_writable_bytes(std::span(start));
  read_exactly(start_bytes.first(8));
  if (!is_npy(start_bytes)) refuse("not a NumPy array");
  if (start[6] < 1 || start[6] > 3) {
    refuse("NumPy format version " + std::to_string(start[6]) + ", expected 1 to 3");
  }
  const std::size_t length_bytes = start[6] == 1 ? 2 : 4;
  read_exactly(start_bytes.subspan(8, length_bytes));
  std::uint32_t length = 0;
  std::memcpy(&length, &start[8], length_bytes);
  constexpr std::uint32_t most_dict_bytes = 65536;
  if (length > most_dict_bytes) refuse("NumPy header of " + std::to_string(length) + " bytes");
  std::string dict(length, '\0');
  read_exactly(std::as_writable_bytes(std::span(dict)));

  NpyArray array;
  array.data_offset = 8 + length_bytes + length;
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
  array.fortran_order = order->substr(0, 4) == "True";
  const auto shape = npy_shape(*shape_text);
  if (!shape) refuse("the shape in the NumPy header cannot be read");
  array.shape = *shape;
  return array;
}

}  // namespace emgraph::graph::format
