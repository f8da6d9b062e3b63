// SPDX-License-Identifier: MIT
// Threads that stay: every piece is done, every time, and errors come through.
#include "core/base/crew.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace emgraph::core {
namespace {

TEST_CASE("a crew does every piece, many times", "[crew]") {
  for (const unsigned size : {1U, 2U, 7U}) {
    Crew crew(size);
    CHECK(crew.size() == size);
    std::vector<int> done(size);
    for (int round = 0; round < 500; ++round) crew.all([&](unsigned number) { ++done[number]; });
    CHECK(done == std::vector<int>(size, 500));
  }
}

TEST_CASE("a crew passes on what a piece throws, and goes on working", "[crew]") {
  for (const unsigned size : {1U, 2U, 7U}) {
    Crew crew(size);
    std::vector<int> done(size);
    for (unsigned bad = 0; bad < size; ++bad) {
      CHECK_THROWS_WITH(crew.all([&](unsigned number) {
        if (number >= bad) throw std::runtime_error(std::to_string(number));
        ++done[number];
      }),
                        std::to_string(bad));
    }
    // What the others threw is not thrown later.
    crew.all([&](unsigned number) { done[number] += 100; });
    for (unsigned number = 0; number < size; ++number) {
      CHECK(done[number] == 100 + static_cast<int>(size - 1 - number));
    }
  }
}

TEST_CASE("a crew that never worked goes home", "[crew]") {
  for (const unsigned size : {1U, 2U, 7U}) CHECK(Crew(size).size() == size);
}

}  // namespace
}  // namespace emgraph::core
