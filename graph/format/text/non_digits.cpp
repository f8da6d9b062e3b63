// SPDX-License-Identifier: MIT
// Compares whole vectors with the digits: one bit per byte, then one place per bit.
//
// Problem: a parser that must find the end of a number before it starts with the next one has a chain of
// dependencies. Method: find all ends first, 64 bytes at a time; then the numbers between them are
// independent. Places are extracted from a word of bits eight at a time, even if there are fewer: one branch
// per eight places. Source: G. Langdale, D. Lemire, "Parsing Gigabytes of JSON per Second", VLDB Journal 28
// (2019), doi:10.1007/s00778-019-00578-5 (flattening of bits).
//
// I/O: none. Memory: none. Threads: any. Throws: nothing.
#include "graph/format/text/non_digits.hpp"

#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "graph/format/text/non_digits.cpp"
#include <hwy/foreach_target.h>
// foreach_target first: it includes this file once per instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace emgraph::graph::format::HWY_NAMESPACE {

constexpr std::size_t word_bytes = 64;

/// Bit i is 1 if text[i] is not a digit.
HWY_INLINE std::uint64_t non_digit_bits(const char* text) {
  std::uint64_t bits = 0;
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t i = 0; i < word_bytes; ++i) {
    bits |= std::uint64_t{static_cast<unsigned char>(text[i] - '0') > 9} << i;
  }
#else
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<std::uint8_t, word_bytes> d;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text);
  const std::size_t lanes = hn::Lanes(d);
  // Targets with small vectors store more bytes than their lanes.
  std::uint8_t stored[word_bytes / 8 + 8];
  for (std::size_t i = 0; i < word_bytes; i += lanes) {
    const auto distance = hn::Sub(hn::LoadU(d, bytes + i), hn::Set(d, std::uint8_t{'0'}));
    hn::StoreMaskBits(d, hn::Gt(distance, hn::Set(d, std::uint8_t{9})), stored + i / 8);
  }
  std::memcpy(&bits, stored, sizeof(bits));
#endif
  return bits;
}

HWY_INLINE void take_eight(std::uint64_t& bits, std::uint32_t base, std::uint32_t* places) {
  for (int i = 0; i < 8; ++i) {
    places[i] = base + static_cast<std::uint32_t>(std::countr_zero(bits));
    bits &= bits - 1;
  }
}

HWY_INLINE std::uint32_t* take_places(std::uint64_t bits, std::uint32_t base, std::uint32_t* places) {
  const int count = std::popcount(bits);
  std::uint32_t* at = places;
  take_eight(bits, base, at);
  for (int taken = 8; HWY_UNLIKELY(taken < count); taken += 8) take_eight(bits, base, at += 8);
  return places + count;
}

std::size_t find(const char* text, std::size_t bytes, std::uint32_t* places) {
  std::uint32_t* at = places;
  std::size_t i = 0;
  for (; i + word_bytes <= bytes; i += word_bytes) {
    at = take_places(non_digit_bits(text + i), static_cast<std::uint32_t>(i), at);
  }
  if (i < bytes) {
    char rest[word_bytes];
    std::memset(rest, '0', sizeof(rest));
    std::memcpy(rest, text + i, bytes - i);
    at = take_places(non_digit_bits(rest), static_cast<std::uint32_t>(i), at);
  }
  return static_cast<std::size_t>(at - places);
}

}  // namespace emgraph::graph::format::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace emgraph::graph::format {

HWY_EXPORT(find);

std::size_t find_non_digits(const char* text, std::size_t bytes, std::uint32_t* places) {
  return HWY_DYNAMIC_DISPATCH(find)(text, bytes, places);
}

}  // namespace emgraph::graph::format
#endif
