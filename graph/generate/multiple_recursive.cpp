// SPDX-License-Identifier: MIT
// Jumps of the recurrence: products of matrices over the field of 2^31 - 1 elements.
#include "graph/generate/multiple_recursive.hpp"

#include <cstddef>

namespace emgraph::graph::generate {
namespace {

/// Four products of two words below 2^31 - 1 fit 64 bits, five do not.
std::uint32_t row_times_column(const std::array<std::uint32_t, 5>& row,
                               const std::array<std::uint32_t, 5>& column) {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    sum = (sum + std::uint64_t{row[k]} * column[k]) % recurrence_modulus;
  }
  return static_cast<std::uint32_t>(sum);
}

}  // namespace

RecurrenceJump RecurrenceJump::one_step() {
  RecurrenceJump jump;
  jump.rows[0][0] = recurrence_first;
  jump.rows[0][4] = recurrence_fifth;
  for (std::size_t i = 1; i < 5; ++i) jump.rows[i][i - 1] = 1;
  return jump;
}

RecurrenceState RecurrenceJump::from(const RecurrenceState& state) const {
  RecurrenceState later;
  for (std::size_t i = 0; i < 5; ++i) later.words[i] = row_times_column(rows[i], state.words);
  return later;
}

RecurrenceJump RecurrenceJump::doubled() const {
  RecurrenceJump result;
  for (std::size_t j = 0; j < 5; ++j) {
    std::array<std::uint32_t, 5> column{};
    for (std::size_t i = 0; i < 5; ++i) column[i] = rows[i][j];
    for (std::size_t i = 0; i < 5; ++i) result.rows[i][j] = row_times_column(rows[i], column);
  }
  return result;
}

RecurrenceJumps make_recurrence_jumps() {
  RecurrenceJumps jumps;
  jumps[0] = RecurrenceJump::one_step();
  for (std::size_t k = 1; k < jumps.size(); ++k) jumps[k] = jumps[k - 1].doubled();
  return jumps;
}

RecurrenceState seeded_recurrence(std::uint64_t seed_1, std::uint64_t seed_2) {
  constexpr std::uint64_t mask = 0x3fffffff;
  const auto word = [](std::uint64_t value) { return static_cast<std::uint32_t>(value + 1); };
  return {{word(seed_1 & mask), word(seed_1 >> 30 & mask), word(seed_2 & mask), word(seed_2 >> 30 & mask),
           word((seed_2 >> 60 << 4) + (seed_1 >> 60))}};
}

RecurrenceState jumped(const RecurrenceJumps& jumps, RecurrenceState state, std::uint64_t high,
                       std::uint64_t middle, std::uint64_t low) {
  const std::array<std::uint64_t, 3> steps = {low, middle, high};
  for (std::size_t k = 0; k < jumps.size(); ++k) {
    if (steps[k / 64] >> k % 64 & 1) state = jumps[k].from(state);
  }
  return state;
}

}  // namespace emgraph::graph::generate
