// SPDX-License-Identifier: MIT
// Pieces that are permuted in place, against a copy.
#include "graph/prepare/adjacency/piece_order.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <vector>

#include "tests/support/tiny_environment.hpp"
#include "tests/support/tried_threads.hpp"

namespace emgraph::tests {
namespace {

using Permutation = std::vector<std::uint32_t>;

Permutation identity(std::size_t pieces) {
  Permutation places(pieces);
  std::iota(places.begin(), places.end(), 0U);
  return places;
}

std::vector<Permutation> permutations() {
  std::vector<Permutation> all;
  for (const std::size_t pieces : {0U, 1U, 2U, 3U, 7U, 64U, 1000U}) {
    all.push_back(identity(pieces));
    Permutation reversed = identity(pieces);  // cycles of two
    std::reverse(reversed.begin(), reversed.end());
    all.push_back(reversed);
    Permutation rotated = identity(pieces);  // one cycle
    if (pieces > 0) std::rotate(rotated.begin(), rotated.begin() + 1, rotated.end());
    all.push_back(rotated);
    std::mt19937 random(static_cast<unsigned>(pieces));
    for (int i = 0; i < 5; ++i) {
      Permutation shuffled = identity(pieces);
      std::shuffle(shuffled.begin(), shuffled.end(), random);
      all.push_back(shuffled);
    }
    Permutation half = identity(pieces);  // most pieces stay
    std::shuffle(half.begin(), half.begin() + static_cast<std::ptrdiff_t>(pieces / 4), random);
    all.push_back(half);
  }
  return all;
}

TEST_CASE("pieces: any permutation, by any number of threads", "[rows]") {
  constexpr std::size_t numbers = 5;
  for (const unsigned threads : tried_threads({1U, 2U, 3U, 16U})) {
    for (const Permutation& places : permutations()) {
      std::vector<std::uint32_t> wide(places.size() * numbers);
      std::iota(wide.begin(), wide.end(), 0U);
      std::vector<std::uint16_t> narrow(places.size());
      std::iota(narrow.begin(), narrow.end(), std::uint16_t{0});
      const std::size_t piece_bytes = numbers * sizeof(std::uint32_t) + sizeof(std::uint16_t);
      TestEnvironment test{.memory_bytes =
                               graph::adjacency::permute_pieces_bytes(places.size(), piece_bytes, threads)};
      const NothingLeft nothing_left(test);
      Permutation target = places;
      const graph::adjacency::PieceArray arrays[] = {
          {std::as_writable_bytes(std::span(wide)).data(), numbers * sizeof(std::uint32_t)},
          {std::as_writable_bytes(std::span(narrow)).data(), sizeof(std::uint16_t)}};
      graph::adjacency::permute_pieces(test.environment.memory, threads, target, arrays);
      bool same = target == identity(places.size());
      for (std::size_t i = 0; i < places.size(); ++i) {
        same = same && narrow[places[i]] == i;
        for (std::size_t k = 0; k < numbers; ++k) {
          same = same && wide[places[i] * numbers + k] == i * numbers + k;
        }
      }
      if (!same) FAIL(places.size() << " pieces, " << threads << " threads");
    }
  }
  SUCCEED();
}

}  // namespace
}  // namespace emgraph::tests
