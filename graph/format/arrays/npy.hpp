// SPDX-License-Identifier: MIT
// The header of arrays in NumPy's format, in .npy files and in archives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/function_ref.hpp"
#include "core/io/input_file.hpp"

namespace emgraph::graph::format {

/// The first bytes of a .npy file.
inline constexpr char npy_magic[] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};
/// Bytes of the headers written here: fixed, so that the count can be written later.
inline constexpr std::size_t npy_header_bytes = 128;

bool is_npy(std::span<const std::byte> start);

struct NpyArray {
  char kind = 'u';             ///< u, i, f, b (bool), S (bytes) or another letter of NumPy
  char byte_order = '<';       ///< '|': items of one byte
  std::size_t item_bytes = 4;  ///< of a number; of S the length
  bool fortran_order = false;
  std::vector<std::uint64_t> shape = {};
  std::uint64_t data_offset = 0;  ///< bytes before the items

  bool is_integer() const { return kind == 'u' || kind == 'i'; }
  bool is_floating() const { return kind == 'f' && item_bytes >= 4; }
  /// Integers of 1, 2, 4 or 8 bytes and floating-point numbers of 4 or 8, in either byte order.
  bool is_readable() const {
    const bool wide = item_bytes == 4 || item_bytes == 8;
    return (is_integer() && (item_bytes == 1 || item_bytes == 2 || wide)) || (is_floating() && wide);
  }
  bool big_endian() const { return byte_order == '>'; }
  /// As NumPy writes it: '<i4'.
  std::string type() const;
  /// The product of the shape. Throws DataError with `name` if it exceeds 2^60.
  std::uint64_t items(const std::string& name) const;
};

/// Reads a header of version 1 to 3 through `read`, which returns fewer bytes than requested only at the end.
/// `name`: of the file and of the array in it, for messages. Throws DataError.
NpyArray read_npy_array(const std::string& name,
                        core::FunctionRef<std::size_t(std::span<std::byte> buffer)> read);

/// The header of a .npy file of little-endian numbers of 4 or 8 bytes.
struct NpyHeader {
  std::size_t item_bytes = 4;  ///< 4 or 8
  bool signed_items = false;   ///< of integers
  bool floating = false;       ///< items are floating-point numbers, else integers
  bool fortran_order = false;  ///< columns one after the other
  std::vector<std::uint64_t> shape;
  std::uint64_t data_offset = 0;
};

/// The items that a reader of an array takes.
enum class NpyItems { integers, numbers };

/// Reads the header at the start of `input` with read_next. Items: integers, or also floating-point numbers.
/// Throws DataError.
NpyHeader read_npy_header(core::InputFile& input, NpyItems items = NpyItems::integers);

/// Header of an array of `rows` items, or rows x `columns`: unsigned integers, or floating-point numbers. 128
/// bytes.
std::string npy_header(std::size_t item_bytes, std::uint64_t rows, std::uint64_t columns = 0,
                       bool floating = false);

}  // namespace emgraph::graph::format
