// SPDX-License-Identifier: MIT
// The commands cc and check cc: answers, inputs, options, verdicts.
#include <catch2/catch.hpp>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"
#include "tests/oracle/cc_oracle.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

TEST_CASE("cc labels every node with the smallest id of its component") {
  Workplace here;
  for (const std::string model :
       {"--edges 3000", "--edges 500 --nodes 900", "--model gnm --edges 300 --nodes 400 --weights 1:9",
        "--model kron --scale 8 --edge-factor 2", "--model grid --dims 13x17 --payload 8"}) {
    INFO(model);
    const auto made = here.summary("emgraph gen " + model + " -f");
    const Edges edges = text_edges(here.succeed("emgraph cat edges.bin").out);
    const auto expected = smallest_reachable(made.at("nodes"), edge_list(edges));
    for (const std::string how : {"", "--model internal", "--model semi-external", "--model external"}) {
      const auto summary = here.summary("emgraph cc edges.bin -f -o cc.npy " + how);
      CHECK(npy_ids(here.read("cc.npy")) == expected);
      CHECK(summary.at("nodes") == made.at("nodes"));
      CHECK(summary.at("edges") == edges.size());
      std::uint64_t components = 0;
      for (std::uint64_t node = 0; node < expected.size(); ++node) components += expected[node] == node;
      CHECK(summary.at("components") == components);
      if (!how.empty()) CHECK(summary.at("model") == how.substr(8));
    }
    here.succeed("emgraph check cc edges.bin cc.npy");
  }
}

TEST_CASE("cc of small texts: loops, duplicates, isolated nodes, n given and not") {
  Workplace here;
  here.write("g.txt", "# two components and a loop\n5 1\n1 5\n3 3\n2 4\n4 2\n");
  const auto summary = here.summary("emgraph cc g.txt -o cc.tsv");
  CHECK(here.read("cc.tsv") == "0\t0\n1\t1\n2\t2\n3\t3\n4\t2\n5\t1\n");
  CHECK(summary.at("components") == 4);
  CHECK(summary.at("isolated_nodes") == 2);
  CHECK(summary.at("largest_component") == 2);
  const auto more = here.summary("emgraph cc g.txt --nodes 10 -o cc.bin");
  CHECK(more.at("isolated_nodes") == 6);
  CHECK(here.read("cc.bin") == raw_u32({0, 1, 2, 3, 2, 1, 6, 7, 8, 9}));
  here.succeed("emgraph check cc g.txt cc.bin --nodes 10 && emgraph check cc g.txt cc.tsv");
  here.write("empty.u32", "");
  CHECK(here.summary("emgraph cc empty.u32").at("components") == 0);
  CHECK(here.summary("emgraph cc empty.u32 --nodes 3").at("isolated_nodes") == 3);
  // Ids that need 8 bytes and are far apart: two edges do not justify a label for each.
  here.write("wide.txt", "0 1\n5000000000 5000000001\n");
  require_failure(here.run("emgraph cc wide.txt -M 16M -o wide.npy"), 4,
                  {"sparse", "--relabel", "--nodes 5000000002"});
  CHECK(!here.exists("wide.npy"));
}

TEST_CASE("cc reads pipes, generators and files alike") {
  Workplace here;
  here.succeed("emgraph gen --edges 300K --nodes 400K -q && emgraph cc edges.bin -o want.npy -q");
  here.succeed("emgraph convert edges.bin -q -o e.u32 && emgraph convert edges.bin -q -o e.txt");
  const std::string want = here.read("want.npy");
  const std::string cc = "emgraph cc --nodes 400K -f -q ";
  for (const std::string& line : std::vector<std::string>{
           cc + "-o got.npy e.u32", cc + "-o got.npy e.txt", "cat edges.bin | " + cc + "- -o got.npy",
           cc + "- -o - < edges.bin > got.npy",
           "cat e.u32 | " + cc + "--input-format u32 - -o - | cat > got.npy",
           cc + "-o got.npy gen:random,edges=300K,nodes=400K", cc + "-M 16M -j 4 -o got.npy e.txt",
           cc + "--model external -M 16M -j 1 -o got.npy e.u32"}) {
    INFO(line);
    here.succeed(line);
    CHECK((here.read("got.npy") == want));
  }
  // n unknown: the largest id may be less than the last node.
  for (const std::string model : {"auto", "external"}) {
    here.succeed("emgraph cc e.u32 -f -q -o one.npy --model " + model +
                 " && cat e.u32 | emgraph cc - -f -q " + "--input-format u32 -o two.npy --model " + model);
    CHECK((here.read("one.npy") == here.read("two.npy")));
    here.succeed("emgraph check cc e.u32 one.npy -q");
  }
}

TEST_CASE("components do not depend on the machine") {
  Sample sample(2);
  Workplace here;
  for (const char* name : {"one", "two"}) std::filesystem::create_directory(here.path(name));
  here.succeed("emgraph gen --nodes 6M -q --edges " + std::string(sized("3M", "800K")));
  std::string expected;
  for (const std::string machine :
       {"-j 2 -M 256M", "-j 1 -M 16M", "-j 2 -M 16M -T one -T two",
        "-j 4 -M 24M --model external --disk one,io=pread --disk two,io=memory"}) {
    for (const std::string input : {"edges.bin", "- < edges.bin"}) {
      if (!sample.takes()) continue;
      INFO(input << " on " << machine);
      const auto summary = here.summary("emgraph cc " + input + " -f -o out.npy " + machine);
      CHECK((summary.at("model") == "external") == (machine != "-j 2 -M 256M"));
      if (expected.empty()) expected = here.read("out.npy");
      CHECK((here.read("out.npy") == expected));
    }
  }
  here.succeed("emgraph check cc edges.bin out.npy -q");
  require_failure(here.run("emgraph check cc edges.bin out.npy -M 16M"), 4, {"-M "});
}

TEST_CASE("cc of a pipe whose nodes do not fit") {
  Workplace here;
  const std::uint64_t edges = sized(3000000U, 800000U);
  here.succeed("emgraph gen --nodes 6M -q --edges " + std::to_string(edges) +
               " && emgraph convert edges.bin -q -o e.u32");
  here.succeed("emgraph cc e.u32 -q -o want.npy");
  const auto piped = here.summary("cat e.u32 | emgraph cc --input-format u32 - -M 16M -T . -o got.npy");
  CHECK(piped.at("model") == "external");
  CHECK(piped.at("edges") == edges);
  CHECK((here.read("got.npy") == here.read("want.npy")));
}

TEST_CASE("check cc names what is wrong") {
  Workplace here;
  here.write("path.txt", "0 1\n2 3\n3 4\n");
  const auto verdict = [&](const std::vector<std::uint32_t>& labels, const std::string& words) {
    here.write("claim.bin", raw_u32(labels));
    require_failure(here.run("emgraph check cc path.txt claim.bin"), 1, {"claim.bin", words});
  };
  here.write("right.bin", raw_u32({0, 0, 2, 2, 2}));
  here.succeed("emgraph check cc path.txt right.bin");
  verdict({0, 0, 0, 0, 0}, "node 2 has the label 0");
  verdict({0, 0, 2, 2, 4}, "edge 2 (3, 4)");
  verdict({0, 0, 3, 3, 3}, "node 2 has the label 3");
  verdict({0, 0, 2, 2}, "node 4");
  CHECK(here.run("emgraph check cc path.txt claim.bin --json").json().at("ok") == false);
  // What was read up to the violation is not shown as the file's.
  const std::string table = here.run("emgraph check cc path.txt claim.bin").out;
  CHECK(table.find("edges  ") == std::string::npos);
  CHECK(table.find("nodes  ") == std::string::npos);
}

TEST_CASE("cc refuses bad input and leaves nothing") {
  Workplace here;
  here.write("odd.u32", raw_u32({0, 1, 2}));
  here.write("bad.txt", "0 1\n1 x\n");
  here.write("far.txt", "0 1\n1 9\n");
  const auto before = here.files();
  require_failure(here.run("emgraph cc missing.bin -o out.npy"), 4, {"missing.bin"});
  for (const std::string model : {"auto", "external"}) {
    const std::string cc = "emgraph cc -o out.npy --model " + model + " ";
    require_failure(here.run(cc + "odd.u32"), 3, {"odd.u32", "4 bytes are left over"});
    require_failure(here.run(cc + "bad.txt"), 3, {"bad.txt", "line 2"});
    require_failure(here.run(cc + "far.txt --nodes 9"), 3, {"far.txt", "line 2", "'9'", "at most 8"});
    require_failure(here.run(cc + "gen:random,edges=10 --queue heap"), 2, {"--queue"});
  }
  require_failure(here.run("emgraph cc gen:random,edges=3M,nodes=6M --model semi-external -M 16M -o out.npy"),
                  4, {"-M ", "--model external"});
  CHECK(here.files() == before);
}

}  // namespace emgraph::tests
