// SPDX-License-Identifier: MIT
// Reads bits, and numbers in instantaneous codes, from a file that is read in pieces.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <utility>

#include "graph/format/webgraph/webgraph.hpp"

namespace emgraph::graph::format {

/// The most significant bit of a byte comes first. After the end of the file there are zeros; the caller must
/// test past_end() from time to time. The codes are those of P. Boldi, S. Vigna, "The WebGraph framework II:
/// codes for the World-Wide Web", DCC 2004, doi:10.1109/DCC.2004.1281504, for numbers from 0 on. Invariant:
/// window_ holds the next valid_ bits at its top; the lower bits are zero or the following bits of the file.
class BitReader {
 public:
  /// Returns the next bytes of the file, empty at its end; valid until the next call.
  using NextPiece = std::function<std::span<const std::byte>()>;
  /// The result for an invalid code. Greater than all valid numbers.
  static constexpr std::uint64_t bad = ~std::uint64_t{0};

  explicit BitReader(NextPiece next_piece) : next_piece_(std::move(next_piece)) {}

  /// Bits read so far.
  std::uint64_t position() const { return loaded_ - valid_; }
  bool past_end() const { return ended_ && position() > size_; }

  /// Reads `count` bits. Requires: count <= 62.
  std::uint64_t bits(unsigned count) {
    if (count > most_at_once) {
      const std::uint64_t high = bits(count - 32);
      return high << 32 | bits(32);
    }
    if (count == 0) return 0;
    if (valid_ < count) refill();
    const std::uint64_t found = window_ >> (64 - count);
    drop(count);
    return found;
  }

  /// Unary code: zeros, then a one.
  std::uint64_t unary() {
    std::uint64_t zeros = 0;
    while (true) {
      refill();
      const auto here = static_cast<unsigned>(std::countl_zero(window_));
      if (here < valid_) {
        drop(here + 1);
        return zeros + here;
      }
      zeros += valid_;
      drop(valid_);
      if (past_end()) return bad;
    }
  }

  std::uint64_t gamma() {
    refill();
    const auto zeros = static_cast<unsigned>(std::countl_zero(window_));
    if (2 * zeros + 1 <= valid_) {
      const std::uint64_t found = window_ >> (63 - 2 * zeros);
      drop(2 * zeros + 1);
      return found - 1;
    }
    return binary(unary());
  }

  std::uint64_t delta() { return binary(gamma()); }

  std::uint64_t zeta(unsigned k) {
    const std::uint64_t h = unary();
    if (h > most_bits || h * k + k - 1 >= most_bits) return bad;
    const std::uint64_t left = std::uint64_t{1} << (h * k);
    const std::uint64_t found = bits(static_cast<unsigned>(h * k + k - 1));
    return found < left ? found + left - 1 : (found << 1 | bits(1)) - 1;
  }

  /// Nibble code: groups of three bits, each after a bit that is 1 for the last group.
  std::uint64_t nibble() {
    std::uint64_t found = 0;
    for (unsigned groups = 0; groups * 3 < most_bits; ++groups) {
      const std::uint64_t group = bits(4);
      found = found << 3 | (group & 7);
      if (group >= 8) return found;
    }
    return bad;
  }

  std::uint64_t read(BitCode code, unsigned zeta_k) {
    switch (code) {
      case BitCode::gamma:
        return gamma();
      case BitCode::delta:
        return delta();
      case BitCode::zeta:
        return zeta(zeta_k);
      case BitCode::unary:
        return unary();
      case BitCode::nibble:
        return nibble();
    }
    return bad;
  }

  /// Starts again. NextPiece must then return the first byte of the file.
  void rewind() {
    piece_ = {};
    window_ = loaded_ = size_ = 0;
    valid_ = 0;
    ended_ = false;
  }

 private:
  static constexpr unsigned most_at_once = 56;
  static constexpr unsigned most_bits = 62;

  /// Reads a number below 2^(width + 1), coded as number + 1 without its leading one.
  std::uint64_t binary(std::uint64_t width) {
    if (width > most_bits - 1) return bad;
    return (std::uint64_t{1} << width | bits(static_cast<unsigned>(width))) - 1;
  }

  void drop(unsigned count) {
    window_ <<= count;
    valid_ -= count;
  }

  /// Fills the window. Afterwards at least most_at_once bits are valid.
  void refill() {
    if (valid_ >= most_at_once) return;
    if (piece_.size() >= sizeof(std::uint64_t)) {
      std::uint64_t bytes;
      std::memcpy(&bytes, piece_.data(), sizeof(bytes));
      if constexpr (std::endian::native == std::endian::little) bytes = __builtin_bswap64(bytes);
      window_ |= bytes >> valid_;
      const unsigned taken = (63 - valid_) / 8;
      piece_ = piece_.subspan(taken);
      loaded_ += 8 * std::uint64_t{taken};
      valid_ += 8 * taken;
      return;
    }
    refill_by_bytes();
  }

  void refill_by_bytes() {
    while (valid_ < most_at_once) {
      if (piece_.empty() && !ended_) {
        piece_ = next_piece_();
        if (piece_.empty()) {
          ended_ = true;
          size_ = loaded_;
        }
      }
      if (!piece_.empty()) {
        window_ |= std::to_integer<std::uint64_t>(piece_.front()) << (most_at_once - valid_);
        piece_ = piece_.subspan(1);
      }
      loaded_ += 8;
      valid_ += 8;
    }
  }

  const NextPiece next_piece_;
  std::span<const std::byte> piece_;
  std::uint64_t window_ = 0;
  unsigned valid_ = 0;
  std::uint64_t loaded_ = 0;  // bits loaded into the window so far
  std::uint64_t size_ = 0;    // size of the file in bits; known after its end
  bool ended_ = false;
};

}  // namespace emgraph::graph::format
