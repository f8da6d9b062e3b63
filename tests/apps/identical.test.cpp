// SPDX-License-Identifier: MIT
// The same bytes whatever the threads, memory, disks, formats and codecs.
#include <catch2/catch.hpp>

#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

namespace {

const std::vector<std::string> machines = {
    "-j 1 -M 16M",
    "-j 2 -M 16M",
    "-j 2 -M 256M",
    "-j 1 -M 256M -T one -T two",
    "-j 2 -M 16M -T one -T two",
    "-M 16M --disk one,io=pread --disk two,io=memory --disk three,direct=off"};

void make_disks(const Workplace& here) {
  for (const char* name : {"one", "two", "three"}) std::filesystem::create_directory(here.path(name));
}

}  // namespace

TEST_CASE("sorted files do not depend on the machine") {
  Workplace here;
  make_disks(here);
  here.succeed("emgraph gen --weights 1:5 -q --edges " + std::string(sized("2M", "1500K")));
  Sample sample(3);
  for (const std::string options :
       {"", "-u --no-loops", "-u --symmetrize", "--by target", "--orient degree"}) {
    std::string expected;
    for (const std::string& machine : machines) {
      if (!sample.takes() && !expected.empty()) continue;
      INFO(options << " on " << machine);
      here.succeed("emgraph sort edges.bin -f -q -o out.bin " + options + " " + machine);
      if (expected.empty()) expected = here.read("out.bin");
      CHECK((here.read("out.bin") == expected));
    }
  }
}

TEST_CASE("the independent set does not depend on the machine") {
  Workplace here;
  make_disks(here);
  here.succeed("emgraph gen -q --edges " + std::string(sized("5M", "2500K")));
  std::string expected;
  for (const std::string& machine : machines) {
    INFO(machine);
    here.succeed("emgraph mis edges.bin -f -q -o out.npy " + machine);
    if (expected.empty()) expected = here.read("out.npy");
    CHECK((here.read("out.npy") == expected));
  }
  here.succeed("emgraph check mis edges.bin out.npy -q -M 16M");
}

TEST_CASE("the independent set does not depend on format and codec") {
  Workplace here;
  here.succeed("emgraph gen --edges 200K -q && emgraph mis edges.bin -q -o want.npy");
  const std::string want = here.read("want.npy");
  const auto same = [&](const std::string& make, const std::string& file) {
    INFO(make);
    here.succeed(make);
    here.succeed("emgraph mis " + file + " --nodes 32000 -f -q -o got.npy");
    CHECK((here.read("got.npy") == want));
  };
  for (const std::string codec : {"none", "delta", "zstd", "zstd:5", "delta+zstd"}) {
    same("emgraph convert edges.bin -f -q -o coded.bin --codec " + codec, "coded.bin");
  }
  for (const std::string name : {"e.u32", "e.txt", "e.csv", "e.npy"}) {
    same("emgraph convert edges.bin -q -o " + name, name);
  }
  same("emgraph sort -u edges.bin -q -o sorted.bin", "sorted.bin");
  same("gzip -k e.txt", "e.txt.gz");
}

TEST_CASE("the least memory does for every kind of input") {
  Workplace here;
  here.succeed("emgraph gen --edges 1M -q && emgraph mis edges.bin -q -o want.npy");
  // A decoder needs the window of zstd -19, 8 MiB; it does not need the encoder's memory for matches.
  here.succeed(
      "emgraph convert edges.bin -q -o e.txt && gzip -1 -k e.txt && zstd -q -1 --zstd=wlog=23 e.txt");
  here.succeed("emgraph convert edges.bin -q -o e.u32 && emgraph convert edges.bin -q -o e.npy");
  here.succeed("emgraph convert edges.bin --codec delta+zstd -q -o packed.bin");
  here.succeed("emgraph sort edges.bin --codec delta -q -o sorted.bin");
  const std::string mis = "emgraph mis --nodes 160K -M 16M -T . -f -q -o got.npy ";
  Sample sample(3);
  for (const std::string threads : {"-j 1 ", "-j 2 ", "-j 4 "}) {
    for (const std::string file : {"edges.bin", "packed.bin", "sorted.bin", "e.txt", "e.txt.gz", "e.txt.zst",
                                   "e.u32", "e.npy", "gen:random,edges=1M"}) {
      if (!sample.takes()) continue;
      INFO(threads << file);
      here.succeed(mis + threads + file);
      CHECK((here.read("got.npy") == here.read("want.npy")));
    }
    here.succeed(mis + threads + "- < packed.bin");
    CHECK((here.read("got.npy") == here.read("want.npy")));
    here.succeed("cat packed.bin | " + mis + threads + "-");
    CHECK((here.read("got.npy") == here.read("want.npy")));
    here.succeed("cat e.txt.zst | " + mis + threads + "-");
    CHECK((here.read("got.npy") == here.read("want.npy")));
  }
}

TEST_CASE("reservations stay below a tight -M while spilling") {
  Workplace here;
  const auto summary = here.summary("emgraph sort gen:random,edges=" + std::string(sized("8M", "4M")) +
                                    " -M 24M -T . -o out.bin");
  CHECK(summary.at("temp_bytes_peak") > 0);
  CHECK(summary.at("memory_limit_bytes") == 24 << 20);
  CHECK(summary.at("memory_peak_bytes") <= 24 << 20);
  CHECK(here.files() == std::vector<std::string>{"out.bin"});
  here.succeed("emgraph check sorted out.bin");
}

}  // namespace emgraph::tests
