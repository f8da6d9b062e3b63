// SPDX-License-Identifier: MIT
// The commands kcore and check kcore.
#include "tests/apps/real_graphs.hpp"
#include "tests/apps/same_on_machines.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

TEST_CASE("degeneracies of the real graphs") {
  for_each_real_graph([](const Workplace& here, const std::string& input, const nlohmann::json& truth) {
    if (!truth.contains("degeneracy")) return;
    CHECK(here.summary("emgraph kcore " + input + " -f -o cores.npy").at("degeneracy") ==
          truth.at("degeneracy"));
    here.succeed("emgraph check kcore " + input + " cores.npy -q");
  });
}

TEST_CASE("core numbers do not depend on the machine, the model or the kind of input") {
  Workplace here;
  const std::string scale = sized("16", "14");
  make_both_kinds(here, "--model kron --scale " + scale);
  here.succeed("emgraph kcore edges.bin -q -o want.npy && emgraph check kcore edges.bin want.npy -q");
  Sample sample(2);
  check_same_on_machines(here, "kcore -o got.npy --nodes " + std::string(sized("65536", "16384")),
                         "gen:kron,scale=" + scale, sample);
}

TEST_CASE("kcore of a small text, and what its check finds") {
  Workplace here;
  here.write("g.txt", "0 1\n1 2\n2 0\n3 0\n3 3\n0 3\n");
  here.succeed("emgraph kcore g.txt -q -o cores.tsv --nodes 5");
  CHECK(here.read("cores.tsv") == "0\t2\n1\t2\n2\t2\n3\t1\n4\t0\n");
  here.succeed("emgraph check kcore g.txt cores.tsv --nodes 5 -q");
  here.write("wrong.tsv", "0\t2\n1\t2\n2\t1\n3\t1\n");
  require_failure(here.run("emgraph check kcore g.txt wrong.tsv"), 1, {"wrong.tsv", "node 0"});
  require_failure(here.run("emgraph kcore missing.txt"), 4, {"missing.txt"});
  require_failure(here.run("emgraph kcore g.txt --nodes 3 -o out.npy"), 3, {"g.txt: line ", "at most 2"});
  here.write("empty.u32", "");
  CHECK(here.summary("emgraph kcore empty.u32").at("degeneracy") == 0);
  CHECK(here.summary("emgraph kcore empty.u32 --nodes 4 --model external").at("nodes") == 4);
}

}  // namespace emgraph::tests
