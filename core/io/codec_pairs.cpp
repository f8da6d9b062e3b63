// SPDX-License-Identifier: MIT
// Strided copies between the two representations, specialised for the common widths.
#include "core/io/codec_pairs.hpp"

#include <cstring>
#include <limits>
#include <type_traits>

namespace emgraph::core {
namespace {

template <class In, class Out>
void widen(const std::byte* in, std::byte* out) {
  In from[2];
  std::memcpy(from, in, sizeof(from));
  const Out to[2] = {static_cast<Out>(from[0]), static_cast<Out>(from[1])};
  std::memcpy(out, to, sizeof(to));
}

template <class In, class Out>
void unpack(const PairLayout& from, const std::byte* in, std::size_t count, const PairShape& to,
            std::byte* out) {
  const std::size_t in_row = from.row_bytes();
  const std::size_t out_row = to.row_bytes;
  const std::size_t kept = kept_attachment(from, to);
  const std::size_t rest = out_row - 2 * sizeof(Out) - kept;
  if (kept == 0 && rest == 0) {
    for (std::size_t i = 0; i < count; ++i) widen<In, Out>(in + i * in_row, out + i * out_row);
    return;
  }
  with_constant_size(kept, [&](auto size) {
    for (std::size_t i = 0; i < count; ++i, in += in_row, out += out_row) {
      widen<In, Out>(in, out);
      std::memcpy(out + 2 * sizeof(Out), in + 2 * sizeof(In), size == 0 ? kept : std::size_t{size});
      if (rest != 0) std::memset(out + 2 * sizeof(Out) + kept, 0, rest);
    }
  });
}

template <class In, class Out>
std::optional<std::size_t> pack(const PairShape& from, const std::byte* in, std::size_t count,
                                const PairLayout& to, std::byte* out) {
  const std::size_t out_row = to.row_bytes();
  const std::size_t attached = to.attachment_bytes();
  std::optional<std::size_t> too_large;
  with_constant_size(attached, [&](auto size) {
    for (std::size_t i = 0; i < count; ++i, in += from.row_bytes, out += out_row) {
      if constexpr (sizeof(Out) < sizeof(In)) {
        In ids[2];
        std::memcpy(ids, in, sizeof(ids));
        if ((ids[0] | ids[1]) > std::numeric_limits<Out>::max()) {
          too_large = i;
          return;
        }
      }
      widen<In, Out>(in, out);
      if (attached != 0) {
        std::memcpy(out + 2 * sizeof(Out), in + 2 * sizeof(In), size == 0 ? attached : std::size_t{size});
      }
    }
  });
  return too_large;
}

}  // namespace

bool same_bytes(const PairLayout& layout, const PairShape& shape) {
  return layout.integer_bytes == shape.integer_bytes && layout.row_bytes() == shape.row_bytes &&
         layout.attachment_bytes() == shape.attachment_bytes;
}

std::size_t kept_attachment(const PairLayout& layout, const PairShape& shape) {
  if (layout.attachment_bytes() <= shape.attachment_bytes) return layout.attachment_bytes();
  return layout.column_bytes[0] <= shape.attachment_bytes ? layout.column_bytes[0] : 0;
}

void unpack_pairs(const PairLayout& from, const std::byte* in, std::size_t count, const PairShape& to,
                  std::byte* out) {
  if (same_bytes(from, to)) {
    if (count != 0) std::memcpy(out, in, count * to.row_bytes);
  } else if (to.integer_bytes == 4) {
    unpack<std::uint32_t, std::uint32_t>(from, in, count, to, out);
  } else if (from.integer_bytes == 4) {
    unpack<std::uint32_t, std::uint64_t>(from, in, count, to, out);
  } else {
    unpack<std::uint64_t, std::uint64_t>(from, in, count, to, out);
  }
}

std::optional<std::size_t> pack_pairs(const PairShape& from, const std::byte* in, std::size_t count,
                                      const PairLayout& to, std::byte* out) {
  if (same_bytes(to, from)) {
    if (count != 0) std::memcpy(out, in, count * from.row_bytes);
    return std::nullopt;
  }
  if (from.integer_bytes == 4) {
    return to.integer_bytes == 4 ? pack<std::uint32_t, std::uint32_t>(from, in, count, to, out)
                                 : pack<std::uint32_t, std::uint64_t>(from, in, count, to, out);
  }
  return to.integer_bytes == 4 ? pack<std::uint64_t, std::uint32_t>(from, in, count, to, out)
                               : pack<std::uint64_t, std::uint64_t>(from, in, count, to, out);
}

void scatter_column(const std::byte* column, std::size_t column_bytes, std::size_t count, const PairShape& to,
                    std::size_t at, std::byte* out) {
  out += 2 * to.integer_bytes + at;
  with_constant_size(column_bytes, [&](auto size) {
    const std::size_t bytes = size == 0 ? column_bytes : std::size_t{size};
    for (std::size_t i = 0; i < count; ++i) std::memcpy(out + i * to.row_bytes, column + i * bytes, bytes);
  });
}

}  // namespace emgraph::core
