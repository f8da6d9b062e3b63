// SPDX-License-Identifier: MIT
// The thread team: every piece runs in every round, and exceptions reach the caller.
#include "core/base/thread_team.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/refused_threads.hpp"

namespace emgraph::core {
namespace {

TEST_CASE("a team does every piece, many times", "[team]") {
  for (const unsigned size : {1U, 2U, 7U}) {
    ThreadTeam team(size);
    CHECK(team.size() == size);
    std::vector<int> done(size);
    for (int round = 0; round < 500; ++round) team.all([&](unsigned number) { ++done[number]; });
    CHECK(done == std::vector<int>(size, 500));
  }
}

TEST_CASE("a team rethrows the exception of a piece, and remains usable", "[team]") {
  for (const unsigned size : {1U, 2U, 7U}) {
    ThreadTeam team(size);
    std::vector<int> done(size);
    for (unsigned bad = 0; bad < size; ++bad) {
      CHECK_THROWS_WITH(team.all([&](unsigned number) {
        if (number >= bad) throw std::runtime_error(std::to_string(number));
        ++done[number];
      }),
                        std::to_string(bad));
    }
    // What the others threw is not thrown later.
    team.all([&](unsigned number) { done[number] += 100; });
    for (unsigned number = 0; number < size; ++number) {
      CHECK(done[number] == 100 + static_cast<int>(size - 1 - number));
    }
  }
}

TEST_CASE("a team does every piece with the threads that it gets", "[team]") {
  constexpr unsigned size = 5;
  for (unsigned granted = 0; granted < size; ++granted) {
    CAPTURE(granted);
    const tests::RefusedThreads threads(granted);
    ThreadTeam team(size);
    CHECK(team.size() == size);
    std::vector<int> done(size);
    for (int round = 0; round < 50; ++round) team.all([&](unsigned number) { ++done[number]; });
    CHECK(done == std::vector<int>(size, 50));
    CHECK_THROWS_WITH(team.all([&](unsigned number) { throw std::runtime_error(std::to_string(number)); }),
                      "0");
  }
}

TEST_CASE("a team does not wait for threads that have not come", "[team]") {
  constexpr unsigned size = 4;
  std::vector<int> done(size);
  tests::LateThreads threads;
  ThreadTeam team(size);
  for (int round = 0; round < 50; ++round) team.all([&](unsigned number) { ++done[number]; });
  CHECK(done == std::vector<int>(size, 50));
  CHECK_THROWS_WITH(team.all([&](unsigned number) { throw std::runtime_error(std::to_string(number)); }),
                    "0");
  threads.release();
  for (int round = 0; round < 50; ++round) team.all([&](unsigned number) { ++done[number]; });
  CHECK(done == std::vector<int>(size, 100));
}

/// Has a task done beside rounds, and another one when it has returned.
void tasks_beside_rounds(unsigned size) {
  ThreadTeam team(size);
  std::vector<int> done(size);
  int tasks = 0;
  for (int round = 0; round < 50; ++round) {
    const auto work = [&] { ++tasks; };
    team.start_task(work);
    for (int rounds = 0; rounds < round % 4; ++rounds) team.all([&](unsigned number) { ++done[number]; });
    team.finish_task();
    CHECK(tasks == round + 1);
  }
  team.finish_task();  // nothing is left to wait for
  CHECK(tasks == 50);
  CHECK(done == std::vector<int>(size, 12 * (0 + 1 + 2 + 3) + 0 + 1));
}

TEST_CASE("a team does tasks beside its rounds, with the threads that it gets", "[team]") {
  for (const unsigned size : {1U, 2U, 7U}) tasks_beside_rounds(size);
  for (unsigned granted = 0; granted < 4; ++granted) {
    CAPTURE(granted);
    const tests::RefusedThreads threads(granted);
    tasks_beside_rounds(4);
  }
}

TEST_CASE("rounds of a team do not wait for a task", "[team]") {
  ThreadTeam team(3);
  std::atomic<bool> begun = false;
  std::atomic<bool> go_on = false;
  const auto work = [&] {
    begun = true;
    while (!go_on) std::this_thread::yield();
  };
  team.start_task(work);
  while (!begun) std::this_thread::yield();
  std::vector<int> done(3);
  for (int round = 0; round < 50; ++round) team.all([&](unsigned number) { ++done[number]; });
  CHECK(done == std::vector<int>(3, 50));
  go_on = true;
  team.finish_task();
}

TEST_CASE("a task is done by the caller if no thread has come", "[team]") {
  tests::LateThreads threads;
  ThreadTeam team(2);
  bool done = false;
  const auto work = [&] { done = true; };
  team.start_task(work);
  team.finish_task();
  CHECK(done);
  threads.release();
}

TEST_CASE("a team that never worked ends", "[team]") {
  for (const unsigned size : {1U, 2U, 7U}) CHECK(ThreadTeam(size).size() == size);
}

}  // namespace
}  // namespace emgraph::core
