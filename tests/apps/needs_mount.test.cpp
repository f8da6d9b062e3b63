// SPDX-License-Identifier: MIT
// File systems that are full. ctest shows this file as skipped where none can be mounted.
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

TEST_CASE("a full disk under the result is an error and leaves nothing") {
  Workplace here;
  // A name space of its own: the file system vanishes with the shell.
  const auto with_small = [&](const std::string& line) {
    return here.run(
        "mkdir -p small && unshare -m sh -c 'mount -t tmpfs -o size=1m tmpfs small && touch mounted && "
        "\"" +
        tested_program() + "\" " + line + "; code=$?; ls small >left; exit $code'");
  };
  const Outcome gen = with_small("gen --edges 1M -o small/edges.bin -q");
  if (!here.exists("mounted")) {
    skip("no file system can be mounted");
    return;
  }
  require_failure(gen, 4, {"small/edges.bin"});
  CHECK(here.read("left").empty());
  require_failure(with_small("mis gen:random,nodes=10M,edges=1M -o small/mis.npy -q"), 4, {"small/mis.npy"});
  CHECK(here.read("left").empty());
}

TEST_CASE("a full disk leaves the others in use; the run fails when all are full") {
  Workplace here;
  // A name space of its own: the file systems vanish with the shell.
  const auto with_two = [&](const std::string& small, const std::string& large, const std::string& line) {
    return here.run("mkdir -p a b && unshare -m sh -c 'mount -t tmpfs -o size=" + small +
                    " tmpfs a && mount -t tmpfs -o size=" + large + " tmpfs b && touch mounted && \"" +
                    tested_program() + "\" " + line + "; code=$?; ls a b >left; exit $code'");
  };
  const std::string sort = "sort gen:random,edges=6M -M 16M -T a -T b -o sorted.bin -q -f";
  const Outcome outcome = with_two("6m", "200m", sort);
  if (!here.exists("mounted")) {
    skip("no file system can be mounted");
    return;
  }
  INFO(outcome.error);
  REQUIRE(outcome.exit_code == 0);
  here.succeed("emgraph sort gen:random,edges=6M -o other.bin -q && cmp sorted.bin other.bin");
  std::filesystem::remove(here.path("sorted.bin"));
  require_failure(
      with_two("6m", "8m",
               "gen --edges 6M -o - --output-format u32 -q | \"" + tested_program() +
                   "\" sort - --input-format u32 -M 16M -T a -T b -o sorted.bin -q -f"),
      4, {"no space for", "a/(temporary file) is full", "b/(temporary file) is full", "No space left"});
  CHECK(!here.exists("sorted.bin"));
  CHECK(here.read("left") == "a:\n\nb:\n");
}

}  // namespace emgraph::tests
