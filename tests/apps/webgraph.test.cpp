// SPDX-License-Identifier: MIT
// WebGraph files from the command line.
#include <catch2/catch.hpp>

#include "tests/apps/run_binary.hpp"
#include "tests/graph/format/webgraph_encoder.hpp"

namespace emgraph::tests {

TEST_CASE("webgraph: solved, converted, refused") {
  Workplace here;
  const SuccessorLists lists = web_like_lists(3000, 5);
  here.write("web.graph", encode_webgraph(lists, {}));
  here.write("web.properties", webgraph_properties(lists, {}));
  std::string text;
  for (std::size_t node = 0; node < lists.size(); ++node) {
    for (const std::uint64_t id : lists[node])
      text += std::to_string(node) + "\t" + std::to_string(id) + "\n";
  }
  here.write("web.tsv", text);
  here.succeed("emgraph convert web.graph -o back.tsv -q");
  CHECK(here.read("back.tsv") == text);
  CHECK(here.summary("emgraph mis web.graph -M 16M").at("mis_size") ==
        here.summary("emgraph mis web.tsv --nodes 3000").at("mis_size"));
  CHECK(here.summary("emgraph triangles web.graph").at("triangles") ==
        here.summary("emgraph triangles web.tsv").at("triangles"));
  const auto info = here.summary("emgraph info web.graph").at("files").at(0);
  CHECK(info.at("format") == "webgraph");
  CHECK(info.at("nodes") == 3000);
  require_failure(here.run("cat web.graph | emgraph cc - --input-format webgraph"), 2, {"regular file"});
  here.write("cut.properties", here.read("web.properties"));
  here.write("cut.graph", here.read("web.graph").substr(0, 4000));
  require_failure(here.run("emgraph cc cut.graph"), 3, {"cut.graph", "offset 4000", "truncated"});
  std::filesystem::remove(here.path("cut.properties"));
  require_failure(here.run("emgraph cc cut.graph"), 3, {"cut.graph", "cut.properties"});
  require_failure(here.run("emgraph convert web.tsv -o out.x --output-format webgraph"), 2,
                  {"cannot be written"});
}

}  // namespace emgraph::tests
