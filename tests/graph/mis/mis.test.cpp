// SPDX-License-Identifier: MIT
// The solver against the oracles: the same answer from every queue on every machine.
#include "graph/mis/mis.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "tests/graph/mis/solve.hpp"
#include "tests/oracle/ascending.hpp"
#include "tests/oracle/mis_oracle.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests::mis {
namespace {

using graph::Record;
using graph::mis::Queue;

/// The right answers for one graph, n given and not given.
struct Answers {
  explicit Answers(const ZooGraph& graph)
      : declared(first_independent_set(graph.nodes, graph.edges)),
        largest_id(first_independent_set(nodes_of(graph.edges), graph.edges)),
        listing(paper_listing(graph.edges)) {}
  Nodes declared, largest_id, listing;
};

template <class R>
void check_graph(const ZooGraph& graph, const Answers& right, const Machine& machine, Sample& sample) {
  const std::vector<R> edges = records_of<R>(graph.edges);
  for (const Queue queue : all_queues) {
    for (const bool known : {true, false}) {
      for (const bool directed : {true, false}) {
        // Attachments travel through the sort, whatever comes then.
        if (R::attachment_bytes > 0 && (!known || directed || queue != Queue::automatic)) continue;
        if (!sample.takes(machine.threads)) continue;
        CAPTURE(graph.name, sizeof(R), static_cast<int>(queue), known, directed);
        CAPTURE(machine.memory_bytes, machine.threads, machine.disks);
        VectorSourceOptions source{.rewindable = machine.disks % 2 == 1};
        source.sampled = machine.threads == 2;
        if (known) source.facts.nodes = graph.nodes;
        if (machine.disks == 2) source.facts.edges = edges.size();
        const Solved solved = solve<R>(edges, machine, source, with_queue(queue, directed));
        const Nodes& expected = directed ? right.listing : known ? right.declared : right.largest_id;
        CHECK((solved.set == expected));
        CHECK(solved.result.nodes == (known ? graph.nodes : nodes_of(graph.edges)));
        if (queue != Queue::automatic) {
          CHECK(solved.result.queue == (queue == Queue::bitmap   ? "bitmap"
                                        : queue == Queue::ranges ? "ranges"
                                                                 : "heap"));
        }
      }
    }
  }
}

TEST_CASE("mis of every graph is the oracle's for every queue, id width and machine") {
  Sample sample(3);
  Sample with_attachments(1);
  for (const ZooGraph& graph : graph_zoo()) {
    const Answers right(graph);
    check_graph<Record<std::uint32_t, 0>>(graph, right, {core::MiB, 1, 1}, sample);
    check_graph<Record<std::uint64_t, 0>>(graph, right, {core::MiB, 2, 2}, sample);
    check_graph<Record<std::uint32_t, 8>>(graph, right, {2 * core::MiB, 2, 3}, with_attachments);
    check_graph<Record<std::uint64_t, 8>>(graph, right, {2 * core::MiB, 1, 4}, with_attachments);
  }
}

TEST_CASE("mis of random graphs that do not fit in memory") {
  Sample sample(2);
  for (const ZooGraph& graph : {ZooGraph{"random", 50000, random_edges(50000, 160000, 11)},
                                ZooGraph{"skewed", 65536, skewed_edges(16, 160000, 12)}}) {
    const Answers right(graph);
    const auto check = [&]<class R>(const Machine& machine, bool sampled, int turn) {
      const std::vector<R> edges = records_of<R>(graph.edges);
      for (const Queue queue : all_queues) {
        if (!sample.takes(machine.threads)) continue;
        const bool directed = (static_cast<int>(queue) + turn) % 2 == 0;
        CAPTURE(graph.name, sizeof(R), machine.threads, machine.disks, static_cast<int>(queue), directed);
        VectorSourceOptions source{.facts = facts_with(graph.nodes), .rewindable = false, .sampled = sampled};
        const Solved solved = solve<R>(edges, machine, source, with_queue(queue, directed));
        CHECK(solved.write_bytes > 100000);
        CHECK((solved.set == (directed ? right.listing : right.declared)));
      }
    };
    check.operator()<Record<std::uint32_t, 0>>({core::MiB, 1, 4}, true, 0);
    check.operator()<Record<std::uint32_t, 0>>({core::MiB, 2, 1}, false, 1);
    check.operator()<Record<std::uint64_t, 8>>({2 * core::MiB, 1, 2}, false, 1);
    check.operator()<Record<std::uint64_t, 8>>({2 * core::MiB, 2, 3}, true, 0);
  }
}

TEST_CASE("mis with sparse ids takes ranges where bits do not fit") {
  constexpr std::uint64_t nodes = 4300000;  // 525 KiB of bits, half of the memory is 512
  const ZooGraph graph{"sparse ids", nodes, bipartite_edges(nodes, 100000, 13)};
  ZooGraph mixed{"sparse ids, both directions", nodes, random_edges(nodes, 150000, 14)};
  mixed.edges.push_back({nodes - 1, 0});
  Sample sample(3);
  for (const ZooGraph& one : {graph, mixed}) {
    const Answers right(one);
    const std::vector<Record<std::uint32_t, 0>> edges = records_of<Record<std::uint32_t, 0>>(one.edges);
    for (const Queue queue : {Queue::automatic, Queue::ranges, Queue::heap}) {
      for (const bool directed : {true, false}) {
        const Machine machine{core::MiB, directed ? 1U : 2U, directed ? 3U : 1U};
        if (!sample.takes(machine.threads)) continue;
        CAPTURE(one.name, static_cast<int>(queue), directed);
        const Solved solved =
            solve(edges, machine, {.facts = facts_with(nodes)}, with_queue(queue, directed));
        CHECK(solved.result.queue == (queue == Queue::heap ? "heap" : "ranges"));
        CHECK(solved.result.choice.model == graph::MemoryModel::external);
        CHECK((solved.set == (directed ? right.listing : right.declared)));
      }
    }
  }
}

TEST_CASE("mis counts members without a sink") {
  const ZooGraph graph{"random", 500, random_edges(500, 900, 15)};
  VectorSource<Record<std::uint32_t, 0>> source(records_of<Record<std::uint32_t, 0>>(graph.edges),
                                                {.facts = facts_with(graph.nodes)});
  TestEnvironment test;
  const auto result = graph::mis::run<std::uint32_t>(test.environment, source, {}, nullptr);
  CHECK(result.mis_size == first_independent_set(graph.nodes, graph.edges).size());
}

EdgeList oriented(EdgeList edges, bool both) {
  const std::size_t count = edges.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (both) {
      edges.push_back({edges[i].target, edges[i].source});
    } else if (edges[i].target < edges[i].source) {
      std::swap(edges[i].source, edges[i].target);
    }
  }
  sort_edges(edges);
  return edges;
}

TEST_CASE("mis of sorted input is one pass without a write") {
  Sample sample(2);
  for (const bool symmetric : {false, true}) {
    const EdgeList list = oriented(random_edges(40000, sized(200000, 80000), 16), symmetric);
    const Nodes right = first_independent_set(40000, list);
    const Nodes listing = paper_listing(list);
    const auto edges = records_of<Record<std::uint32_t, 0>>(list);
    for (const Queue queue : all_queues) {
      for (const bool known : {true, false}) {
        if (!known && (queue == Queue::bitmap || queue == Queue::ranges)) continue;
        if (!sample.takes()) continue;
        CAPTURE(symmetric, static_cast<int>(queue), known);
        graph::EdgeFacts facts = facts_with(std::nullopt, graph::EdgeOrder::source_target);
        facts.oriented_low = !symmetric;
        facts.symmetric = symmetric;
        if (known) facts.nodes = 40000;
        const Machine machine{4 * core::MiB, 2, 2};
        const Solved solved = solve(edges, machine, {.facts = facts}, with_queue(queue));
        const std::uint64_t ids = known ? 40000 : nodes_of(list);
        CHECK((solved.set == (known ? right : first_independent_set(ids, list))));
        CHECK(solved.write_bytes == 0);
        CHECK(solved.result.nodes == ids);
        const Solved directed = solve(edges, machine, {.facts = facts}, with_queue(queue, true));
        CHECK((directed.set == listing));
        CHECK(directed.write_bytes == 0);
      }
    }
  }
}

TEST_CASE("mis of sorted edges that are not oriented sorts, the paper's listing does not") {
  EdgeList list = random_edges(40000, 200000, 17);
  sort_edges(list);
  const VectorSourceOptions source{.facts = facts_with(40000, graph::EdgeOrder::source_target),
                                   .rewindable = false};
  const auto edges = records_of<Record<std::uint32_t, 0>>(list);
  const Solved solved = solve(edges, {core::MiB, 1, 1}, source, {});
  CHECK((solved.set == first_independent_set(40000, list)));
  CHECK(solved.write_bytes > 0);
  const Solved directed = solve(edges, {core::MiB, 1, 1}, source, with_queue(Queue::automatic, true));
  CHECK((directed.set == paper_listing(list)));
  CHECK(directed.write_bytes == 0);
}

TEST_CASE("mis starts again when an id lies beyond those of the sample") {
  EdgeList list = random_edges(1000, 200001, 23);
  list[100001] = {5, 40000};  // between two edges of the sample
  const auto edges = records_of<Record<std::uint32_t, 0>>(list);
  for (const Queue queue : {Queue::bitmap, Queue::ranges, Queue::heap}) {
    const Solved solved = solve(edges, {core::MiB, 2, 1}, {.sampled = true}, with_queue(queue));
    CHECK((solved.set == first_independent_set(40001, list)));
    CHECK(solved.result.nodes == 40001);
  }
}

}  // namespace
}  // namespace emgraph::tests::mis
