// SPDX-License-Identifier: MIT
// Where disks for temporary data are named, and what happens when they are full.
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {
namespace {

// Spills; -v prints the directory.
constexpr const char* spilling_sort = "emgraph sort gen:random,edges=20K -o - -M 16M -v > sorted.bin";

void check_source(const Workplace& here, const std::string& setting, const std::string& said) {
  const Outcome outcome = here.succeed(setting + " " + spilling_sort);
  CHECK_THAT(outcome.error, Catch::Contains("temporary data in " + said + ","));
}

TEST_CASE("the most specific place that names disks decides") {
  Workplace here;
  for (const char* name : {"option", "variable", "user", "home", "temporary"}) {
    std::filesystem::create_directory(here.path(name));
  }
  std::filesystem::create_directories(here.path("settings/emgraph"));
  std::filesystem::create_directories(here.path("home/.config/emgraph"));
  here.write("settings/emgraph/disks", "# mine\n\n  user,size=1G,grow=8M \n");
  here.write("home/.config/emgraph/disks", "home,io=pread\n");
  here.write("listed", "variable\nuser\n");
  const std::string settings = "XDG_CONFIG_HOME=$PWD/settings";
  const std::string home = "TMPDIR=temporary HOME=$PWD/home XDG_CONFIG_HOME=";
  check_source(here, home, "home (" + here.path("home/.config/emgraph/disks").string() + ")");
  check_source(here,
               home + " EMGRAPH_DISKS=", "home (" + here.path("home/.config/emgraph/disks").string() + ")");
  check_source(here, "TMPDIR=temporary " + settings,
               "user (" + here.path("settings/emgraph/disks").string() + ")");
  check_source(here, settings + " EMGRAPH_DISKS=variable", "variable ($EMGRAPH_DISKS)");
  check_source(here, settings + " EMGRAPH_DISKS='variable,direct=off; user;'",
               "variable, user ($EMGRAPH_DISKS)");
  check_source(here, settings + " EMGRAPH_DISKS=listed", "variable, user ($EMGRAPH_DISKS)");
  here.write("settings/emgraph/disks", "# none\n");
  here.write("home/.config/emgraph/disks", "");
  if (!std::filesystem::exists("/etc/emgraph/disks")) {
    check_source(here, "TMPDIR=temporary " + settings, "temporary ($TMPDIR)");
    check_source(here, "TMPDIR= " + settings, "/tmp (the default)");
  }
  const std::string variable = "EMGRAPH_DISKS=variable ";
  const std::string sort = "emgraph sort gen:random,edges=20K -o sorted.bin -f -M 16M -v ";
  for (const std::string option : {"--disk option", "-T option"}) {
    CHECK_THAT(here.succeed(variable + sort + option).error, Catch::Contains("temporary data in option,"));
  }
}

TEST_CASE("configured disks that are wrong are refused where they are needed") {
  Workplace here;
  std::filesystem::create_directories(here.path("settings/emgraph"));
  here.write("settings/emgraph/disks", "\n.,size=32X\n");
  const std::string settings = "XDG_CONFIG_HOME=$PWD/settings ";
  require_failure(here.run(settings + "emgraph mis gen:random,edges=1000"), 2,
                  {"settings/emgraph/disks: line 2: .,size=32X", "32X"});
  require_failure(here.run("EMGRAPH_DISKS='.;.,grow=0' emgraph mis gen:random,edges=1000"), 2,
                  {"$EMGRAPH_DISKS: .,grow=0", "grow=0 is nothing"});
  require_failure(here.run("EMGRAPH_DISKS=nowhere emgraph mis gen:random,edges=1000"), 4,
                  {"nowhere", "$EMGRAPH_DISKS names it"});
  here.succeed(settings + "emgraph gen --edges 1000 -q");  // spills nothing
}

TEST_CASE("errors of disk specs name the wrong part") {
  Workplace here;
  here.succeed(
      "emgraph sort gen:random,edges=20K -M 16M -q -o sorted.bin --disk .,limit=1GB/s,grow=1M,raw=no");
  const std::string mis = "emgraph mis gen:random,edges=1000 --disk ";
  require_failure(here.run(mis + ".,limit=fast"), 2, {"--disk", "fast"});
  require_failure(here.run(mis + ".,limit=0"), 2, {"limit=0 is nothing"});
  require_failure(here.run(mis + ".,raw=perhaps"), 2, {"raw=perhaps is none of yes, no and force"});
  require_failure(here.run(mis + ".,raw=yes,io=memory"), 2, {"memory is no block device"});
  require_failure(here.run(mis + "/dev/null,raw=yes"), 2, {"/dev/null", "not a block device"});
  require_failure(here.run(mis + "/dev/null"), 4, {"/dev/null"});
  require_failure(here.run(mis + "nowhere,raw=yes"), 4, {"nowhere", "No such file"});
}

TEST_CASE("every strategy, and disks of different speed, give the same answer") {
  Workplace here;
  const std::string sort =
      "emgraph sort gen:random,seed=3,edges=" + std::string(sized("4M", "2500K")) + " -M 16M -q -f -o ";
  here.succeed(sort + "expected.bin");
  for (const std::string options :
       {"--disk-strategy striping", "--disk-strategy randomized-striping", "--disk-strategy fully-random",
        "--disk-strategy randomized-cycling --disk .,limit=400M", "--disk .,limit=100M,size=5M,io=memory"}) {
    INFO(options);
    here.succeed(sort + "sorted.bin --disk .,limit=1G --disk .,io=pread,direct=off " + options +
                 " && cmp sorted.bin expected.bin");
  }
  require_failure(
      here.run(sort + "sorted.bin --disk-strategy raid"), 2,
      {"--disk-strategy", "raid", "striping, randomized-striping, fully-random, randomized-cycling"});
}

TEST_CASE("settings without a disk, and keys that are given twice, are refused") {
  Workplace here;
  here.write("empty.conf", "# no disk\n");
  require_failure(here.run("emgraph cc gen:random,edges=10 --config empty.conf"), 2,
                  {"--config", "empty.conf names no disk"});
  require_failure(here.run("emgraph cc gen:random,edges=10 --disk .,size=1M,size=2M"), 2,
                  {"size= is given twice"});
}

TEST_CASE("slow disks get coded blocks, fast ones do not, and the answer is the same") {
  Workplace here;
  const std::string sort = "emgraph sort gen:random,seed=3," +
                           std::string(sized("edges=5M -M 32M", "edges=3M -M 20M")) + " --json -v -f ";
  const auto run = [&](const std::string& options, const std::string& reason) {
    const Outcome outcome = here.succeed(sort + options + " -o sorted.bin && cmp sorted.bin expected.bin");
    CHECK_THAT(outcome.error, Catch::Contains("coded: ") && Catch::Contains(reason));
    return outcome.json();
  };
  here.succeed(sort + "--spill-codec none -o expected.bin");
  // The declared speed counts: too little is written for a measurement.
  const nlohmann::json plain = run("--disk .,limit=20G", "the disks: 21475 MB/s");
  const nlohmann::json coded = run("--disk .,limit=50M", "coding pays below");
  CHECK(plain["spill_codec"] == "none");
  CHECK(coded["spill_codec"] == "delta");
  CHECK(coded["temp_bytes_peak"].get<double>() < 0.85 * plain["temp_bytes_peak"].get<double>());
  CHECK(run("--disk .,limit=50M --spill-codec none", "--spill-codec none")["spill_codec"] == "none");
  CHECK(run("--disk . --disk . --spill-codec delta", "--spill-codec delta")["spill_codec"] == "delta");
  require_failure(here.run(sort + "--spill-codec zip -o sorted.bin"), 2,
                  {"--spill-codec", "zip", "auto, none, delta"});
}

}  // namespace
}  // namespace emgraph::tests
