// SPDX-License-Identifier: MIT
// Compares weights as integers with the same order.
#include "graph/prepare/attachment_order.hpp"

#include <cstdint>
#include <cstring>

namespace emgraph::graph::prepare {
namespace {

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// IEEE 754 bit patterns have the order of sign and magnitude. Inverting the magnitude of negative numbers
// gives the order of two's complement integers.
std::int32_t ordered_f32(const std::byte* from) {
  const auto bits = load<std::int32_t>(from);
  return bits < 0 ? bits ^ 0x7fffffff : bits;
}
std::int64_t ordered_f64(const std::byte* from) {
  const auto bits = load<std::int64_t>(from);
  return bits < 0 ? bits ^ 0x7fffffffffffffff : bits;
}

template <auto Ordered>
int compare_by(const std::byte* a, const std::byte* b, std::size_t bytes) {
  const auto left = Ordered(a);
  const auto right = Ordered(b);
  if (left != right) return left < right ? -1 : 1;
  return std::memcmp(a, b, bytes);
}

}  // namespace

core::CompareAttachments attachment_order(WeightType weight) {
  switch (weight) {
    case WeightType::none:
      break;
    case WeightType::u32:
      return compare_by<load<std::uint32_t>>;
    case WeightType::i64:
      return compare_by<load<std::int64_t>>;
    case WeightType::f32:
      return compare_by<ordered_f32>;
    case WeightType::f64:
      return compare_by<ordered_f64>;
  }
  return core::compare_bytes;
}

}  // namespace emgraph::graph::prepare
