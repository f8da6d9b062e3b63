// SPDX-License-Identifier: MIT
// Packed edges and foreign headers from the command line.
#include <catch2/catch.hpp>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

TEST_CASE("graph500: written, read, piped, refused") {
  Workplace here;
  here.succeed("emgraph gen --model kron --scale 11 --edge-factor 8 -o k.u32 -q");
  here.succeed("emgraph convert k.u32 -o k.graph500 -q && emgraph convert k.graph500 -o again.u32 -q");
  CHECK(here.read("again.u32") == here.read("k.u32"));
  CHECK(here.read("k.graph500").size() == here.read("k.u32").size() / 8 * 12);
  const auto right = here.summary("emgraph mis k.u32").at("mis_size");
  CHECK(here.summary("emgraph mis k.graph500 -M 16M").at("mis_size") == right);
  CHECK(here.summary("cat k.graph500 | emgraph mis - --input-format graph500").at("mis_size") == right);
  // Ids beyond 2^32 are found while reading.
  here.write("far.txt", "1 2\n2 5000000000\n");
  here.succeed("emgraph convert far.txt -o far.graph500 -q && emgraph convert far.graph500 -o back.tsv -q");
  CHECK(text_edges(here.read("back.tsv")) == text_edges(here.read("far.txt")));
  here.write("far.txt", "1 2\n2 200000000000000\n");
  require_failure(here.run("emgraph convert far.txt -f -o far.graph500"), 3,
                  {"far.graph500", "edge 1", "140737488355328"});
  here.write("cut.graph500", here.read("k.graph500").substr(0, 1000));
  require_failure(here.run("emgraph cc cut.graph500"), 3, {"cut.graph500", "offset 996", "4 bytes"});
}

TEST_CASE("option --skip skips a foreign header") {
  Workplace here;
  here.succeed(
      "emgraph gen --model gnm --nodes 500 --edges 3000 -o g.bin -q && emgraph convert g.bin -o g.u64 -q");
  here.write("kagen.bin", std::string(16, '\7') + here.read("g.u64"));
  const auto right = here.summary("emgraph cc g.u64 --nodes 500").at("components");
  const std::string options = " --input-format u64 --skip 16 --nodes 500";
  CHECK(here.summary("emgraph cc kagen.bin" + options).at("components") == right);
  CHECK(here.summary("cat kagen.bin | emgraph cc -" + options).at("components") == right);
  CHECK(here.summary("emgraph info kagen.bin" + options).at("edges") == 3000);
  require_failure(here.run("emgraph cc kagen.bin --input-format u64 --skip 15"), 3, {"left over"});
  require_failure(here.run("emgraph cc kagen.bin --input-format u64 --skip 1M"), 3,
                  {"kagen.bin", "1048576 bytes"});
  require_failure(here.run("emgraph cc g.bin --skip 16"), 2, {"header of its own"});
  require_failure(here.run("emgraph cc g.u64 --skip much"), 2, {"--skip", "much"});
  require_failure(here.run("emgraph cc gen:grid,dims=3x3 --skip 4"), 2, {"gen:"});
}

}  // namespace emgraph::tests
