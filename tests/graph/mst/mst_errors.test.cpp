// SPDX-License-Identifier: MIT
// The solver on bad input, with too little memory, and when disks or reservations fail.
#include <algorithm>
#include <limits>
#include <string>

#include "core/base/error.hpp"
#include "tests/graph/mst/solve.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/memory_sweep.hpp"
#include "tests/support/message_of.hpp"

namespace emgraph::tests::mst {
namespace {

using Catch::Matchers::Contains;
using graph::Record;
using Narrow = Record<std::uint32_t, 4>;

constexpr MemoryModel models[] = {MemoryModel::automatic, MemoryModel::external};

template <class R>
std::string error_of(const std::vector<R>& edges, const Machine& machine, const VectorSourceOptions& source,
                     const graph::mst::Options& options) {
  return message_of<core::DataError>([&] { solve(edges, machine, source, options); });
}

TEST_CASE("mst names the edge whose id is not below n, and the edge whose weight is NaN") {
  const WeightedList good = with_random_weights(random_edges(3000, 5000, 20), WeightType::f32);
  for (const unsigned threads : tried_threads({1U, 2U})) {
    for (const MemoryModel model : models) {
      CAPTURE(threads, static_cast<int>(model));
      const VectorSourceOptions source{.facts = weighted_facts(3000, WeightType::f32), .sampled = true};
      WeightedList bad = good;
      bad[1777].target = 3000;
      CHECK_THAT(error_of(weighted_records<Narrow>(bad, WeightType::f32), {core::MiB, threads, 1}, source,
                          with_model(model)),
                 Contains("edges.test: edge 1777: id 3000 found"));
      bad = good;
      bad[4321] = {17, 4, std::numeric_limits<long double>::quiet_NaN()};
      CHECK_THAT(error_of(weighted_records<Narrow>(bad, WeightType::f32), {core::MiB, threads, 1}, source,
                          with_model(model)),
                 Contains("edges.test: edge 4321 (17, 4): weight NaN found"));
      VectorSourceOptions wide{.facts = weighted_facts(3000, WeightType::f64)};
      CHECK_THAT(error_of(weighted_records<Record<std::uint32_t, 8>>(bad, WeightType::f64),
                          {core::MiB, threads, 1}, wide, with_model(model)),
                 Contains("edge 4321 (17, 4): weight NaN found"));
      // Computed weights do not depend on stored ones.
      CHECK(error_of(weighted_records<Narrow>(bad, WeightType::f32), {core::MiB, threads, 1}, source,
                     with_model(model, WeightRule::hash)) == "");
    }
  }
}

TEST_CASE("mst: options' n goes before the source's, and no weights are an error") {
  const WeightedList list = with_random_weights(random_edges(10, 30, 21), WeightType::u32);
  const auto edges = weighted_records<Narrow>(list, WeightType::u32);
  graph::mst::Options options;
  options.nodes = 20;
  CHECK(solve(edges, {}, {.facts = weighted_facts(10, WeightType::u32)}, options).result.nodes == 20);
  options.nodes = 5;
  CHECK_THROWS_AS(solve(edges, {}, {.facts = weighted_facts(10, WeightType::u32)}, options), core::DataError);
  CHECK_THROWS_AS(solve(edges, {}, {.facts = facts_with(10)}, {}), core::UsageError);
}

TEST_CASE("mst with a model of its user's choice says when it does not fit") {
  const auto edges = weighted_records<Narrow>(
      with_random_weights(random_edges(400000, 100000, 22), WeightType::u32), WeightType::u32);
  VectorSourceOptions source{.facts = weighted_facts(400000, WeightType::u32)};
  source.facts.edges = edges.size();
  for (const MemoryModel model : {MemoryModel::internal, MemoryModel::semi_external}) {
    CHECK_THROWS_AS(solve(edges, {core::MiB, 2, 1}, source, with_model(model)), core::MemoryLimitError);
  }
  CHECK(solve(edges, {core::MiB, 2, 1}, source, {}).result.choice.model == MemoryModel::external);
  CHECK(solve(edges, {4 * core::MiB, 2, 1}, source, {}).result.choice.model != MemoryModel::external);
}

// If a run succeeds with some amount of memory, it succeeds with more memory.
template <class R>
void check_memory_sweep(std::uint64_t nodes, bool known, MemoryModel model) {
  const WeightedList list =
      with_random_weights(random_edges(nodes, sized(30000, 15000), 23), WeightType::u32);
  const auto edges = weighted_records<R>(list, WeightType::u32);
  const WeightedList right = minimum_spanning_forest(nodes, list);
  CAPTURE(sizeof(R), nodes, known, static_cast<int>(model));
  VectorSourceOptions source{.facts = weighted_facts(std::nullopt, WeightType::u32), .rewindable = known};
  if (known) source.facts.nodes = nodes;
  Sample sample(3);
  const std::size_t least = sweep_memory(32 * core::KiB, 4 * core::MiB, 4, sample, [&](std::size_t memory) {
    const Solved solved = solve(edges, {memory, 2, 1}, source, with_model(model));
    CHECK((solved.forest == right));
  });
  CHECK(least <= 2 * core::MiB);
}

TEST_CASE("mst with too little memory says what would do, and more is never worse") {
  for (const bool known : {true, false}) {
    for (const MemoryModel model : models) {
      check_memory_sweep<Narrow>(20000, known, model);
      check_memory_sweep<Record<std::uint64_t, 8>>(300000, known, model);
    }
  }
}

struct FaultCase {
  const char* name;
  std::uint64_t nodes;
  std::size_t edges;
  Machine machine;
  MemoryModel model;
  bool rewindable;
  bool known;
  bool transfers;
};

constexpr FaultCase fault_cases[] = {
    {"batches", 3000, 30000, {512 * core::KiB, 2, 1}, MemoryModel::automatic, true, true, false},
    {"one range", 60000, 100000, {900 * core::KiB, 2, 2}, MemoryModel::semi_external, true, true, true},
    {"ranges, heavy edges read again",
     40000,
     200000,
     {768 * core::KiB, 2, 1},
     MemoryModel::external,
     true,
     true,
     true},
    {"ranges, heavy edges put by",
     40000,
     200000,
     {768 * core::KiB, 1, 2},
     MemoryModel::external,
     false,
     true,
     true},
    {"batches that give up", 500000, 60000, {core::MiB, 1, 1}, MemoryModel::automatic, false, false, true}};

struct FaultInput {
  std::vector<Narrow> edges;
  WeightedList right;
  VectorSourceOptions source;
};

FaultInput fault_input(const FaultCase& one) {
  const std::size_t edges = sized(one.edges, std::min<std::size_t>(one.edges, 100000));
  const WeightedList list = with_random_weights(random_edges(one.nodes, edges, 24), WeightType::u32);
  FaultInput input{
      weighted_records<Narrow>(list, WeightType::u32), minimum_spanning_forest(one.nodes, list), {}};
  input.source = {.facts = weighted_facts(std::nullopt, WeightType::u32),
                  .rewindable = one.rewindable,
                  .sampled = one.known};
  if (one.known) {
    input.source.facts.nodes = one.nodes;
    input.source.facts.edges = edges;
  }
  return input;
}

TEST_CASE("mst survives the failure of any transfer and reservation without a leak") {
  std::uint64_t seed = 0;
  for (const FaultCase& one : fault_cases) {
    const FaultInput input = fault_input(one);
    for (const Fault fault : all_faults) {
      CAPTURE(one.name);
      const auto most = fail_each(
          fault, one.machine,
          [&](TestEnvironment& test) {
            const Solved solved = solve_in(test, input.edges, input.source, with_model(one.model));
            CHECK((solved.forest == input.right));
          },
          seed++);
      if (fault == Fault::transfer) {
        CHECK((most > 5) == one.transfers);
      } else {
        CHECK(most > 1);
      }
    }
  }
}

}  // namespace
}  // namespace emgraph::tests::mst
