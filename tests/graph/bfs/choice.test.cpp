// SPDX-License-Identifier: MIT
// The arithmetic of the choice at the end of 64 bits.
#include "graph/bfs/choice.hpp"

#include <catch2/catch.hpp>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::tests::bfs {
namespace {

using graph::MemoryModel;
using graph::bfs::Demand;
using graph::bfs::Needs;

TEST_CASE("bfs choice: what nearly 2^64 nodes and edges need does not wrap around to little") {
  constexpr std::uint64_t most = ~std::uint64_t{0};
  for (const unsigned bits : {58U, 60U, 61U, 62U, 63U, 64U}) {
    const std::uint64_t count = most >> (64 - bits);
    for (const std::uint64_t nodes : {std::uint64_t{1000}, count}) {
      for (const std::uint64_t entries : {std::uint64_t{1000}, count}) {
        if (nodes != count && entries != count) continue;
        CAPTURE(nodes, entries);
        const Demand demand{.nodes = nodes,
                            .entries = entries,
                            .id_bytes = 8,
                            .levels = true,
                            .parents = true,
                            .memory_bytes = 64 * core::MiB};
        const Needs need = graph::bfs::needs(demand);
        CHECK(need.rows >= count);
        CHECK(need.internal >= need.rows);
        CHECK(need.semi_external >= need.state);
        if (nodes == count) CHECK(need.outputs >= count);
        if (nodes == count) CHECK(need.state >= count / 64 * 24);
        CHECK(graph::bfs::choose(demand, {}).model ==
              (nodes == count ? MemoryModel::external : MemoryModel::semi_external));
        CHECK_THROWS_AS(graph::bfs::choose(demand, {.model = MemoryModel::internal}), core::MemoryLimitError);
        CHECK(graph::bfs::resident_bytes(demand) == 0);
        CHECK(graph::bfs::outputs_in_memory(demand) == (nodes != count));
      }
    }
  }
}

}  // namespace
}  // namespace emgraph::tests::bfs
