// SPDX-License-Identifier: MIT
// Several passes over the input: the same set as in one pass, and the choice of the number of passes.
#include "graph/mis/passes.hpp"

#include <random>

#include "graph/mis/mis.hpp"
#include "tests/graph/mis/solve.hpp"
#include "tests/oracle/mis_oracle.hpp"

namespace emgraph::tests::mis {
namespace {

using graph::Record;
using graph::mis::PassPlan;

EdgeList pass_edges(std::uint64_t nodes, std::size_t count, bool skewed) {
  std::mt19937_64 random(nodes + count);
  EdgeList edges(count);
  const auto id = [&] { return skewed ? random() % (1 + random() % nodes) : random() % nodes; };
  for (auto& edge : edges) edge = {id(), id()};
  return edges;
}

template <class R>
void check_passes(const EdgeList& edges, std::uint64_t nodes) {
  const Nodes right = first_independent_set(nodes, edges);
  for (const unsigned threads : tried_threads({1u, 2u})) {
    for (const std::size_t memory : {std::size_t{700} * core::KiB, 8 * core::MiB}) {
      Machine machine;
      machine.memory_bytes = memory;
      machine.threads = threads;
      VectorSourceOptions source{.facts = facts_with(nodes), .rewindable = true, .sampled = true};
      source.facts.edges = edges.size();
      source.facts.generated = true;
      CAPTURE(threads, memory, nodes, edges.size());
      graph::mis::Options options;
      const Solved in_passes = solve<R>(records_of<R>(edges), machine, source, options);
      CHECK((in_passes.set == right));
      CHECK(in_passes.result.passes > 1);
      CHECK(in_passes.result.edges == edges.size());
      options.passes = false;
      const Solved in_one = solve<R>(records_of<R>(edges), machine, source, options);
      CHECK((in_one.set == right));
      CHECK(in_one.result.passes == 1);
      source.rewindable = false;  // edges of one sort are dropped
      const Solved once = solve<R>(records_of<R>(edges), machine, source, {});
      CHECK((once.set == right));
      CHECK(once.result.passes == 1);
    }
  }
}

TEST_CASE("mis in passes gives the set of the oracle") {
  check_passes<Record<std::uint32_t, 0>>(pass_edges(16000, 200000, false), 16000);
  check_passes<Record<std::uint32_t, 0>>(pass_edges(30000, 150000, true), 40000);
  check_passes<Record<std::uint64_t, 0>>(pass_edges(16000, 100000, false), 16000);
}

TEST_CASE("pass plan takes all at once what fits or what cannot be read cheaply") {
  std::vector<std::uint64_t> ends(10000);
  for (std::size_t i = 0; i < ends.size(); ++i) ends[i] = i * 100;
  const std::uint64_t nodes = 1000000;
  const std::uint64_t edges = 100'000'000;
  const double per_sample = 10000;
  const std::uint64_t space = ~std::uint64_t{0};
  const auto generated = graph::mis::pass_costs(true, 8, 6, 2);
  const auto file = graph::mis::pass_costs(false, 8, 6, 2);
  // A generator: worth a second pass whether it fits or not.
  CHECK(PassPlan(generated, edges, 2 * edges, space).next_end(ends, per_sample, nodes).node < nodes);
  CHECK(PassPlan(generated, edges, edges / 10, space).next_end(ends, per_sample, nodes).node < nodes);
  // A file that fits: reading it again costs more than sorting it.
  CHECK(PassPlan(file, edges, 2 * edges, space).next_end(ends, per_sample, nodes).node == nodes);
  // Few edges are left, so this is the last pass.
  CHECK(PassPlan(generated, edges, edges, space).next_end(ends, per_sample / 100, nodes).node == nodes);
  // The sample is too small.
  ends.resize(100);
  CHECK(PassPlan(generated, edges, edges / 10, space).next_end(ends, per_sample, nodes).node == nodes);
}

TEST_CASE("pass plan takes no more than the temporary space holds") {
  std::vector<std::uint64_t> ends(10000);
  for (std::size_t i = 0; i < ends.size(); ++i) ends[i] = i;
  const std::uint64_t edges = 100'000'000;
  const auto next = [&](const graph::mis::PassCosts& costs, std::uint64_t memory, std::uint64_t space) {
    return PassPlan(costs, edges, memory, space).next_end(ends, 10000, ends.size());
  };
  const auto generated = graph::mis::pass_costs(true, 8, 6, 2);
  const auto file = graph::mis::pass_costs(false, 8, 6, 2);
  // Room for a tenth and a fortieth of the edges; three quarters of it are planned with.
  CHECK(next(generated, 0, edges / 10).node == 751);
  CHECK(next(generated, 0, edges / 10).cut_for_space);
  CHECK(next(generated, edges / 80, edges / 80).node == 188);
  // A file for which one pass would be best still has to be read again.
  CHECK(next(file, 0, edges).node < ends.size());
  CHECK(next(file, 0, edges).cut_for_space);
  CHECK(next(file, 0, 2 * edges).node == ends.size());
  CHECK_FALSE(next(generated, 0, 2 * edges).cut_for_space);
  // Even a small sample gives the best estimate of the number of edges that fit.
  ends.resize(1000);
  CHECK(next(generated, 0, 2 * edges).node == ends.size());
  CHECK(next(generated, 0, 1'000'000).node < ends.size());
}

TEST_CASE("pass plan cuts by the sample's weight, not by the nodes") {
  std::vector<std::uint64_t> ends(10000, 7);  // a hub
  const auto costs = graph::mis::pass_costs(true, 8, 6, 2);
  CHECK(PassPlan(costs, 100'000'000, 10'000'000, ~std::uint64_t{0}).next_end(ends, 10000, 1000).node == 8);
}

}  // namespace
}  // namespace emgraph::tests::mis
