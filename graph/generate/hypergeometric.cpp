// SPDX-License-Identifier: MIT
// Hypergeometric sampling: inversion around the mode for small variance, ratio of uniforms (HRUA) for large.
//
// All quantities are small differences from the mode, which is computed in exact 128-bit arithmetic:
// log-gamma of 10^18 in doubles has no significant digits left. Doubles are used with + - * / and sqrt only,
// which IEEE-754 defines exactly, so the generated graphs do not depend on the C library. HRUA: Stadlober
// 1990, "The ratio of uniforms approach for generating discrete random variates",
// doi 10.1016/0377-0427(90)90349-5.
#include "graph/generate/hypergeometric.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/base/integers.hpp"

// A fused multiply-add would round differently on machines that have one.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

namespace emgraph::graph::generate {
namespace {

using core::int128;

/// The four cells of the 2x2 table at the mode: marked and drawn, marked not drawn, drawn not marked,
/// neither.
struct Mode {
  double both;
  double marked_only;
  double drawn_only;
  double neither;
  double log_tilt;  // ln(both * neither / (marked_only * drawn_only)), near 0
};

/// z + z^3/3 + z^5/5 + ... without its first term: atanh(z) - z. Requires: |z| < 0.5.
double atanh_tail(double z) {
  const double square = z * z;
  double power = z * square;
  double sum = 0;
  for (int i = 3; i < 64; i += 2) {
    const double next = sum + power / i;
    if (next == sum) break;
    sum = next;
    power *= square;
  }
  return sum;
}

double atanh_series(double z) {
  return z + atanh_tail(z);
}

/// Natural logarithm of a positive normal number.
double natural_log(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  double mantissa = std::bit_cast<double>((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u);
  if (mantissa > 1.4142135623730951) {
    mantissa *= 0.5;
    ++exponent;
  }
  return exponent * 0.6931471805599453 + 2 * atanh_series((mantissa - 1) / (mantissa + 1));
}

/// ln x! - (x + 1/2) ln x + x - ln(2 pi)/2, for x >= 64 to 1e-17.
double stirling_rest(double x) {
  const double square = x * x;
  return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1.0 / 1680 / square) / square) / square) / x;
}

/// ln((x + d)! / x!) - d ln x, with no cancellation for |d| far below x.
/// With z = d / (2 x + d): ln(1 + d/x) = 2 atanh z, and (x + d) ln(1 + d/x) - d = 2 x (z^2 + (1 + z) tail) /
/// (1 - z).
double log_factorial_step(double x, double d) {
  const double z = d / (2 * x + d);
  const double tail = atanh_tail(z);
  return 2 * x * (z * z + (1 + z) * tail) / (1 - z) + (z + tail) + (stirling_rest(x + d) - stirling_rest(x));
}

/// ln(P(mode + d) / P(mode)).
double log_ratio(const Mode& mode, double d) {
  return -(d * mode.log_tilt + log_factorial_step(mode.both, d) + log_factorial_step(mode.neither, d) +
           log_factorial_step(mode.marked_only, -d) + log_factorial_step(mode.drawn_only, -d));
}

/// Offset from the mode by inversion; weights relative to the mode come from the ratio of neighbours.
std::int64_t invert_around_mode(const Mode& mode, double unit) {
  constexpr double negligible = 1e-20;
  const auto up = [&](double d) {  // P(mode + d + 1) / P(mode + d)
    return (mode.marked_only - d) * (mode.drawn_only - d) / ((mode.both + d + 1) * (mode.neither + d + 1));
  };
  const auto down = [&](double d) {  // P(mode - d - 1) / P(mode - d)
    return (mode.both - d) * (mode.neither - d) / ((mode.marked_only + d + 1) * (mode.drawn_only + d + 1));
  };
  double total = 1;
  double weight = 1;
  for (int d = 0; (weight *= up(d)) > negligible; ++d) total += weight;
  weight = 1;
  for (int d = 0; (weight *= down(d)) > negligible; ++d) total += weight;

  double rest = unit * total - 1;
  if (rest < 0) return 0;
  weight = 1;
  for (int d = 0; (weight *= up(d)) > negligible; ++d) {
    rest -= weight;
    if (rest < 0) return d + 1;
  }
  weight = 1;
  for (int d = 0; (weight *= down(d)) > negligible; ++d) {
    rest -= weight;
    if (rest < 0) return -(d + 1);
  }
  return 0;
}

/// Offset from the mode by HRUA. `mean_offset` is mean - mode.
std::int64_t reject_ratio_of_uniforms(const Mode& mode, double mean_offset, double variance,
                                      WordStream& words) {
  constexpr double hat_slope = 1.7155277699214135;   // 2 sqrt(2 / e)
  constexpr double hat_offset = 0.8989161620588988;  // 3 - 2 sqrt(3 / e)
  const double deviation = std::sqrt(variance + 0.5);
  const double width = hat_slope * deviation + hat_offset;
  const double limit = 10 * deviation;
  for (;;) {
    const double x = words.next_unit();
    const double y = words.next_unit();
    const double d = std::floor(mean_offset + 0.5 + width * (y - 0.5) / x);
    if (d < -limit || d > limit) continue;
    const double t = log_ratio(mode, d);
    if (x * (4 - x) - 3 <= t) return static_cast<std::int64_t>(d);
    if (x * (x - t) >= 1) continue;
    if (2 * natural_log(x) <= t) return static_cast<std::int64_t>(d);
  }
}

}  // namespace

std::uint64_t draw_hypergeometric(std::uint64_t universe, std::uint64_t marked, std::uint64_t draws,
                                  WordStream& words) {
  const std::uint64_t unmarked = universe - marked;
  const std::uint64_t least = draws > unmarked ? draws - unmarked : 0;
  const std::uint64_t most = std::min(draws, marked);
  if (least == most) return least;

  const int128 mode = (int128{draws} + 1) * (int128{marked} + 1) / (int128{universe} + 2);
  const int128 marked_only = int128{marked} - mode;
  const int128 drawn_only = int128{draws} - mode;
  const int128 neither = int128{unmarked} - drawn_only;
  Mode at{static_cast<double>(mode), static_cast<double>(marked_only), static_cast<double>(drawn_only),
          static_cast<double>(neither), 0};

  const auto whole = static_cast<double>(universe);
  const double variance = static_cast<double>(draws) * (static_cast<double>(marked) / whole) *
                          (static_cast<double>(unmarked) / whole) *
                          (static_cast<double>(universe - draws) / static_cast<double>(universe - 1));
  // Above this variance every cell is at least `variance`, so Stirling's formula is exact enough 10
  // deviations away from the mode. Inversion, which visits about 20 deviations twice, would cost more than
  // the rejections.
  constexpr double inversion_up_to = 400;
  std::int64_t offset;
  if (variance < inversion_up_to) {
    offset = invert_around_mode(at, words.next_unit());
  } else {
    const int128 diagonal = mode * neither;
    const int128 other = marked_only * drawn_only;
    at.log_tilt = 2 * atanh_series(static_cast<double>(diagonal - other) /
                                   (static_cast<double>(diagonal) + static_cast<double>(other)));
    const double mean_offset = static_cast<double>(int128{draws} * marked - mode * universe) / whole;
    offset = reject_ratio_of_uniforms(at, mean_offset, variance, words);
  }
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(mode) + offset);
}

}  // namespace emgraph::graph::generate
