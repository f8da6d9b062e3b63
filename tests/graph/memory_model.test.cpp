// SPDX-License-Identifier: MIT
// The choice among models, and the words of errors and reasons.
#include "graph/memory_model.hpp"

#include <catch2/catch.hpp>

#include "core/base/bytes.hpp"
#include "graph/triangles/choice.hpp"

namespace emgraph::tests {
namespace {

using graph::MemoryModel;

constexpr std::uint64_t most = ~std::uint64_t{0};

TEST_CASE("memory model: the first that fits, else the last") {
  const auto chosen = [](std::uint64_t free_bytes) {
    return graph::first_that_fits({{MemoryModel::internal, 100, "a"}, {MemoryModel::semi_external, 10, "b"}},
                                  free_bytes);
  };
  CHECK(chosen(100).model == MemoryModel::internal);
  CHECK(chosen(100).reason == "a");
  CHECK(chosen(99).model == MemoryModel::semi_external);
  CHECK(chosen(9).reason == "b");
}

TEST_CASE("memory model: errors and reasons in words") {
  const core::MemoryLimitError error =
      graph::missing_memory({.what = graph::model_option(MemoryModel::internal),
                             .precision = "at least ",
                             .bytes = 3 * core::GiB,
                             .purpose = " for 5 nodes",
                             .advice = "; --model external needs less"},
                            core::GiB);
  CHECK(std::string(error.what()) ==
        "--model internal needs at least 3.00 GiB for 5 nodes, 1.00 GiB are free under the memory limit; "
        "--model external needs less");
  CHECK(graph::edges_and_nodes_fit(core::MiB, core::GiB) == "edges (1.00 MiB) and nodes fit in 1.00 GiB");
  CHECK(graph::share_of_memory("an id per node takes", core::MiB, core::GiB) ==
        "an id per node takes 1.00 MiB of 1.00 GiB");
  CHECK(graph::forced_suffix(MemoryModel::automatic).empty());
  CHECK(graph::forced_suffix(MemoryModel::external) == " (--model)");
}

TEST_CASE("memory model: what nearly 2^64 nodes or edges need does not wrap around to little") {
  for (const std::uint64_t count : {most / 8, most / 4 + 2, most / 2, most}) {
    CAPTURE(count);
    const graph::triangles::Demand demand{
        .model = MemoryModel::internal, .memory_bytes = core::GiB, .per_node = true};
    CHECK(demand.bytes_for(count) >= most / 8 * 7);
    CHECK_THROWS_AS(graph::triangles::check_nodes(demand, count), core::MemoryLimitError);
    CHECK_THROWS_AS(graph::triangles::choose_lists(demand, 10, 10, count), core::MemoryLimitError);
  }
}

}  // namespace
}  // namespace emgraph::tests
