// SPDX-License-Identifier: MIT
// Encoder and decoder of `delta`, one loop per order and integer width.
#include "core/io/codec_delta.hpp"

#include <cstring>
#include <limits>

#include "core/io/codec_varint.hpp"

namespace emgraph::core {
namespace {

enum Order : std::uint8_t { by_first = 0, by_second = 1, unsorted = 2 };

constexpr std::uint64_t short_run = 7;
constexpr std::uint64_t max_gap = std::numeric_limits<std::uint64_t>::max() >> 3;

template <class Int>
struct Pair {
  Int first;
  Int second;
};

template <class Int>
Pair<Int> load(const std::byte* row) {
  Pair<Int> pair;
  std::memcpy(&pair, row, sizeof(pair));
  return pair;
}

template <class Int>
Order find_order(const std::byte* rows, std::size_t count, std::size_t row_bytes) {
  if (count == 0) return by_first;
  bool first_sorted = true;
  bool second_sorted = true;
  Pair<Int> before = load<Int>(rows);
  if (before.first > max_gap) first_sorted = false;
  if (before.second > max_gap) second_sorted = false;
  for (std::size_t i = 1; i < count && (first_sorted || second_sorted); ++i) {
    const Pair<Int> now = load<Int>(rows + i * row_bytes);
    first_sorted &= now.first > before.first || (now.first == before.first && now.second >= before.second);
    second_sorted &= now.second > before.second || (now.second == before.second && now.first >= before.first);
    if (static_cast<std::uint64_t>(now.first) - before.first > max_gap) first_sorted = false;
    if (static_cast<std::uint64_t>(now.second) - before.second > max_gap) second_sorted = false;
    before = now;
  }
  return first_sorted ? by_first : second_sorted ? by_second : unsorted;
}

template <class Int, Order order>
std::uint8_t* encode_runs(const std::byte* rows, std::size_t count, std::size_t row_bytes, std::uint8_t* out,
                          const std::uint8_t* limit) {
  const auto major = [](const Pair<Int>& pair) { return order == by_first ? pair.first : pair.second; };
  const auto minor = [](const Pair<Int>& pair) { return order == by_first ? pair.second : pair.first; };
  std::uint64_t major_before = 0;
  for (std::size_t i = 0; i < count;) {
    if (out > limit) return nullptr;
    const Pair<Int> start = load<Int>(rows + i * row_bytes);
    std::size_t end = i + 1;
    while (end < count && major(load<Int>(rows + end * row_bytes)) == major(start)) ++end;
    const std::size_t length = end - i;
    out = varint::write(out, (major(start) - major_before) << 3 | (length <= short_run ? length : 0));
    if (length > short_run) out = varint::write(out, length - short_run - 1);
    out = varint::write(out, varint::zigzag(std::uint64_t{minor(start)} - major(start)));
    Int minor_before = minor(start);
    for (++i; i < end; ++i) {
      if (out > limit) return nullptr;
      const Int now = minor(load<Int>(rows + i * row_bytes));
      out = varint::write(out, static_cast<Int>(now - minor_before));
      minor_before = now;
    }
    major_before = major(start);
  }
  return out;
}

template <class Int>
std::uint8_t* encode_unsorted(const std::byte* rows, std::size_t count, std::size_t row_bytes,
                              std::uint8_t* out, const std::uint8_t* limit) {
  Pair<std::uint64_t> before{0, 0};
  for (std::size_t i = 0; i < count; ++i) {
    if (out > limit) return nullptr;
    const Pair<Int> now = load<Int>(rows + i * row_bytes);
    const std::uint64_t base = now.first == before.first ? before.second : now.first;
    out = varint::write(out, varint::zigzag(now.first - before.first));
    out = varint::write(out, varint::zigzag(now.second - base));
    before = {now.first, now.second};
  }
  return out;
}

template <class Int>
std::uint8_t* encode_pairs(const std::byte* rows, std::size_t count, std::size_t row_bytes, std::uint8_t* out,
                           const std::uint8_t* limit) {
  const Order order = find_order<Int>(rows, count, row_bytes);
  *out++ = order;
  if (order == by_first) return encode_runs<Int, by_first>(rows, count, row_bytes, out, limit);
  if (order == by_second) return encode_runs<Int, by_second>(rows, count, row_bytes, out, limit);
  return encode_unsorted<Int>(rows, count, row_bytes, out, limit);
}

template <class Out>
void store(std::byte* out, std::uint64_t first, std::uint64_t second) {
  const Out pair[2] = {static_cast<Out>(first), static_cast<Out>(second)};
  std::memcpy(out, pair, sizeof(pair));
}

/// Both decoders return the end of the pairs, or nullptr if they are damaged. `seen` collects the bits of all
/// integers, to detect one that is too wide for the layout.
template <class Out, Order order>
const std::uint8_t* decode_runs(const std::uint8_t* in, const std::uint8_t* end, std::size_t count,
                                std::size_t row_bytes, std::byte* out, std::uint64_t& seen) {
  std::uint64_t major = 0;
  const auto put = [&](std::uint64_t minor) {
    order == by_first ? store<Out>(out, major, minor) : store<Out>(out, minor, major);
    out += row_bytes;
  };
  while (count > 0) {
    std::uint64_t token;
    if ((in = varint::read(in, end, token)) == nullptr) return nullptr;
    major += token >> 3;
    std::uint64_t length = token & short_run;
    if (length == 0) {
      if ((in = varint::read(in, end, length)) == nullptr) return nullptr;
      if (length > count) return nullptr;
      length += short_run + 1;
    }
    if (length > count) return nullptr;
    count -= length;
    std::uint64_t value;
    if ((in = varint::read(in, end, value)) == nullptr) return nullptr;
    std::uint64_t minor = major + varint::unzigzag(value);
    seen |= major | minor;
    put(minor);
    while (--length > 0) {
      if ((in = varint::read(in, end, value)) == nullptr) return nullptr;
      minor += value;
      seen |= minor;
      put(minor);
    }
  }
  return in;
}

template <class Out>
const std::uint8_t* decode_unsorted(const std::uint8_t* in, const std::uint8_t* end, std::size_t count,
                                    std::size_t row_bytes, std::byte* out, std::uint64_t& seen) {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  for (; count > 0; --count, out += row_bytes) {
    std::uint64_t first_code;
    std::uint64_t second_code;
    if ((in = varint::read(in, end, first_code)) == nullptr) return nullptr;
    if ((in = varint::read(in, end, second_code)) == nullptr) return nullptr;
    first += varint::unzigzag(first_code);
    second = (first_code == 0 ? second : first) + varint::unzigzag(second_code);
    seen |= first | second;
    store<Out>(out, first, second);
  }
  return in;
}

template <class Out>
const std::uint8_t* decode_pairs(const std::uint8_t* in, const std::uint8_t* end, std::size_t count,
                                 std::size_t row_bytes, std::byte* out, std::uint64_t& seen) {
  if (in == end) return nullptr;
  switch (*in++) {
    case by_first:
      return decode_runs<Out, by_first>(in, end, count, row_bytes, out, seen);
    case by_second:
      return decode_runs<Out, by_second>(in, end, count, row_bytes, out, seen);
    case unsorted:
      return decode_unsorted<Out>(in, end, count, row_bytes, out, seen);
    default:
      return nullptr;
  }
}

}  // namespace

std::size_t encode_delta(const PairLayout& layout, const std::byte* rows, std::size_t count,
                         std::span<std::byte> out) {
  const std::size_t columns_bytes = count * layout.attachment_bytes();
  if (out.size() < columns_bytes + delta_slack_bytes) return 0;
  const std::size_t row_bytes = layout.row_bytes();
  auto* begin = reinterpret_cast<std::uint8_t*>(out.data());
  const std::uint8_t* limit = begin + (out.size() - delta_slack_bytes - columns_bytes);
  std::uint8_t* at = layout.integer_bytes == 4
                         ? encode_pairs<std::uint32_t>(rows, count, row_bytes, begin, limit)
                         : encode_pairs<std::uint64_t>(rows, count, row_bytes, begin, limit);
  if (at == nullptr || at > limit) return 0;
  std::size_t within = 2 * layout.integer_bytes;
  for (const std::size_t bytes : layout.column_bytes) {
    if (bytes == 0) continue;
    with_constant_size(bytes, [&](auto size) {
      const std::size_t width = size == 0 ? bytes : std::size_t{size};
      for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(at + i * width, rows + i * row_bytes + within, width);
      }
    });
    at += count * bytes;
    within += bytes;
  }
  return static_cast<std::size_t>(at - begin);
}

std::string_view decode_delta(const PairLayout& layout, std::span<const std::byte> in, std::size_t count,
                              const PairShape& shape, std::byte* out) {
  const std::size_t columns_bytes = count * layout.attachment_bytes();
  if (in.size() < columns_bytes) return "fewer bytes than its columns take";
  const auto* begin = reinterpret_cast<const std::uint8_t*>(in.data());
  const std::uint8_t* end = begin + (in.size() - columns_bytes);
  std::uint64_t seen = 0;
  const std::uint8_t* at = shape.integer_bytes == 4
                               ? decode_pairs<std::uint32_t>(begin, end, count, shape.row_bytes, out, seen)
                               : decode_pairs<std::uint64_t>(begin, end, count, shape.row_bytes, out, seen);
  if (at == nullptr) return "its coded pairs are damaged";
  if (at != end) return "bytes are left over after its last pair";
  if (layout.integer_bytes == 4 && seen > std::numeric_limits<std::uint32_t>::max()) {
    return "an integer in it does not fit 4 bytes";
  }
  const std::size_t kept = kept_attachment(layout, shape);
  const auto* column = reinterpret_cast<const std::byte*>(end);
  std::size_t within = 0;
  for (const std::size_t bytes : layout.column_bytes) {
    if (bytes != 0 && within + bytes <= kept) scatter_column(column, bytes, count, shape, within, out);
    column += count * bytes;
    within += bytes;
  }
  if (const std::size_t rest = shape.row_bytes - 2 * shape.integer_bytes - kept; rest != 0) {
    std::byte* zeros = out + 2 * shape.integer_bytes + kept;
    for (std::size_t i = 0; i < count; ++i) std::memset(zeros + i * shape.row_bytes, 0, rest);
  }
  return "";
}

}  // namespace emgraph::core
