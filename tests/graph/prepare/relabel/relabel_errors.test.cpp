// SPDX-License-Identifier: MIT
// Relabelling when disks or reservations fail.
#include "tests/graph/prepare/relabel/relabelling.hpp"
#include "tests/support/faults.hpp"

namespace emgraph::tests::relabel {
namespace {

using graph::relabel::Method;
using WeightedRow = graph::Record<std::uint32_t, 4>;

TEST_CASE("relabelling survives every failed transfer and reservation") {
  const EdgeList edges = sparse_edges(6000, 12000, 20, 1);
  const Expected oracle = expected(edges);
  graph::EdgeFacts facts;
  facts.layout = {.id_bytes = 4, .weight = graph::WeightType::u32};
  std::uint64_t seed = 0;
  for (const Fault fault : all_faults) {
    for (const Method method : {Method::marked, Method::sorted, Method::joined}) {
      for (const bool rewindable : {false, true}) {
        if (fault == Fault::transfer && rewindable && method != Method::joined) continue;  // no transfers
        CAPTURE(static_cast<int>(method), rewindable);
        const std::uint64_t last = fail_each(
            fault, {core::MiB, 1, 2},
            [&](TestEnvironment& test) {
              KeptIds map;
              std::vector<WeightedRow> read;
              {
                const auto relabelled = graph::relabel::relabel(
                    test.environment, std::make_shared<RowsSource>(edges, facts, rewindable), facts,
                    {.max_lanes = 1, .method = method}, &map);
                read = read_all<WeightedRow>(*relabelled.source, 1);
              }
              CHECK(map.ids == oracle.ids);
              REQUIRE(read.size() == edges.size());
              bool same = true;
              for (std::size_t i = 0; i < read.size(); ++i) {
                same = same && read[i].source == oracle.edges[i].source &&
                       read[i].target == oracle.edges[i].target;
              }
              CHECK(same);
            },
            ++seed);
        CHECK(last > 2);
      }
    }
  }
}

}  // namespace
}  // namespace emgraph::tests::relabel
