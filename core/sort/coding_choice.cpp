// SPDX-License-Identifier: MIT
// The time of coding against the time of the bytes that it saves.
#include "core/sort/coding_choice.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/bytes.hpp"

namespace emgraph::core {
namespace {

// Above the logarithm of the mean gap: Golomb-Rice codes of random keys, the byte of a group, and the sample.
constexpr double bits_above_gap = 1.95;
constexpr double least_key_bits = 1.25;

/// One thread, one record, both ways.
double coding_nanoseconds(const BlockLayout& layout) {
  if (layout.attachment_bytes > 0) return 24;
  return layout.key_bytes() > sizeof(std::uint64_t) ? 40 : 12;
}

}  // namespace

double coding_pays_below(const BlockLayout& layout, std::size_t block_bytes, std::size_t records,
                         unsigned threads) {
  if (records == 0) return 0;
  const auto count = static_cast<double>(records);
  const double gap_bits = static_cast<double>(layout.key_bits) - std::log2(count) + bits_above_gap;
  const double code_bytes =
      count * (std::max(gap_bits, least_key_bits) / 8 + static_cast<double>(layout.attachment_bytes));
  if (code_bytes >= static_cast<double>(block_bytes)) return 0;
  const std::size_t saved_bytes = round_down(block_bytes - static_cast<std::size_t>(code_bytes), page_bytes);
  const double seconds = count * coding_nanoseconds(layout) * 1e-9 / threads;
  return 2 * static_cast<double>(saved_bytes) / seconds;
}

}  // namespace emgraph::core
