// SPDX-License-Identifier: MIT
// The list that threads of graph500 fill: complete after finish(), and errors of a full budget are ordinary
// ones.
#include "graph/graph500/shared_list.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel.hpp"

namespace emgraph::graph::graph500 {
namespace {

using List = SharedList<std::uint32_t>;

TEST_CASE("shared list: has what all threads have pushed") {
  core::MemoryBudget budget(core::MiB);
  List list(budget, 4000, "test");
  core::run_on_threads(4, [&](unsigned thread) {
    List::Writer writer(list);
    for (std::uint32_t i = 0; i < 1000; ++i) writer.push(thread * 1000 + i);
    writer.finish();
  });
  REQUIRE(list.size() == 4000);
  std::vector<bool> seen(4000);
  for (std::uint64_t i = 0; i < list.size(); ++i) seen[list[i]] = true;
  CHECK(std::find(seen.begin(), seen.end(), false) == seen.end());
}

TEST_CASE("shared list: writers in optionals outlive a full budget") {
  core::MemoryBudget budget(core::page_bytes);
  List list(budget, 1 << 20, "test");
  CHECK_THROWS_AS(
      [&] {
        std::vector<std::optional<List::Writer>> writers(2);
        for (auto& writer : writers) writer.emplace(list);
        for (std::uint32_t i = 0;; ++i) writers[i % 2]->push(i);
      }(),
      core::MemoryLimitError);
}

}  // namespace
}  // namespace emgraph::graph::graph500
