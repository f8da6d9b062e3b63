// SPDX-License-Identifier: MIT
// Every number is run once, whatever number of threads the system grants.
#include "core/base/parallel.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/refused_threads.hpp"

namespace emgraph::core {
namespace {

constexpr unsigned numbers = 5;

TEST_CASE("each number runs on a thread of its own, the first on the caller's", "[parallel]") {
  std::vector<std::thread::id> ids(numbers);
  run_on_threads(numbers, [&](unsigned number) { ids[number] = std::this_thread::get_id(); });
  CHECK(ids[0] == std::this_thread::get_id());
  std::vector<int> alone(1);
  run_on_threads(1, [&](unsigned number) { ++alone[number]; });
  CHECK(alone[0] == 1);
}

TEST_CASE("where threads are refused the caller runs the numbers that are left, in order", "[parallel]") {
  for (unsigned granted = 0; granted < numbers; ++granted) {
    CAPTURE(granted);
    std::vector<std::thread::id> ids(numbers);
    std::vector<unsigned> by_caller;
    {
      const tests::RefusedThreads threads(granted);
      run_on_threads(numbers, [&](unsigned number) {
        ids[number] = std::this_thread::get_id();
        if (number == 0 || number > granted) by_caller.push_back(number);
      });
      CHECK(threads.refused() == (granted < numbers - 1 ? 1 : 0));
    }
    std::vector<unsigned> expected{0};
    for (unsigned number = 1; number < numbers; ++number) {
      CHECK((ids[number] == std::this_thread::get_id()) == (number > granted));
      if (number > granted) expected.push_back(number);
    }
    CHECK(by_caller == expected);
  }
}

TEST_CASE("the exception of the lowest number is thrown, after all have returned", "[parallel]") {
  for (unsigned granted = 0; granted < numbers; ++granted) {
    CAPTURE(granted);
    const tests::RefusedThreads threads(granted);
    std::atomic<unsigned> returned{0};
    CHECK_THROWS_WITH(run_on_threads(numbers,
                                     [&](unsigned number) {
                                       ++returned;
                                       if (number >= 2) throw std::runtime_error(std::to_string(number));
                                     }),
                      "2");
    CHECK(returned == numbers);
  }
}

}  // namespace
}  // namespace emgraph::core
