// SPDX-License-Identifier: MIT
// The commands info and cat.
#include <catch2/catch.hpp>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

TEST_CASE("info prints the declared facts of a file") {
  Workplace here;
  here.succeed(
      "emgraph gen --model gnm --edges 5000 --nodes 1000 --weights 1:9 --payload 3 --codec zstd:2 -q");
  const auto file = here.summary("emgraph info edges.bin").at("files").at(0);
  CHECK(file.at("file") == "edges.bin");
  CHECK(file.at("format") == "emg");
  CHECK(file.at("nodes") == 1000);
  CHECK(file.at("edges") == 5000);
  CHECK(file.at("id_bytes") == 4);
  CHECK(file.at("weight") == "u32");
  CHECK(file.at("payload_bytes") == 3);
  CHECK(file.at("unique") == true);
  CHECK(file.at("no_loops") == true);
  CHECK(file.at("bytes") == here.read("edges.bin").size());
  CHECK_THAT(file.at("codec").get<std::string>(), Catch::Contains("zstd"));
  CHECK_THAT(file.at("metadata").dump(), Catch::Contains("gnm"));
  CHECK_THAT(here.succeed("emgraph info edges.bin").out, Catch::Contains("1,000"));
}

TEST_CASE("info takes several files and does not read them all") {
  Workplace here;
  here.succeed("emgraph gen --edges 3M -o big.bin -q && emgraph gen --edges 100 -o b.u32 -q");
  here.write("c.txt", "0 1\n");
  const auto summary = here.summary("emgraph info big.bin b.u32 c.txt");
  REQUIRE(summary.at("files").size() == 3);
  CHECK(summary.at("files").at(0).at("edges") == 3000000);
  CHECK(summary.at("files").at(1).at("edges") == 100);
  CHECK(summary.at("files").at(1).at("format") == "u32");
  CHECK(summary.at("files").at(2).at("format") == "text");
  CHECK(summary.at("read_bytes") < 8 << 20);
  const Outcome partly = here.run("emgraph info missing.bin b.u32");
  CHECK(partly.exit_code == 4);
  CHECK_THAT(partly.out, Catch::Contains("b.u32"));
  CHECK_THAT(partly.error, Catch::Contains("missing.bin"));
}

TEST_CASE("info --check reads it all and finds what a header hides") {
  Workplace here;
  here.succeed(
      "emgraph gen --model kron --scale 12 --weights 1:9 -q && emgraph convert edges.bin -q -o edges.adj");
  here.succeed("emgraph cc edges.bin -q -o labels.npy && emgraph convert edges.bin -q -o edges.txt");
  const auto files =
      here.summary("emgraph info --check edges.bin edges.adj edges.txt labels.npy").at("files");
  REQUIRE(files.size() == 4);
  CHECK(files.at(0).at("edges_read") == files.at(0).at("edges"));
  CHECK(files.at(1).at("edges_read") == files.at(1).at("edges"));
  CHECK(files.at(2).at("edges_read") == files.at(0).at("edges"));
  CHECK(files.at(0).at("largest_id") == files.at(2).at("largest_id"));
  CHECK(files.at(3).at("values_read") == 4096);
  for (const auto& file : files) CHECK(file.at("intact") == true);
  CHECK_THAT(here.succeed("emgraph info --check edges.bin").out,
             Catch::Contains("intact              yes\n"));
  CHECK(here.succeed("emgraph info --check - --json < edges.bin").json().at("files").at(0).at("edges_read") ==
        files.at(0).at("edges"));
  here.write("far.txt", "0 1\n6000000000 1\n");
  CHECK(here.summary("emgraph info --check far.txt").at("files").at(0).at("largest_id") == 6000000000);
  std::string bytes = here.read("edges.bin");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
  here.write("damaged.bin", bytes);
  here.succeed("emgraph info damaged.bin");
  require_failure(here.run("emgraph info --check damaged.bin"), 3, {"damaged.bin", "checksum"});
  here.write("bad.txt", "0 1\n1 x\n");
  const Outcome partly = here.run("emgraph info --check bad.txt edges.bin");
  CHECK(partly.exit_code == 3);
  CHECK_THAT(partly.error, Catch::Contains("bad.txt"));
  CHECK_THAT(partly.out, Catch::Contains("edges read"));
}

TEST_CASE("cat prints edges, weights and node values") {
  Workplace here;
  here.write("in.csv", "3,4\n1,2\n");
  CHECK(text_edges(here.succeed("emgraph cat in.csv").out) == Edges{{3, 4}, {1, 2}});
  here.write("path.txt", "0 1\n1 2\n");
  here.succeed("emgraph mis path.txt -o mis.npy -q");
  CHECK(here.succeed("emgraph cat mis.npy").out == "0\n2\n");
  CHECK(here.succeed("emgraph cat mis.npy --head 1").out == "0\n");
  CHECK(here.succeed("emgraph cat - < mis.npy").out == "0\n2\n");
  CHECK(here.run("emgraph info - --json < mis.npy").json().at("files")[0].at("values") == 2);
  require_failure(here.run("emgraph cat mis.npy --output-format u32"), 2,
                  {"--output-format u32", "one a line"});
  require_failure(here.run("emgraph cat mis.npy --output-header"), 2, {"--output-header", "--map"});
  here.write("ids.txt", "0\t7\n1\t8\n2\t9\n");
  CHECK(here.succeed("emgraph cat mis.npy --map ids.txt --as list --output-header").out == "node\n7\n9\n");
  here.write("triangle.txt", "0 1\n1 2\n2 0\n");
  here.succeed("emgraph triangles triangle.txt --list t.npy -q");
  CHECK(
      here.succeed("emgraph cat t.npy --map ids.txt --as triples --output-header --output-format csv").out ==
      "node,node_2,node_3\n7,8,9\n");
  here.succeed("emgraph pagerank triangle.txt -q -o ranks.npy");
  CHECK_THAT(here.succeed("emgraph cat ranks.npy --map ids.txt --output-header --head 1").out,
             Catch::StartsWith("node\tvalue\n7\t"));
  CHECK(here.succeed("emgraph cat path.txt --head 0").out.empty());
  CHECK(here.succeed("emgraph cat gen:random,edges=1G --head 3").out ==
        here.succeed("emgraph cat gen:random,edges=1G | head -3").out);
  CHECK(text_edges(here.succeed("emgraph cat gen:random,edges=10 --head 99").out).size() == 10);
  here.succeed("emgraph gen --edges 10 --weights 5:5 -q");
  CHECK_THAT(here.succeed("emgraph cat edges.bin --head 1").out, Catch::EndsWith("5\n"));
  here.succeed("emgraph cat path.txt -o copy.txt");
  CHECK(text_edges(here.read("copy.txt")) == Edges{{0, 1}, {1, 2}});
}

TEST_CASE("cat --on-error skip says how many lines it has left out") {
  Workplace here;
  here.write("a.txt", "1 2\nx 3\n4 5\n6 \n");
  const std::string line = "emgraph cat a.txt --on-error skip";
  const Outcome said = here.succeed(line);
  CHECK(said.out == "1\t2\n4\t5\n");
  CHECK(said.error == "emgraph cat: 2 lines that cannot be read were left out; -v shows the first of them\n");
  CHECK(here.succeed(line + " -q").error.empty());
  CHECK_THAT(here.succeed(line + " -v").error, Catch::Contains("a.txt: line 2: found 'x'"));
  CHECK(nlohmann::json::parse(here.succeed(line + " --json").error).at("skipped_lines") == 2);
  here.write("a.txt", "1 2\nx 3\n");
  CHECK_THAT(here.succeed(line).error, Catch::Contains(" 1 line that cannot be read was left out"));
  here.write("a.txt", "1 2\n");
  CHECK(here.succeed(line).error.empty());
}

TEST_CASE("info --check names lines that --on-error skips") {
  Workplace here;
  here.write("g.txt", "0 1\n2 x\n1 2\n");
  const std::string out = here.succeed("emgraph info --check --on-error skip g.txt").out;
  CHECK_THAT(out, Catch::Contains("edges read          2\n") && Catch::Contains("skipped lines       1\n") &&
                      Catch::Contains("g.txt: line 2: "));
}

TEST_CASE("cat writes text, and refuses names of other formats") {
  Workplace here;
  here.write("g.txt", "0 1\n");
  for (const std::string name : {"out.npy", "out.emg", "out.u32"}) {
    require_failure(here.run("emgraph cat g.txt -o " + name), 2, {name, "convert"});
  }
  for (const std::string name : {"out.parquet", "out.npz", "out.graphml", "out.json"}) {
    const Outcome outcome = here.run("emgraph cat g.txt -o " + name);
    require_failure(outcome, 2, {name, "cat writes text"});
    CHECK(outcome.error.find("convert") == std::string::npos);  // which does not write it, either
  }
  here.succeed(
      "emgraph cat g.txt -o out.csv && emgraph cat g.txt -o out && emgraph cat g.txt -o out.npy "
      "--output-format text");
  CHECK(here.read("out.npy") == "0\t1\n");
}

}  // namespace emgraph::tests
