// SPDX-License-Identifier: MIT
// The solver on bad input, with too little memory, and when disks or reservations fail.
#include <string>

#include "core/base/error.hpp"
#include "tests/graph/mis/solve.hpp"
#include "tests/oracle/mis_oracle.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/memory_sweep.hpp"
#include "tests/support/message_of.hpp"

namespace emgraph::tests::mis {
namespace {

using Catch::Matchers::Contains;
using graph::MemoryModel;
using graph::Record;
using graph::mis::Queue;
using Edge = Record<std::uint32_t, 0>;

/// 0 - 1 - 2 - …, sorted.
EdgeList path(std::uint64_t nodes) {
  EdgeList edges;
  for (std::uint64_t node = 0; node + 1 < nodes; ++node) edges.push_back({node, node + 1});
  return edges;
}

TEST_CASE("mis names the edge whose id is not below n") {
  const EdgeList list = path(3000);
  for (const unsigned threads : tried_threads({1U, 2U})) {
    for (const bool sorted : {false, true}) {
      for (const bool source_is_bad : {false, true}) {
        EdgeList bad = list;
        (source_is_bad ? bad[1777].source : bad[1777].target) = 3000;
        VectorSourceOptions source{.facts = facts_with(3000), .rewindable = threads == 1, .sampled = true};
        if (sorted) {
          source.facts.order = graph::EdgeOrder::source_target;
          source.facts.oriented_low = true;
        }
        for (const Queue queue : all_queues) {
          CAPTURE(threads, sorted, source_is_bad, static_cast<int>(queue));
          const std::string what = message_of<core::DataError>([&] {
            solve(records_of<Edge>(bad), {core::MiB, threads, 1}, source, with_queue(queue));
          });
          CHECK_THAT(what, Contains("edges.test: edge 1777: id 3000 found"));
        }
      }
    }
  }
}

TEST_CASE("mis: options' n goes before the source's") {
  const auto edges = records_of<Edge>(path(10));
  graph::mis::Options options;
  options.nodes = 20;
  CHECK(solve(edges, {}, {.facts = facts_with(10)}, options).set.size() == 15);
  options.nodes = 9;
  CHECK_THROWS_AS(solve(edges, {}, {.facts = facts_with(10)}, options), core::DataError);
}

TEST_CASE("mis refuses a model and a queue that contradict each other") {
  const auto edges = records_of<Edge>(path(10));
  const auto run = [&](MemoryModel model, Queue queue) {
    return solve(edges, {}, {.facts = facts_with(10)}, with_queue(queue, false, model)).result;
  };
  for (const Queue queue : {Queue::ranges, Queue::heap}) {
    CHECK_THROWS_AS(run(MemoryModel::internal, queue), core::UsageError);
    CHECK_THROWS_AS(run(MemoryModel::semi_external, queue), core::UsageError);
    CHECK(run(MemoryModel::external, queue).mis_size == 5);
  }
  CHECK_THROWS_AS(run(MemoryModel::external, Queue::bitmap), core::UsageError);
  CHECK(run(MemoryModel::internal, Queue::bitmap).mis_size == 5);
  CHECK(run(MemoryModel::semi_external, Queue::automatic).queue == "bitmap");
  CHECK(run(MemoryModel::external, Queue::automatic).queue == "ranges");
}

TEST_CASE("mis of sorted input needs n for bits") {
  VectorSourceOptions source{.facts = facts_with(std::nullopt, graph::EdgeOrder::source_target)};
  source.facts.oriented_low = true;
  const auto edges = records_of<Edge>(path(10));
  CHECK_THROWS_AS(solve(edges, {}, source, with_queue(Queue::bitmap)), core::UsageError);
  CHECK_THROWS_AS(solve(edges, {}, source, with_queue(Queue::ranges)), core::UsageError);
}

// If a run succeeds with some amount of memory, it succeeds with more memory.
template <class R>
void check_memory_sweep(std::uint64_t nodes, bool known, Queue queue, bool rewindable, Sample& sample) {
  const EdgeList list = random_edges(nodes, 30000, 21);
  const auto edges = records_of<R>(list);
  const Nodes set = first_independent_set(known ? nodes : nodes_of(list), list);
  CAPTURE(sizeof(R), nodes, known, static_cast<int>(queue));
  VectorSourceOptions source{.rewindable = rewindable};
  if (known) source.facts.nodes = nodes;
  const std::size_t least = sweep_memory(32 * core::KiB, 3 * core::MiB, 3, sample, [&](std::size_t memory) {
    const Solved solved = solve(edges, {memory, 2, 1}, source, with_queue(queue));
    CHECK((solved.set == set));
  });
  if (!sanitized) CHECK(least <= (R::attachment_bytes > 0 ? 2 * core::MiB : core::MiB));
}

TEST_CASE("mis with too little memory says what would do, and more is never worse") {
  Sample sample(3);
  for (const Queue queue : all_queues) {
    for (const bool known : {true, false}) {
      check_memory_sweep<Edge>(20000, known, queue, !known, sample);
      check_memory_sweep<Record<std::uint64_t, 8>>(20000, known, queue, !known, sample);
      if (queue == Queue::bitmap) continue;
      check_memory_sweep<Record<std::uint64_t, 0>>(600000, known, queue, !known, sample);
    }
  }
}

// Bits of 2 M nodes take up to half of the memory, and what they leave can be too little for the sort where
// ranges would have done.
TEST_CASE("mis with a queue of its choice works wherever ranges do") {
  const auto edges = records_of<Edge>(random_edges(2000000, 1000, 24));
  for (std::size_t memory = 440 * core::KiB; memory <= 640 * core::KiB; memory += 20 * core::KiB) {
    CAPTURE(memory);
    const VectorSourceOptions source{.facts = facts_with(2000000), .rewindable = false};
    CHECK_NOTHROW(solve(edges, {memory, 2, 1}, source, {}));
  }
}

TEST_CASE("mis --model external takes the heap where ranges do not fit, and where n is not known") {
  const EdgeList list = random_edges(5000000, 1000, 25);
  const auto options = with_queue(Queue::automatic, false, MemoryModel::external);
  const Solved many =
      solve(records_of<Edge>(list), {640 * core::KiB, 2, 1}, {.facts = facts_with(5000000)}, options);
  CHECK(many.result.queue == "heap");
  CHECK((many.set == first_independent_set(5000000, list)));
  VectorSourceOptions source{.facts = facts_with(std::nullopt, graph::EdgeOrder::source_target)};
  source.facts.oriented_low = true;
  CHECK(solve(records_of<Edge>(path(10)), {}, source, options).result.queue == "heap");
}

struct FaultCase {
  const char* name;
  ZooGraph graph;
  Machine machine;
  Queue queue;
  bool directed;
  const char* expected_queue;
};

std::vector<FaultCase> fault_cases() {
  const ZooGraph near{"near", 100000, bipartite_edges(100000, 60000, 22)};
  const ZooGraph far{"far", 1300000, bipartite_edges(1300000, 30000, 23)};
  return {{"sort spills", near, {512 * core::KiB, 2, 2}, Queue::bitmap, false, "bitmap"},
          {"ranges spill", far, {640 * core::KiB, 1, 1}, Queue::ranges, false, "ranges"},
          {"heap spills", near, {core::MiB, 1, 1}, Queue::heap, false, "heap"},
          {"paper's listing", far, {640 * core::KiB, 2, 1}, Queue::ranges, true, "ranges"}};
}

TEST_CASE("mis survives the failure of any transfer and reservation without a leak") {
  std::uint64_t seed = 0;
  for (const FaultCase& one : fault_cases()) {
    const auto edges = records_of<Edge>(one.graph.edges);
    const Nodes right = one.directed ? paper_listing(one.graph.edges)
                                     : first_independent_set(one.graph.nodes, one.graph.edges);
    for (const Fault fault : all_faults) {
      CAPTURE(one.name);
      const auto most = fail_each(
          fault, one.machine,
          [&](TestEnvironment& test) {
            const VectorSourceOptions source{.facts = facts_with(one.graph.nodes), .rewindable = false};
            const Solved solved = solve_in(test, edges, source, with_queue(one.queue, one.directed));
            CHECK((solved.set == right));
            CHECK(solved.result.queue == one.expected_queue);
          },
          seed++);
      CHECK(most > 5);
    }
  }
}

}  // namespace
}  // namespace emgraph::tests::mis
