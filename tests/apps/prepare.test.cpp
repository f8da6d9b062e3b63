// SPDX-License-Identifier: MIT
// The commands sort, dedup and convert.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

namespace {

Edges sorted(Edges edges) {
  std::sort(edges.begin(), edges.end());
  return edges;
}
Edges distinct(Edges edges) {
  edges = sorted(std::move(edges));
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}
Edges without_loops(Edges edges) {
  std::erase_if(edges, [](auto edge) { return edge.first == edge.second; });
  return edges;
}
Edges both_ways(Edges edges) {
  const std::size_t count = edges.size();
  for (std::size_t i = 0; i < count; ++i) edges.emplace_back(edges[i].second, edges[i].first);
  return edges;
}

}  // namespace

TEST_CASE("the options of sort have their documented effects") {
  Workplace here;
  here.succeed("emgraph gen --edges 20K --nodes 300 -q");
  const Edges input = text_edges(here.succeed("emgraph cat edges.bin").out);
  const auto output = [&](const std::string& options) {
    here.succeed("emgraph sort " + options + " edges.bin -f -q -o out.bin");
    return text_edges(here.succeed("emgraph cat out.bin").out);
  };
  CHECK(output("") == sorted(input));
  CHECK(output("-u") == distinct(input));
  CHECK(output("--no-loops") == sorted(without_loops(input)));
  CHECK(output("-u --symmetrize") == distinct(both_ways(input)));
  Edges low = input;
  for (auto& [source, target] : low) {
    if (target < source) std::swap(source, target);
  }
  CHECK(output("-u --orient low") == distinct(low));
  Edges by_target = output("--by target");
  CHECK(std::is_sorted(by_target.begin(), by_target.end(), [](auto a, auto b) {
    return std::pair(a.second, a.first) < std::pair(b.second, b.first);
  }));
  CHECK(sorted(by_target) == sorted(input));
  CHECK(without_loops(distinct(both_ways(output("-u --no-loops --orient degree")))) ==
        without_loops(distinct(both_ways(input))));
}

TEST_CASE("sort --orient degree finds n, whether the input declares it or not") {
  Workplace here;
  here.succeed("emgraph gen --model kron --scale 10 -q -o edges.bin");
  here.succeed("emgraph convert edges.bin -q -o edges.tsv");
  here.succeed("emgraph sort edges.bin --orient degree -q -o right.u32");
  for (const std::string input : {"edges.tsv -j 1", "edges.tsv -j 3 -M 16M", "- <edges.tsv"}) {
    here.succeed("emgraph sort --orient degree -q -f -o out.u32 " + input);
    CHECK((here.read("out.u32") == here.read("right.u32")));
  }
  CHECK(here.summary("emgraph plan sort edges.tsv --orient degree -o x.bin").at("memory_peak_bytes") > 0);
  here.write("far.txt", "0 1\n1 4000000000\n");
  require_failure(here.run("emgraph sort far.txt --orient degree -o x.bin -M 64M"), 4, {"degrees", "-M"});
}

TEST_CASE("summaries of sort and dedup add up") {
  Workplace here;
  here.succeed("emgraph gen --edges 20K --nodes 300 -q");
  const Edges input = text_edges(here.succeed("emgraph cat edges.bin").out);
  const auto sort = here.summary("emgraph sort -u edges.bin -o sorted.bin");
  CHECK(sort.at("edges") == input.size());
  CHECK(sort.at("edges_out") == distinct(input).size());
  CHECK(sort.at("duplicates_removed") == input.size() - distinct(input).size());
  CHECK(sort.at("loops_removed") == 0);
  const auto dedup = here.summary("emgraph dedup sorted.bin -o simple.bin");
  CHECK(dedup.at("command") == "dedup");
  CHECK(dedup.at("edges_out") == without_loops(distinct(input)).size());
  CHECK(dedup.at("temp_bytes_peak") == 0);
  CHECK(dedup.at("sorted_input_reused") == true);
  here.succeed("emgraph dedup edges.bin -o direct.bin -q");
  CHECK(here.succeed("emgraph cat direct.bin").out == here.succeed("emgraph cat simple.bin").out);
}

TEST_CASE("sorting by weight needs weights") {
  Workplace here;
  here.succeed("emgraph gen --edges 5000 --nodes 100 --weights 1:50 -q");
  here.succeed("emgraph sort --by weight edges.bin -o heavy.txt -q");
  std::istringstream words(here.read("heavy.txt"));
  std::uint64_t last = 0;
  std::size_t count = 0;
  for (std::uint64_t s = 0, t = 0, w = 0; words >> s >> t >> w; last = w, ++count) REQUIRE(w >= last);
  CHECK(count == 5000);
  here.succeed("emgraph gen --edges 100 -o plain.bin -q");
  require_failure(here.run("emgraph sort --by weight plain.bin -o x.bin"), 2, {"weight"});
}

TEST_CASE("sort to standard output and from standard input") {
  Workplace here;
  here.succeed("emgraph gen --edges 20K -q && emgraph sort edges.bin -o file.bin -q");
  here.succeed("emgraph sort - -o - -q < edges.bin > piped.bin");
  CHECK(here.succeed("emgraph cat piped.bin").out == here.succeed("emgraph cat file.bin").out);
  const Outcome piped = here.succeed("emgraph sort edges.bin -o - --json --output-format text > /dev/null");
  CHECK(nlohmann::json::parse(piped.error).at("edges_out") == 20000);
}

TEST_CASE("convert keeps the edges through every format") {
  Workplace here;
  here.succeed("emgraph gen --edges 5000 -o first.bin -q");
  const std::string edges = here.succeed("emgraph cat first.bin").out;
  std::string from = "first.bin";
  for (const std::string to : {"a.u32", "b.u64", "c.txt", "d.npy", "e.emg", "f.tsv", "g.csv", "h.bin"}) {
    INFO(from << " -> " << to);
    here.succeed("emgraph convert " + from + " -o " + to + " -q");
    CHECK(here.succeed("emgraph cat " + to).out == edges);
    from = to;
  }
}

TEST_CASE("convert keeps weights and declared facts") {
  Workplace here;
  here.succeed("emgraph gen --model gnm --edges 5000 --nodes 1000 --weights 1:99 -o first.bin -q");
  const std::string edges = here.succeed("emgraph cat first.bin").out;
  here.succeed("emgraph convert first.bin -o a.u32w -q && emgraph convert a.u32w -o b.txt -q");
  here.succeed("emgraph convert b.txt --input-format text-u32w -o c.bin -q");
  for (const std::string file : {"a.u32w", "b.txt --input-format text-u32w", "c.bin"}) {
    INFO(file);
    CHECK((here.succeed("emgraph cat " + file).out == edges));
  }
  here.succeed("emgraph convert first.bin --codec delta+zstd -o small.bin -q");
  CHECK(here.read("small.bin").size() < here.read("first.bin").size());
  const auto before = here.summary("emgraph info first.bin").at("files").at(0);
  const auto after = here.summary("emgraph info small.bin").at("files").at(0);
  for (const char* key : {"nodes", "edges", "order", "unique", "no_loops", "weight"}) {
    CHECK(before.at(key) == after.at(key));
  }
}

TEST_CASE("convert widens weights without loss and refuses every other change") {
  Workplace here;
  here.succeed("emgraph gen --edges 5000 --weights 4294967000:4294967295 -o first.bin -q");
  const std::string edges = here.succeed("emgraph cat first.bin").out;
  here.succeed("emgraph convert first.bin -o a.u32w -q && emgraph convert a.u32w -o b.u64w -q");
  CHECK(here.read("b.u64w").size() == 5000 * 24);
  CHECK((here.succeed("emgraph cat b.u64w").out == edges));
  here.write("floats.txt", "0 1 0.5\n1 2 -3.25\n2 3 1e30\n");
  here.succeed("emgraph convert floats.txt --input-format text-f32w -o a.f32w -q");
  here.succeed("emgraph convert a.f32w -o b.f64w -q && emgraph convert b.f64w -o c.bin -q");
  CHECK(text_edges(here.succeed("emgraph cat c.bin").out).size() == 3);
  CHECK(here.read("b.f64w").size() == 3 * 24);
  require_failure(here.run("emgraph convert b.u64w -o x.u32w"), 2, {"x.u32w", "i64", "u32", "u64w", "emg"});
  require_failure(here.run("emgraph convert first.bin -o x.f32w"), 2, {"x.f32w", "u32w or u64w"});
  require_failure(here.run("emgraph convert a.f32w -o x.u64w"), 2, {"x.u64w", "f32w or f64w"});
  here.succeed("emgraph gen --edges 10 -o plain.bin -q");
  require_failure(here.run("emgraph convert plain.bin -o x.u32w"), 2, {"x.u32w", "no weights", "u32 or u64"});
}

TEST_CASE("large ids are read from text and refused where they do not fit") {
  Workplace here;
  here.write("wide.txt", "0 1\n1 5000000000\n");
  here.succeed("emgraph convert wide.txt -o wide.u64 -q");
  CHECK(here.read("wide.u64").size() == 32);
  CHECK(here.summary("emgraph convert wide.txt -o wide.bin").at("nodes") == 5000000001);
  CHECK(text_edges(here.succeed("emgraph cat wide.bin").out).back().second == 5000000000);
  require_failure(here.run("emgraph convert wide.txt -o narrow.u32"), 3, {"edge 1: id 5000000000 found"});
  CHECK(!here.exists("narrow.u32"));
}

TEST_CASE("a largest id that only a loop names was lost with the loop, and n with it") {
  Workplace here;
  here.write("graph.txt", "0 1\n5 5\n");
  here.write("loop.txt", "5 5\n");
  for (const std::string make :
       {"dedup graph.txt -o a.bin", "sort -u --no-loops --symmetrize graph.txt -o a.bin",
        "convert graph.txt -o a.adj", "convert --directed graph.txt -o a.adj", "convert loop.txt -o a.adj",
        "dedup loop.txt -o - > a.bin"}) {
    INFO(make);
    here.succeed("rm -f a.bin a.adj; emgraph " + make + " -q");
    const std::string made = here.exists("a.adj") ? "a.adj" : "a.bin";
    CHECK(here.succeed("emgraph info " + made + " | grep '^nodes' | tr -d ' '").out == "nodes6\n");
    const std::string directed = make.find("--directed") != std::string::npos ? " --directed" : "";
    CHECK(here.summary("emgraph bfs --root 5 " + made + directed).at("nodes") == 6);
  }
}

TEST_CASE("convert, filter and cat refuse ids that are not below --nodes, and name the input") {
  Workplace here;
  here.write("g.txt", "0 1\n1 2\n");
  for (const std::string input : {"g.u32", "g.npy", "g.emg"}) {
    here.succeed("emgraph convert g.txt -q -o " + input);
    for (const std::string line : {"convert X -o out.u32", "convert X -o out.emg", "convert X -o out.txt",
                                   "filter X --sample 1 -o out.u32", "cat X -o out.txt"}) {
      std::string command = "emgraph " + line + " --nodes 2";
      command.replace(command.find('X'), 1, input);
      INFO(command);
      require_failure(here.run(command), 3, {input + ": edge 1: id 2 found"});
    }
  }
  CHECK(here.files() == std::vector<std::string>{"g.emg", "g.npy", "g.txt", "g.u32"});
}

}  // namespace emgraph::tests
