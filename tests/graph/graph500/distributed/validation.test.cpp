// SPDX-License-Identifier: MIT
// Each of the five rules finds its violation, on whichever rank it is.
#include "graph/graph500/distributed/validation.hpp"
#include "core/base/function_ref.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "tests/graph/graph500/distributed/weighted_list.hpp"
#include "tests/graph/mpi/thread_ranks.hpp"
#include "tests/support/tiny_environment.hpp"

namespace emgraph::tests {
namespace {

/// 256 nodes, so that each of four ranks owns some: a square 10 - 70 - 130 - 200 - 10 with a tail 200 - 250 -
/// 251 whose last edge has weight 0, a loop, and an edge 20 - 21 in another component.
WeightedList square() {
  return {256,
          {{10, 70}, {130, 70}, {130, 200}, {200, 10}, {200, 250}, {251, 250}, {10, 10}, {20, 21}, {70, 10}},
          {0.5f, 0.5f, 0.5f, 0.25f, 0.5f, 0.0f, 0.5f, 0.5f, 0.75f}};
}

struct Answer {
  std::vector<std::uint32_t> levels;
  std::vector<double> distances;
  std::vector<std::uint32_t> level_parents;
  std::vector<std::uint32_t> distance_parents;
};

constexpr std::uint32_t none = ~std::uint32_t{0};

/// The right answer from node 10.
Answer right() {
  Answer answer{std::vector<std::uint32_t>(256, none), std::vector<double>(256, HUGE_VAL),
                std::vector<std::uint32_t>(256, none), std::vector<std::uint32_t>(256, none)};
  const auto set = [&](std::size_t node, std::uint32_t level, double distance, std::uint32_t parent,
                       std::uint32_t distance_parent) {
    answer.levels[node] = level;
    answer.distances[node] = distance;
    answer.level_parents[node] = parent;
    answer.distance_parents[node] = distance_parent;
  };
  set(10, 0, 0, 10, 10);
  set(70, 1, 0.5, 10, 10);
  set(200, 1, 0.25, 10, 10);
  set(130, 2, 0.75, 70, 200);
  set(250, 2, 0.75, 200, 200);
  set(251, 3, 0.75, 250, 250);
  return answer;
}

struct Verdicts {
  distributed::ValidationResult levels;
  distributed::ValidationResult distances;
};

Verdicts validate(const Answer& answer, unsigned ranks) {
  std::vector<Verdicts> verdicts(ranks);
  const WeightedList list = square();
  run_ranks(ranks, [&](graph::mpi::Communicator& communicator) {
    TestEnvironment test{.memory_bytes = 64 * core::MiB};
    core::ThreadTeam team(1);
    distributed::PoolBuffers pools(test.memory, ranks);
    distributed::Room room{test.memory, communicator, team, pools};
    const distributed::LocalGraph<std::uint32_t> graph(room, list_of(list), true);
    const auto own = [&](const auto& values) {
      return std::span(values).subspan(graph.partition().own_first(), graph.partition().own_nodes());
    };
    distributed::Validation<std::uint32_t, distributed::LevelRule> levels(room, graph);
    distributed::Validation<std::uint32_t, distributed::DistanceRule> distances(room, graph);
    verdicts[communicator.rank()] = {
        levels.check(10, own(answer.levels), own(answer.level_parents)),
        distances.check(10, own(answer.distances), own(answer.distance_parents))};
  });
  for (const Verdicts& other : verdicts) {
    CHECK(other.levels.violation.rule == verdicts[0].levels.violation.rule);
    CHECK(other.distances.violation.node == verdicts[0].distances.violation.node);
  }
  return verdicts[0];
}

/// The rules that the damaged levels and distances break.
std::pair<std::uint64_t, std::uint64_t> rules(core::FunctionRef<void(Answer&)> damage) {
  Answer answer = right();
  damage(answer);
  std::pair<std::uint64_t, std::uint64_t> first;
  for (const unsigned ranks : {1, 2, 4}) {
    const Verdicts verdicts = validate(answer, ranks);
    const std::pair found{verdicts.levels.violation.rule, verdicts.distances.violation.rule};
    if (ranks == 1) first = found;
    CHECK(found == first);
  }
  return first;
}

TEST_CASE("graph500 over ranks: the validation accepts the right answer and counts the edges") {
  for (const unsigned ranks : {1, 2, 3, 4}) {
    const Verdicts verdicts = validate(right(), ranks);
    CHECK(verdicts.levels.violation.rule == 0);
    CHECK(verdicts.distances.violation.rule == 0);
    CHECK(verdicts.levels.reached == 6);
    CHECK(verdicts.levels.edges == 7);
    CHECK(verdicts.levels.loops == 1);
    CHECK(verdicts.distances.edges == 7);
  }
}

TEST_CASE("graph500 over ranks: the validation finds a violation of each rule") {
  using Rules = std::pair<std::uint64_t, std::uint64_t>;
  // 1: the root has another parent; a node is its own parent; two nodes at the same distance name each other
  CHECK(rules([](Answer& a) { a.level_parents[10] = a.distance_parents[10] = 70; }) == Rules(1, 1));
  CHECK(rules([](Answer& a) { a.level_parents[130] = a.distance_parents[130] = 130; }) == Rules(1, 1));
  CHECK(rules([](Answer& a) { a.distance_parents[250] = 251; }) == Rules(0, 1));
  // 2: a tree edge does not lead from the parent's value to the node's
  CHECK(rules([](Answer& a) { a.level_parents[70] = a.distance_parents[70] = 130; }) == Rules(5, 5));
  CHECK(rules([](Answer& a) { a.distances[130] = 0.625; }) == Rules(0, 5));
  // 3: an input edge joins levels two apart, or distances further apart than its weight
  CHECK(rules([](Answer& a) {
          a.levels[251] = 4;
          a.distances[251] = 1;
        }) == Rules(3, 3));
  // 4: a node of the component is unreached, or an unreached one has a parent
  CHECK(rules([](Answer& a) {
          a.levels[251] = a.level_parents[251] = a.distance_parents[251] = none;
          a.distances[251] = HUGE_VAL;
        }) == Rules(3, 3));
  CHECK(rules([](Answer& a) { a.level_parents[21] = a.distance_parents[21] = 20; }) == Rules(4, 4));
  // 5: the parent is no neighbour, or no node
  CHECK(rules([](Answer& a) { a.level_parents[130] = a.distance_parents[130] = 250; }) == Rules(5, 5));
  CHECK(rules([](Answer& a) { a.level_parents[130] = a.distance_parents[130] = none; }) == Rules(5, 5));
}

}  // namespace
}  // namespace emgraph::tests
