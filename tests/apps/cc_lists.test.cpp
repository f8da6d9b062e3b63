// SPDX-License-Identifier: MIT
// cc --sizes and cc --groups: components by size, and their members, in every model and with names.
#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

TEST_CASE("clusters of protein hits: sizes, the largest first, and members, by name") {
  const Workplace here;
  here.write("hits.tsv", "P1\tP2\t98.2\nP9\tP8\t40\nP2\tP3\t77\nP7\tP7\t100\nP5\tP4\t91\n");
  here.succeed("gzip hits.tsv");
  const auto summary =
      here.summary("emgraph cc hits.tsv.gz --labels --sizes sizes.tsv --groups groups.csv -o comp.txt");
  CHECK(summary.at("sizes") == "sizes.tsv");
  CHECK(here.read("sizes.tsv") == "P1\t3\nP9\t2\nP5\t2\nP7\t1\n");
  CHECK(here.read("groups.csv") == "P1,P1\nP1,P2\nP1,P3\nP9,P9\nP9,P8\nP7,P7\nP5,P5\nP5,P4\n");
  here.succeed("emgraph cc hits.tsv.gz --labels --ids numbers --sizes numbers.tsv -q");
  CHECK(here.read("numbers.tsv") == "0\t3\n2\t2\n6\t2\n5\t1\n");
}

TEST_CASE("lists of components are the same in every model and with little memory") {
  const Workplace here;
  here.succeed("emgraph gen --model random --nodes 300K --edges 200K -o g.emg -q");
  here.succeed("emgraph cc g.emg -q -o labels.tsv --sizes sizes.npy --groups groups.npy");
  for (const std::string how :
       {"--model internal -j 1", "--model external -M 16M -T .", "-M 16M -T . -j 1"}) {
    CAPTURE(how);
    here.succeed("emgraph cc g.emg -q -f --sizes s.npy --groups g.npy " + how);
    here.succeed("cmp s.npy sizes.npy && cmp g.npy groups.npy");
  }
  here.succeed("emgraph cc g.emg -q -f -o again.tsv --forest f.emg --sizes s.tsv --groups g.tsv");
  CHECK((here.read("again.tsv") == here.read("labels.tsv")));

  std::map<std::uint64_t, std::vector<std::uint64_t>> members;
  std::istringstream labels(here.read("labels.tsv"));
  for (std::uint64_t node = 0, label = 0; labels >> node >> label;) members[label].push_back(node);
  std::string groups;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> order;
  for (const auto& [label, nodes] : members) {
    order.emplace_back(~std::uint64_t{nodes.size()}, label);
    for (const std::uint64_t node : nodes) {
      groups += std::to_string(label) + "\t" + std::to_string(node) + "\n";
    }
  }
  std::sort(order.begin(), order.end());
  std::string sizes;
  for (const auto& [size, label] : order) {
    sizes += std::to_string(label) + "\t" + std::to_string(~size) + "\n";
  }
  CHECK((here.read("g.tsv") == groups));
  CHECK((here.read("s.tsv") == sizes));
}

TEST_CASE("lists of no component, of one, and outputs that clash") {
  const Workplace here;
  here.write("none.txt", "");
  here.succeed("emgraph cc none.txt -q --sizes s.tsv --groups g.npy");
  CHECK(here.read("s.tsv").empty());
  here.write("one.txt", "0 0\n");
  here.succeed("emgraph cc one.txt -q -f --sizes s.tsv --groups g.tsv");
  CHECK(here.read("s.tsv") == "0\t1\n");
  CHECK(here.read("g.tsv") == "0\t0\n");
  require_failure(here.run("emgraph cc one.txt --sizes x.tsv --groups ./x.tsv"), 2, {"--sizes", "--groups"});
  require_failure(here.run("emgraph cc one.txt --sizes s.json"), 2, {"s.json"});
  require_failure(here.run("emgraph cc one.txt -f --sizes one.txt"), 2, {"the output is the input"});
}

}  // namespace emgraph::tests
