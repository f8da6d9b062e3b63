// SPDX-License-Identifier: MIT
// Runs with --checkpoint: killed, stopped and resumed with other memory and threads they write the same
// bytes.
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/apps/killed_runs.hpp"
#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

namespace {

void change_byte(const std::filesystem::path& path, std::streamoff from_end) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(-from_end, std::ios::end);
  const char byte = static_cast<char>(file.get());
  file.seekp(-from_end, std::ios::end);
  file.put(static_cast<char>(byte ^ 16));
}

/// Stops a run of `command` after some of its work.
void stop(const Workplace& here, const std::string& command) {
  Outcome outcome;
  REQUIRE(kill_after_seals(here, command + " --checkpoint kept --checkpoint-period 0", SIGTERM, 2, outcome));
  require_failure(outcome, 75, {"kept in kept", "--resume goes on"});
}

/// Each command writes x.*, the last word: killed again and again it writes what an undisturbed run does.
void survive_all(const Workplace& here, const std::vector<std::string>& commands,
                 const std::vector<std::string>& machines) {
  for (const std::string& command : commands) {
    CHECK(survive_kills(here, command, {command.substr(command.rfind(' ') + 1)}, machines) > 0);
  }
}

const std::vector<std::string> large_machines = {"-M 64M -j 2", "-M 100M -j 1", "-M 48M -j 3"};

}  // namespace

TEST_CASE("runs that are killed again and again end with the bytes of an undisturbed run") {
  Workplace here;
  here.succeed("emgraph gen --edges 800K --nodes 90K --weights 1:9 -q -o edges.bin");
  here.succeed("emgraph convert edges.bin -q -o edges.tsv && emgraph sort edges.bin -q -o sorted.bin");
  survive_all(
      here,
      sampled<std::string>(
          {"gen --edges 1500K --codec delta -o x.bin", "gen --edges 500K --weights 1:9 -o x.csv",
           "convert edges.bin -o x.npy", "convert edges.tsv --codec zstd -o x.bin",
           "sort -u --no-loops edges.bin -o x.bin", "sort --by target edges.tsv -o x.tsv",
           "dedup sorted.bin -o x.bin", "sort --symmetrize gen:kron,scale=14,edge-factor=30 -o x.u32"}),
      large_machines);
}

TEST_CASE("a run that has sealed what it has read seals the end of reading, too") {
  // It did not if the last state was new: then no state was sealed while keys were consumed, for hours.
  Workplace here;
  here.succeed("emgraph gen --edges 6M --nodes 1M -q -o edges.bin");
  for (const std::string command : {"sort edges.bin", "mst edges.bin --weights hash --model external"}) {
    INFO(command);
    const std::string line = command + " -q -o x.bin -M 24M --checkpoint kept --checkpoint-period ";
    Outcome outcome;
    REQUIRE(kill_midway(here, line + "0", SIGKILL, 2, {"x.bin"}, outcome));
    CHECK(kill_after_seals(here, line + "3600 --resume", SIGKILL, 1, outcome));
    std::filesystem::remove_all(here.path("kept"));
    std::filesystem::remove(here.path("x.bin.emgraph-part"));
  }
}

TEST_CASE("a run goes on with another coding of temporary blocks") {
  // It waited for ever for scratch space to decode blocks.
  Workplace here;
  here.succeed("emgraph gen --nodes 300K -q -o edges.bin --edges " + std::string(sized("3M", "800K")));
  const std::vector<std::string> machines = {"-M 24M -j 2 --spill-codec delta",
                                             "-M 24M -j 2 --spill-codec none", "-M 24M -j 2"};
  CHECK(survive_kills(here, "sort edges.bin -o x.bin", {"x.bin"}, machines, 5) > 0);
}

TEST_CASE("a run that does not see that it is asked to stop ends, and what was kept stands") {
  Workplace here;
  here.succeed("emgraph gen --model kron -q -o edges.bin --scale " + std::string(sized("16", "13")));
  const std::string line = "triangles edges.bin --model external -M 20M -j 1 -q --per-node x.npy";
  here.succeed("emgraph " + line + " && mv x.npy right");
  const std::string kept = line + " --checkpoint kept";
  const pid_t process = here.start(kept);
  REQUIRE(wait_until([&] { return here.exists("kept/emgraph.begun"); }));
  kill(process, SIGTERM);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  kill(process, SIGALRM);  // that the program sends itself after ten seconds
  require_failure(here.finish(process), 75, {"--resume"});
  here.succeed("emgraph " + kept + " --resume");
  CHECK((here.read("x.npy") == here.read("right")));
}

TEST_CASE("a checkpoint is possible with as many threads as without one") {
  Workplace here;
  here.succeed("emgraph gen --edges 200K --nodes 50K --weights 1:9 -q -o edges.bin");
  for (const std::string command :
       {"sort edges.bin -o x.bin", "cc edges.bin -o x.bin", "bfs edges.bin -o x.bin"}) {
    here.succeed("emgraph " + command + " -f -q -M 16M -j 64 --checkpoint kept");
  }
}

TEST_CASE("a checkpoint makes no further pass over temporary data") {
  Workplace here;
  here.succeed("emgraph gen --edges 6M --nodes 1M -q -o edges.bin");
  for (const std::string memory : {"16M", "24M"}) {
    for (const std::string command : {"sort edges.bin -o x.bin", "mis edges.bin --single-pass -o x.npy"}) {
      const std::string line = "emgraph " + command + " -f -j 2 --spill-codec none -M " + memory;
      INFO(line);
      const auto plain = here.summary(line);
      const auto kept = here.summary(line + " --checkpoint kept");
      for (const char* const key : {"write_bytes", "temp_bytes_peak"}) {
        CHECK(kept.at(key).get<double>() <= 1.1 * plain.at(key).get<double>() + (1 << 20));
      }
    }
  }
}

TEST_CASE("mis that is killed again and again") {
  Workplace here;
  here.succeed("emgraph gen --edges 900K --nodes 120K -q -o edges.bin");
  here.succeed("emgraph sort --orient low edges.bin -q -o oriented.bin");
  here.succeed("emgraph convert edges.bin -q -o edges.tsv");
  survive_all(here,
              sampled<std::string>({"mis edges.bin -o x.npy", "mis edges.bin --single-pass -o x.tsv",
                                    "mis edges.tsv -o x.bin", "mis edges.bin --queue ranges -o x.npy",
                                    "mis edges.tsv --queue heap -o x.npy", "mis oriented.bin -o x.npy",
                                    "mis oriented.bin --queue heap -o x.tsv",
                                    "mis oriented.bin --queue ranges -o x.bin"}),
              large_machines);
}

TEST_CASE("cc that is killed again and again") {
  Workplace here;
  here.succeed("emgraph gen --edges 900K --nodes 500K -q -o edges.bin");
  here.succeed("emgraph convert edges.bin -q -o edges.tsv");
  survive_all(here, sampled<std::string>({"cc edges.bin -o x.npy", "cc edges.tsv -o x.tsv"}), large_machines);
  const std::vector<std::string> small = {"-M 17M -j 2", "-M 20M -j 1", "-M 18M -j 3"};
  survive_all(here, {"cc gen:random,edges=1500K,nodes=6M --model external -o x.npy"}, small);
}

TEST_CASE("triangles that are killed again and again") {
  Workplace here;
  here.succeed("emgraph gen --model kron --scale 15 -q -o edges.bin");
  here.succeed("emgraph convert edges.bin -q -o edges.tsv");
  survive_all(
      here,
      sampled<std::string>({"triangles edges.bin --per-node x.npy", "triangles edges.tsv --per-node x.tsv",
                            "triangles gen:random,edges=300K,nodes=9K --list x.npy"}),
      large_machines);
  const std::vector<std::string> small = {"-M 18M -j 2", "-M 24M -j 1", "-M 20M -j 3"};
  survive_all(here,
              {"triangles edges.bin --model semi-external --per-node x.npy",
               "triangles edges.bin --model external --per-node x.npy"},
              small);
}

TEST_CASE("triangles go on with the lists that were written, whatever the model and the output") {
  // They were made again from the sorted edges, or in the external model by all sorts from the input.
  Workplace here;
  here.succeed("emgraph gen --model kron -q -o edges.bin --scale " + std::string(sized("14", "12")));
  for (const std::string output : {"--per-node x.npy", "--list x.npy"}) {
    for (const std::string model : {"internal", "semi-external", "external"}) {
      const std::string line = "triangles edges.bin --model " + model + " " + output;
      here.succeed("emgraph " + line + " -q -f -M 64M && mv x.npy right");
      const std::string kept = line + " -f -M 64M --checkpoint kept";
      int attempts = 0;
      while (!kill_at(here, kept + " -q --checkpoint-period 0", {"intersect", "the lists"})) {
        REQUIRE(++attempts < 20);
      }
      INFO(line);
      const auto done = here.summary("emgraph info kept")["files"][0].value("done", "");
      REQUIRE((done.starts_with("intersect") || done.starts_with("the lists")));
      const auto summary = here.summary("emgraph " + kept + " --resume");
      for (const auto& phase : summary["phases"]) {
        CHECK(phase["name"] != "orient");
        CHECK(phase["name"] != "distribute");
        CHECK(phase["name"] != "rank");
      }
      CHECK((here.read("x.npy") == here.read("right")));
      here.succeed("rm x.npy right");
    }
  }
}

TEST_CASE("info tells what a checkpoint keeps") {
  Workplace here;
  stop(here, "gen --edges 30M -q");
  CHECK(here.files() == std::vector<std::string>{"edges.bin.emgraph-part", "kept"});
  const auto file = here.summary("emgraph info kept")["files"][0];
  CHECK(file["format"] == "checkpoint");
  CHECK(file["command"] == "gen");
  CHECK_THAT(file["done"].get<std::string>(), Catch::Contains("of 30,000,000 edges are generated"));
  CHECK(file["given"]["--edges"] == "30M");
  require_failure(here.run("emgraph gen --edges 30M -q --checkpoint kept"), 2,
                  {"holds a checkpoint already"});
  require_failure(here.run("emgraph gen --edges 31M -q --checkpoint kept --resume"), 2,
                  {"--edges was 30M, is 31M"});
  require_failure(here.run("emgraph gen --edges 30M --seed 2 -q --checkpoint kept --resume"), 2,
                  {"--seed was not given, is 2"});
  require_failure(here.run("emgraph gen --edges 30M -q --checkpoint kept --resume -o other.bin"), 2,
                  {"the output was", "other.bin"});
}

TEST_CASE("a checkpoint that was damaged is not believed") {
  Workplace here;
  here.succeed("emgraph gen --edges 4M -q -o edges.bin");
  const std::string sort = "sort edges.bin -q -M 64M -o x.bin";
  const std::string resume = "emgraph " + sort + " --checkpoint kept --resume";
  SECTION("the input was changed") {
    stop(here, sort);
    here.succeed("touch -d 2001-01-01 edges.bin");
    require_failure(here.run(resume), 2, {"INPUT was", "edges.bin", "changed at"});
  }
  SECTION("the journal") {
    stop(here, sort);
    change_byte(here.path("kept/emgraph.journal"), 100);
    require_failure(here.run(resume), 4, {"emgraph.journal: damaged"});
  }
  SECTION("the temporary data") {
    stop(here, sort);
    const auto bytes =
        static_cast<std::streamoff>(std::filesystem::file_size(here.path("kept/emgraph.data")));
    REQUIRE(bytes > 0);
    for (std::streamoff at = 4000; at < bytes; at += 4096) change_byte(here.path("kept/emgraph.data"), at);
    require_failure(here.run(resume), 4, {"emgraph.data", "temporary data was changed"});
  }
  SECTION("the output so far") {
    stop(here, "gen --edges 30M -q -o x.bin");
    std::fstream part(here.path("x.bin.emgraph-part"), std::ios::in | std::ios::out | std::ios::binary);
    part.seekp(5000);
    part.put('x');
    part.close();
    require_failure(here.run("emgraph gen --edges 30M -q -o x.bin --checkpoint kept --resume"), 4,
                    {"x.bin", "not what was written"});
  }
  CHECK(!here.exists("x.bin"));
}

TEST_CASE("what cannot be resumed is refused before any work") {
  Workplace here;
  here.succeed("emgraph gen --edges 1000 --weights 1:9 -q");
  const auto refused = [&](const std::string& line, const std::vector<std::string>& words) {
    INFO(line);
    require_failure(here.run("emgraph " + line), 2, words);
    CHECK(here.files() == std::vector<std::string>{"edges.bin"});
  };
  refused("gen --edges 10 -o x.bin --resume", {"--checkpoint DIR"});
  refused("gen --edges 10 -o x.bin --checkpoint-period 3", {"--checkpoint DIR"});
  refused("gen --edges 10 -o x.bin --checkpoint kept --resume", {"kept holds no checkpoint"});
  refused("gen --edges 10 -o x.bin --checkpoint kept --checkpoint-period soon", {"number of seconds"});
  refused("gen --edges 10 -o - --checkpoint kept", {"regular file"});
  refused("stats edges.bin --checkpoint kept", {"this command cannot be resumed"});
  refused("mis edges.bin --directed-scan --checkpoint kept", {"--directed-scan"});
  refused("mis - --checkpoint kept < edges.bin", {"standard input"});
  refused("mis edges.bin -o - --checkpoint kept", {"regular file"});
  refused("cc edges.bin --sizes sizes.npy --checkpoint kept", {"--sizes"});
  refused("triangles edges.bin --list /dev/null --checkpoint kept", {"regular files"});
  refused("sort - -o x.bin --checkpoint kept < edges.bin", {"standard input"});
  refused("sort edges.bin --by weight -o x.bin --checkpoint kept", {"--by weight"});
  refused("sort edges.bin --orient degree -o x.bin --checkpoint kept", {"--orient degree"});
  refused("sort edges.bin --relabel -o x.bin --checkpoint kept", {"--relabel"});
  refused("convert edges.bin -o x.adj --checkpoint kept", {"adjacency"});
  refused("convert edges.bin -o x.tsv.gz --checkpoint kept", {"x.tsv.gz", "cannot be continued"});
}

TEST_CASE("info tells the phase of a solver; another option or input is refused") {
  Workplace here;
  here.succeed("emgraph gen --edges 6M --nodes 700K -q -o edges.bin");
  stop(here, "cc edges.bin -q -j 1 -o labels.npy");
  const auto file = here.summary("emgraph info kept")["files"][0];
  CHECK(file["command"] == "cc");
  CHECK_THAT(file["done"].get<std::string>(),
             Catch::Contains("unite: ") && Catch::Contains("edges are read"));
  require_failure(here.run("emgraph cc edges.bin -q -o labels.npy --nodes 1M --checkpoint kept --resume"), 2,
                  {"--nodes was not given, is 1M"});
  require_failure(here.run("emgraph mis edges.bin -q -o labels.npy --checkpoint kept --resume"), 2,
                  {"the command was cc, is mis"});
  here.succeed("touch -d 2001-01-01 edges.bin");
  require_failure(here.run("emgraph cc edges.bin -q -o labels.npy --checkpoint kept --resume"), 2,
                  {"INPUT was", "changed at"});
}

TEST_CASE("two runs do not share a checkpoint") {
  Workplace here;
  const std::string line = "gen --edges 20G --codec delta -q --checkpoint kept --checkpoint-period 0.2";
  const pid_t process = here.start(line);
  for (int i = 0; i < 4000 && kept_journal(here) == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const int code = std::system(("cd '" + here.path("").string() + "' && \"" + tested_program() + "\" " +
                                line + " --resume 2> second.txt")
                                   .c_str());
  CHECK(WEXITSTATUS(code) == 2);
  CHECK_THAT(here.read("second.txt"), Catch::Contains("another run uses it"));
  kill(process, SIGTERM);
  kill(process, SIGTERM);  // timeout(1) sends it twice
  CHECK(here.finish(process).exit_code == 75);
}

TEST_CASE("the result so far belongs to one checkpoint") {
  // A second run to the same output removed it, and the first one gave the name to what the second had
  // written.
  Workplace here;
  here.succeed("emgraph gen --edges 200K --nodes 50K -q -o edges.bin");
  const std::string kept =
      "gen --edges 20G --codec delta -q -o x.bin --checkpoint kept --checkpoint-period 0.2";
  const pid_t process = here.start(kept);
  REQUIRE(
      wait_until([&] { return here.exists("x.bin.emgraph-part") && here.exists("kept/emgraph.journal"); }));
  const auto second = [&] { return here.run("emgraph sort edges.bin -q -o x.bin --checkpoint other"); };
  require_failure(second(), 2, {"x.bin.emgraph-part: another run writes it"});
  kill(process, SIGKILL);
  here.finish(process);
  // The kernel may close the files of a killed run after its end.
  REQUIRE(wait_until([&] { return second().error.find("another run") == std::string::npos; }));
  require_failure(second(), 2, {"x.bin.emgraph-part exists", "--resume"});
  CHECK(here.files() == std::vector<std::string>{"edges.bin", "kept", "x.bin.emgraph-part"});
  std::filesystem::remove(here.path("x.bin.emgraph-part"));
  require_failure(here.run("emgraph " + kept + " --resume"), 4, {"missing or shorter"});
}

TEST_CASE("ids that turn out to need 8 bytes start a checkpoint again") {
  Workplace here;
  std::string text;
  for (int i = 0; i < 400000; ++i) text += std::to_string(i) + " " + std::to_string(i * 7 % 1000) + "\n";
  here.write("wide.txt", text + "1 9876543210\n" + text);
  here.succeed("emgraph convert wide.txt -q -o right.bin");
  Outcome outcome;
  bool resume = false;
  for (int i = 0; i < 9; ++i) {
    resume = kept_journal(here) != 0;
    if (!kill_after_seals(
            here,
            std::string("convert wide.txt -q -o x.bin --checkpoint kept --checkpoint-period 0") +
                (resume ? " --resume" : ""),
            SIGKILL, 2, outcome))
      break;
  }
  if (!here.exists("x.bin")) here.succeed("emgraph convert wide.txt -q -o x.bin --checkpoint kept --resume");
  CHECK(here.read("x.bin") == here.read("right.bin"));
  CHECK(!here.exists("kept"));
}

}  // namespace emgraph::tests
