// SPDX-License-Identifier: MIT
// The commands mis and check: answers, options, verdicts.
#include <catch2/catch.hpp>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"
#include "tests/oracle/mis_oracle.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

TEST_CASE("mis finds the lexicographically first set") {
  Workplace here;
  for (const std::string model :
       {"--edges 3000", "--edges 3000 --nodes 40", "--model gnm --edges 500 --nodes 400",
        "--model kron --scale 8", "--model grid --dims 13x17 --torus"}) {
    INFO(model);
    const auto made = here.summary("emgraph gen " + model + " -f");
    const auto summary = here.summary("emgraph mis edges.bin -f -o mis.npy");
    const Edges edges = text_edges(here.succeed("emgraph cat edges.bin").out);
    const auto expected = first_independent_set(made.at("nodes"), edge_list(edges));
    CHECK(npy_ids(here.read("mis.npy")) == expected);
    CHECK(summary.at("mis_size") == expected.size());
    CHECK(summary.at("nodes") == made.at("nodes"));
    CHECK(summary.at("edges") == edges.size());
    here.succeed("emgraph check mis edges.bin mis.npy");
  }
}

TEST_CASE("a path, a star, loops and duplicates") {
  Workplace here;
  here.write("path.txt", "# a path\n0 1\n1 2\n2 3\n3 4\n");
  CHECK(text_ids(here.succeed("emgraph mis path.txt --output-format tsv -o - -q").out) ==
        std::vector<std::uint64_t>{0, 2, 4});
  here.write("star.txt", "5 0\n5 1\n5 2\n5 2\n3 3\n");
  CHECK(text_ids(here.succeed("emgraph mis star.txt -o star.tsv -q; cat star.tsv").out) ==
        std::vector<std::uint64_t>{0, 1, 2, 3, 4});
  CHECK(here.summary("emgraph mis star.txt --nodes 10").at("mis_size") == 9);
  here.succeed("emgraph mis star.txt -o star.bin -q");
  CHECK(here.read("star.bin") == raw_u32({0, 1, 2, 3, 4}));
}

TEST_CASE("the number of passes over a generator follows from the temporary space") {
  Workplace here;
  const std::string mis =
      "emgraph mis gen:random," + std::string(sized("edges=24M,nodes=16M ", "edges=12M,nodes=8M "));
  here.succeed(mis + "-M 256M -o right.npy -q");
  here.succeed("mkdir disk");
  const unsigned disk = sized(8U, 4U);
  Sample sample(2);
  for (const std::string threads : {"2", "1"}) {
    if (!sample.takes()) continue;
    // One pass takes some 140 MB, the largest of those that pay 13 MB; half of that with sanitizers.
    const auto summary = here.summary(mis + "-M 16M --disk disk,size=" + std::to_string(disk) +
                                      "M -f -o tight.npy -j " + threads);
    CHECK(summary.at("passes") > 4);
    CHECK(summary.at("passes_reason") == "temporary space does not hold more edges at once");
    CHECK(summary.at("temp_bytes_peak") <= disk * 1024 * 1024);
    CHECK(here.read("tight.npy") == here.read("right.npy"));
  }
}

TEST_CASE("every queue and model gives the same bytes") {
  Workplace here;
  here.succeed("emgraph gen --edges 500K -q && emgraph mis edges.bin -o want.npy -q");
  for (const std::string options : {"--queue bitmap", "--queue ranges", "--queue heap", "--model external",
                                    "--model semi-external", "--model internal", "--carry-payload"}) {
    INFO(options);
    here.succeed("emgraph mis edges.bin -f -o got.npy -q " + options);
    CHECK((here.read("got.npy") == here.read("want.npy")));
  }
  CHECK(here.summary("emgraph mis edges.bin --queue heap").at("queue") == "heap");
  CHECK(here.summary("emgraph mis edges.bin --model external").at("model") == "external");
}

TEST_CASE("the directed scan is the paper's listing") {
  Workplace here;
  here.write("down.txt", "2 1\n1 0\n");
  // As stored, sources only: 1 and 2 have outgoing edges, and neither gets a message from a smaller node.
  const auto ids = [&](const std::string& options) {
    return text_ids(here.succeed("emgraph mis down.txt -o - --output-format tsv -q " + options).out);
  };
  CHECK(ids("--directed-scan") == std::vector<std::uint64_t>{1, 2});
  CHECK(ids("") == std::vector<std::uint64_t>{0, 2});
}

TEST_CASE("check mis names what is wrong") {
  Workplace here;
  here.write("path.txt", "0 1\n1 2\n2 3\n3 4\n");
  const auto error = [&](const std::vector<std::uint32_t>& ids) {
    here.write("claim.bin", raw_u32(ids));
    const Outcome outcome = here.run("emgraph check mis path.txt claim.bin");
    CHECK(outcome.exit_code == (outcome.error.empty() ? 0 : 1));
    return outcome.error;
  };
  CHECK(error({0, 2, 4}).empty());
  CHECK_THAT(error({0, 2}), Catch::Contains("claim.bin: node 4 is not in the set"));  // not maximal
  CHECK_THAT(error({0, 1, 3}), Catch::Contains("node 1 is in the set, and so is a smaller neighbour"));
  // Independent and maximal, but not the first.
  CHECK_THAT(error({1, 3}), Catch::Contains("node 0 is not in the set"));
  CHECK_THAT(error({0, 2, 4, 9}),
             Catch::Contains("node 9 is in the set, but the graph has only the nodes below 5"));
  CHECK_THAT(error({}), Catch::Contains("node 0 is not in the set"));
  CHECK(here.run("emgraph check mis path.txt claim.bin --json").json().at("ok") == false);
}

TEST_CASE("check sorted names the first edge out of order") {
  Workplace here;
  here.write("good.txt", "0 1\n0 2\n1 0\n");
  here.write("twice.txt", "0 1\n0 1\n1 0\n");
  here.write("bad.txt", "0 1\n1 0\n0 2\n0 1\n");
  here.succeed("emgraph check sorted good.txt --unique");
  here.succeed("emgraph check sorted twice.txt");
  here.write("far.u32", raw_u32({0, 1, 0, 7}));
  here.succeed("emgraph check sorted far.u32");
  require_failure(here.run("emgraph check sorted far.u32 --nodes 3"), 3, {"far.u32: edge 1", "7"});
  const Outcome twice = here.run("emgraph check sorted twice.txt --unique --json");
  CHECK(twice.exit_code == 1);
  CHECK(twice.json().at("first_violation") == 1);
  const Outcome bad = here.run("emgraph check sorted bad.txt --json");
  CHECK(bad.exit_code == 1);
  CHECK(bad.json().at("first_violation") == 2);
  require_failure(here.run("emgraph check sorted bad.txt"), 1, {"edge 2"});
}

}  // namespace emgraph::tests
