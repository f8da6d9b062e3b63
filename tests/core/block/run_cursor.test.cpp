// SPDX-License-Identifier: MIT
// A run record by record: kept or consumed, empty, of many blocks.
#include "core/block/run.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <utility>

#include "tests/support/faults.hpp"

namespace emgraph::tests {
namespace {

constexpr std::size_t block_bytes = 4 * core::KiB;

core::Run<std::uint64_t> run_of(TestEnvironment& test, std::uint64_t records) {
  core::RunWriter<std::uint64_t> writer(test.environment, block_bytes);
  for (std::uint64_t i = 0; i < records; ++i) writer.push(3 * i);
  return writer.finish();
}

/// Records read, in the order they were written in.
std::uint64_t count(core::RunCursor<std::uint64_t> cursor) {
  std::uint64_t records = 0;
  bool right = true;
  for (; !cursor.at_end(); cursor.next()) right = right && *cursor == 3 * records++;
  CHECK(right);
  return records;
}

TEST_CASE("run cursor: every record once, of a run that is kept or consumed") {
  for (const std::uint64_t records : {0, 1, 511, 512, 513, 10000}) {
    CAPTURE(records);
    TestEnvironment test{.memory_bytes = 64 * core::KiB, .disks = 2};
    const NothingLeft nothing_left(test);
    core::Run<std::uint64_t> run = run_of(test, records);
    const std::uint64_t used = test.blocks.used_bytes();
    CHECK(count({test.environment, std::as_const(run)}) == records);
    CHECK(test.blocks.used_bytes() == used);
    CHECK(count({test.environment, std::move(run)}) == records);
    CHECK(test.blocks.used_bytes() == 0);
  }
}

TEST_CASE("run cursor survives the failure of any transfer and reservation without a leak") {
  for (const Fault fault : all_faults) {
    const auto most = fail_each(fault, {64 * core::KiB, 1, 2}, [](TestEnvironment& test) {
      const std::uint64_t records = count({test.environment, run_of(test, 5000)});
      CHECK(records == 5000);
    });
    CHECK(most > 1);
  }
}

}  // namespace
}  // namespace emgraph::tests
