// SPDX-License-Identifier: MIT
// Node ids, edges and edge records: the shapes every room of `graph` shares.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace emgraph::graph {

/// A directed edge as stored in a file. `Id` is std::uint32_t or std::uint64_t.
template <class Id>
struct Edge {
  Id source;
  Id target;
  auto operator<=>(const Edge&) const = default;
};

using Edge32 = Edge<std::uint32_t>;
using Edge64 = Edge<std::uint64_t>;

/// The smaller and the larger of two ids. Arithmetic instead of a comparison: of random edges a branch would
/// be predicted wrongly every other time. Measured: `mis` of 131 M random edges in two passes, whole run, two
/// runs each: 2.4 and 2.8 CPU s with the branch, 1.7 and 2.0 without (2 cores, loaded machine).
template <class Id>
constexpr Edge<Id> low_high(Id a, Id b) {
  static_assert(std::is_unsigned_v<Id>);
  const Id differ = a ^ b;
  const Id low = b ^ (differ & (Id{0} - static_cast<Id>(a < b)));
  return {low, low ^ differ};
}

/// Largest attachment (weight plus payload) an edge can carry, bytes.
inline constexpr std::size_t max_attachment_bytes = 64;

/// An edge with `A` opaque bytes that travel with it: weight first (little-endian, its natural
/// width), then payload, then zeros up to `A`. `A` is one of 0, 4, 8, 16, 32, 64 (`padded_attachment`).
template <class Id, std::size_t A>
struct Record {
  using id_type = Id;
  static constexpr std::size_t attachment_bytes = A;
  Id source;
  Id target;
  std::array<std::byte, A> attachment;
};

template <class Id>
struct Record<Id, 0> {
  using id_type = Id;
  static constexpr std::size_t attachment_bytes = 0;
  Id source;
  Id target;
};

static_assert(sizeof(Record<std::uint32_t, 0>) == 8);
static_assert(sizeof(Record<std::uint32_t, 8>) == 16);
static_assert(std::is_trivially_copyable_v<Record<std::uint64_t, 64>>);

/// Smallest attachment size a Record exists for that holds `bytes`.
constexpr std::size_t padded_attachment(std::size_t bytes) {
  for (std::size_t a : {0, 4, 8, 16, 32}) {
    if (bytes <= a) return a;
  }
  return 64;
}

}  // namespace emgraph::graph
