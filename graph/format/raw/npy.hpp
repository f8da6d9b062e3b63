// SPDX-License-Identifier: MIT
// The header of NumPy's .npy files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/io/input_file.hpp"

namespace emgraph::graph::format {

/// The first bytes of a .npy file.
inline constexpr char npy_magic[] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};
/// Bytes of the headers written here: fixed, so that the count can be written later.
inline constexpr std::size_t npy_header_bytes = 128;

struct NpyHeader {
  std::size_t item_bytes = 4;  ///< bytes of an integer: 4 or 8
  bool signed_items = false;
  std::vector<std::uint64_t> shape;
  std::uint64_t data_offset = 0;
};

bool is_npy(std::span<const std::byte> start);

/// Reads the header at the start of `input` with read_next. Versions 1 to 3; little-endian 4- or 8-byte
/// integers in C order. Throws DataError.
NpyHeader read_npy_header(core::InputFile& input);

/// Header of an array of unsigned integers: `rows`, or rows x `columns`. 128 bytes.
std::string npy_header(std::size_t item_bytes, std::uint64_t rows, std::uint64_t columns = 0);

}  // namespace emgraph::graph::format
