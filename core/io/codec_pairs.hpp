// SPDX-License-Identifier: MIT
// Rows of two unsigned integers with bytes attached: how they lie in a file and how they lie in memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

namespace emgraph::core {

/// A row in a file: first, second (`integer_bytes` each, 4 or 8), then two columns of opaque bytes; no gaps.
struct PairLayout {
  std::size_t integer_bytes = 4;
  std::array<std::size_t, 2> column_bytes = {0, 0};
  std::size_t attachment_bytes() const { return column_bytes[0] + column_bytes[1]; }
  std::size_t row_bytes() const { return 2 * integer_bytes + attachment_bytes(); }
  bool operator==(const PairLayout&) const = default;
};

/// A row in memory: first, second, then room for `attachment_bytes`; rows are `row_bytes` apart.
struct PairShape {
  std::size_t integer_bytes = 4;
  std::size_t attachment_bytes = 0;
  std::size_t row_bytes = 8;
};

/// Do rows in the file have the bytes of rows in memory?
bool same_bytes(const PairLayout& layout, const PairShape& shape);

/// How many attached bytes of `layout` a row of `shape` takes: all; else the first column; else none.
std::size_t kept_attachment(const PairLayout& layout, const PairShape& shape);

/// Rows of a file to rows in memory. Room left over is zeroed. Requires: shape.integer_bytes >= layout's.
void unpack_pairs(const PairLayout& from, const std::byte* in, std::size_t count, const PairShape& to,
                  std::byte* out);

/// Rows in memory to rows of a file. Returns the number of the first row with an integer too large for the
/// layout (rows before it are written), nullopt if there is none.
/// Requires: shape.attachment_bytes >= layout.attachment_bytes().
std::optional<std::size_t> pack_pairs(const PairShape& from, const std::byte* in, std::size_t count,
                                      const PairLayout& to, std::byte* out);

/// One column of the file's rows to the attachments of rows in memory, at `at` bytes into the attachment.
void scatter_column(const std::byte* column, std::size_t column_bytes, std::size_t count, const PairShape& to,
                    std::size_t at, std::byte* out);

/// Calls `f` with an integral constant for the sizes worth a loop of their own, 0 for any other.
template <class F>
void with_constant_size(std::size_t bytes, const F& f) {
  if (bytes == 4) {
    f(std::integral_constant<std::size_t, 4>{});
  } else if (bytes == 8) {
    f(std::integral_constant<std::size_t, 8>{});
  } else {
    f(std::integral_constant<std::size_t, 0>{});
  }
}

}  // namespace emgraph::core
