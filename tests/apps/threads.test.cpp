// SPDX-License-Identifier: MIT
// Many more threads than cores with little memory.
#include <catch2/catch.hpp>
#include <string>

#include "tests/apps/run_binary.hpp"
#include "tests/apps/solver_commands.hpp"

namespace emgraph::tests {

TEST_CASE("64 threads give the same results as one, and so do as many as 32 MiB have room for") {
  Workplace here;
  here.succeed("emgraph gen --edges 1M --weights 1:9 -q");
  for (const std::string& command : solver_commands) {
    INFO(command);
    here.succeed("emgraph " + command + " -f -q -j 1 -M 256M");
    const std::string expected = here.read(solver_output);
    REQUIRE(!expected.empty());
    for (const std::string machine : {"-j 64 -M 256M", "-j 1000 -M 32M"}) {
      here.succeed("emgraph " + command + " -f -q " + machine);
      CHECK((here.read(solver_output) == expected));
    }
  }
}

TEST_CASE("threads beyond 16 are as many as there are 4 MiB of memory") {
  const Workplace here;
  for (const auto& [machine, threads] :
       {std::pair("-j 1000 -M 64M", 16), {"-j 1000 -M 100M", 25}, {"-j 20 -M 100M", 20}}) {
    CHECK(
        here.summary("emgraph lcc --directed gen:random,edges=200K " + std::string(machine)).at("threads") ==
        threads);
  }
}

}  // namespace emgraph::tests
