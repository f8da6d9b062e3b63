// SPDX-License-Identifier: MIT
// A system that gives k threads and no more, as at a limit on processes: the same answers.
#include <catch2/catch.hpp>
#include <string>

#include "tests/apps/fault_shim.hpp"
#include "tests/apps/solver_commands.hpp"

namespace emgraph::tests {

namespace {

void check_refused(const std::string& command) {
  if (!need_fault_shim()) return;
  Workplace here;
  here.succeed("emgraph gen --edges 600K --nodes 100K --weights 1:9 -q");
  const std::string line = command + " -f -q -j 6 -M 16M -T .";
  INFO(line);
  here.succeed("emgraph " + line);
  const std::string right = here.read(solver_output);
  REQUIRE(!right.empty());
  for (const int granted : {0, 1, 2, 3, 4, 6, 9, 14}) {
    INFO("threads granted: " << granted);
    std::filesystem::remove(here.path(solver_output));
    const Outcome outcome = run_with_fault(here, "thread:" + std::to_string(granted) + ":EAGAIN:-1", line);
    INFO(outcome.error);
    CHECK(outcome.exit_code == 0);
    CHECK((here.read(solver_output) == right));
  }
}

}  // namespace

TEST_CASE("refused threads: sorting and every solver") {
  for (const auto& command : solver_commands) check_refused(command);
}
TEST_CASE("refused threads: packed text, coded containers, limited and pread disks, progress") {
  check_refused("convert edges.bin -o out.npy --progress always");
  check_refused("sort -u edges.bin -o out.npy --disk .,io=pread");
  check_refused("sort -u edges.bin -o out.npy --disk .,limit=900M");
  if (!need_fault_shim()) return;
  Workplace here;
  here.succeed("emgraph gen --edges 300K -q");
  for (const std::string output : {"out.tsv.gz", "out.tsv.zst", "out.bin --codec delta+zstd"}) {
    const std::string file = output.substr(0, output.find(' '));
    here.succeed("emgraph convert edges.bin -f -q -j 4 -o " + output);
    const std::string right = here.read(file);
    for (const int granted : {0, 1, 2, 3}) {
      INFO(output << ", threads granted: " << granted);
      const Outcome outcome = run_with_fault(here, "thread:" + std::to_string(granted) + ":EAGAIN:-1",
                                             "convert edges.bin -f -q -j 4 -o " + output);
      INFO(outcome.error);
      CHECK(outcome.exit_code == 0);
      CHECK((here.read(file) == right));
    }
  }
}
TEST_CASE("refused threads: --progress json without the thread that prints it") {
  if (!need_fault_shim()) return;
  Workplace here;
  here.succeed("emgraph gen --edges 300K -q");
  const Outcome run =
      run_with_fault(here, "thread:0:EAGAIN:-1", "stats edges.bin -q --progress json --html page.html");
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.error, Catch::Contains("\"finished\":true"));
}
TEST_CASE("refused threads: a check does not find a violation") {
  if (!need_fault_shim()) return;
  Workplace here;
  here.succeed("emgraph gen --edges 300K -q");
  here.succeed("emgraph mis edges.bin -q -o mis.npy");
  for (const int granted : {0, 1, 3}) {
    CHECK(run_with_fault(here, "thread:" + std::to_string(granted) + ":EAGAIN:-1",
                         "check mis edges.bin mis.npy -j 8 -q")
              .exit_code == 0);
  }
}

}  // namespace emgraph::tests
