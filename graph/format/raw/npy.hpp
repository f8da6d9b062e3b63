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
  std::size_t item_bytes = 4;  ///< 4 or 8
  bool signed_items = false;   ///< of integers
  bool floating = false;       ///< items are floating-point numbers, else integers
  bool fortran_order = false;  ///< columns one after the other
  std::vector<std::uint64_t> shape;
  std::uint64_t data_offset = 0;
};

bool is_npy(std::span<const std::byte> start);

/// The items that a reader of an array takes.
enum class NpyItems { integers, numbers };

/// Reads the header at the start of `input` with read_next. Versions 1 to 3; little-endian items of 4 or 8
/// bytes: integers, or also floating-point numbers. Throws DataError.
NpyHeader read_npy_header(core::InputFile& input, NpyItems items = NpyItems::integers);

/// Header of an array of `rows` items, or rows x `columns`: unsigned integers, or floating-point numbers. 128
/// bytes.
std::string npy_header(std::size_t item_bytes, std::uint64_t rows, std::uint64_t columns = 0,
                       bool floating = false);

}  // namespace emgraph::graph::format
