// SPDX-License-Identifier: MIT
// Node results that are floating-point numbers: cat and info show them, commands that need integers refuse
// them.
#include <catch2/catch.hpp>
#include <limits>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {
namespace {

std::string doubles_npy(const std::vector<double>& values) {
  std::string dict =
      "{'descr': '<f8', 'fortran_order': False, 'shape': (" + std::to_string(values.size()) + ",), }";
  dict.resize(117, ' ');
  std::string npy = std::string("\x93NUMPY\x01\0\x76\0", 10) + dict + "\n";
  for (const double value : values) npy.append(reinterpret_cast<const char*>(&value), sizeof(value));
  return npy;
}

const std::vector<double> distances = {0, 0.1, 1e300, std::numeric_limits<double>::infinity(), 7};

}  // namespace

TEST_CASE("cat prints floating-point values") {
  Workplace here;
  here.write("d.npy", doubles_npy(distances));
  CHECK(here.succeed("emgraph cat d.npy").out == "0\n0.1\n1e+300\ninf\n7\n");
  CHECK(here.succeed("emgraph cat d.npy --head 2").out == "0\n0.1\n");
  const auto about = here.summary("emgraph info --check d.npy").at("files").at(0);
  CHECK(about.at("floating_point_bytes") == 8);
  CHECK(about.at("values_read") == 5);
}

TEST_CASE("cat --map prints floating-point values beside original ids and labels") {
  Workplace here;
  here.write("d.npy", doubles_npy(distances));
  here.write("ids.tsv", "0\t10\n1\t11\n2\t12\n3\t13\n4\t18446744073709551615\n");
  const std::string lines = "10\t0\n11\t0.1\n12\t1e+300\n13\tinf\n18446744073709551615\t7\n";
  CHECK(here.succeed("emgraph cat d.npy --map ids.tsv").out == lines);
  CHECK(here.succeed("emgraph cat d.npy --map ids.tsv --as values").out == lines);
  CHECK(here.succeed("emgraph cat d.npy --map ids.tsv --head 1 --output-format csv").out == "10,0\n");
  here.succeed("emgraph cat d.npy --map ids.tsv -o d.tsv.gz && gunzip d.tsv.gz");
  CHECK(here.read("d.tsv") == lines);
  here.write("names.txt", "a\nb\nc\nd e\nf\n");
  CHECK(here.succeed("emgraph cat d.npy --map names.txt").out == "a\t0\nb\t0.1\nc\t1e+300\nd e\tinf\nf\t7\n");
  for (const std::string kind : {"labels", "list"}) {
    for (const std::string map : {"ids.tsv", "names.txt"}) {
      require_failure(here.run("emgraph cat d.npy --map " + map + " --as " + kind), 2,
                      {"d.npy", "floating-point"});
    }
  }
  require_failure(here.run("emgraph cat d.npy --map ids.tsv --output-format u64 -o d.u64"), 2,
                  {"u64", "text"});
  here.write("short.tsv", "0\t10\n");
  require_failure(here.run("emgraph cat d.npy --map short.tsv"), 3,
                  {"d.npy", "short.tsv has ids of 1 nodes"});
  here.write("short.txt", "a\n");
  require_failure(here.run("emgraph cat d.npy --map short.txt"), 3, {"d.npy", "5 nodes"});
}

TEST_CASE("commands that need integers refuse floating-point values") {
  Workplace here;
  here.write("d.npy", doubles_npy(distances));
  here.write("d.tsv", "0\n0.1\n1\ninf\n7\n");
  here.write("edges.txt", "0 1\n1 2\n3 4\n");
  const std::vector<std::string> commands = {"check mis edges.txt ",      "check cc edges.txt ",
                                             "check bfs edges.txt ",      "check triangles edges.txt ",
                                             "stats edges.txt --levels ", "stats edges.txt --components "};
  for (const std::string& command : commands) {
    const bool page = command.starts_with("stats");
    require_failure(here.run("emgraph " + command + "d.npy" + (page ? " --html page.html" : "")), 3,
                    {"d.npy", "'<f8', expected integers"});
    require_failure(here.run("emgraph " + command + "d.tsv" + (page ? " --html page.html" : "")), 3,
                    {"d.tsv: line 2", "'0.1', expected a whole number"});
  }
  require_failure(here.run("emgraph mis --nodes 5 d.npy"), 3, {"d.npy", "shape 5"});
}

}  // namespace emgraph::tests
