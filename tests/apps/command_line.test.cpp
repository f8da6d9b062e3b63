// SPDX-License-Identifier: MIT
// Versions, hints for mistyped words, and everything else that is wrong usage.
#include <catch2/catch.hpp>
#include <cstddef>
#include <sstream>
#include <string>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

TEST_CASE("the overview and the version go to standard output") {
  Workplace here;
  const Outcome help = here.succeed("emgraph --help");
  for (const char* word :
       {"Create", "Prepare", "Solve", "Look", "Check", "gen", "mis", "check sorted", "Exit codes"}) {
    CHECK_THAT(help.out, Catch::Contains(word));
  }
  CHECK(help.error.empty());
  CHECK(here.succeed("emgraph help").out == help.out);
  const std::string version = here.succeed("emgraph --version").out;
  CHECK(version.starts_with("emgraph "));
  CHECK_THAT(version,
             Catch::Contains("built with ") && Catch::Contains("Boost ") && Catch::Contains("ZSTD "));
  CHECK(here.succeed("emgraph check --help").out.find("check mis") != std::string::npos);
}

TEST_CASE("the start does not wait for libhwy to measure a timer") {
  Workplace here;
  // The dynamic linker tells whose function a library calls.
  const std::string bindings = here.succeed("LD_DEBUG=bindings emgraph --version").error;
  std::size_t calls = 0;
  std::istringstream lines(bindings);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("TimerResolution") == std::string::npos) continue;
    ++calls;
    CHECK_THAT(line, Catch::Contains(" to " + tested_program()));
  }
  CHECK((calls > 0 || bindings.find("libhwy") == std::string::npos));
}

TEST_CASE("no command at all is wrong usage") {
  Workplace here;
  const Outcome outcome = here.run("emgraph");
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  CHECK_THAT(outcome.error, Catch::Contains("Usage"));
}

TEST_CASE("mistyped commands and options get a hint") {
  Workplace here;
  require_failure(here.run("emgraph sotr x"), 2, {"unknown command 'sotr'", "did you mean 'sort'"});
  require_failure(here.run("emgraph frobnicate"), 2, {"unknown command 'frobnicate'", "--help"});
  require_failure(here.run("emgraph check sorte x"), 2, {"sorte", "did you mean 'sorted'"});
  require_failure(here.run("emgraph check"), 2, {"mis", "sorted"});
  require_failure(here.run("emgraph check foo x"), 2, {"unknown check 'foo'", "mis", "sorted"});
  require_failure(here.run("emgraph gen --edgs 10"), 2,
                  {"unknown option '--edgs'", "did you mean '--edges'"});
  require_failure(here.run("emgraph gen a"), 2, {"a"});
  require_failure(here.run("emgraph mis"), 2, {"--help"});
  require_failure(here.run("emgraph gen --edges"), 2, {"--edges"});
}

TEST_CASE("bad numbers, units and words are wrong usage that names the option") {
  Workplace here;
  require_failure(here.run("emgraph gen --edges ten"), 2, {"--edges", "ten"});
  require_failure(here.run("emgraph gen --edges 10Q"), 2, {"--edges", "10Q"});
  require_failure(here.run("emgraph gen --edges -5"), 2, {"-5"});
  require_failure(here.run("emgraph gen --edges 1.23456"), 2, {"--edges"});
  require_failure(here.run("emgraph gen --edges 99999999999999999999"), 2, {"--edges"});
  require_failure(here.run("emgraph gen --edges 10 -M 64X"), 2, {"-M", "64X"});
  require_failure(here.run("emgraph gen --edges 10 -j 0"), 2, {"-j"});
  require_failure(here.run("emgraph gen --edges 10 -j two"), 2, {"-j"});
  require_failure(here.run("emgraph gen --edges 10 --seed x"), 2, {"--seed"});
  require_failure(here.run("emgraph gen --edges 10 --progress often"), 2, {"--progress", "often"});
  require_failure(here.run("emgraph mis x --model huge"), 2, {"--model", "huge"});
  require_failure(here.run("emgraph mis x --queue stack"), 2, {"--queue", "stack"});
  require_failure(here.run("emgraph mis x --nodes many"), 2, {"--nodes", "many"});
  require_failure(here.run("emgraph sort x -o y --by colour"), 2, {"--by", "colour"});
  require_failure(here.run("emgraph sort x -o y --orient up"), 2, {"--orient", "up"});
  require_failure(here.run("emgraph gen --edges 10 --codec lzma"), 2, {"--codec", "lzma"});
  require_failure(here.run("emgraph gen --edges 10 -o x.xyz --output-format parquet"), 2, {"parquet"});
  CHECK(here.files().empty());
}

TEST_CASE("an empty value is refused: mostly a variable of the shell is not set") {
  Workplace here;
  here.write("e.txt", "0 1\n");
  for (const std::string option : {"-o ''", "--output=", "-M ''", "--nodes-in ''", "--checkpoint ''", "''"}) {
    INFO(option);
    require_failure(here.run("emgraph cc e.txt " + option), 2, {"the value is empty"});
  }
  CHECK(here.files() == std::vector<std::string>{"e.txt"});
}

TEST_CASE("every solver refuses more nodes than ids of 4 bytes can name") {
  Workplace here;
  here.succeed("emgraph gen --edges 100 --weights 1:9 -q && emgraph convert edges.bin -q -o edges.u32w");
  for (const std::string solver : {"mis", "cc", "bfs", "mst", "triangles"}) {
    for (const std::string input : {"edges.bin", "edges.u32w"}) {
      INFO(solver << " " << input);
      require_failure(here.run("emgraph " + solver + " " + input + " --nodes 5G"), 2,
                      {input, "ids of 4 bytes cannot name 5000000000 nodes"});
    }
  }
}

TEST_CASE("disks are described in full or refused") {
  Workplace here;
  here.succeed("emgraph gen --edges 100K -q --disk .,size=64M,io=pread,direct=off");
  here.succeed("emgraph mis edges.bin -q -M 16M --disk .,size=64M,io=memory");
  here.write("disks", "# two disks\n.,size=32M\n\n/tmp,direct=auto\n");
  here.succeed("emgraph mis edges.bin -q --config disks");
  require_failure(here.run("emgraph mis edges.bin --disk .,size=big"), 2, {"--disk", "big"});
  require_failure(here.run("emgraph mis edges.bin --disk .,io=carrier-pigeon"), 2, {"io=carrier-pigeon"});
  require_failure(here.run("emgraph mis edges.bin --disk .,direct=maybe"), 2, {"direct=maybe"});
  require_failure(here.run("emgraph mis edges.bin --disk .,colour=red"), 2, {"colour"});
  require_failure(here.run("emgraph mis edges.bin --disk ,size=1M"), 2, {"path is empty"});
  here.write("disks", "#\n.,size=32X\n");
  require_failure(here.run("emgraph mis edges.bin --config disks"), 2, {"disks", "line 2"});
  require_failure(here.run("emgraph mis edges.bin --config nowhere"), 4, {"nowhere"});
}

TEST_CASE("too little memory is refused with the least that works") {
  Workplace here;
  require_failure(here.run("emgraph gen --edges 10 -M 1M"), 4, {"16M", "least"});
  require_failure(here.run("emgraph gen --edges 10 -M 512"), 4, {"512M"});
  CHECK(here.files().empty());
}

TEST_CASE("existing outputs and outputs that are inputs are refused before any work") {
  Workplace here;
  here.succeed("emgraph gen --edges 1000 -q");
  const std::string before = here.read("edges.bin");
  require_failure(here.run("emgraph gen --edges 1000 --seed 2"), 2, {"edges.bin", "-f"});
  require_failure(here.run("emgraph sort edges.bin -o edges.bin -f"), 2, {"output is the input"});
  require_failure(here.run("emgraph sort edges.bin -o ./edges.bin -f"), 2, {"output is the input"});
  require_failure(here.run("ln edges.bin link.bin; emgraph sort link.bin -o edges.bin -f"), 2,
                  {"output is the input"});
  require_failure(here.run("emgraph convert - -o edges.bin -f < edges.bin"), 2, {"output is the input"});
  require_failure(here.run("emgraph mis edges.bin -o edges.bin -f"), 2, {"output is the input"});
  CHECK(here.read("edges.bin") == before);
  require_failure(here.run("emgraph sort edges.bin"), 2, {"-o"});
  require_failure(here.run("emgraph convert edges.bin"), 2, {"-o"});
  here.succeed("emgraph gen --edges 1000 --seed 2 -f -q");
  CHECK(here.read("edges.bin") != before);
}

}  // namespace emgraph::tests
