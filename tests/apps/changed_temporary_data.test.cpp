// SPDX-License-Identifier: MIT
// Temporary data that changed on the disk: no answer, but exit code 4 and the place, if anything used them.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/apps/fault_shim.hpp"

namespace emgraph::tests {

namespace {

const std::string temporary = " -q -f -M 16M -j 2 --disk .,io=pread,direct=off";

/// Changes what some reads of temporary data return, in runs of a command that reads edges.bin, spills, and
/// writes out.npy. At least one of these reads matters.
void check_changed(const Workplace& here, const std::string& command, const std::string& damage) {
  const std::string line = command + temporary;
  const RightRun right = right_run(here, "pread", "(deleted)", line);
  INFO(line << ": reads of temporary data: " << right.calls);
  REQUIRE(right.calls > 2);
  unsigned detected = 0;
  for (const long k : {0L, right.calls / 3, right.calls - 1}) {
    INFO(damage << " read " << k);
    const Outcome outcome =
        run_with_fault(here, "pread:" + std::to_string(k) + ":" + damage + ":1:(deleted)", line);
    INFO(outcome.error);
    if (outcome.exit_code == 0) {  // the read was not needed: nothing used it
      CHECK((here.read("out.npy") == right.result));
      std::filesystem::remove(here.path("out.npy"));
      continue;
    }
    CHECK(outcome.exit_code == 4);
    ++detected;
    CHECK_THAT(outcome.error, Catch::Contains("temporary data was changed") && Catch::Contains("offset "));
    CHECK(here.files() == std::vector<std::string>{"edges.bin"});
  }
  CHECK(detected > 0);
}

}  // namespace

TEST_CASE("a flipped bit in temporary data, and a write that was lost") {
  if (!need_fault_shim()) return;
  Workplace here;
  here.succeed("emgraph gen --edges 2500K --nodes 800K -q");
  const std::string sort = "sort -u edges.bin -o out.npy";
  const std::string bfs = "bfs --model external --root 0 edges.bin -o out.npy";
  for (const std::string& command :
       {sort, std::string("mis edges.bin --single-pass -o out.npy"),
        std::string("mis edges.bin --queue ranges --single-pass -o out.npy"),
        std::string("cc --model external edges.bin -o out.npy"), bfs,
        std::string("mst --model external --weights hash edges.bin -o out.npy"),
        std::string("triangles edges.bin --per-node out.npy"),
        std::string("sssp --model external --weights hash --root 0 edges.bin -o out.npy")}) {
    check_changed(here, command, "flip");
  }
  for (const std::string& command : {sort, bfs}) check_changed(here, command, "zero");
}

}  // namespace emgraph::tests
