// SPDX-License-Identifier: MIT
// --huge-pages: the same answer and memory with each choice, and what the summary says.
#include <catch2/catch.hpp>
#include <string>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

TEST_CASE("--huge-pages changes neither the answer nor the memory, and the summary says what there was") {
  Workplace here;
  const auto run = [&](const std::string& choice) {
    const std::string output = "labels" + choice + ".npy";
    const auto summary = here.succeed("emgraph cc gen:random,edges=2M,nodes=2M -M 256M -j 1 --json -o " +
                                      output + (choice.empty() ? "" : " --huge-pages " + choice))
                             .json();
    CHECK(summary["huge_pages_mode"] == (choice.empty() ? "auto" : choice));
    return summary;
  };
  const auto by_default = run("");
  const auto automatic = run("auto");
  const auto on = run("on");
  const auto off = run("off");
  here.succeed(
      "cmp labels.npy labelsauto.npy && cmp labels.npy labelson.npy && cmp labels.npy labelsoff.npy");
  for (const auto& summary : {automatic, on, off}) {
    CHECK(summary["memory_peak_bytes"] == by_default["memory_peak_bytes"]);
  }
  CHECK(automatic["huge_pages"] == by_default["huge_pages"]);
  CHECK(automatic["huge_pages"] != "hugetlb");
  CHECK(automatic["hugetlb_peak_bytes"] == 0);
  CHECK((on["huge_pages"] == "hugetlb") == (on["hugetlb_peak_bytes"] > 0));
  CHECK(!on["huge_pages_reason"].get<std::string>().empty());
  CHECK(off["huge_pages"] == "none");
  CHECK(off["huge_pages_reason"] == "--huge-pages off");
}

TEST_CASE("the table has a row of huge pages if they were chosen, or with -v") {
  Workplace here;
  const std::string command = "emgraph cc gen:random,edges=1000 -M 64M ";
  CHECK(here.succeed(command).out.find("huge pages") == std::string::npos);
  CHECK(
      here.succeed(command + "-v").out.find("\nhuge pages          none (no array of 4.00 MiB or more)\n") !=
      std::string::npos);
  CHECK(here.succeed(command + "--huge-pages off")
            .out.find("\nhuge pages          none (--huge-pages off)\n") != std::string::npos);
  require_failure(here.run(command + "--huge-pages never"), 2, {"--huge-pages", "never", "auto, on, off"});
}

}  // namespace emgraph::tests
