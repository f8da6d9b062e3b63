// SPDX-License-Identifier: MIT
// The solver on bad input, with too little memory, and when disks or reservations fail.
#include <string>

#include "core/base/error.hpp"
#include "tests/graph/cc/solve.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/memory_sweep.hpp"
#include "tests/support/message_of.hpp"

namespace emgraph::tests::cc {
namespace {

using Catch::Matchers::Contains;
using graph::MemoryModel;
using graph::Record;
using Edge = Record<std::uint32_t, 0>;

EdgeList path(std::uint64_t nodes) {
  EdgeList edges;
  for (std::uint64_t node = 0; node + 1 < nodes; ++node) edges.push_back({node, node + 1});
  return edges;
}

TEST_CASE("cc names the edge whose id is not below n") {
  for (const unsigned threads : tried_threads({1U, 2U})) {
    for (const bool source_is_bad : {false, true}) {
      for (const MemoryModel model : {MemoryModel::automatic, MemoryModel::external}) {
        EdgeList bad = path(3000);
        (source_is_bad ? bad[1777].source : bad[1777].target) = 3000;
        const std::string what = message_of<core::DataError>([&] {
          solve(records_of<Edge>(bad), {4 * core::MiB, threads, 1}, {.facts = facts_with(3000)},
                with_model(model, 500));
        });
        CHECK_THAT(what, Contains("edges.test: edge 1777: id 3000 found"));
      }
    }
  }
}

TEST_CASE("cc: options' n goes before the source's, and must suit the width of the ids") {
  const auto edges = records_of<Edge>(path(10));
  graph::cc::Options options;
  options.nodes = 20;
  CHECK(solve(edges, {}, {.facts = facts_with(10)}, options).result.count.components == 11);
  options.nodes = 9;
  CHECK_THROWS_AS(solve(edges, {}, {.facts = facts_with(10)}, options), core::DataError);
  options.nodes = (std::uint64_t{1} << 32) + 1;
  CHECK_THROWS_AS(solve(edges, {}, {}, options), core::UsageError);
}

TEST_CASE("cc: the id 2^64 - 1 cannot be counted") {
  const auto edges = records_of<Record<std::uint64_t, 0>>({{0, ~std::uint64_t{0}}});
  for (const bool rewindable : {true, false}) {
    CHECK_THROWS_AS(solve(edges, {4 * core::MiB, 1, 1}, {.rewindable = rewindable}, {}), core::DataError);
  }
}

TEST_CASE("cc: counts of isolated nodes took more blocks than there was memory to list") {
  if (only_races) return;  // one thread
  constexpr std::uint64_t nodes = 30000000;
  TestEnvironment test{.memory_bytes = 4 * core::MiB};
  VectorSource<Edge> source(records_of<Edge>({{3, nodes - 1}, {5, 6}}), {.facts = facts_with(nodes)});
  const auto result = graph::cc::run<Edge::id_type>(test.environment, source,
                                                    with_model(MemoryModel::external, 430000), nullptr);
  CHECK(result.ranges > 60);
  CHECK(result.count.isolated_nodes == nodes - 4);
}

TEST_CASE("cc refuses a forced model that cannot fit, and says what would do") {
  if (only_races) return;  // one thread
  const auto edges = records_of<Edge>(path(400000));
  const auto run = [&](std::size_t memory, MemoryModel model, std::optional<std::uint64_t> nodes) {
    VectorSourceOptions source{.facts = facts_with(nodes)};
    source.facts.edges = 399999;
    return solve(edges, {memory, 1, 1}, source, with_model(model));
  };
  for (const std::optional<std::uint64_t> nodes :
       {std::optional<std::uint64_t>(400000), std::optional<std::uint64_t>()}) {
    std::string what;
    try {
      run(core::MiB, MemoryModel::semi_external, nodes);
    } catch (const core::MemoryLimitError& error) {
      what = error.what();
    }
    CHECK_THAT(what, Contains("400,000 nodes needs 1.53 MiB") && Contains("-M 3M would do"));
    CHECK(run(3 * core::MiB, MemoryModel::semi_external, nodes).result.count.components == 1);
  }
  CHECK_THROWS_AS(run(4 * core::MiB, MemoryModel::internal, 400000), core::MemoryLimitError);
  CHECK(run(5 * core::MiB, MemoryModel::internal, 400000).result.choice.model == MemoryModel::internal);
}

TEST_CASE("cc with n far beyond memory says what would do") {
  const auto edges = records_of<Record<std::uint64_t, 0>>({{1, 2}});
  for (const std::uint64_t nodes : {std::uint64_t{1} << 30, std::uint64_t{1} << 38}) {
    graph::cc::Options options;
    options.nodes = nodes;
    const std::string what = message_of<core::MemoryLimitError>([&] {
      solve(edges, {core::MiB, 1, 1}, {}, options);
    });
    CHECK_THAT(what, Contains("-M ") && Contains("would do"));
  }
}

TEST_CASE("cc: what nearly 2^64 nodes need wrapped around to a limit that would not do") {
  const auto edges = records_of<Record<std::uint64_t, 0>>({{1, 2}});
  for (const unsigned bits : {60U, 61U, 62U, 63U, 64U}) {
    const std::uint64_t nodes = ~std::uint64_t{0} >> (64 - bits);
    CAPTURE(nodes);
    for (const MemoryModel model : {MemoryModel::internal, MemoryModel::semi_external}) {
      VectorSourceOptions source{.facts = facts_with(nodes)};
      CHECK_THROWS_WITH(solve(edges, {core::MiB, 1, 1}, source, with_model(model)),
                        Contains("EiB") && Contains(bits == 60 ? "-M 13194139533312M" : "more than any -M") &&
                            Contains("--relabel numbers sparse ids without gaps"));
    }
    graph::cc::Options options;
    options.nodes = nodes;
    CHECK_THROWS_AS(solve(edges, {core::MiB, 1, 1}, {}, options), core::DataError);
    // Without --nodes two ids do not justify so many nodes.
    CHECK_THROWS_WITH(solve(edges, {core::MiB, 1, 1}, {.facts = facts_with(nodes)}, {}),
                      Contains("these ids are sparse"));
  }
}

// If a run succeeds with some amount of memory, it succeeds with more memory.
TEST_CASE("cc with more memory is never worse") {
  Sample sample(2);
  const EdgeList list = random_edges(100000, sized(60000, 30000), 21);
  for (const bool known : {true, false}) {
    const Labels right = smallest_reachable(known ? 100000 : nodes_of(list), list);
    for (const MemoryModel model : {MemoryModel::automatic, MemoryModel::external}) {
      CAPTURE(known, static_cast<int>(model));
      VectorSourceOptions source;
      if (known) source.facts.nodes = 100000;
      const std::size_t least =
          sweep_memory(32 * core::KiB, 3 * core::MiB, 3, sample, [&](std::size_t memory) {
            const Solved solved = solve(records_of<Edge>(list), {memory, 2, 1}, source, with_model(model));
            CHECK((solved.labels == right));
          });
      CHECK(least <= 700 * core::KiB);
    }
  }
}

struct FaultCase {
  const char* name;
  EdgeList edges;
  std::optional<std::uint64_t> nodes;
  Machine machine;
  bool rewindable;
};

std::vector<FaultCase> fault_cases() {
  const std::size_t share = sized(1, 2);
  return {
      {"ranges spill", random_edges(200000, 150000 / share, 22), 200000, {512 * core::KiB, 2, 2}, false},
      {"outgrown file",
       random_edges(200000, 100000 / share, 23),
       std::nullopt,
       {512 * core::KiB, 1, 1},
       true},
      {"outgrown pipe", random_edges(900000, 200000 / share, 24), std::nullopt, {3 * core::MiB, 2, 2}, false},
      {"in memory", random_edges(3000, 3000, 25), std::nullopt, {core::MiB, 2, 1}, false}};
}

TEST_CASE("cc survives the failure of any transfer and reservation without a leak") {
  std::uint64_t seed = 0;
  for (const FaultCase& one : fault_cases()) {
    const auto edges = records_of<Edge>(one.edges);
    const Labels right = smallest_reachable(one.nodes.value_or(nodes_of(one.edges)), one.edges);
    const bool spills = std::string(one.name) != "in memory";
    for (const Fault fault : all_faults) {
      CAPTURE(one.name);
      const auto most = fail_each(
          fault, one.machine,
          [&](TestEnvironment& test) {
            const VectorSourceOptions source{.facts = facts_with(one.nodes), .rewindable = one.rewindable};
            const Solved solved = solve_in(test, edges, source, {});
            CHECK((solved.labels == right));
          },
          seed++);
      if (fault == Fault::transfer) {
        CHECK((most > 40) == spills);
      } else {
        CHECK(most > (spills ? 5 : 1));
      }
    }
  }
}

}  // namespace
}  // namespace emgraph::tests::cc
