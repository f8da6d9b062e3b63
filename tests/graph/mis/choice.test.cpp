// SPDX-License-Identifier: MIT
// The boundaries of the choice of model and queue.
#include "graph/mis/choice.hpp"

#include <catch2/catch.hpp>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::tests::mis {
namespace {

using graph::MemoryModel;
using namespace graph::mis;

constexpr std::size_t choice_memory = 8 * core::MiB;
constexpr std::uint64_t nodes_in(std::size_t bytes) {
  return bytes * 8;
}

Demand demand(std::optional<std::uint64_t> nodes, std::optional<std::uint64_t> edges = std::nullopt) {
  Demand demand;
  demand.nodes = nodes;
  demand.edges = edges;
  demand.memory_bytes = choice_memory;
  return demand;
}

Options with(Queue queue, MemoryModel model = MemoryModel::automatic) {
  Options options;
  options.queue = queue;
  options.model = model;
  return options;
}
Options with(MemoryModel model) {
  return with(Queue::automatic, model);
}

TEST_CASE("choice: bits are taken up to half of the memory, ranges beyond") {
  const std::uint64_t most = nodes_in(choice_memory / 2);
  const QueueChoice fits = choose_queue(demand(most), {});
  CHECK(fits.queue == Queue::bitmap);
  CHECK(fits.queue_bytes == choice_memory / 2);
  const QueueChoice beyond = choose_queue(demand(most + 1), {});
  CHECK(beyond.queue == Queue::ranges);
  CHECK(beyond.queue_bytes == choice_memory / 4);
  CHECK(choose_queue(demand(0), {}).queue == Queue::bitmap);
  CHECK(choose_queue(demand(1), {}).queue_bytes == 4 * core::KiB);
}

TEST_CASE("choice: a generator that is taken in passes leaves the bits three quarters") {
  Demand generated = demand(nodes_in(choice_memory / 4 * 3));
  generated.generated_passes = true;
  CHECK(choose_queue(generated, {}).queue == Queue::bitmap);
  ++*generated.nodes;
  CHECK(choose_queue(generated, {}).queue == Queue::ranges);
}

TEST_CASE("choice: a forced bitmap may take three quarters") {
  const std::uint64_t most = nodes_in(choice_memory / 4 * 3);
  for (const Options& options : {with(Queue::bitmap), with(MemoryModel::semi_external)}) {
    const QueueChoice fits = choose_queue(demand(most), options);
    CHECK(fits.queue == Queue::bitmap);
    CHECK(fits.queue_bytes == choice_memory / 4 * 3);
    CHECK_THROWS_AS(choose_queue(demand(most + 1), options), core::MemoryLimitError);
  }
}

TEST_CASE("choice: what is forced is taken however little it needs") {
  CHECK(choose_queue(demand(10), with(Queue::ranges)).queue == Queue::ranges);
  CHECK(choose_queue(demand(10), with(Queue::heap)).queue == Queue::heap);
  CHECK(choose_queue(demand(10), with(MemoryModel::external)).queue == Queue::ranges);
  CHECK(choose_queue(demand(10), with(Queue::heap)).queue_bytes == choice_memory / 4);
}

TEST_CASE("choice: model internal counts the edges") {
  const std::uint64_t edges = (choice_memory - 4 * core::KiB) / 8;
  const Options internal = with(MemoryModel::internal);
  CHECK(choose_queue(demand(10, edges), internal).queue == Queue::bitmap);
  CHECK_THROWS_AS(choose_queue(demand(10, edges + 1), internal), core::MemoryLimitError);
  CHECK(choose_queue(demand(10), internal).queue == Queue::bitmap);  // unknown: tried
}

TEST_CASE("choice: with n unknown it is left open with a quarter of the memory") {
  const QueueChoice open = choose_queue(demand(std::nullopt), {});
  CHECK(open.queue == Queue::automatic);
  CHECK(open.queue_bytes == choice_memory / 4);
  Demand large = demand(std::nullopt);
  large.memory_bytes = 16 * core::GiB;
  CHECK(choose_queue(large, {}).queue_bytes == 512 * core::MiB);  // a bit for every id of 4 bytes
  large.id_bytes = 8;
  CHECK(choose_queue(large, {}).queue_bytes == 4 * core::GiB);
}

TEST_CASE("choice: settled when n is known") {
  const std::size_t bytes = core::MiB;
  CHECK(queue_for_nodes(Queue::automatic, nodes_in(bytes), bytes) == Queue::bitmap);
  CHECK(queue_for_nodes(Queue::automatic, nodes_in(bytes) + 1, bytes) == Queue::ranges);
  CHECK(queue_for_nodes(Queue::ranges, 10, bytes) == Queue::ranges);
  CHECK(queue_for_nodes(Queue::heap, 10, bytes) == Queue::heap);
  CHECK(queue_for_nodes(Queue::bitmap, nodes_in(bytes), bytes) == Queue::bitmap);
  CHECK_THROWS_AS(queue_for_nodes(Queue::bitmap, nodes_in(bytes) + 1, bytes), core::MemoryLimitError);
  CHECK(queue_for_nodes(Queue::automatic, std::uint64_t{1} << 40, bytes) == Queue::heap);
}

TEST_CASE("choice: contradictions are refused") {
  for (const MemoryModel model : {MemoryModel::internal, MemoryModel::semi_external}) {
    for (const Queue queue : {Queue::ranges, Queue::heap}) {
      CHECK_THROWS_AS(choose_queue(demand(10), with(queue, model)), core::UsageError);
    }
  }
  CHECK_THROWS_AS(choose_queue(demand(10), with(Queue::bitmap, MemoryModel::external)), core::UsageError);
}

TEST_CASE("choice: what nearly 2^64 edges need does not wrap around to little") {
  for (const std::uint64_t edges :
       {std::uint64_t{1} << 61, (std::uint64_t{1} << 61) + 1, ~std::uint64_t{0}}) {
    CAPTURE(edges);
    CHECK_THROWS_AS(choose_queue(demand(10, edges), with(MemoryModel::internal)), core::MemoryLimitError);
    CHECK(describe_choice(demand(10, edges), 10, Queue::bitmap, {}).model == MemoryModel::semi_external);
  }
}

TEST_CASE("choice: the summary has model and reason") {
  const std::uint64_t edges = (choice_memory - 4 * core::KiB) / 8;
  CHECK(describe_choice(demand(10, edges), 10, Queue::bitmap, {}).model == MemoryModel::internal);
  CHECK(describe_choice(demand(10, edges), 10, Queue::bitmap, with(MemoryModel::semi_external)).model ==
        MemoryModel::semi_external);
  CHECK(describe_choice(demand(10, edges + 1), 10, Queue::bitmap, {}).model == MemoryModel::semi_external);
  CHECK(describe_choice(demand(10), 10, Queue::bitmap, {}).model == MemoryModel::semi_external);
  for (const Queue queue : {Queue::ranges, Queue::heap}) {
    const graph::ModelChoice choice = describe_choice(demand(10), 10, queue, {});
    CHECK(choice.model == MemoryModel::external);
    CHECK(choice.reason.find(queue == Queue::ranges ? "ranges" : "heap") != std::string::npos);
    CHECK(choice.reason.find("(--") == std::string::npos);
  }
  const graph::ModelChoice forced =
      describe_choice(demand(10), 10, Queue::ranges, with(Queue::ranges, MemoryModel::external));
  CHECK(forced.reason.find("(--model) (--queue)") != std::string::npos);
}

}  // namespace
}  // namespace emgraph::tests::mis
