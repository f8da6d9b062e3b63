// SPDX-License-Identifier: MIT
// --trace: a file of the Trace Event format that agrees with the summary, and refusals.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

namespace {

using Json = nlohmann::json;

/// What a trace holds, by the names that a user sees.
struct Timeline {
  explicit Timeline(const std::string& text) : events(Json::parse(text).at("traceEvents")) {
    for (const Json& event : events) {
      if (event.at("name") == "process_name") processes[event.at("pid")] = event.at("args").at("name");
      if (event.at("name") == "thread_name") threads[event.at("tid")] = event.at("args").at("name");
    }
  }

  std::uint64_t bytes(const std::string& operation, const std::string& device = "") const {
    std::uint64_t sum = 0;
    for (const Json& event : events) {
      if (event.at("ph") != "b" || event.at("name") != operation) continue;
      if (processes.at(event.at("pid")).starts_with(device)) {
        sum += event.at("args").at("bytes").get<std::uint64_t>();
      }
    }
    return sum;
  }

  /// Spans of a thread nest or are apart; transfers end after they begin.
  void check_order() const {
    // 10^-3 us: exact below 2^53 ns.
    const auto nanoseconds = [](const Json& value) {
      return static_cast<std::int64_t>(value.get<double>() * 1000 + 0.5);
    };
    std::map<std::uint64_t, std::vector<std::pair<std::int64_t, std::int64_t>>> spans;
    std::map<std::uint64_t, std::int64_t> open;
    for (const Json& event : events) {
      if (event.at("ph") == "X") {
        const std::int64_t begin = nanoseconds(event.at("ts"));
        spans[event.at("tid")].emplace_back(begin, -begin - nanoseconds(event.at("dur")));
      } else if (event.at("ph") == "b") {
        REQUIRE(open.emplace(event.at("id2").at("local"), nanoseconds(event.at("ts"))).second);
      } else if (event.at("ph") == "e") {
        REQUIRE(open.at(event.at("id2").at("local")) <= nanoseconds(event.at("ts")));
        open.erase(event.at("id2").at("local"));
      }
    }
    CHECK(open.empty());
    std::size_t wrong = 0;
    for (auto& [thread, of_thread] : spans) {
      std::sort(of_thread.begin(), of_thread.end());  // the outer one first
      std::vector<std::int64_t> ends;
      for (const auto& [begin, negative_end] : of_thread) {
        while (!ends.empty() && ends.back() <= begin) ends.pop_back();
        if (!ends.empty() && -negative_end > ends.back()) ++wrong;
        ends.push_back(-negative_end);
      }
    }
    CHECK(wrong == 0);
  }

  bool has_process(const std::string& start) const {
    return std::any_of(processes.begin(), processes.end(),
                       [&](const auto& process) { return process.second.starts_with(start); });
  }

  Json events;
  std::map<std::uint64_t, std::string> processes;
  std::map<std::uint64_t, std::string> threads;
};

}  // namespace

TEST_CASE("a trace agrees with the summary, and the answer is the same") {
  Workplace here;
  std::filesystem::create_directory(here.path("scratch"));
  here.succeed("emgraph gen --edges 3M -q && emgraph sort edges.bin -o plain.bin -M 16M -q");
  const std::vector<std::tuple<std::string, std::string, std::string>> jobs = {
      {"mis", "emgraph mis edges.bin --model external --single-pass -o ", ".npy"},
      {"sort", "emgraph sort edges.bin -o ", ".bin"},
      {"bfs", "emgraph bfs edges.bin --model external -o ", ".npy"}};
  for (const auto& [name, line, extension] : jobs) {
    INFO(line);
    here.succeed(line + "want" + extension + " -M 16M -f -q");
    const Json summary =
        here.summary(line + "got" + extension + " -f -M 16M -j 2 -T scratch --trace " + name + ".json");
    CHECK((here.read("got" + extension) == here.read("want" + extension)));
    CHECK(summary.at("trace") == name + ".json");
    CHECK(summary.at("memory_peak_bytes") <= summary.at("memory_limit_bytes"));
    const Timeline timeline(here.read(name + ".json"));
    timeline.check_order();
    CHECK(timeline.bytes("read") == summary.at("read_bytes"));
    CHECK(timeline.bytes("write") == summary.at("write_bytes"));
    CHECK(timeline.bytes("read", "other") + timeline.bytes("write", "other") == 0);
    CHECK(timeline.bytes("read", "input edges.bin") > 0);
    CHECK(timeline.bytes("write", "output got" + extension) > 0);
    CHECK(timeline.bytes("write", "disk 0 scratch") > 0);
    CHECK(timeline.has_process("emgraph " + name));
    std::set<std::string> threads;
    for (const auto& [tid, thread] : timeline.threads) threads.insert(thread);
    for (const char* thread : {"phases", "thread 1", "thread 2"}) CHECK(threads.contains(thread));
    std::vector<std::string> phases;
    for (const Json& event : timeline.events) {
      if (event.value("cat", "") == "phase") phases.push_back(event.at("name"));
    }
    std::vector<std::string> told;
    for (const Json& phase : summary.at("phases")) told.push_back(phase.at("name"));
    CHECK(phases == told);
  }
}

TEST_CASE("every kind of command has a trace; names may be any bytes") {
  Workplace here;
  here.succeed("emgraph gen --edges 10K -q --trace gen.json");
  here.succeed("emgraph mis edges.bin -o mis.npy -q && emgraph info edges.bin --trace info.json");
  here.succeed("emgraph check mis edges.bin mis.npy -q --trace check.json");
  here.succeed("cat edges.bin | emgraph stats - -q --trace stats.json");
  here.succeed("emgraph cat edges.bin --head 5 --trace cat.json");
  for (const char* name : {"gen.json", "info.json", "check.json", "stats.json", "cat.json"}) {
    INFO(name);
    Timeline(here.read(name)).check_order();
  }
  CHECK(Timeline(here.read("stats.json")).bytes("read", "input standard input") > 0);
  CHECK(Timeline(here.read("cat.json")).bytes("write", "output standard output") > 0);
  here.succeed("cp edges.bin 'a\"b\\c.bin' && emgraph info 'a\"b\\c.bin' --check --trace odd.json");
  CHECK(Timeline(here.read("odd.json")).has_process("input a\"b\\c.bin"));
  here.succeed("n=$(printf 'x\\377.bin'); cp edges.bin \"$n\"; emgraph info \"$n\" --check --trace raw.json");
  CHECK(Timeline(here.read("raw.json")).has_process("input x\uFFFD.bin"));
  CHECK(here.run("emgraph check sorted edges.bin --trace violation.json").exit_code == 1);
  Timeline(here.read("violation.json")).check_order();
}

TEST_CASE("a trace of very many events stays within the memory limit") {
  Workplace here;
  const Json summary =
      here.summary("emgraph mis gen:random,edges=10M --queue heap -M 16M -j 2 --trace t.json");
  CHECK(summary.at("memory_peak_bytes") <= summary.at("memory_limit_bytes"));
  const std::string text = here.read("t.json");
  CHECK(text.size() > 300'000);  // more than its buffers
  const Timeline timeline(text);
  timeline.check_order();
  CHECK(timeline.bytes("write") == summary.at("write_bytes"));
}

TEST_CASE("a trace that cannot be written half-way is a warning, and the result is there") {
  Workplace here;
  const std::string command = "emgraph mis gen:random,edges=10M --queue heap -M 16M -j 2 -o ";
  const Outcome full = here.run(command + "full.npy --trace /dev/full");
  CHECK(full.exit_code == 0);
  CHECK_THAT(full.error, Catch::Contains("the trace is not written") && Catch::Contains("No space left"));
  here.succeed(command + "m.npy -q");
  CHECK(here.read("full.npy") == here.read("m.npy"));
}

TEST_CASE("traces are refused before any work") {
  Workplace here;
  here.succeed("emgraph gen --edges 10K -q");
  const std::string edges = here.read("edges.bin");
  here.write("there.json", "old");
  require_failure(here.run("emgraph mis edges.bin --trace -"), 2, {"--trace"});
  require_failure(here.run("emgraph mis edges.bin --trace /dev/stdout"), 2, {"--trace"});
  require_failure(here.run("emgraph mis edges.bin --trace ''"), 2, {"--trace"});
  require_failure(here.run("emgraph mis edges.bin --trace there.json"), 2, {"there.json", "-f"});
  require_failure(here.run("emgraph mis edges.bin --trace ."), 2, {"directory"});
  require_failure(here.run("emgraph mis edges.bin --trace nowhere/t.json"), 4, {"nowhere/t.json"});
  require_failure(here.run("emgraph mis edges.bin --trace ./edges.bin -f"), 2, {"--trace"});
  require_failure(here.run("ln edges.bin same; emgraph info same --trace edges.bin -f"), 2, {"--trace"});
  require_failure(here.run("emgraph mis edges.bin -o x.npy --trace ./x.npy -f"), 2, {"--trace"});
  require_failure(here.run("emgraph bfs edges.bin --parents x.npy --trace x.npy -f"), 2, {"--trace"});
  require_failure(here.run("emgraph gen --edges 10 --trace edges.bin -f"), 2, {"--trace"});
  require_failure(here.run("emgraph mis - --trace edges.bin -f < edges.bin"), 2, {"--trace"});
  require_failure(here.run("emgraph mis edges.bin --json --trace there.json -f >> there.json"), 2,
                  {"--trace"});
  CHECK(here.files() == std::vector<std::string>{"edges.bin", "same", "there.json"});
  CHECK((here.read("edges.bin") == edges));
  CHECK(here.read("there.json") == "old");
  here.succeed("emgraph mis edges.bin --trace there.json -f -q");
  Timeline(here.read("there.json")).check_order();
}

TEST_CASE(
    "a run that fails leaves no trace, and a trace that fails at the end does not take the result along") {
  Workplace here;
  here.write("bad.txt", "0 1\nx y\n");
  require_failure(here.run("emgraph mis bad.txt --trace t.json"), 3, {"bad.txt"});
  const Outcome full = here.run("emgraph mis gen:random,edges=10K -o m.npy --trace /dev/full");
  CHECK(full.exit_code == 0);
  CHECK_THAT(full.error, Catch::Contains("the results are complete") && Catch::Contains("/dev/full"));
  CHECK(here.exists("m.npy"));
  CHECK(here.run("emgraph sort gen:random,edges=20M -M 16M --disk .,size=1M -o s.bin --trace t.json -q")
            .exit_code == 4);
  CHECK_FALSE(here.exists("t.json"));
  CHECK_FALSE(here.exists("s.bin"));
  for (const std::string& file : here.files()) CHECK(file.find("emgraph-tmp") == std::string::npos);
}

}  // namespace emgraph::tests
