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

/// Starts a run and sends the signal when it has sealed a state or two. False: it ended before.
bool disturb(const Workplace& here, const std::string& line, int signal, Outcome& outcome) {
  const ino_t before = kept_journal(here);
  const pid_t process = here.start(line);
  ino_t first = 0;
  for (int i = 0; i < 4000; ++i) {
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid != 0)
      break;
    const ino_t now = kept_journal(here);
    if (first == 0 && now != 0 && now != before) first = now;
    if (first != 0 && now != 0 && now != first) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  kill(process, signal);
  outcome = here.finish(process);
  return outcome.signal != 0 || outcome.exit_code != 0;
}

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
  REQUIRE(disturb(here, command + " --checkpoint kept --checkpoint-period 0", SIGTERM, outcome));
  require_failure(outcome, 75, {"kept in kept", "--resume goes on"});
}

/// Kills and stops a run again and again, on other machines each time, and compares its output with that of
/// an undisturbed run. "OUT" in the command stands for the name of the output.
void endure(const Workplace& here, const std::string& command, const std::vector<std::string>& machines) {
  const std::string name = "x" + command.substr(command.rfind('.'));
  std::string line = command;
  line.replace(line.rfind("OUT"), std::string::npos, name);
  here.succeed("emgraph " + line + " -q && mv " + name + " right");
  const int most_times = sized(12, 5);
  int times = 0;
  for (;; ++times) {
    const std::string resume = resume_option(here);
    if (times == most_times) {
      here.succeed("emgraph " + line + " -q --checkpoint kept" + resume);
      break;
    }
    Outcome outcome;
    const std::string& machine = machines[static_cast<std::size_t>(times) % machines.size()];
    const bool disturbed =
        disturb(here, line + machine + " -q --checkpoint kept --checkpoint-period 0" + resume,
                times % 4 == 3 ? SIGUSR1 : SIGKILL, outcome);
    INFO(line << machine << ", attempt " << times << ": " << outcome.error);
    if (!disturbed) break;
    REQUIRE((outcome.signal == SIGKILL || outcome.exit_code == 75));
    if (here.exists(name) && resume_option(here).empty()) break;  // killed when all was done
  }
  INFO(line);
  CHECK(times > 0);
  CHECK(here.read(name) == here.read("right"));
  CHECK(!here.exists("kept"));
  CHECK(!here.exists(name + ".emgraph-part"));
  std::filesystem::remove(here.path(name));
}

}  // namespace

TEST_CASE("runs that are killed again and again end with the bytes of an undisturbed run") {
  Workplace here;
  here.succeed("emgraph gen --edges 800K --nodes 90K --weights 1:9 -q -o edges.bin");
  here.succeed("emgraph convert edges.bin -q -o edges.tsv && emgraph sort edges.bin -q -o sorted.bin");
  const std::vector<std::string> machines = {" -M 64M -j 2", " -M 100M -j 1", " -M 48M -j 3"};
  for (const std::string& command : sampled<std::string>(
           {"gen --edges 1500K --codec delta -o OUT.bin", "gen --edges 500K --weights 1:9 -o OUT.csv",
            "convert edges.bin -o OUT.npy", "convert edges.tsv --codec zstd -o OUT.bin",
            "sort -u --no-loops edges.bin -o OUT.bin", "sort --by target edges.tsv -o OUT.tsv",
            "dedup sorted.bin -o OUT.bin",
            "sort --symmetrize gen:kron,scale=14,edge-factor=30 -o OUT.u32"})) {
    endure(here, command, machines);
  }
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
  const std::vector<std::string> machines = {" -M 64M -j 2", " -M 100M -j 1", " -M 48M -j 3"};
  for (const std::string& command : sampled<std::string>(
           {"mis edges.bin -o OUT.npy", "mis edges.bin --single-pass -o OUT.tsv", "mis edges.tsv -o OUT.bin",
            "mis edges.bin --queue ranges -o OUT.npy", "mis edges.tsv --queue heap -o OUT.npy",
            "mis oriented.bin -o OUT.npy", "mis oriented.bin --queue heap -o OUT.tsv",
            "mis oriented.bin --queue ranges -o OUT.bin"})) {
    endure(here, command, machines);
  }
}

TEST_CASE("cc that is killed again and again") {
  Workplace here;
  here.succeed("emgraph gen --edges 900K --nodes 500K -q -o edges.bin");
  here.succeed("emgraph convert edges.bin -q -o edges.tsv");
  const std::vector<std::string> machines = {" -M 64M -j 2", " -M 100M -j 1", " -M 48M -j 3"};
  for (const std::string& command :
       sampled<std::string>({"cc edges.bin -o OUT.npy", "cc edges.tsv -o OUT.tsv"})) {
    endure(here, command, machines);
  }
  const std::vector<std::string> small = {" -M 16M -j 2", " -M 20M -j 1", " -M 17M -j 3"};
  endure(here, "cc gen:random,edges=1500K,nodes=6M --model external -o OUT.npy", small);
}

TEST_CASE("triangles that are killed again and again") {
  Workplace here;
  here.succeed("emgraph gen --model kron --scale 15 -q -o edges.bin");
  here.succeed("emgraph convert edges.bin -q -o edges.tsv");
  const std::vector<std::string> machines = {" -M 64M -j 2", " -M 100M -j 1", " -M 48M -j 3"};
  for (const std::string& command : sampled<std::string>(
           {"triangles edges.bin --per-node OUT.npy", "triangles edges.tsv --per-node OUT.tsv",
            "triangles gen:random,edges=300K,nodes=9K --list OUT.npy"})) {
    endure(here, command, machines);
  }
  const std::vector<std::string> small = {" -M 18M -j 2", " -M 24M -j 1", " -M 20M -j 3"};
  endure(here, "triangles edges.bin --model semi-external --per-node OUT.npy", small);
  endure(here, "triangles edges.bin --model external --per-node OUT.npy", small);
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
    if (!disturb(here,
                 std::string("convert wide.txt -q -o x.bin --checkpoint kept --checkpoint-period 0") +
                     (resume ? " --resume" : ""),
                 SIGKILL, outcome))
      break;
  }
  if (!here.exists("x.bin")) here.succeed("emgraph convert wide.txt -q -o x.bin --checkpoint kept --resume");
  CHECK(here.read("x.bin") == here.read("right.bin"));
  CHECK(!here.exists("kept"));
}

}  // namespace emgraph::tests
