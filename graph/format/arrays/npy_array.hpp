// SPDX-License-Identifier: MIT
// The header of any array of numbers in NumPy's format, in a file or in an archive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace emgraph::graph::format {

struct NpyArray {
  char kind = 'u';             ///< u, i, f, b (bool), S (bytes) or another letter of NumPy
  char byte_order = '<';       ///< '|': items of one byte
  std::size_t item_bytes = 4;  ///< of a number; of S the length
  bool fortran_order = false;
  std::vector<std::uint64_t> shape = {};
  std::uint64_t data_offset = 0;  ///< bytes before the items

  bool is_integer() const { return kind == 'u' || kind == 'i'; }
  bool is_floating() const { return kind == 'f' && item_bytes >= 4; }
  /// The product of the shape. Throws DataError with `name` if it exceeds 2^60.
  std::uint64_t items(const std::string& name) const;
};

/// Reads a header through `read`, which returns fewer bytes than requested only at the end. `name`: of the
/// file and of the array in it, for messages. Throws DataError.
NpyArray read_npy_array(const std::string& name,
                        const std::function<std::size_t(std::span<std::byte> buffer)>& read);

}  // namespace emgraph::graph::format
