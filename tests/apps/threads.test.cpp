// SPDX-License-Identifier: MIT
// Many more threads than cores with little memory.
#include <catch2/catch.hpp>
#include <string>

#include "tests/apps/run_binary.hpp"
#include "tests/apps/solver_commands.hpp"

namespace emgraph::tests {

TEST_CASE("64 threads in 32 MiB give the same results as one thread in 256 MiB") {
  Workplace here;
  here.succeed("emgraph gen --edges 1M --weights 1:9 -q");
  for (const std::string& command : solver_commands) {
    INFO(command);
    here.succeed("emgraph " + command + " -f -q -j 1 -M 256M");
    const std::string expected = here.read(solver_output);
    REQUIRE(!expected.empty());
    here.succeed("emgraph " + command + " -f -q -j 64 -M 32M");
    CHECK((here.read(solver_output) == expected));
  }
}

}  // namespace emgraph::tests
