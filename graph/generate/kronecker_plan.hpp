// SPDX-License-Identifier: MIT
// The constants of one Kronecker graph, the formula of one edge in plain arithmetic, and the vector kernels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "graph/generate/counter_hash.hpp"

namespace emgraph::graph::generate {

/// Quadrant probabilities in units of 2^-16, the Graph500 constants rounded: A = 37356/65536 = 0.570007,
/// B = C = 12452/65536 = 0.190002, D = 3276/65536 = 0.049988.
inline constexpr std::int32_t kronecker_a = 37356;
inline constexpr std::int32_t kronecker_b = 12452;
inline constexpr std::int32_t kronecker_c = 12452;
inline constexpr std::int32_t kronecker_d = 3276;
static_assert(kronecker_a + kronecker_b + kronecker_c + kronecker_d == 65536);

/// Level 4 g + p of edge i draws the 16 bits at 16 p of word i of stream `level_keys[g]`: r in [-32768,
/// 32767] as a signed number, r + 32768 being the uniform draw. The quadrants lie in Gray-code order A, B, D,
/// C along it, so that each id bit is one comparison:
///   source bit (C or D): r > source_above;   target bit (B or D): (r + target_shift mod 2^16) >
///   target_above.
inline constexpr std::int16_t kronecker_source_above = kronecker_a + kronecker_b - 1 - 32768;
inline constexpr std::int16_t kronecker_target_shift = 65536 - kronecker_a - kronecker_b - kronecker_d;
inline constexpr std::int16_t kronecker_target_above = 32767 - kronecker_b - kronecker_d;

/// The graph's constants. In an unscrambled id the bits of levels p, p + 4, p + 8 ... are adjacent, from bit
/// `field_offset[p]` upwards; their order does not matter, because ids are scrambled.
struct KroneckerPlan {
  int scale = 1;
  int groups = 1;  // of four levels
  std::array<std::uint64_t, 16> level_keys{};
  std::array<int, 4> field_offset{};
  std::array<std::uint64_t, 4> field_mask{};  // in the 64-bit word of 16-bit lanes
  std::uint64_t mask = 1;                     // 2^scale - 1
  std::uint64_t add = 0;
  std::array<std::uint64_t, 3> multipliers{};  // odd
  int xor_shift = 1;                           // scale / 2 rounded up
};

KroneckerPlan make_kronecker_plan(int scale, std::uint64_t seed);

struct KroneckerEdge {
  std::uint64_t source;
  std::uint64_t target;
  bool operator==(const KroneckerEdge&) const = default;
};

/// Edge `index` before scrambling.
KroneckerEdge unscrambled_kronecker_edge(const KroneckerPlan& plan, std::uint64_t index);

/// The seeded bijection of [0, 2^scale): three odd multiplications and xor-shifts modulo 2^scale.
constexpr std::uint64_t scramble(const KroneckerPlan& plan, std::uint64_t id) {
  id += plan.add;
  for (const std::uint64_t multiplier : plan.multipliers) {
    id = (id * multiplier) & plan.mask;
    id ^= id >> plan.xor_shift;
  }
  return id;
}

/// Vector kernel (kronecker_kernel.cpp); the result does not depend on the vector width. Writes edges
/// first_edge .. first_edge + count - 1 as source, target, source, ... into `out` (2 * count ids). Requires:
/// plan.scale <= 32.
void fill_kronecker(const KroneckerPlan& plan, std::uint64_t first_edge, std::uint32_t* out,
                    std::size_t count);

/// The same for any scale.
void fill_kronecker(const KroneckerPlan& plan, std::uint64_t first_edge, std::uint64_t* out,
                    std::size_t count);

}  // namespace emgraph::graph::generate
