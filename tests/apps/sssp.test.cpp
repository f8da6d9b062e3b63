// SPDX-License-Identifier: MIT
// The command sssp: answers, options, outputs, queries, adjacency files, errors.
#include <catch2/catch.hpp>

#include "tests/apps/real_graphs.hpp"
#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {
namespace {

// One-way streets with weights of 0, parallel arcs and a loop; node 5 cannot be reached from 0.
constexpr const char* roads =
    "c roads\np sp 6 9\na 1 2 7\na 1 2 4\na 2 3 0\na 3 2 0\na 3 4 5\na 1 4 9\na 4 4 1\na 4 5 2\na 6 1 3\n";

std::string lines_of(const std::string& values) {
  std::string lines;
  std::uint64_t node = 0;
  for (std::size_t at = 0; at < values.size(); ++node) {
    const std::size_t end = std::min(values.find(' ', at), values.size());
    lines += std::to_string(node) + "\t" + values.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return lines;
}

}  // namespace

TEST_CASE("delta-stepping ends at once with weights far apart from the width of its buckets") {
  Workplace here;
  const auto distances = [&](const std::string& edges, const std::string& options) {
    here.write("g.txt", edges);
    std::string out;
    for (const std::string model : {"internal", "semi-external", "external"}) {
      INFO(edges << options << " " << model);
      const std::string found =
          here.succeed("emgraph sssp g.txt --cols 1,2,3 --root 0 -q -o - --output-format tsv --model " +
                       model + " " + options)
              .out;
      if (out.empty()) out = found;
      CHECK(found == out);
    }
    return out;
  };
  CHECK(distances("0 1 5e-324\n1 2 5e-324\n", "--weight-type f64") == "0\t0\n1\t5e-324\n2\t1e-323\n");
  CHECK(distances("0 1 1e-310\n1 2 0\n", "--weight-type f64") == "0\t0\n1\t1e-310\n2\t1e-310\n");
  CHECK(distances("0 1 1e300\n1 2 1\n", "--weight-type f64 --delta 1") == "0\t0\n1\t1e+300\n2\t1e+300\n");
  CHECK(distances("0 1 4294967295\n1 2 1\n", "--weight-type u32 --delta 1") ==
        "0\t0\n1\t4294967295\n2\t4294967296\n");
  CHECK(distances("0 1 9007199254740993\n1 2 1\n", "--delta 1") ==
        "0\t0\n1\t9007199254740993\n2\t9007199254740994\n");
}

TEST_CASE("sssp follows the direction that the file declares, and writes distances and parents") {
  Workplace here;
  here.write("roads.gr", roads);
  const auto summary = here.summary("emgraph sssp roads.gr --root 0 -o d.tsv --parents p.tsv");
  CHECK(here.read("d.tsv") == lines_of("0 4 4 9 11 18446744073709551615"));
  CHECK(here.read("p.tsv") == lines_of("0 0 1 0 3 4294967295"));
  CHECK(summary.at("reached") == 5);
  CHECK(summary.at("max_distance") == 11);
  CHECK(summary.at("directed") == true);
  CHECK(summary.at("directed_reason") == "the file declares it");
  here.succeed("emgraph check sssp roads.gr d.tsv --parents p.tsv --root 0");
  const auto both = here.summary("emgraph sssp roads.gr --root 0 --undirected -f -o d.tsv --parents p.tsv");
  CHECK(here.read("d.tsv") == lines_of("0 4 4 9 11 3"));
  CHECK(both.at("directed") == false);
  CHECK(both.at("directed_reason") == "as asked");
  here.succeed("emgraph check sssp roads.gr d.tsv --parents p.tsv --root 0 --undirected");
  here.succeed("emgraph sssp roads.gr --root 5 --root 0 -f -o 'd-{root}.tsv'");
  CHECK(here.read("d-5.tsv") == lines_of("3 7 7 12 14 0"));
  CHECK(here.exists("d-0.tsv"));
  here.write("plain.wel", "0 1 2\n");
  const auto plain = here.summary("emgraph sssp plain.wel --root 0");
  CHECK(plain.at("directed") == false);
  CHECK(plain.at("directed_reason") == "the file does not declare directed edges");
}

TEST_CASE("sssp: the summary of queries has their distances, and nothing of roots") {
  Workplace here;
  const auto queries = here.summary("emgraph sssp gen:random,edges=10K --root 3 --to 7 --weights unit");
  REQUIRE(queries.at("queries").size() == 1);
  for (const char* key : {"root", "reached", "max_distance"}) CHECK(queries.at(key).is_null());
  CHECK(queries.at("queries")[0].at("source") == 3);
  CHECK(queries.at("queries")[0].at("target") == 7);
  CHECK(queries.at("queries")[0].contains("distance"));
}

TEST_CASE("sssp: every model, memory, queue, way in and number of threads gives the same bytes") {
  Workplace here;
  here.succeed("emgraph gen --edges 200K --weights 0:300 -q && emgraph convert edges.bin -o graph.adj -q");
  here.succeed("emgraph sssp edges.bin --root 1 -j 1 --queue heap -o want.npy --parents want_parents.npy -q");
  here.succeed("emgraph check sssp edges.bin want.npy --parents want_parents.npy --root 1 -q");
  Sample sample(3);
  for (const std::string options :
       {"--model internal", "--model semi-external", "--model external", "-M 16M", "-j 1", "--queue dial",
        "--queue multilevel-bucket", "--queue radix", "--queue delta-stepping --delta 7", "--order bfs",
        "--order degree", "-M 16M -j 2 -T . -T ."}) {
    for (const std::string input : {"edges.bin", "graph.adj", "- --nodes 32K < edges.bin"}) {
      if (!sample.takes()) continue;
      INFO(options << " " << input);
      here.succeed("emgraph sssp " + input + " --root 1 -f -o got.npy --parents got_parents.npy -q " +
                   options);
      CHECK((here.read("got.npy") == here.read("want.npy")));
      CHECK((here.read("got_parents.npy") == here.read("want_parents.npy")));
    }
  }
}

TEST_CASE("sssp: floating weights give doubles") {
  Workplace here;
  here.write("w.txt", "0 1 0.5\n1 2 0.25\n0 2 1e3\n3 4 1\n");
  here.succeed("emgraph sssp w.txt --cols 1,2,3 --weight-type f64 --root 0 -o d.tsv");
  CHECK(here.read("d.tsv") == lines_of("0 0.5 0.75 inf inf"));
  here.succeed("emgraph sssp w.txt --cols 1,2,3 --weight-type f64 --root 0 -o d.npy");
  CHECK(here.read("d.npy").find("'<f8'") != std::string::npos);
  here.succeed("emgraph check sssp w.txt --cols 1,2,3 --weight-type f64 --root 0 d.npy");
  CHECK(here.summary("emgraph sssp w.txt --cols 1,2,3 --weight-type f64 --root 0").at("max_distance") ==
        0.75);
  here.write("w.txt", "0 1 0.5\n1 2 -0.25\n");
  require_failure(here.run("emgraph sssp w.txt --cols 1,2,3 --weight-type f64 --root 0"), 3,
                  {"-0.25", "edge 1"});
  here.write("w.txt", "0 1 0.5\n1 2 nan\n");
  require_failure(here.run("emgraph sssp w.txt --cols 1,2,3 --weight-type f64 --root 0"), 3,
                  {"w.txt: line 2: found 'nan' as the weight"});
  // 0 1 1.0, 1 2 NaN
  using namespace std::string_literals;
  here.write("nan.f32w", "\0\0\0\0\1\0\0\0\0\0\x80\x3f\1\0\0\0\2\0\0\0\0\0\xc0\x7f"s);
  for (const std::string model : {"internal", "semi-external", "external"}) {
    require_failure(here.run("emgraph sssp nan.f32w --root 0 --model " + model), 3,
                    {"nan.f32w: edge 1 (1, 2): weight NaN found"});
  }
}

TEST_CASE("sssp: queries are lines of source, target, distance; paths are lines of nodes") {
  Workplace here;
  here.write("roads.gr", roads);
  here.write("q.p2p", "c pairs\np aux sp p2p 3\nq 1 5\nq 1 6\nq 3 3\n");
  for (const std::string options : {"", "--search forward", "--landmarks 2", "--model semi-external",
                                    "--model external", "--order bfs"}) {
    INFO(options);
    const Outcome outcome = here.succeed("emgraph sssp roads.gr --queries q.p2p " + options);
    CHECK(outcome.out == "0\t4\t11\n0\t5\tinf\n2\t2\t0\n");
    CHECK_THAT(outcome.error, Catch::Contains("sssp"));
  }
  here.succeed("emgraph sssp roads.gr --queries q.p2p -o answers.txt --path paths.txt -q");
  CHECK(here.read("answers.txt") == "0\t4\t11\n0\t5\tinf\n2\t2\t0\n");
  CHECK(here.read("paths.txt") == "0 3 4\n\n2\n");
  CHECK(here.succeed("emgraph sssp roads.gr --root 0 --to 2 --path - -o /dev/null -f -q").out == "0 1 2\n");
  const auto json = here.summary("emgraph sssp roads.gr --queries q.p2p");
  CHECK(json.at("queries")[1].at("distance").is_null());
  here.write("s.ss", "p aux sp ss 3\ns 1\ns 6\ns 1\n");
  here.succeed("emgraph sssp roads.gr --queries s.ss -o 'd-{root}.tsv' -q");
  CHECK(here.read("d-5.tsv") == lines_of("3 7 7 12 14 0"));
  here.write("xy.co", "p aux sp co 6\nv 1 0 0\nv 2 5 1\nv 3 5 -1\nv 4 9 9\nv 5 9 8\nv 6 -7 2\n");
  CHECK(here.succeed("emgraph sssp roads.gr --queries q.p2p --order hilbert --coordinates xy.co -q").out ==
        "0\t4\t11\n0\t5\tinf\n2\t2\t0\n");
}

TEST_CASE("sssp: paths as long as the graph take no memory for all nodes of all queries") {
  Workplace here;
  const std::uint64_t nodes = sized(200000, 20000);
  here.succeed("emgraph gen --model grid --dims " + std::to_string(nodes) + " -q -o line.bin");
  std::string queries = "p aux sp p2p 100\n";
  for (int i = 0; i < 100; ++i) queries += "q 1 " + std::to_string(nodes - static_cast<unsigned>(i)) + "\n";
  here.write("q.p2p", queries);
  std::string answers;
  for (const std::string model : {"internal", "semi-external", "external"}) {
    INFO(model);
    const auto summary = here.summary(
        "emgraph sssp line.bin --weights unit --queries q.p2p --path paths.txt -f -M 32M "
        "-o d.txt --model " +
        model);
    // All nodes of all paths are 160 MB.
    if (!sanitized) CHECK(summary.at("resident_peak_bytes") < 64'000'000);
    CHECK(summary.at("temp_bytes_peak") >= 100 * nodes * 8 / 2);
    if (answers.empty()) answers = here.succeed("cksum < paths.txt").out;
    CHECK(here.succeed("cksum < paths.txt").out == answers);
  }
  CHECK(here.succeed("head -1 paths.txt | wc -w").out == std::to_string(nodes) + "\n");
}

TEST_CASE("sssp: labels and original ids name roots and ends") {
  Workplace here;
  here.write("towns.csv", "ulm,bonn,3\nbonn,jena,4\n");
  CHECK(here.succeed("emgraph sssp towns.csv --labels --cols 1,2,3 --weight-type u32 --root ulm --to jena -q")
            .out == "ulm\tjena\t7\n");
  here.write("ids.txt", "900 70 3\n70 5000000000000 4\n");
  CHECK(here.succeed("emgraph sssp ids.txt --relabel --cols 1,2,3 --weight-type u32 --root 900 --to "
                     "5000000000000 -q")
            .out == "900\t5000000000000\t7\n");
}

TEST_CASE("sssp: a pair without a path has no distance, in whatever order the nodes are") {
  Workplace here;
  here.write("far.txt", "0 1 9223372036854775807\n1 2 5\n3 4 1\n3 5 1\n3 6 1\n");
  for (const std::string order : {"given", "degree", "bfs"}) {
    CHECK(here.succeed("emgraph sssp far.txt --weight-type i64 --root 0 --to 3 -q --order " + order).out ==
          "0\t3\tinf\n");
  }
}

TEST_CASE("sssp refuses what makes no sense, and writes nothing") {
  Workplace here;
  here.write("roads.gr", roads);
  here.write("plain.txt", "0 1\n");
  here.write("q.p2p", "p aux sp p2p 2\nq 1 5\n");
  here.write("far.p2p", "p aux sp p2p 1\nq 1 7\n");
  const auto files = here.files();
  require_failure(here.run("emgraph sssp roads.gr"), 2, {"--root"});
  require_failure(here.run("emgraph sssp plain.txt --root 0"), 2, {"--weights"});
  require_failure(here.run("emgraph sssp roads.gr --root 6 -o d.npy"), 2, {"root 6"});
  require_failure(here.run("emgraph sssp roads.gr --queries q.p2p -o d.txt"), 3, {"q.p2p", "line 3"});
  require_failure(here.run("emgraph sssp roads.gr --queries far.p2p -o d.txt"), 3, {"far.p2p", "line 2"});
  require_failure(here.run("emgraph sssp roads.gr --root 0 --to 1 --parents p.npy"), 2, {"--parents"});
  require_failure(here.run("emgraph sssp roads.gr --root 0 --path p.txt"), 2, {"--path"});
  for (const std::string name : {"d.npy", "d.parquet", "d.emg", "d.mtx", "d.json"}) {
    require_failure(here.run("emgraph sssp roads.gr --root 0 --to 1 -o " + name), 2, {name});
    require_failure(here.run("emgraph sssp roads.gr --root 0 --to 1 --path " + name), 2, {name});
  }
  require_failure(here.run("emgraph sssp roads.gr --root 0 --queue heap --delta 5"), 2, {"--delta", "heap"});
  require_failure(here.run("emgraph sssp roads.gr --root 0 --to 1 --delta 5"), 2, {"--delta", "--to"});
  require_failure(here.run("emgraph sssp roads.gr --root 0 --search forward"), 2, {"--search", "--to"});
  require_failure(here.run("emgraph sssp roads.gr --root 0 --directed --undirected"), 2, {"--undirected"});
  require_failure(here.run("emgraph sssp roads.gr --root 0 --delta 0"), 2, {"--delta"});
  require_failure(here.run("emgraph sssp roads.gr --root 0 --delta 18446744073709551615"), 2, {"--delta"});
  require_failure(here.run("emgraph sssp roads.gr --root 0 --to 1 --output-format npy"), 2,
                  {"--output-format", "lines of text"});
  require_failure(here.run("emgraph sssp roads.gr --root 0 --order hilbert"), 2, {"--coordinates"});
  here.write("minus.gr", "p sp 2 1\na 1 2 -7\n");
  require_failure(here.run("emgraph sssp minus.gr --root 0 -o d.npy"), 3,
                  {"minus.gr: edge 0 (0, 1): weight -7 found"});
  std::filesystem::remove(here.path("minus.gr"));
  here.write("loop.wel", "0 1 3\n1 1 -5\n");
  for (const std::string model : {"internal", "semi-external", "external"}) {
    require_failure(here.run("emgraph sssp loop.wel --root 0 --model " + model), 3,
                    {"loop.wel", "edge 1 (1, 1)", "-5"});
  }
  std::filesystem::remove(here.path("loop.wel"));
  CHECK(here.files() == files);
}

TEST_CASE("sssp finds the distances that other programs found in real graphs") {
  for_each_real_graph([](const Workplace& here, const std::string& input, const nlohmann::json& truth) {
    if (!truth.contains("sssp") || !truth.at("weighted").get<bool>()) return;
    for (const std::string& model : models_for(truth)) {
      for (const auto& search : truth.at("sssp")) {
        const auto summary =
            here.summary("emgraph sssp " + input + " -M 16M -f -o d.npy --parents p.npy --model " + model +
                         " --root " + std::to_string(shifted(truth, search.at("source"))));
        CHECK(summary.at("reached") == search.at("reached"));
        CHECK(summary.at("max_distance") == search.at("max_dist"));
        if (thoroughly(truth)) {
          here.succeed("emgraph check sssp " + input + " d.npy --parents p.npy -q --root " +
                       std::to_string(shifted(truth, search.at("source"))));
        }
      }
    }
    if (!truth.contains("p2p")) return;
    std::string queries = "p aux sp p2p " + std::to_string(truth.at("p2p").size()) + "\n";
    std::string answers;
    for (const auto& query : truth.at("p2p")) {
      const std::uint64_t source = shifted(truth, query[0]);
      const std::uint64_t target = shifted(truth, query[1]);
      queries += "q " + std::to_string(source + 1) + " " + std::to_string(target + 1) + "\n";
      answers += std::to_string(source) + "\t" + std::to_string(target) + "\t" +
                 (query[2].is_null() ? "inf" : query[2].dump()) + "\n";
    }
    here.write("q.p2p", queries);
    for (const std::string options : {"", "--search forward", "--landmarks 4"}) {
      CHECK(here.succeed("emgraph sssp " + input + " --queries q.p2p -q " + options).out == answers);
    }
  });
}

}  // namespace emgraph::tests
