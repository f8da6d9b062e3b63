// SPDX-License-Identifier: MIT
// A limit on threads, which holds for users other than root. ctest shows this file as skipped where it cannot
// be set.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "tests/apps/run_binary.hpp"
#include "tests/apps/solver_commands.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

TEST_CASE("if the system refuses threads, the answer is the same or an error explains it") {
  Workplace here;
  here.succeed("emgraph gen --edges 300K --weights 1:9 -q");
  // A copy, because the other user may not enter the build directory.
  std::filesystem::copy_file(tested_program(), here.path("emgraph"));
  std::filesystem::permissions(here.path("."), std::filesystem::perms::all);
  // A user of this test alone: the limit counts all processes of the user.
  const std::string user = std::to_string(100'000 + getpid());
  const auto limited = [&](unsigned processes, const std::string& line) {
    // The leak check of sanitizers starts a thread, too.
    return here.run("export ASAN_OPTIONS=detect_leaks=0; timeout 120 setpriv --reuid=" + user + " --regid=" +
                    user + " --clear-groups prlimit --nproc=" + std::to_string(processes) + " " + line);
  };
  if (limited(1, "sh -c ': >mine; (:)'").exit_code == 0 || !here.exists("mine")) {
    skip("the number of processes cannot be limited");
    return;
  }
  std::filesystem::remove(here.path("mine"));
  unsigned answers = 0;
  Sample sample(3);
  for (const std::string& command : solver_commands) {
    here.succeed("emgraph " + command + " -f -q");
    const std::string expected = here.read(solver_output);
    std::filesystem::remove(here.path(solver_output));
    for (unsigned processes = 1; processes <= 9; ++processes) {
      if (!sample.takes()) continue;
      const Outcome outcome = limited(processes, "./emgraph " + command + " -q -j 4 -M 32M -T .");
      INFO(command << " with " << processes << " threads: " << outcome.error);
      if (outcome.exit_code == 0) {
        CHECK((here.read(solver_output) == expected));
        std::filesystem::remove(here.path(solver_output));
        ++answers;
      } else {
        CHECK(outcome.exit_code == 4);
        CHECK_THAT(outcome.error, Catch::Contains("Resource temporarily unavailable"));
      }
      CHECK(here.files() == std::vector<std::string>{"edges.bin", "emgraph"});
    }
  }
  CHECK(answers > 0);
}

}  // namespace emgraph::tests
