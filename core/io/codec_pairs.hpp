// SPDX-License-Identifier: MIT
// Rows of two unsigned integers with attached bytes: their layout in a file and in memory.
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

/// A row in memory: first, second, `attachment_bytes`; consecutive rows are `row_bytes` apart.
struct PairShape {
  std::size_t integer_bytes = 4;
  std::size_t attachment_bytes = 0;
  std::size_t row_bytes = 8;
  bool operator==(const PairShape&) const = default;
};

/// True if a row has the same bytes in the file and in memory.
bool same_bytes(const PairLayout& layout, const PairShape& shape);

/// The attached bytes of `layout` that a row of `shape` can keep: all, else the first column, else none.
std::size_t kept_attachment(const PairLayout& layout, const PairShape& shape);

/// Copies rows of a file to rows in memory. Attached bytes without a source become 0. Requires:
/// to.integer_bytes >= from.integer_bytes.
void unpack_pairs(const PairLayout& from, const std::byte* in, std::size_t count, const PairShape& to,
                  std::byte* out);

/// Copies rows in memory to rows of a file. Returns the number of the first row with an integer too large for
/// the layout (the rows before it are written), nullopt if there is none.
/// Requires: shape.attachment_bytes >= layout.attachment_bytes().
std::optional<std::size_t> pack_pairs(const PairShape& from, const std::byte* in, std::size_t count,
                                      const PairLayout& to, std::byte* out);

/// Copies one column of the file to the attachments of rows in memory, from byte `at` of the attachment on.
void scatter_column(const std::byte* column, std::size_t column_bytes, std::size_t count, const PairShape& to,
                    std::size_t at, std::byte* out);

/// Calls `f` with `bytes` as an integral constant for the specialised sizes, with 0 for all others.
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
