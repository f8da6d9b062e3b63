// SPDX-License-Identifier: MIT
// What programs that run emgraph as a child rely on: --generate json, --progress json, $EMGRAPH_PARENT.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <sstream>

#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

namespace {

using nlohmann::json;

const json& named(const json& list, const std::string& name) {
  for (const json& entry : list) {
    if (entry.at("name") == name) return entry;
  }
  FAIL("there is no " + name);
  return list;
}

/// The lines of --progress json, and in `others` all other lines.
std::vector<json> progress_lines(const std::string& text, std::string& others) {
  std::vector<json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("{\"phase\"")) {
      lines.push_back(json::parse(line));
    } else {
      others += line + "\n";
    }
  }
  return lines;
}

}  // namespace

TEST_CASE("the description for programs has every command, its options, words, defaults and outputs") {
  Workplace here;
  const json all = json::parse(here.succeed("emgraph --generate json").out);
  CHECK(all.at("program") == "emgraph");
  CHECK(here.succeed("emgraph --version")
            .out.starts_with("emgraph " + all.at("version").get<std::string>() + "\n"));
  const json& commands = all.at("commands");
  const json& cc = named(commands, "cc");
  CHECK(cc.at("group") == "Solve");
  CHECK(cc.at("sentence") == "Finds the connected components.");
  CHECK(cc.at("example").get<std::string>().starts_with("emgraph cc "));
  const json& model = named(cc.at("options"), "--model");
  CHECK(model.at("words") == json({"auto", "internal", "semi-external", "external"}));
  CHECK(model.at("only_words") == true);
  const json& output = named(cc.at("options"), "--output");
  CHECK(output.at("letter") == "-o");
  CHECK(output.at("output") == true);
  CHECK(output.at("common") == true);
  CHECK(named(cc.at("options"), "--forest").at("output") == true);
  CHECK(named(cc.at("options"), "--config").at("output") == false);
  CHECK(named(cc.at("options"), "--temp-dir").at("list") == true);
  CHECK(named(cc.at("options"), "--json").at("flag") == true);
  CHECK(named(cc.at("options"), "--verbose").at("counter") == true);
  CHECK(named(cc.at("options"), "--seed").at("default") == "1");
  CHECK(named(cc.at("options"), "INPUT").at("positional") == true);
  // A command without -o does not show it.
  const std::string check = named(commands, "check bfs").at("options").dump();
  CHECK(check.find("\"--output\"") == std::string::npos);
  CHECK(named(named(commands, "check bfs").at("options"), "--parents").at("output") == false);
  CHECK(named(named(commands, "bfs").at("options"), "--parents").at("output") == true);
}

TEST_CASE("--progress json ends every phase of a short run with a line, between ordinary lines") {
  Workplace here;
  here.succeed("emgraph gen --edges 100k -q");
  const Outcome run = here.succeed("emgraph mis edges.bin --json --progress json -v -o mis.npy");
  std::string others;
  const std::vector<json> lines = progress_lines(run.error, others);
  CHECK_THAT(others, Catch::Contains("memory limit"));
  std::vector<std::string> finished;
  for (const json& line : lines) {
    INFO(line.dump());
    CHECK(line.at("unit").is_string());
    CHECK(line.at("rate").get<double>() >= 0);
    CHECK(line.at("seconds").get<double>() >= 0);
    CHECK((line.at("total").is_null() || line.at("total").get<std::uint64_t>() > 0));
    if (!line.at("finished").get<bool>()) continue;
    CHECK(line.at("seconds_left") == 0);
    finished.push_back(line.at("phase"));
  }
  CHECK(lines.front().at("phase_number") == 1);
  CHECK(lines.front().at("phases") == 2);
  CHECK(lines.back().at("phase_number").is_null());  // finish output
  std::vector<std::string> phases;
  const json summary = run.json();
  for (const json& phase : summary.at("phases")) phases.push_back(phase.at("name"));
  CHECK(finished == phases);
  CHECK(run.error.find('\r') == std::string::npos);
}

TEST_CASE("phases are numbered as plan foresees them") {
  Workplace here;
  here.succeed("emgraph gen --edges 100k -q");
  const auto first_of = [&](const std::string& line) {
    std::string others;
    return progress_lines(here.succeed(line).error, others).front();
  };
  for (const std::string command : {"cc", "bfs", "sort -o s.bin -f", "triangles -M 16M", "mst --weights hash",
                                    "kcore", "stats", "stats --model external"}) {
    CAPTURE(command);
    const auto phases = here.summary("emgraph plan " + command + " edges.bin").at("phases").size();
    const json first = first_of("emgraph " + command + " edges.bin --progress json -q");
    CHECK(first.at("phase_number") == 1);
    CHECK(first.at("phases") == phases);
  }
  CHECK(first_of("emgraph check sorted s.bin --progress json -q").at("phases") == 1);
  here.succeed("emgraph kcore edges.bin -o cores.npy -q");
  CHECK(first_of("emgraph check kcore edges.bin cores.npy --progress json -q").at("phases") == 5);
  here.write("in.csv", "1,2,3\n4,5,6\n");
  const std::string error = here.succeed("emgraph cc in.csv --progress json").error;
  const std::size_t note = error.find("--cols");
  REQUIRE(note != std::string::npos);
  CHECK(error.find("--cols", note + 1) == std::string::npos);  // said once
}

TEST_CASE("phases are numbered from the first to the last behind pipes and with new ids") {
  Workplace here;
  here.succeed("emgraph gen --edges 20k --nodes 5k -q");
  here.succeed("emgraph convert edges.bin -o edges.txt -q");
  std::string large;
  for (int i = 0; i < 500; ++i) large += std::to_string((i * 7 % 300) * 900000000000001) + " 5\n";
  here.write("large.txt", large);
  Sample sample(2);
  const auto require_numbers = [&](const std::string& line) {
    if (!sample.takes()) return;
    INFO(line);
    std::string others;
    unsigned latest = 0;
    const std::vector<json> lines = progress_lines(here.succeed(line + " --progress json -q").error, others);
    REQUIRE(lines.front().at("phases").is_number());
    const unsigned phases = lines.front().at("phases");
    for (const json& one : lines) {
      INFO(one.dump());
      CHECK(one.at("phases") == phases);
      if (one.at("phase_number").is_null()) continue;
      CHECK((one.at("phase_number") == latest || one.at("phase_number") == latest + 1));
      latest = one.at("phase_number");
    }
    CHECK(latest == phases);
  };
  for (const std::string command : {"cc", "mis", "bfs --root 5", "pagerank", "kcore", "triangles",
                                    "mst --weights hash", "sssp --root 5 --weights hash", "scc", "lcc"}) {
    require_numbers("emgraph " + command + " - < edges.bin");
    require_numbers("cat edges.txt | emgraph " + command + " -");
    require_numbers("emgraph " + command + " edges.txt --relabel");
    require_numbers("emgraph " + command + " large.txt --relabel");
    require_numbers("emgraph " + command + " - --relabel < large.txt");
    require_numbers("emgraph " + command + " edges.txt --labels");
    require_numbers("cat edges.txt | emgraph " + command + " - --labels");
  }
  here.write("weighted.txt", "a b 5\nb c 7\nc a 1\n");
  require_numbers("emgraph mst weighted.txt --cols 1,2,3 --labels -o forest.tsv");
  require_numbers("emgraph cc edges.txt --labels -o names.tsv");
  require_numbers("emgraph cc edges.txt --relabel -o ids.tsv");
  require_numbers("emgraph sort - -o sorted.bin < edges.bin");
  here.write("in.csv", "1,2,3\n4,5,6\n");
  // A filter reads all edges before, to know n: its phases count when they are done.
  std::string others;
  const json last =
      progress_lines(here.succeed("emgraph cc in.csv --cols 1,2,3 --min-weight 2 --progress json -q").error,
                     others)
          .back();
  REQUIRE(last.at("phase_number").is_number());
  CHECK(last.at("phase_number") == last.at("phases"));
}

TEST_CASE("a signal is handled after the phases behind a pipe have been foreseen") {
  Workplace here;
  const std::string gate = here.path("gate").string();
  REQUIRE(mkfifo(gate.c_str(), 0600) == 0);
  const int input = open(gate.c_str(), O_RDWR | O_CLOEXEC);  // the run waits for more
  REQUIRE(input >= 0);
  REQUIRE(write(input, "0 1\n", 4) == 4);
  const pid_t process = here.start("mis - --relabel --progress json -o out.npy < gate");
  CHECK(wait_until([&] {  // it has read the edge
    int left = 0;
    return ioctl(input, FIONREAD, &left) == 0 && left == 0;
  }));
  kill(process, SIGTERM);
  const Outcome run = here.finish(process);
  close(input);
  CHECK(run.signal == SIGTERM);
  CHECK_THAT(run.error, Catch::Contains("ended by a signal"));
  CHECK(here.files() == std::vector<std::string>{"gate"});
}

TEST_CASE("--progress json: a failed run has its error as an ordinary line") {
  Workplace here;
  here.write("bad.txt", "0 1\n2 x\n");
  const Outcome run = here.run("emgraph cc bad.txt --progress json");
  CHECK(run.exit_code == 3);
  std::string others;
  progress_lines(run.error, others);
  CHECK_THAT(others, Catch::StartsWith("emgraph cc: bad.txt"));
}

TEST_CASE("with $EMGRAPH_PARENT the program dies with its parent and leaves nothing") {
  Workplace here;
  here.succeed("mkdir scratch && mkfifo endless");
  // The inner shell is the parent; it dies while emgraph, which catches SIGTERM by then, waits for edges of a
  // pipe that never ends.
  here.succeed(
      "exec 9<>endless; BINARY=\"" + tested_program() +
      "\"; export BINARY; sh -c 'EMGRAPH_SCRATCH=scratch EMGRAPH_PARENT=$$ \"$BINARY\" sort - "
      "--input-format u32 "
      "-o scratch/out.bin <endless >log 2>&1 9>&- & echo $! >pid; "
      "while [ -d /proc/$! ] && ! grep -q '^SigCgt:.............[4-7c-f]' /proc/$!/status; do sleep 0.02; "
      "done; kill -9 $$'; "
      "true");
  const std::string pid = here.read("pid").substr(0, here.read("pid").find('\n'));
  CHECK(wait_until([&] {
    return kill(std::stoi(pid), 0) != 0 ||
           here.run("grep -q '^State:.Z' /proc/" + pid + "/status").exit_code == 0;
  }));
  CHECK(here.read("log") == "emgraph: ended by a signal; nothing was written\n");
  CHECK_FALSE(here.exists("scratch"));
}

TEST_CASE("a run whose input ends because its parent dies leaves nothing") {
  Workplace here;
  here.succeed("mkdir scratch");
  // The reader of standard output has ended long before the input does.
  here.succeed(
      "BINARY=\"" + tested_program() +
      "\"; export BINARY; sh -c 'sleep 1 | EMGRAPH_SCRATCH=scratch EMGRAPH_PARENT=$$ \"$BINARY\" sort - "
      "--input-format u32 -o scratch/out.bin 2>log | true'");
  CHECK(wait_until([&] { return here.read("log") == "emgraph: ended by a signal; nothing was written\n"; }));
  CHECK_FALSE(here.exists("scratch"));
}

TEST_CASE("a parent that has died before, and one that is no process") {
  Workplace here;
  here.succeed("mkdir scratch");
  const Outcome late =
      here.run("EMGRAPH_SCRATCH=scratch EMGRAPH_PARENT=1 emgraph cc gen:random,edges=10; exit $?");
  CHECK(late.exit_code == 128 + SIGTERM);
  CHECK_FALSE(here.exists("scratch"));
  require_failure(here.run("EMGRAPH_PARENT=me emgraph --version"), 2, {"EMGRAPH_PARENT", "'me'"});
}

}  // namespace emgraph::tests
