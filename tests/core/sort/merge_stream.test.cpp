// SPDX-License-Identifier: MIT
// What a merge stream refuses.
#include "core/sort/merge_stream.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tests/support/machine.hpp"

namespace emgraph::tests {
namespace {

TEST_CASE("merge stream: more runs than its memory is planned for are a mistake of the caller") {
  TestEnvironment test{.memory_bytes = core::MiB};
  const NothingLeft nothing_left(test);
  const core::MergePlan plan = core::plan_merge_sort(128 * core::KiB, 4 * core::KiB, sizeof(std::uint64_t));
  for (const std::size_t more : {0, 1}) {
    std::vector<core::Run<std::uint64_t>> runs;
    for (std::size_t i = 0; i < plan.fan_in + more; ++i) {
      core::RunWriter<std::uint64_t> writer(test.environment, plan.block_bytes);
      writer.push(i);
      runs.push_back(writer.finish());
    }
    const auto merge = [&] {
      core::Buffer memory(test.memory, 128 * core::KiB, "merging");
      core::MergeStream<std::uint64_t, std::less<std::uint64_t>> stream(test.environment, std::move(memory),
                                                                        plan, std::move(runs), {});
      CHECK(stream.next().size() == plan.fan_in);
    };
    if (more == 0) {
      merge();
    } else {
      CHECK_THROWS_AS(merge(), std::logic_error);
    }
  }
}

}  // namespace
}  // namespace emgraph::tests
