// SPDX-License-Identifier: MIT
// The commands lcc and check lcc.
#include "tests/apps/real_graphs.hpp"
#include "tests/apps/same_on_machines.hpp"

namespace emgraph::tests {

TEST_CASE("coefficients do not depend on the machine, the model or the kind of input") {
  Workplace here;
  make_both_kinds(here, "--model kron --scale 14");
  Sample sample(3);
  for (const std::string direction : {"", " --directed"}) {
    here.succeed("emgraph lcc edges.bin -q -f -o want.npy" + direction);
    here.succeed("emgraph check lcc edges.bin -q want.npy" + direction);
    check_same_on_machines(here, "lcc -o got.npy --nodes 16384" + direction, "gen:kron,scale=14", sample);
  }
  require_failure(here.run("emgraph check lcc edges.bin want.npy"), 1, {"node", "found", "expected"});
}

TEST_CASE("lcc of a small text, and what it refuses") {
  Workplace here;
  here.write("g.txt", "0 1\n1 0\n1 2\n2 0\n3 0\n3 3\n");
  here.succeed("emgraph lcc g.txt -q -o lcc.tsv --nodes 5");
  CHECK(here.read("lcc.tsv") == "0\t0.3333333333333333\n1\t1\n2\t1\n3\t0\n4\t0\n");
  here.succeed("emgraph lcc g.txt -q -f -o lcc.tsv --nodes 5 --directed");
  CHECK(here.read("lcc.tsv") == "0\t0.16666666666666666\n1\t0.5\n2\t1\n3\t0\n4\t0\n");
  here.succeed("emgraph check lcc g.txt lcc.tsv -q --nodes 5 --directed");
  CHECK(here.summary("emgraph lcc g.txt").at("mean_lcc") == Approx(7.0 / 12));
  require_failure(here.run("emgraph lcc missing.txt"), 4, {"missing.txt"});
  require_failure(here.run("emgraph lcc g.txt --nodes 3 -o out.npy"), 3, {"g.txt: line ", "at most 2"});
  require_failure(here.run("emgraph lcc g.txt --nodes 3 --directed -o out.npy"), 3,
                  {"g.txt: line ", "at most 2"});
  here.write("empty.u32", "");
  CHECK(here.summary("emgraph lcc empty.u32").at("mean_lcc") == 0);
  CHECK(here.summary("emgraph lcc empty.u32 --nodes 4 --directed").at("nodes") == 4);
  // Ids whose copies need 8 bytes.
  here.write("far.txt", "3000000000 3000000001\n3000000001 3000000002\n3000000002 3000000000\n");
  here.succeed("emgraph lcc far.txt --directed --relabel -q");
}

}  // namespace emgraph::tests
