// SPDX-License-Identifier: MIT
// An edge as one integer with the order of (weight, low id, high id).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/base/integers.hpp"
#include "core/base/vector_sort.hpp"
#include "graph/weighting.hpp"

namespace emgraph::graph::mst {

/// The parts of an edge: weight rank (weighting.hpp, in the order of RankOrder), low id, high id. Also the
/// code of edges that do not fit into an integer.
struct WideCode {
  std::uint64_t weight = 0;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  auto operator<=>(const WideCode&) const = default;
};

/// Ranks in the order of the solver: that of the weights, or for a maximum spanning forest the reversed one,
/// sum - rank. Its own inverse.
struct RankOrder {
  bool reversed = false;
  std::uint64_t sum = 0;  ///< of a rank and the reversed one

  RankOrder() = default;
  /// The ranks of `type`, or those of computed weights, stay within their bounds.
  RankOrder(bool maximum, const Weighting& weighting, WeightType type) : reversed(maximum) {
    if (weighting.rule == WeightRule::hash) {
      sum = weighting.modulus + 1;
    } else if (weighting.rule == WeightRule::unit) {
      sum = 2;
    } else {
      sum = weight_bytes(type) == 4 ? 0xffffffffU : ~std::uint64_t{0};
    }
  }
  std::uint64_t operator()(std::uint64_t rank) const { return reversed ? sum - rank : rank; }
};

/// The widths of the parts of a code. The part of the weight is rank - base.
struct CodeLayout {
  std::uint64_t weight_base = 0;
  unsigned weight_bits = 64;  ///< 1 … 64
  unsigned id_bits = 64;      ///< 1 … 64

  unsigned bits() const { return weight_bits + 2 * id_bits; }
  bool operator==(const CodeLayout&) const = default;
  /// True if every edge has a code whose weight rank minus base, and whose high id, have only bits of these.
  bool holds(std::uint64_t relative_weights, std::uint64_t ids) const {
    return (weight_bits == 64 || relative_weights >> weight_bits == 0) &&
           (id_bits == 64 || ids >> id_bits == 0);
  }
};

/// Encodes and decodes edges with one layout. Code is std::uint64_t, core::uint128 or WideCode. Requires: an
/// integer Code has at least layout.bits() bits.
template <class Code>
class EdgeCodes {
 public:
  EdgeCodes() = default;
  explicit EdgeCodes(const CodeLayout& layout)
      : layout_(layout), id_bits_(layout.id_bits), mask_(core::low_mask<std::uint64_t>(layout.id_bits)) {}

  const CodeLayout& layout() const { return layout_; }

  Code make(std::uint64_t weight, std::uint64_t low, std::uint64_t high) const {
    return static_cast<Code>(weight - layout_.weight_base) << (2 * id_bits_) |
           static_cast<Code>(low) << id_bits_ | high;
  }
  std::uint64_t weight(Code code) const {
    return static_cast<std::uint64_t>(code >> (2 * id_bits_)) + layout_.weight_base;
  }
  std::uint64_t low(Code code) const { return static_cast<std::uint64_t>(code >> id_bits_) & mask_; }
  std::uint64_t high(Code code) const { return static_cast<std::uint64_t>(code) & mask_; }

  /// The same edge as an integer with the order of (low id, high id, weight).
  Code by_ends(Code code) const {
    const unsigned bits = layout_.weight_bits;
    const Code ends = code & core::low_mask<Code>(2 * id_bits_);
    return static_cast<Code>(ends << bits | code >> (2 * id_bits_));
  }
  WideCode from_ends(Code code) const {
    const unsigned bits = layout_.weight_bits;
    const Code ends = static_cast<Code>(code >> bits);
    return {static_cast<std::uint64_t>(code & core::low_mask<Code>(bits)) + layout_.weight_base, low(ends),
            high(ends)};
  }

 private:
  CodeLayout layout_;
  unsigned id_bits_ = 0;
  std::uint64_t mask_ = 0;
};

template <>
class EdgeCodes<WideCode> {
 public:
  EdgeCodes() = default;
  explicit EdgeCodes(const CodeLayout& layout) : layout_(layout) {}
  const CodeLayout& layout() const { return layout_; }
  WideCode make(std::uint64_t weight, std::uint64_t low, std::uint64_t high) const {
    return {weight, low, high};
  }
  std::uint64_t weight(const WideCode& code) const { return code.weight; }
  std::uint64_t low(const WideCode& code) const { return code.low; }
  std::uint64_t high(const WideCode& code) const { return code.high; }
  WideCode by_ends(const WideCode& code) const { return {code.low, code.high, code.weight}; }
  WideCode from_ends(const WideCode& code) const { return {code.high, code.weight, code.low}; }

 private:
  CodeLayout layout_;
};

inline void sort_codes(std::span<std::uint64_t> codes) {
  core::vector_sort(codes);
}
inline void sort_codes(std::span<core::uint128> codes) {
  core::vector_sort(codes);
}
inline void sort_codes(std::span<WideCode> codes) {
  std::sort(codes.begin(), codes.end());
}

}  // namespace emgraph::graph::mst
