// SPDX-License-Identifier: MIT
// The command gen: models, defaults, refusals, the same graph however it is made.
#include <catch2/catch.hpp>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

TEST_CASE("gen without options writes edges.bin at the paper's density") {
  Workplace here;
  const auto summary = here.summary("emgraph gen --edges 100K");
  CHECK(here.files() == std::vector<std::string>{"edges.bin"});
  CHECK(summary.at("command") == "gen");
  CHECK(summary.at("edges") == 100000);
  CHECK(summary.at("nodes") == 16000);
  CHECK(summary.at("write_bytes") >= 800000);
  const Edges edges = text_edges(here.succeed("emgraph cat edges.bin").out);
  REQUIRE(edges.size() == 100000);
  for (auto [source, target] : edges) REQUIRE((source < 16000 && target < 16000));
}

TEST_CASE("every model can be generated") {
  Workplace here;
  CHECK(here.summary("emgraph gen --model gnm --nodes 1000 --edges 5000 -o gnm.bin").at("edges") == 5000);
  CHECK(here.summary("emgraph gen --model kron --scale 10 --edge-factor 4 -o kron.bin").at("edges") == 4096);
  CHECK(here.summary("emgraph gen --model grid --dims 30x20 -o grid.bin").at("edges") == 29 * 20 + 30 * 19);
  CHECK(here.summary("emgraph gen --model grid --dims 30x20 --torus -o torus.bin").at("edges") == 1200);
  const auto weighted =
      here.summary("emgraph gen --model graph500 --scale 8 --weights float -o graph500.bin");
  CHECK(weighted.at("edges") == 4096);
  CHECK_THAT(here.succeed("emgraph cat --head 1 graph500.bin").out, Catch::Contains("17\t138\t0.422860"));
  here.succeed("emgraph check sorted --unique gnm.bin -q && emgraph check sorted --unique grid.bin -q");
  const auto info = here.summary("emgraph info gnm.bin");
  CHECK(info.at("files").at(0).at("order") == "source");
}

TEST_CASE("options that do not belong to the model are refused") {
  Workplace here;
  require_failure(here.run("emgraph gen"), 2, {"edges"});
  require_failure(here.run("emgraph gen --model kron --edges 10"), 2, {"kron", "edges"});
  require_failure(here.run("emgraph gen --edges 10 --scale 3"), 2, {"random", "scale"});
  require_failure(here.run("emgraph gen --edges 10 --torus"), 2, {"random", "torus"});
  require_failure(here.run("emgraph gen --model grid --dims 3x4 --nodes 12"), 2, {"grid", "nodes"});
  require_failure(here.run("emgraph gen --model tree --edges 10"), 2, {"tree", "random"});
  require_failure(here.run("emgraph gen --model gnm --nodes 3 --edges 10"), 2, {"gnm"});
  require_failure(here.run("emgraph gen --edges 10 --nodes 0"), 2, {"node"});
  require_failure(here.run("emgraph gen --edges 10 --weights float"), 2, {"random", "weights=float"});
  require_failure(here.run("emgraph gen --edges 10 --weights 5"), 2, {"weights"});
  require_failure(here.run("emgraph gen --edges 10 --weights 5:1"), 2, {"weight"});
  require_failure(here.run("emgraph gen --edges 10 --weights=-3:1"), 2, {"weights '-3:1'", "LO:HI"});
  require_failure(here.run("emgraph gen --model grid --dims 2x"), 2, {"dims '2x'", "AxBx"});
  require_failure(here.run("emgraph gen --edges 10 --payload 1000"), 2, {"1000"});
  CHECK(here.files().empty());
}

TEST_CASE("an output that cannot fit on its disk is refused before any work") {
  Workplace here;
  for (const std::string output : {"x.bin", "x.u32", "x.npy", "x.tsv"}) {
    require_failure(here.run("emgraph gen --edges 1000T --nodes 1000 -o " + output), 4,
                    {output, "needs at least"});
  }
  require_failure(here.run("emgraph convert gen:random,edges=1000T,nodes=1000 -o x.u32"), 4,
                  {"x.u32", "needs"});
  require_failure(here.run("emgraph pagerank gen:random,edges=10,nodes=1000T -M 32M"), 4,
                  {"temporary space", "-T"});
  CHECK(here.files().empty());
}

TEST_CASE("a payload that a format does not have is left out, with a warning") {
  Workplace here;
  CHECK_THAT(here.succeed("emgraph gen --edges 10 --payload 3 -o x.tsv").error,
             Catch::Contains("no payload"));
  CHECK_THAT(here.succeed("emgraph gen --edges 10 --payload 3 -o x.bin").error,
             !Catch::Contains("no payload"));
  // Raw edges with a payload would be read as other edges.
  here.succeed("emgraph gen --edges 10 --payload 8 -o p.emg -q");
  for (const std::string name : {"p.u32", "p.npy", "p.adj", "p.sg"}) {
    CHECK_THAT(here.succeed("emgraph convert p.emg -o " + name).error,
               Catch::Contains(name + ": this format has no payload"));
  }
  CHECK(here.succeed("emgraph cat p.u32").out == here.succeed("emgraph cat p.emg").out);
}

TEST_CASE("the graph depends only on the seed, which is 1 unless given") {
  Workplace here;
  for (const std::string model : {"--edges 200K", "--model gnm --edges 200K", "--model kron --scale 13",
                                  "--edges 100K --nodes 6G", "--edges 100K --weights 1:9 --payload 4"}) {
    INFO(model);
    here.succeed("emgraph gen " + model + " -f -q -j 1 -o one.bin");
    here.succeed("emgraph gen " + model + " -f -q -j 2 -M 16M --seed 1 -o two.bin");
    here.succeed("emgraph gen " + model + " -f -q -j 5 --seed 2 -o other.bin");
    const std::string edges = here.succeed("emgraph cat one.bin").out;
    CHECK(here.succeed("emgraph cat two.bin").out == edges);
    CHECK(here.succeed("emgraph cat other.bin").out != edges);
  }
}

TEST_CASE("the bytes of a file do not depend on the threads") {
  Workplace here;
  for (const std::string codec : {"none", "delta", "zstd", "zstd:3", "delta+zstd"}) {
    INFO(codec);
    here.succeed("emgraph gen --edges 300K --codec " + codec + " -f -q -j 1 -M 256M -o one.bin");
    here.succeed("emgraph gen --edges 300K --codec " + codec + " -f -q -j 2 -M 256M -o two.bin");
    CHECK((here.read("one.bin") == here.read("two.bin")));
  }
}

TEST_CASE("the bytes of a packed file do not depend on the memory") {
  Workplace here;
  Sample sample(2);
  for (const std::string codec : {"none", "delta", "zstd", "zstd:19", "delta+zstd"}) {
    INFO(codec);
    here.succeed("emgraph gen --edges 300K --codec " + codec + " -f -q -M 256M -o want.bin");
    here.succeed("emgraph convert want.bin --codec " + codec + " -f -q -o all.bin");
    for (const std::string machine : {"-M 16M", "-M 16M -j 1", "-M 16M -j 9", "-M 20M -j 64", "-M 1G -j 7"}) {
      INFO(machine);
      for (const auto& [made, want] : {std::pair<std::string, std::string>{"gen --edges 300K", "want.bin"},
                                       {"convert want.bin", "all.bin"}}) {
        if (!sample.takes()) continue;
        here.succeed("emgraph " + made + " --codec " + codec + " -f -q -o got.bin " + machine);
        CHECK((here.read("got.bin") == here.read(want)));
      }
    }
  }
}

TEST_CASE("gen writes other formats by extension or by option") {
  Workplace here;
  here.succeed("emgraph gen --edges 1000 -o edges.u32 -q");
  CHECK(here.read("edges.u32").size() == 8000);
  here.succeed("emgraph gen --edges 1000 -o edges.u64 -q");
  CHECK(here.read("edges.u64").size() == 16000);
  here.succeed("emgraph gen --edges 1000 -o edges.txt -q");
  CHECK(text_edges(here.read("edges.txt")).size() == 1000);
  here.succeed("emgraph gen --edges 1000 -o - --output-format u32 -q > piped.u32");
  CHECK(here.read("piped.u32") == here.read("edges.u32"));
  here.succeed("emgraph gen --edges 1000 --weights 1:9 -o edges.u32w -q");
  CHECK(here.read("edges.u32w").size() == 12000);
  require_failure(here.run("emgraph gen --edges 1000 --codec zstd -o x.u32"), 2, {"--codec"});
}

TEST_CASE("an empty graph is a graph") {
  Workplace here;
  CHECK(here.summary("emgraph gen --edges 0 --nodes 7").at("edges") == 0);
  CHECK(here.summary("emgraph mis edges.bin").at("mis_size") == 7);
  here.succeed("emgraph sort -u edges.bin -o sorted.bin -q && emgraph mis sorted.bin -o mis.npy -q");
  CHECK(npy_ids(here.read("mis.npy")).size() == 7);
  here.succeed("emgraph check mis edges.bin mis.npy");
}

TEST_CASE("progress is drawn on request, and never by default into a file") {
  Workplace here;
  CHECK(here.succeed("emgraph gen --edges 100K -q").error.empty());
  CHECK_THAT(here.succeed("emgraph gen --edges 100K -q -f --progress always").error,
             Catch::EndsWith("\r\033[K"));
  CHECK(here.succeed("emgraph gen --edges 100K -q -f --progress never").error.empty());
  CHECK_THAT(here.succeed("emgraph gen --edges 100K -q -f -v").error, Catch::Contains("memory limit"));
}

}  // namespace emgraph::tests
