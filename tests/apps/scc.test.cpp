// SPDX-License-Identifier: MIT
// The commands scc and check scc.
#include "tests/apps/real_graphs.hpp"
#include "tests/apps/same_on_machines.hpp"

namespace emgraph::tests {

TEST_CASE("strongly connected components of the real graphs") {
  for_each_real_graph([](const Workplace& here, const std::string& input, const nlohmann::json& truth) {
    if (!truth.contains("largest_scc")) return;
    const auto summary = here.summary("emgraph scc " + input + " -f -o labels.npy --condensation dag.bin");
    CHECK(summary.at("largest_component") == truth.at("largest_scc"));
    here.succeed("emgraph check scc " + input + " labels.npy -q");
    const auto again = here.summary("emgraph scc dag.bin");
    CHECK(again.at("single_nodes") == again.at("nodes"));
  });
}

TEST_CASE("strong components do not depend on the machine, the model or the kind of input") {
  Workplace here;
  make_both_kinds(here, "--model kron --scale 16 --edge-factor 4");
  here.succeed("emgraph scc edges.bin -q -o want.npy --condensation want.u32");
  here.succeed("emgraph check scc edges.bin want.npy -q");
  Sample sample(2);
  check_same_on_machines(here, "scc -o got.npy --condensation got.u32 --nodes 65536",
                         "gen:kron,scale=16,edge-factor=4", sample, {".npy", ".u32"},
                         {"e.u32 --model semi-external -M 16M -j 1", "edges.bin -M 16M -j 1"});
}

TEST_CASE("scc of a small text, its condensation, and what its check finds") {
  Workplace here;
  here.write("g.txt", "4 1\n1 2\n2 4\n2 0\n0 0\n0 3\n1 0\n");
  here.succeed("emgraph scc g.txt -q -o labels.tsv --nodes 6 --condensation dag.tsv");
  CHECK(here.read("labels.tsv") == "0\t0\n1\t1\n2\t1\n3\t3\n4\t1\n5\t5\n");
  CHECK(here.read("dag.tsv") == "0\t3\n1\t0\n");
  here.succeed("emgraph check scc g.txt labels.tsv --nodes 6 -q");
  here.write("wrong.tsv", "0\t0\n1\t1\n2\t2\n3\t3\n4\t1\n");
  require_failure(here.run("emgraph check scc g.txt wrong.tsv"), 1, {"wrong.tsv", "node 4"});
  here.write("people.csv", "from,to\nann,bob\nbob,ann\nbob,cyd\n");
  here.succeed("emgraph scc people.csv --labels --header -q -o names.tsv --condensation names.csv");
  CHECK(here.read("names.tsv") == "ann\tann\nbob\tann\ncyd\tcyd\n");
  CHECK(here.read("names.csv") == "ann,cyd\n");
  require_failure(here.run("emgraph scc missing.txt"), 4, {"missing.txt"});
  require_failure(here.run("emgraph scc g.txt --nodes 3 -o out.npy"), 3, {"g.txt: line ", "at most 2"});
  require_failure(here.run("emgraph scc g.txt -o a.tsv --condensation a.tsv"), 2, {"--condensation"});
  here.write("empty.u32", "");
  CHECK(here.summary("emgraph scc empty.u32").at("components") == 0);
  CHECK(here.summary("emgraph scc empty.u32 --nodes 4").at("single_nodes") == 4);
}

}  // namespace emgraph::tests
