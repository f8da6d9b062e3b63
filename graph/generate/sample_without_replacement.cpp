// SPDX-License-Identifier: MIT
// Sampling without replacement: a bitmap for small ranges, else draws that are sorted by one bucket pass;
// duplicates are drawn again.
#include "graph/generate/sample_without_replacement.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "core/base/integers.hpp"
#include "core/base/vector_sort.hpp"

namespace emgraph::graph::generate {
namespace {

constexpr std::size_t bitmap_universe = std::size_t{1} << 16;

/// Exactly uniform in [0, bound): words that would favour some values are drawn again (Lemire 2019).
/// `reject_below` = 2^64 mod bound.
std::uint64_t draw_below(std::uint64_t bound, std::uint64_t reject_below, WordStream& words) {
  for (;;) {
    const auto product = core::uint128{words.next()} * bound;
    if (static_cast<std::uint64_t>(product) >= reject_below) return static_cast<std::uint64_t>(product >> 64);
  }
}

std::uint64_t rejection_bound(std::uint64_t bound) {
  return (0 - bound) % bound;
}

/// Draws the smaller of the sample and its complement, so that at most half of the draws are repetitions.
void sample_by_bitmap(std::uint64_t universe, std::size_t count, WordStream& words, Sample& sample) {
  const bool complement = count > universe / 2;
  std::size_t missing = complement ? universe - count : count;
  const std::size_t bitmap_words = (universe + 63) / 64;
  std::array<std::uint64_t, bitmap_universe / 64> bitmap;
  std::fill_n(bitmap.begin(), bitmap_words, 0);
  const std::uint64_t reject_below = rejection_bound(universe);
  while (missing > 0) {
    const std::uint64_t value = draw_below(universe, reject_below, words);
    std::uint64_t& word = bitmap[value / 64];
    missing -= (~word >> (value % 64)) & 1;
    word |= std::uint64_t{1} << (value % 64);
  }
  std::size_t size = 0;
  for (std::size_t i = 0; i < bitmap_words; ++i) {
    std::uint64_t word = complement ? ~bitmap[i] : bitmap[i];
    if (i + 1 == bitmap_words && universe % 64 != 0) word &= (std::uint64_t{1} << (universe % 64)) - 1;
    for (; word != 0; word &= word - 1)
      sample[size++] = i * 64 + static_cast<unsigned>(std::countr_zero(word));
  }
}

/// Sorts uniform values of [0, 2^bits): one bucket per value on average, then insertion sort.
void sort_uniform(std::uint64_t* values, std::size_t count, int bits) {
  constexpr int bucket_bits = 11;
  const int shift = bits - bucket_bits;
  std::array<std::uint16_t, (1 << bucket_bits) + 1> end{};
  for (std::size_t i = 0; i < count; ++i) ++end[(values[i] >> shift) + 1];
  for (std::size_t b = 1; b < end.size(); ++b) end[b] = static_cast<std::uint16_t>(end[b] + end[b - 1]);
  Sample sorted;
  for (std::size_t i = 0; i < count; ++i) sorted[end[values[i] >> shift]++] = values[i];
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t value = sorted[i];
    std::size_t at = i;
    for (; at > 0 && values[at - 1] > value; --at) values[at] = values[at - 1];
    values[at] = value;
  }
}

/// Replaces duplicates by new draws until `count` distinct values are found. These are the first `count`
/// distinct values of one sequence of draws, so every subset has the same probability.
void sample_by_sorting(std::uint64_t universe, std::size_t count, WordStream& words, Sample& sample) {
  const std::uint64_t reject_below = rejection_bound(universe);
  for (std::size_t size = 0; size < count;) {
    for (std::size_t i = size; i < count; ++i) sample[i] = draw_below(universe, reject_below, words);
    if (size == 0) {
      sort_uniform(sample.data(), count, static_cast<int>(std::bit_width(universe - 1)));
    } else {
      core::vector_sort(std::span(sample).subspan(size, count - size));
      std::inplace_merge(sample.data(), sample.data() + size, sample.data() + count);
    }
    size = static_cast<std::size_t>(std::unique(sample.data(), sample.data() + count) - sample.data());
  }
}

}  // namespace

void sample_without_replacement(std::uint64_t universe, std::size_t count, WordStream words, Sample& sample) {
  if (count == 0) return;
  if (universe <= bitmap_universe) {
    sample_by_bitmap(universe, count, words, sample);
  } else {
    sample_by_sorting(universe, count, words, sample);
  }
}

}  // namespace emgraph::graph::generate
