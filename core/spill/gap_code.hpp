// SPDX-License-Identifier: MIT
// Golomb-Rice codes of the gaps of 32 ascending keys.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/base/integers.hpp"

namespace emgraph::core {

template <class Word>
Word load_word(const std::byte* from) {
  Word word;
  std::memcpy(&word, from, sizeof(Word));
  return word;
}
template <class Word>
void store_word(std::byte* to, Word word) {
  std::memcpy(to, &word, sizeof(Word));
}

/// Writes up to 64 bits at a time, one after another.
class BitWriter {
 public:
  explicit BitWriter(std::byte* to) : to_(to) {}
  void put(std::uint64_t value, unsigned bits) {
    word_ |= value << filled_;
    if (filled_ + bits < 64) {
      filled_ += bits;
      return;
    }
    store_word(to_, word_);
    to_ += sizeof(word_);
    word_ = filled_ == 0 ? 0 : value >> (64 - filled_);
    filled_ = filled_ + bits - 64;
  }
  void finish() { store_word(to_, word_); }

 private:
  std::byte* to_;
  std::uint64_t word_ = 0;
  unsigned filled_ = 0;
};

/// The code of a group: k (1 byte), the low k bits of each gap (4 k bytes), the high bits of each gap in
/// unary, as zeros followed by a one (at most 12 bytes). k is the logarithm of the mean gap, so the sum of
/// the gaps is less than 32 · 2^(k + 1), and the sum of the unary numbers is at most 63.
template <class Word>
struct GapCode {
  static constexpr std::size_t group_records = 32;
  /// Bytes after a code that may be written and read.
  static constexpr std::size_t slack_bytes = 16;
  // Gaps below 2^128 have a mean below 2^123.
  static constexpr unsigned most_low_bits = 122;
  static constexpr std::size_t most_bytes = 1 + group_records / 8 * most_low_bits + 12;

  /// Encodes ascending keys, none less than `before`. Returns the end of the code.
  static std::byte* encode(const Word* keys, Word before, std::byte* to) {
    const Word mean = static_cast<Word>(keys[group_records - 1] - before) / group_records;
    const unsigned low_bits = mean == 0 ? 0 : width(mean) - 1;
    *to++ = static_cast<std::byte>(low_bits);
    BitWriter low(to);
    std::array<std::uint64_t, 2> unary{};
    unsigned end = 0;
    for (std::size_t i = 0; i < group_records; ++i) {
      const auto gap = static_cast<Word>(keys[i] - before);
      before = keys[i];
      const auto piece = static_cast<std::uint64_t>(gap);
      if constexpr (sizeof(Word) == 16) {
        low.put(piece & ones(std::min(low_bits, 64U)), std::min(low_bits, 64U));
        if (low_bits > 64)
          low.put(static_cast<std::uint64_t>(gap >> 64) & ones(low_bits - 64), low_bits - 64);
      } else {
        low.put(piece & ones(low_bits), low_bits);
      }
      end += static_cast<unsigned>(gap >> low_bits);
      unary[end / 64] |= std::uint64_t{1} << (end % 64);
      ++end;
    }
    low.finish();
    to += group_records / 8 * low_bits;
    store_word(to, unary);
    return to + (end + 7) / 8;
  }

  /// Decodes a group. Returns the end of the code; null if the code is found to be invalid.
  static const std::byte* decode(const std::byte* from, Word before, Word* keys) {
    const auto low_bits = std::to_integer<unsigned>(*from++);
    if (low_bits >= 8 * sizeof(Word) || low_bits > most_low_bits) return nullptr;
    const std::byte* const unary = from + group_records / 8 * low_bits;
    std::array<std::uint8_t, group_records> ends;
    std::size_t found = 0;
    for (unsigned word = 0; word < 2; ++word) {
      auto bits = load_word<std::uint64_t>(unary + 8 * word);
      for (; bits != 0 && found < group_records; bits &= bits - 1) {
        ends[found++] = static_cast<std::uint8_t>(64 * word + static_cast<unsigned>(std::countr_zero(bits)));
      }
    }
    if (found < group_records) return nullptr;
    const auto key = [&](std::size_t i) {
      return static_cast<Word>(before + (static_cast<Word>(ends[i] - i) << low_bits));
    };
    if (low_bits <= 56) {
      const std::uint64_t mask = ones(low_bits);
      for (std::size_t i = 0; i < group_records; ++i) {
        const std::size_t at = i * low_bits;
        before += static_cast<Word>(load_word<std::uint64_t>(from + at / 8) >> (at % 8) & mask);
        keys[i] = key(i);
      }
    } else {
      for (std::size_t i = 0; i < group_records; ++i) {
        const std::size_t at = i * low_bits;
        before += static_cast<Word>(bits_at(from, at, std::min(low_bits, 64U)));
        if constexpr (sizeof(Word) == 16) {
          if (low_bits > 64) before += static_cast<Word>(bits_at(from, at + 64, low_bits - 64)) << 64;
        }
        keys[i] = key(i);
      }
    }
    return unary + ends[group_records - 1] / 8 + 1;
  }

 private:
  static unsigned width(Word word) {
    if constexpr (sizeof(Word) == 16) {
      return bit_width<uint128>(word);
    } else {
      return static_cast<unsigned>(std::bit_width(word));
    }
  }
  /// The lowest `bits` <= 64 bits set.
  static std::uint64_t ones(unsigned bits) { return low_mask<std::uint64_t>(bits); }
  /// `bits` <= 64 bits from bit number `at` on.
  static std::uint64_t bits_at(const std::byte* from, std::size_t at, unsigned bits) {
    const std::byte* const byte = from + at / 8;
    const auto shift = static_cast<unsigned>(at % 8);
    std::uint64_t word = load_word<std::uint64_t>(byte) >> shift;
    if (shift > 0) word |= load_word<std::uint64_t>(byte + 8) << (64 - shift);
    return word & ones(bits);
  }
};

}  // namespace emgraph::core
