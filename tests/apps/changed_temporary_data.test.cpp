// SPDX-License-Identifier: MIT
// Temporary data that changed on the disk: never an answer, always exit code 4 and the place.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/apps/fault_shim.hpp"

namespace emgraph::tests {

namespace {

const std::string temporary = " -q -f -M 16M -j 2 --disk .,io=pread,direct=off";

/// Commands that read edges.bin, spill, and write out.npy.
const std::vector<std::string> spilling = {
    "sort -u edges.bin -o out.npy",
    "mis edges.bin --single-pass -o out.npy",
    "mis edges.bin --queue ranges --single-pass -o out.npy",
    "cc --model external edges.bin -o out.npy",
    "bfs --model external --root 0 edges.bin -o out.npy",
    "mst --model external --weights hash edges.bin -o out.npy",
    "triangles edges.bin --per-node out.npy",
    "sssp --model external --weights hash --root 0 edges.bin -o out.npy",
};

/// Changes what some reads of temporary data return.
void check_changed(const std::string& command, const std::string& damage) {
  if (!need_fault_shim()) return;
  Workplace here;
  here.succeed("emgraph gen --edges 2500K --nodes 800K -q");
  const std::string line = command + temporary;
  INFO(line);
  here.succeed("emgraph " + line);
  const std::string right = here.read("out.npy");
  const long reads = count_calls(here, "pread", "(deleted)", line);
  INFO("reads of temporary data: " << reads);
  REQUIRE(reads > 2);
  std::filesystem::remove(here.path("out.npy"));
  for (const long k : {0L, reads / 3, reads - 1}) {
    INFO("read " << k);
    const Outcome outcome =
        run_with_fault(here, "pread:" + std::to_string(k) + ":" + damage + ":1:(deleted)", line);
    INFO(outcome.error);
    if (outcome.exit_code == 0) {  // the read was not needed: nothing used it
      CHECK((here.read("out.npy") == right));
      std::filesystem::remove(here.path("out.npy"));
      continue;
    }
    CHECK(outcome.exit_code == 4);
    CHECK_THAT(outcome.error, Catch::Contains("temporary data was changed") && Catch::Contains("offset "));
    CHECK(here.files() == std::vector<std::string>{"edges.bin"});
  }
}

}  // namespace

TEST_CASE("a flipped bit in the temporary data of sort") {
  check_changed(spilling[0], "flip");
}
TEST_CASE("a flipped bit in the temporary data of mis, heap") {
  check_changed(spilling[1], "flip");
}
TEST_CASE("a flipped bit in the temporary data of mis, ranges") {
  check_changed(spilling[2], "flip");
}
TEST_CASE("a flipped bit in the temporary data of cc") {
  check_changed(spilling[3], "flip");
}
TEST_CASE("a flipped bit in the temporary data of bfs") {
  check_changed(spilling[4], "flip");
}
TEST_CASE("a flipped bit in the temporary data of mst") {
  check_changed(spilling[5], "flip");
}
TEST_CASE("a flipped bit in the temporary data of triangles") {
  check_changed(spilling[6], "flip");
}
TEST_CASE("a flipped bit in the temporary data of sssp") {
  check_changed(spilling[7], "flip");
}
TEST_CASE("a lost write of temporary data of sort") {
  check_changed(spilling[0], "zero");
}
TEST_CASE("a lost write of temporary data of bfs") {
  check_changed(spilling[4], "zero");
}

}  // namespace emgraph::tests
