// SPDX-License-Identifier: MIT
// Serialized graphs of the GAP benchmark suite from the command line: made, solved, refused.
#include <catch2/catch.hpp>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

TEST_CASE("gapbs: every solver takes .sg and .wsg, and answers as for the edges they were made of") {
  Workplace here;
  here.succeed("emgraph gen --model kron --scale 12 --edge-factor 6 --weights 1:100 -o k.u32w -q");
  here.succeed("emgraph convert k.u32w -o k.sg -q");
  here.succeed("emgraph convert k.u32w -o directed.sg --directed -M 16M -q");
  here.succeed("emgraph convert k.u32w -o k.wsg -q");
  here.succeed("emgraph convert k.u32w -o directed.wsg --directed -j 1 -q");
  const auto same = [&](const std::string& command, const std::vector<std::string>& keys,
                        const std::vector<std::string>& files) {
    const auto right = here.summary("emgraph " + command + " k.u32w");
    for (const std::string& file : files) {
      const auto found = here.summary("emgraph " + command + " " + file);
      for (const std::string& key : keys) {
        CAPTURE(command, file, key);
        CHECK(found.at(key) == right.at(key));
      }
    }
  };
  same("mis", {"mis_size"}, {"k.sg", "directed.sg", "k.wsg", "directed.wsg"});
  same("mis --nodes 5000", {"mis_size", "nodes"}, {"k.sg", "directed.sg", "k.wsg -M 16M"});
  same("cc", {"components", "largest_component", "nodes"}, {"k.sg", "directed.sg", "k.wsg", "directed.wsg"});
  same("bfs", {"root", "reached", "levels", "nodes_per_level"}, {"k.sg -M 16M", "directed.wsg"});
  same("triangles", {"triangles", "wedges"}, {"k.sg", "directed.sg -M 16M"});
  same("mst", {"weight", "forest_edges", "trees"}, {"k.wsg", "directed.wsg -M 16M"});
  // There and back: the same bytes.
  here.succeed("emgraph convert k.wsg -o k.bin -q && emgraph convert k.bin -o again.wsg -q");
  CHECK(here.read("again.wsg") == here.read("k.wsg"));
  here.succeed("emgraph convert directed.sg -o d.bin -q && emgraph convert d.bin -o d.sg --directed -q");
  CHECK(here.read("d.sg") == here.read("directed.sg"));
  const auto info = here.summary("emgraph info directed.sg").at("files").at(0);
  CHECK(info.at("format") == "sg");
  CHECK(info.at("directed") == true);
}

TEST_CASE("gapbs: refusals on the command line") {
  Workplace here;
  here.succeed("emgraph gen --model grid --dims 30x30 -o g.bin -q");
  here.succeed("emgraph convert g.bin -o g.sg -q");
  const auto files = here.files();
  require_failure(here.run("cat g.sg | emgraph mis --input-format sg -"), 2,
                  {"standard input", "regular file"});
  require_failure(here.run("emgraph convert g.bin -o g.wsg"), 2, {"g.wsg", "write them as sg"});
  require_failure(here.run("emgraph gen --model grid --dims 9x9 -o h.sg"), 2, {"h.sg", "emgraph convert"});
  require_failure(here.run("emgraph convert g.sg -o h.bin --directed"), 2, {"--directed", ".sg"});
  CHECK(here.files() == files);
  here.write("cut.sg", here.read("g.sg").substr(0, 5000));
  require_failure(here.run("emgraph mis cut.sg"), 3, {"cut.sg", "offset 5000", "truncated", "expected"});
  require_failure(here.run("emgraph convert cut.sg -o h.bin"), 3, {"cut.sg"});
  CHECK(!here.exists("h.bin"));
  std::string negative = here.read("g.sg");
  negative.replace(negative.size() - 4, 4, 4, '\xff');
  here.write("negative.sg", negative);
  require_failure(here.run("emgraph mis negative.sg"), 3, {"neighbour -1 of node 899", "below 900"});
}

}  // namespace emgraph::tests
