// SPDX-License-Identifier: MIT
// Levels of runs in all sizes of memory: their lists of blocks take of what the merges have.
#include "graph/triangles/run_levels.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "tests/support/machine.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests::triangles {
namespace {

// An order of its own: merges of plain numbers are sorts, which need less memory.
struct Less {
  bool operator()(std::uint64_t a, std::uint64_t b) const { return a < b; }
};
using Levels = graph::triangles::RunLevels<std::uint64_t, Less>;

constexpr std::size_t block_bytes = 4 * core::KiB;
// Lists of blocks double at 16 and at 32.
constexpr std::uint64_t run_records = 40 * (block_bytes / sizeof(std::uint64_t));

/// Run number r of `runs` holds r, r + runs, r + 2 runs, …
void add_run(Levels& levels, std::uint64_t r, std::uint64_t runs) {
  auto writer = levels.writer(run_records);
  for (std::uint64_t i = 0; i < run_records; ++i) writer.push(i * runs + r);
  levels.add(writer.finish());
}

TEST_CASE("run levels: never more runs in a merge than there is memory for") {
  Sample sample(5);
  for (std::size_t memory = 80 * core::KiB; memory <= 400 * core::KiB; memory += 4 * core::KiB) {
    if (!sample.takes(1)) continue;
    // About as many as a level holds: at the latest the last ones find a smaller fan-in.
    const std::uint64_t runs = memory / (2 * block_bytes) + memory / (8 * block_bytes);
    CAPTURE(memory, runs);
    TestEnvironment test{.memory_bytes = memory, .disks = 2};
    const NothingLeft nothing_left(test);
    Levels levels(test.environment, block_bytes, {});
    for (std::uint64_t r = 0; r < runs; ++r) add_run(levels, r, runs);
    auto stream = levels.finish();
    std::uint64_t next = 0;
    bool in_order = true;
    for (auto batch = stream.next(); !batch.empty(); batch = stream.next()) {
      for (const std::uint64_t record : batch) in_order = in_order && record == next++;
    }
    CHECK(in_order);
    CHECK(next == runs * run_records);
  }
}

}  // namespace
}  // namespace emgraph::tests::triangles
