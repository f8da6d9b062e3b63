// SPDX-License-Identifier: MIT
// The multiple recursive generator of the Graph500 reference code, with jumps.
#pragma once

#include <array>
#include <cstdint>

namespace emgraph::graph::generate {

/// The recurrence x(t) = 107374182 x(t-1) + 104480 x(t-5) mod 2^31 - 1: L'Ecuyer, Blouin, Couture 1993 (doi
/// 10.1145/169702.169698), table 3, k = 5.
inline constexpr std::uint64_t recurrence_modulus = 0x7fffffff;
inline constexpr std::uint64_t recurrence_first = 107374182;
inline constexpr std::uint64_t recurrence_fifth = 104480;

/// The last five words, the latest first; all below the modulus.
struct RecurrenceState {
  std::array<std::uint32_t, 5> words{};

  /// The next word.
  std::uint32_t next() {
    const auto word = static_cast<std::uint32_t>((recurrence_first * words[0] + recurrence_fifth * words[4]) %
                                                 recurrence_modulus);
    words = {word, words[0], words[1], words[2], words[3]};
    return word;
  }

  /// The next two words as a number in [0, 1): word_1 / p + word_2 / p^2 with p = 2^31 - 1.
  double next_double() {
    const double high = static_cast<double>(next()) * .000000000465661287524579692;
    return high + static_cast<double>(next()) * .0000000000000000002168404346990492787;
  }

  bool operator==(const RecurrenceState&) const = default;
};

/// A number of steps of the recurrence: a matrix that is applied to a state.
struct RecurrenceJump {
  std::array<std::array<std::uint32_t, 5>, 5> rows{};

  /// One step.
  static RecurrenceJump one_step();

  RecurrenceState from(const RecurrenceState& state) const;
  /// Twice as many steps.
  RecurrenceJump doubled() const;
};

/// 2^k steps for k = 0 ... 191, by k.
using RecurrenceJumps = std::array<RecurrenceJump, 192>;
RecurrenceJumps make_recurrence_jumps();

/// The state of the reference code for two seeds of 64 bits.
RecurrenceState seeded_recurrence(std::uint64_t seed_1, std::uint64_t seed_2);

/// The state high 2^128 + middle 2^64 + low steps after `state`.
RecurrenceState jumped(const RecurrenceJumps& jumps, RecurrenceState state, std::uint64_t high,
                       std::uint64_t middle, std::uint64_t low);

}  // namespace emgraph::graph::generate
