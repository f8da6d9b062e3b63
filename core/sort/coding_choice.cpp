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

/// What a record costs one thread, both ways: the sort of its key, with an index where something is attached,
/// is most of it. Measured: 5 to 7 ns with words of up to 64 bits, 17 to 18 with wider ones (blocks of 256
/// KiB in the cache, `bench_block_coding`); 8 to 11 ns of the first within a sort, whose caches hold other
/// things, too (`mis gen:random,edges=131072000,nodes=20971520 -M 128M --single-pass`, with and without
/// payload=8
/// --carry-payload, --spill-codec delta less none, 2 virtual EPYC cores, November 2026). On disks limited to
/// 800 MB/s coding then was as fast as not coding, or faster; without a limit, 1.5 GB/s and more, slower.
double coding_nanoseconds(const BlockLayout& layout, std::size_t records) {
  const unsigned index_bits = layout.attachment_bytes == 0 ? 0 : bit_width<std::uint64_t>(records - 1);
  return 8 * layout.key_bytes() + index_bits <= 64 ? 10 : 28;
}

}  // namespace

double coding_pays_below(const BlockLayout& layout, std::size_t block_bytes, unsigned threads) {
  const std::size_t records = block_bytes / (layout.key_bytes() + layout.attachment_bytes);
  const auto count = static_cast<double>(records);
  const double gap_bits = static_cast<double>(layout.key_bits) - std::log2(count) + bits_above_gap;
  const double code_bytes =
      count * (std::max(gap_bits, least_key_bits) / 8 + static_cast<double>(layout.attachment_bytes));
  if (code_bytes >= static_cast<double>(block_bytes)) return 0;
  const std::size_t saved_bytes = round_down(block_bytes - static_cast<std::size_t>(code_bytes), page_bytes);
  const double seconds = count * coding_nanoseconds(layout, records) * 1e-9 / threads;
  return 2 * static_cast<double>(saved_bytes) / seconds;
}

}  // namespace emgraph::core
