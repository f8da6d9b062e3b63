// SPDX-License-Identifier: MIT
// cdlp, kcore, lcc and filter with --checkpoint: killed and resumed with other memory and threads they write
// the same bytes.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/apps/killed_runs.hpp"
#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

TEST_CASE("values of nodes that are killed again and again end with the same bits") {
  Workplace here;
  here.succeed("emgraph gen --edges 200K --nodes 40K -q -o edges.bin");
  here.succeed("emgraph convert edges.bin -q -o edges.tsv");
  const std::vector<std::string> commands = {
      "cdlp edges.bin",
      "cdlp edges.tsv --directed --model internal",
      "cdlp edges.bin --directed --iterations 30 --model semi-external",
      "cdlp edges.tsv --iterations 4 --model external",
      "kcore edges.bin",
      "kcore edges.bin --model semi-external",
      "kcore edges.tsv --model external",
      "lcc edges.bin",
      "lcc edges.tsv --model semi-external",
      "lcc edges.bin --directed --model external",
  };
  for (const std::string& command : sampled(commands)) {
    const int times =
        survive_kills(here, command + " -o x.npy", {"x.npy"}, {"-M 64M -j 2", "-M 100M -j 1", "-M 48M -j 3"});
    INFO(command);
    // Peeling in memory keeps nothing.
    CHECK((times > 0 || command == "kcore edges.bin"));
  }
}

TEST_CASE("rounds go on in another memory model") {
  Workplace here;
  here.succeed("emgraph gen --edges 300K --nodes 4M -q -o edges.bin");
  here.succeed("emgraph convert edges.bin -q -o edges.tsv");
  for (const std::string& command :
       sampled<std::string>({"cdlp edges.tsv --iterations 6", "kcore edges.tsv"})) {
    const std::string line = "emgraph " + command + " -f -o x.npy -j 2";
    const auto model_in = [&](const std::string& memory) {
      return here.summary(line + memory)["model"].get<std::string>();
    };
    REQUIRE(model_in(" -M 16M") == "external");
    REQUIRE(model_in(" -M 50M") == "semi-external");
    REQUIRE(model_in(" -M 100M") == "internal");
    const std::string right = here.read("x.npy");
    const std::string kept = line.substr(8) + " -q --checkpoint kept --checkpoint-period 0";
    int done = 0;
    for (const char* memory : {" -M 16M", " -M 50M", " -M 16M"}) {
      INFO(command << memory);
      REQUIRE(kill_at(here, kept + memory + resume_option(here), {"rounds done: " + std::to_string(++done)}));
    }
    here.succeed(line + " -q -M 100M --checkpoint kept --resume");
    CHECK((here.read("x.npy") == right));
  }
}

TEST_CASE("labels of lists in memory begin again where the lists do not fit any more") {
  Workplace here;
  here.succeed("emgraph gen --edges 1500K --nodes 1200K -q -o edges.bin");
  const std::string line = "cdlp edges.bin --iterations 8 -q -o x.npy";
  here.succeed("emgraph " + line + " -M 400M && mv x.npy right.npy");
  REQUIRE(kill_at(here, line + " -M 400M --checkpoint kept --checkpoint-period 0", {"rounds done"}));
  here.succeed("emgraph " + line + " -M 18M --checkpoint kept --resume");
  CHECK((here.read("x.npy") == here.read("right.npy")));
}

TEST_CASE("filters are resumed, and count what they have left out") {
  Workplace here;
  here.succeed("emgraph gen --edges 600K --nodes 60K --weights 1:9 -q -o edges.bin");
  here.succeed("emgraph convert edges.bin -q -o edges.tsv");
  here.succeed("emgraph cc edges.bin -q -o labels.npy");
  const std::vector<std::string> commands = {
      "filter edges.bin --min-weight 4 -o x.bin",
      "filter edges.tsv --cols 1,2,3 --sample 0.7 -o x.tsv",
      "filter edges.bin --nodes-in labels.npy=0 --max-weight 7 -o x.bin",
  };
  for (const std::string& command : sampled(commands)) {
    INFO(command);
    CHECK(survive_kills(here, command, {command.substr(command.rfind(' ') + 1)},
                        {"-M 64M -j 2", "-M 100M -j 1", "-M 48M -j 3"}) > 0);
  }
  const std::string line = "filter edges.tsv --cols 1,2,3 --min-weight 4 -f -o x.bin";
  auto whole = here.summary("emgraph " + line);
  Outcome outcome;
  REQUIRE(kill_midway(here, line + " -q --checkpoint kept --checkpoint-period 0", SIGTERM, 1, {}, outcome));
  auto resumed = here.summary("emgraph " + line + " --checkpoint kept --resume");
  for (const char* key : {"nodes", "edges", "edges_out", "edges_filtered_out", "output_bytes"}) {
    INFO(key);
    CHECK(resumed[key] == whole[key]);
  }
  require_failure(here.run("emgraph filter edges.bin --largest-component -f -o x.bin --checkpoint kept"), 2,
                  {"--largest-component cannot be resumed", "--nodes-in"});
}

}  // namespace emgraph::tests
