// SPDX-License-Identifier: MIT
// The program in pipes: the contract's pipelines, readers that stop early, generators as inputs.
#include <catch2/catch.hpp>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

TEST_CASE("cat and info open a named pipe once") {
  Workplace here;
  here.succeed("emgraph gen --edges 3 -q -o g.emg && emgraph cat g.emg > right && mkfifo pipe");
  for (int i = 0; i < 20; ++i) {
    // The writer is gone when the reader opens the pipe a second time.
    here.succeed("cat g.emg > pipe & emgraph cat pipe > got; wait; cmp got right");
    here.succeed("cat g.emg > pipe & emgraph info pipe; wait");
  }
}

TEST_CASE("generate, sort and solve in one pipe, and without any pipe") {
  Workplace here;
  here.succeed("emgraph gen --edges 300K -o - | emgraph sort -u - -o - | emgraph mis - -o piped.npy -q");
  const std::string piped = here.read("piped.npy");
  here.succeed("emgraph mis gen:random,edges=300K -o direct.npy -q");
  CHECK(here.read("direct.npy") == piped);
  here.succeed("emgraph gen --edges 300K -q && emgraph mis edges.bin -o file.npy -q");
  CHECK(here.read("file.npy") == piped);
  here.succeed("emgraph mis - -o redirected.npy -q < edges.bin");
  CHECK(here.read("redirected.npy") == piped);
  here.succeed("emgraph mis gen:random,edges=300K -o - 2>/dev/null > stdout.npy");
  CHECK(here.read("stdout.npy") == piped);
  here.succeed("emgraph mis gen:random,edges=300K -o - --output-format tsv 2>/dev/null > stdout.tsv");
  CHECK(text_ids(here.read("stdout.tsv")) == npy_ids(piped));
  CHECK(here.files() == std::vector<std::string>{"direct.npy", "edges.bin", "file.npy", "piped.npy",
                                                 "redirected.npy", "stdout.npy", "stdout.tsv"});
}

TEST_CASE("node ids reach a pipe as npy however many they are and however little memory there is") {
  Workplace here;
  // 6 million isolated nodes, 24 MB of ids.
  const std::string mis = "emgraph mis gen:gnm,nodes=6M,edges=0 -M 16M -q -o ";
  here.succeed(mis + "file.npy && " + mis + "- -T . | cat > piped.npy");
  CHECK((here.read("piped.npy") == here.read("file.npy")));
  here.succeed("mkfifo fifo.npy; cat fifo.npy > read.npy & " + mis + "fifo.npy && wait");
  CHECK((here.read("read.npy") == here.read("file.npy")));
  here.succeed("{ " + mis + "-; echo $? > code; } | head -c 100 > /dev/null");
  CHECK(here.read("code") == "0\n");
  CHECK(here.files() == std::vector<std::string>{"code", "fifo.npy", "file.npy", "piped.npy", "read.npy"});
}

TEST_CASE("generators as inputs take the seed of the text or of the option") {
  Workplace here;
  const auto size = [&](const std::string& input) {
    return here.summary("emgraph mis " + input).at("mis_size");
  };
  CHECK(size("gen:random,edges=50K,seed=7") == size("gen:random,edges=50K --seed 7"));
  CHECK(size("gen:random,edges=50K,seed=7") == size("gen:random,edges=50K,seed=7 --seed 8"));
  CHECK(size("gen:grid,dims=100x100") == 5000);
  CHECK(size("gen:gnm,nodes=1000,edges=0") == 1000);
  require_failure(here.run("emgraph mis gen:random,edges=50K,colour=red"), 2, {"colour"});
  require_failure(here.run("emgraph mis gen:tree,edges=50K"), 2, {"tree"});
}

namespace {

/// Edges, more than a reader reads at a time, then an edge with an id that needs 8 bytes.
std::string late_wide_id() {
  std::string lines;
  for (int i = 1; i <= 400000; ++i) lines += std::to_string(i) + "\t" + std::to_string(i + 1) + "\n";
  return lines + "6000000000\t1\n";
}

}  // namespace

TEST_CASE("a late wide id in text gives every edge once, for every kind of output") {
  Workplace here;
  const std::string lines = late_wide_id();
  here.write("late.txt", lines);
  here.succeed("mkfifo fifo.txt");
  for (const std::string copy :
       {"cat late.txt", "cat late.txt -j 1", "cat - < late.txt", "convert late.txt -o - --output-format text",
        "convert late.txt -o /dev/stdout --output-format text"}) {
    INFO(copy);
    CHECK((here.succeed("emgraph " + copy + " -q").out == lines));
    CHECK((here.succeed("cat late.txt | emgraph " + copy + " -q | cat").out == lines));
  }
  for (const std::string input : {"late.txt", "-"}) {
    here.succeed("cat fifo.txt > read.txt & cat late.txt | emgraph convert " + input +
                 " -o fifo.txt -q && wait");
    CHECK((here.read("read.txt") == lines));
  }
  // Files may start again, what is sorted has been read before: ids as wide as they must be.
  here.succeed("emgraph convert late.txt -o file.emg -q && emgraph sort late.txt -o sorted.emg -q");
  CHECK((here.succeed("emgraph cat file.emg").out == lines));
  const std::string sorted = here.succeed("emgraph cat sorted.emg").out;
  CHECK(sorted.size() == lines.size());
  here.succeed("emgraph sort late.txt -o - -q > piped.emg");
  CHECK((here.succeed("emgraph cat piped.emg").out == sorted));
  here.succeed("cat fifo.txt > piped.emg & emgraph sort late.txt -o fifo.txt --output-format emg -q && wait");
  CHECK((here.succeed("emgraph cat piped.emg").out == sorted));
}

TEST_CASE("edges in binary that were written before a wide id was found end the run") {
  Workplace here;
  here.write("late.txt", late_wide_id());
  here.succeed("mkfifo fifo");
  for (const std::string format : {"emg", "u64"}) {
    const std::string convert = "emgraph convert late.txt -q --output-format " + format;
    require_failure(here.run(convert + " -o - > part"), 3,
                    {"line 400001", "6000000000", "--nodes N", "regular file"});
    require_failure(here.run("cat fifo > part & " + convert + " -o fifo"), 3, {"line 400001", "--nodes N"});
    here.succeed(convert + " --nodes 7G -o file." + format + " && " + convert + " --nodes 7G -o - > piped");
    CHECK((here.succeed("emgraph cat file." + format).out ==
           here.succeed("emgraph cat piped --input-format " + format).out));
  }
  // Nothing was written yet.
  here.write("early.txt", "6000000000\t1\n");
  here.succeed("emgraph convert early.txt -q -o - > early.emg");
  CHECK(here.succeed("emgraph cat early.emg").out == "6000000000\t1\n");
}

TEST_CASE("data on standard output push the summary to standard error") {
  Workplace here;
  const Outcome gen = here.succeed("emgraph gen --edges 1000 -o - --json");
  CHECK(nlohmann::json::parse(gen.error).at("edges") == 1000);
  CHECK(gen.out.size() >= 8000);
  const Outcome mis = here.succeed("emgraph mis gen:random,edges=1000 -o -");
  CHECK_THAT(mis.error, Catch::Contains("mis size"));
  CHECK(mis.out.starts_with("\x93NUMPY"));
  CHECK(here.succeed("emgraph mis gen:random,edges=1000 -q").out.empty());
  here.write("e.txt", "0 1\n");
  here.succeed("ln -s /dev/stdout link");
  for (const std::string name :
       {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/thread-self/fd/1", "link"}) {
    CAPTURE(name);
    CHECK(here.succeed("emgraph cc e.txt --json --output-format tsv -o " + name).out == "0\t0\n1\t0\n");
  }
}

TEST_CASE("standard input is read once") {
  const Workplace here;
  here.write("e.txt", "0 1\n");
  for (const std::string line :
       {"cc - -", "check cc - -", "check mis - -", "check pagerank - x.npy --sources -",
        "sssp - --queries - --weights unit", "pagerank - --sources -"}) {
    CAPTURE(line);
    require_failure(here.run("emgraph " + line + " < e.txt"), 2, {"standard input is given twice"});
  }
}

TEST_CASE("a non-blocking standard input is waited for") {
  const Workplace here;
  if (here.run("command -v python3").exit_code != 0) return skip("there is no python3");
  here.write("cat.py", "import os, sys\nos.set_blocking(0, False)\nos.execv(sys.argv[1], sys.argv[1:])\n");
  CHECK(here.succeed("(sleep 0.2; echo 0 1; sleep 0.2; echo 1 2) | python3 cat.py \"" + tested_program() +
                     "\" cat -")
            .out == "0\t1\n1\t2\n");
}

TEST_CASE("a pipe closed by its reader is not an error") {
  Workplace here;
  for (const std::string command : {"emgraph gen --edges 20M -o -", "emgraph cat gen:random,edges=5M",
                                    "emgraph sort -u gen:random,edges=2M -o - --output-format text",
                                    "emgraph mis gen:random,edges=5M -o - --output-format tsv"}) {
    INFO(command);
    const Outcome outcome = here.succeed("{ " + command + " -q; echo $? > code; } | head -c 100 > /dev/null");
    CHECK(here.read("code") == "0\n");
    CHECK(outcome.error.empty());
  }
  here.succeed("{ emgraph --help; echo $? > code; } | true");
  CHECK(here.read("code") == "0\n");
  CHECK(here.files() == std::vector<std::string>{"code"});
}

TEST_CASE("a pipe closed by its reader is an error if other results of the run are lost") {
  Workplace here;
  const std::string cc = "emgraph cc gen:random,edges=2M -q --forest f.bin -o - --output-format tsv";
  here.succeed("{ " + cc + " 2> error; echo $? > code; } | head -c 100 > /dev/null");
  CHECK(here.read("code") == "4\n");
  CHECK_THAT(here.read("error"), Catch::Contains("the reader has gone away; not written: f.bin"));
  CHECK_FALSE(here.exists("f.bin"));
  here.succeed(
      "mkfifo pipe; emgraph mis gen:random,edges=5M -q -o pipe --output-format tsv --trace t.json & "
      "head -c 100 pipe > /dev/null; wait $!");
}

TEST_CASE("a result that standard output cannot take is an error") {
  Workplace here;
  require_failure(here.run("emgraph gen --edges 1M -o - -q > /dev/full"), 4, {"standard output"});
  require_failure(here.run("emgraph cat gen:random,edges=100 > /dev/full"), 4, {"standard output"});
  require_failure(here.run("emgraph mis gen:random,edges=1000 --json > /dev/full"), 4, {"standard output"});
  require_failure(here.run("emgraph --help > /dev/full"), 4, {"standard output"});
}

TEST_CASE("lists that come from a named pipe are read once, also when progress is shown") {
  const Workplace here;
  here.succeed("mkfifo list && printf '0 1\\n1 2\\n' > g.tsv && printf '70 71\\n71 72\\n' > far.tsv");
  const auto reads_once = [&](const std::string& lines, const std::string& command) {
    CAPTURE(command);
    here.succeed("(printf '" + lines + "' > list) & timeout 20 \"" + tested_program() + "\" " + command +
                 " --progress json 2>/dev/null > got; code=$?; wait; exit $code");
  };
  for (const std::string numbered : {"", " --relabel --map ids.npy -f"}) {
    const std::string graph = numbered.empty() ? "g.tsv" : "far.tsv" + numbered;
    const std::string node = numbered.empty() ? "0" : "70";
    reads_once("p aux sp p2p 1\\nq 1 3\\n", "sssp --weights unit --queries list g.tsv" + numbered);
    reads_once(node + "\\n", "pagerank --sources list " + graph);
  }
}

}  // namespace emgraph::tests
