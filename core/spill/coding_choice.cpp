// SPDX-License-Identifier: MIT
// Compares the time of the threads with coding and the time of the disks without coding.
#include "core/spill/coding_choice.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/bytes.hpp"

namespace emgraph::core {
namespace {

// Bits per key above the logarithm of the mean gap: Golomb-Rice codes of random keys, the byte of a group,
// the sample.
constexpr double bits_above_gap = 1.95;
constexpr double least_key_bits = 1.25;

// Coding must save at least this part of a block, because the processors may have other work.
constexpr std::size_t least_saved_part = 16;

struct Nanoseconds {
  double coding;  ///< coding and decoding
  double other;   ///< all other work: generating, distributing, sorting and returning records
};

/// CPU time of one thread per record. Measured: coding and decoding take 5 to 7 ns with words of up to 64
/// bits and 17 to 18 with wider ones (blocks of 256 KiB in the cache, `bench_block_coding`). Within a sort,
/// which uses the caches for other data, too, they take 8 to 11 ns with words of up to 64 bits. All other
/// work takes about 16 ns, with 8 bytes attached 34
/// (`mis gen:random,edges=131072000,nodes=20971520 -M 128M --single-pass`, with payload=8 --carry-payload; 2
/// virtual EPYC cores, November 2026).
Nanoseconds nanoseconds(const BlockLayout& layout, std::size_t records) {
  const unsigned index_bits = layout.attachment_bytes == 0 ? 0 : bit_width<std::uint64_t>(records - 1);
  const bool narrow = 8 * layout.key_bytes() + index_bits <= 64;
  const double keys = layout.key_bytes() <= sizeof(std::uint64_t) ? 16 : 32;
  return {narrow ? 10.0 : 28.0, keys + 2.5 * static_cast<double>(layout.attachment_bytes)};
}

}  // namespace

double expected_code_bytes(const BlockLayout& layout, std::size_t block_bytes) {
  const auto count = static_cast<double>(block_bytes / (layout.key_bytes() + layout.attachment_bytes));
  const double gap_bits = static_cast<double>(layout.key_bits) - std::log2(count) + bits_above_gap;
  return count * (std::max(gap_bits, least_key_bits) / 8 + static_cast<double>(layout.attachment_bytes));
}

double coding_pays_below(const BlockLayout& layout, std::size_t block_bytes, unsigned threads) {
  const std::size_t records = block_bytes / (layout.key_bytes() + layout.attachment_bytes);
  const auto count = static_cast<double>(records);
  const double code_bytes = expected_code_bytes(layout, block_bytes);
  if (code_bytes >= static_cast<double>(block_bytes)) return 0;
  const std::size_t saved_bytes = round_down(block_bytes - static_cast<std::size_t>(code_bytes), page_bytes);
  if (saved_bytes < block_bytes / least_saved_part) return 0;
  const Nanoseconds each = nanoseconds(layout, records);
  const double seconds = count * (each.coding + each.other) * 1e-9 / threads;
  return 2 * static_cast<double>(block_bytes) / seconds;
}

}  // namespace emgraph::core
