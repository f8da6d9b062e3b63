// SPDX-License-Identifier: MIT
// --relabel and --map on the commands that take edges: ids with gaps, huge ids, pipes, refusals.
#include <catch2/catch.hpp>
#include <map>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

namespace {

/// Edges between `nodes` ids spread over 64 bits, ids 0 and 2^64 - 1 among them, as text.
std::string sparse_text(std::uint64_t nodes, std::size_t count) {
  std::string text = "# ids with gaps\n0 18446744073709551615\n";
  std::uint64_t state = 1;
  const auto id = [&] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return ((state >> 33) % nodes + 1) * 0x9e3779b97f4a7c15U;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t source = id();
    text += std::to_string(source) + "\t" + std::to_string(id()) + "\n";
  }
  return text;
}

struct Relabelled {
  std::vector<std::uint64_t> ids;
  Edges edges;
};

/// By a sorted list. Slow on purpose.
Relabelled relabelled(const Edges& edges) {
  std::map<std::uint64_t, std::uint64_t> numbers;
  for (const auto& [source, target] : edges) numbers[source] = numbers[target] = 0;
  Relabelled result;
  for (auto& [id, number] : numbers) {
    number = result.ids.size();
    result.ids.push_back(id);
  }
  for (const auto& [source, target] : edges) {
    result.edges.emplace_back(numbers.at(source), numbers.at(target));
  }
  return result;
}

std::string as_text(const Edges& edges) {
  std::string text;
  for (const auto& [source, target] : edges) {
    text += std::to_string(source) + "\t" + std::to_string(target) + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("convert --relabel keeps the order of edges and writes the map") {
  Workplace here;
  const std::string text = sparse_text(700, 3000);
  here.write("sparse.txt", text);
  const Relabelled expected = relabelled(text_edges(text));
  const auto summary = here.summary("emgraph convert --relabel sparse.txt -o g.emg --map ids.npy");
  CHECK(summary.at("nodes") == expected.ids.size());
  CHECK(summary.at("edges") == expected.edges.size());
  CHECK(summary.at("relabel") == "sorted");
  CHECK(summary.at("map") == "ids.npy");
  CHECK(npy_ids(here.read("ids.npy")) == expected.ids);
  CHECK(here.succeed("emgraph cat g.emg").out == as_text(expected.edges));
  CHECK(here.summary("emgraph info g.emg").at("nodes") == expected.ids.size());
  for (const std::string how : {"-j 1", "-j 3 -M 16M", "-M 24M -T ."}) {
    here.succeed("emgraph convert --relabel sparse.txt -f -o again.emg --map again.npy " + how);
    CHECK(here.read("again.npy") == here.read("ids.npy"));
    CHECK(here.succeed("emgraph cat again.emg").out == as_text(expected.edges));
  }
  here.succeed("emgraph convert --relabel - --ids numbers -o piped.txt --map piped.tsv < sparse.txt");
  here.succeed(
      "cat sparse.txt | emgraph convert --relabel - -f --ids numbers -o piped.txt --map - > piped.npy");
  CHECK(here.read("piped.txt") == as_text(expected.edges));
  CHECK(here.read("piped.npy") == here.read("ids.npy"));
  CHECK(text_edges(here.read("piped.tsv")).at(1) == std::pair(std::uint64_t{1}, expected.ids.at(1)));
  // What is relabelled already stays as it is.
  here.succeed("emgraph convert --relabel g.emg --ids numbers -o twice.txt");
  CHECK(here.read("twice.txt") == as_text(expected.edges));
  here.succeed(
      "emgraph sort -u --relabel sparse.txt --ids numbers -o sorted.txt && emgraph sort -u g.emg -o "
      "sorted2.txt");
  CHECK(here.read("sorted.txt") == here.read("sorted2.txt"));
}

TEST_CASE("every solver and every check takes --relabel") {
  Workplace here;
  here.write("sparse.txt", sparse_text(300, 900));
  here.succeed("emgraph convert --relabel sparse.txt -o g.emg --map ids.npy");
  const auto same = [&](const std::string& command, const std::string& result) {
    const std::string fused = "emgraph " + command + " --relabel sparse.txt ";
    const auto summary = here.summary(fused + result + "fused.npy -f --map map.npy");
    here.succeed("emgraph " + command + " g.emg -f " + result + "plain.npy");
    INFO(command);
    CHECK(summary.at("relabel") == "sorted");
    CHECK((here.read("fused.npy") == here.read("plain.npy")));
    CHECK(here.read("map.npy") == here.read("ids.npy"));
  };
  same("mis", "-o ");
  here.succeed("emgraph check mis --relabel sparse.txt fused.npy && emgraph check mis g.emg fused.npy");
  same("cc", "-o ");
  here.succeed("emgraph check cc --relabel sparse.txt fused.npy");
  same("bfs", "-o ");
  same("bfs --model external -M 64M", "-o ");
  here.succeed("emgraph check bfs --relabel sparse.txt fused.npy");
  const std::vector<std::uint64_t> ids = npy_ids(here.read("ids.npy"));
  const std::string roots = " --root " + std::to_string(ids[70]) + " --root " + std::to_string(ids[5]);
  for (const std::string memory : {"", " -M 64M"}) {
    const auto searches =
        here.summary("emgraph bfs --relabel sparse.txt -f -o 'l-{root}.npy'" + roots + memory);
    CHECK(searches.at("root") == 70);
    CHECK(searches.at("root_id") == ids[70]);
    CHECK(searches.at("searches")[1].at("root_id") == ids[5]);
    here.succeed("emgraph bfs g.emg -f --root 70 --root 5 -o 'plain-{root}.npy'");
    CHECK((here.read("l-" + std::to_string(ids[70]) + ".npy") == here.read("plain-70.npy")));
    CHECK((here.read("l-" + std::to_string(ids[5]) + ".npy") == here.read("plain-5.npy")));
    here.succeed("emgraph check bfs --relabel sparse.txt plain-5.npy --root " + std::to_string(ids[5]));
  }
  CHECK(here.run("emgraph check bfs --relabel sparse.txt plain-5.npy --root " + std::to_string(ids[6]))
            .exit_code == 1);
  same("triangles", "--per-node ");
  here.succeed("emgraph check triangles --relabel sparse.txt fused.npy");
  here.succeed(
      "emgraph mst --weights hash --relabel sparse.txt -o fused.emg && "
      "emgraph mst --weights hash g.emg -o plain.emg");
  CHECK(here.succeed("emgraph cat fused.emg").out == here.succeed("emgraph cat plain.emg").out);
  here.succeed("emgraph check mst --weights hash --relabel sparse.txt plain.emg");
  here.succeed(
      "emgraph sort --relabel sparse.txt -o sorted.u64 && emgraph check sorted --relabel sorted.u64");
  here.succeed(
      "emgraph convert --relabel sparse.txt -o g.adj && emgraph bfs --relabel g.adj -f -o a.npy && "
      "emgraph bfs g.emg -f -o b.npy");
  CHECK(here.read("a.npy") == here.read("b.npy"));
}

TEST_CASE("weights and payload travel with relabelled edges") {
  Workplace here;
  here.succeed("emgraph gen --edges 5000 --nodes 400 --weights 1:50 --payload 5 -q");
  here.succeed("emgraph convert --relabel edges.bin -o g.emg");
  CHECK(here.succeed("emgraph cat g.emg").out == here.succeed("emgraph cat edges.bin").out);
  CHECK(here.summary("emgraph convert --relabel edges.bin -f -o g.emg").at("relabel") == "marked");
  here.write("w.csv", "# a b w\n1000,5,7\n5,99,-3\n");
  here.succeed("emgraph convert --relabel --input-format text-i64w w.csv --ids numbers -o w.txt");
  CHECK(here.read("w.txt") == "2\t0\t7\n0\t1\t-3\n");
}

TEST_CASE("ids that do not fit into memory are relabelled the same") {
  Workplace here;
  // 1.2 million distinct ids: their table needs 12 MB, and 4 MB are available.
  here.succeed("emgraph gen --model random --edges 900K --nodes 1000G --payload 3 -o wide.emg -q");
  const auto large = here.summary("emgraph convert --relabel wide.emg -M 256M -o large.emg --map large.npy");
  const auto small =
      here.summary("emgraph convert --relabel wide.emg -M 16M -o small.emg --map small.npy -T .");
  CHECK(large.at("relabel") == "sorted");
  CHECK(small.at("relabel") == "joined");
  CHECK(small.at("memory_peak_bytes") <= 16 * 1024 * 1024);
  CHECK((here.read("large.npy") == here.read("small.npy")));
  here.succeed("emgraph cat large.emg > large.txt && emgraph cat small.emg > small.txt");
  CHECK((here.read("large.txt") == here.read("small.txt")));
  here.succeed("cat wide.emg | emgraph convert --relabel - -M 16M -f -o small.emg -T .");
  here.succeed("emgraph cat small.emg > small.txt");
  CHECK((here.read("large.txt") == here.read("small.txt")));
  CHECK(here.summary("emgraph mis --relabel wide.emg -M 16M -T .").at("mis_size") ==
        here.summary("emgraph mis large.emg").at("mis_size"));
}

TEST_CASE("cat --map prints answers in original ids") {
  Workplace here;
  const std::string text = sparse_text(300, 500);
  here.write("sparse.txt", text);
  const Edges original = text_edges(text);
  const std::vector<std::uint64_t> ids = relabelled(original).ids;
  here.succeed("emgraph convert --relabel sparse.txt -o g.emg --map ids.npy --json > /dev/null");
  here.succeed("emgraph convert --relabel sparse.txt -f -o g.emg --map ids.tsv -q");
  for (const std::string map : {"ids.npy", "ids.tsv"}) {
    CHECK(here.succeed("emgraph cat g.emg --map " + map).out == as_text(original));
    CHECK(here.succeed("emgraph cat g.emg -j 1 -M 16M --map " + map).out == as_text(original));
  }
  const std::string head = as_text(Edges(original.begin(), original.begin() + 5));
  CHECK(here.succeed("emgraph cat g.emg --map ids.npy --head 5").out == head);
  here.succeed(
      "emgraph cat g.emg --map ids.npy --output-format u64 -o back.u64 && "
      "emgraph cat sparse.txt --output-format u64 -o there.u64");
  CHECK((here.read("back.u64") == here.read("there.u64")));

  here.succeed(
      "emgraph mis g.emg -o mis.npy && emgraph bfs g.emg -o levels.npy --parents parents.npy && "
      "emgraph cc g.emg -o labels.npy");
  const auto values = [&](const std::string& name) { return npy_ids(here.read(name)); };
  std::string members;
  for (const std::uint64_t node : values("mis.npy")) members += std::to_string(ids.at(node)) + "\n";
  CHECK(here.succeed("emgraph cat mis.npy --map ids.npy").out == members);
  CHECK(here.succeed("emgraph cat mis.npy --map ids.tsv --as list").out == members);
  CHECK(here.succeed("emgraph cat mis.npy --map ids.tsv").out == members);
  require_failure(here.run("emgraph cat labels.npy --map ids.tsv"), 2, {"labels.npy", "--as labels"});
  Edges levels;
  Edges labels;
  Edges parents;
  for (std::uint64_t node = 0; node < ids.size(); ++node) {
    levels.emplace_back(ids[node], values("levels.npy").at(node));
    labels.emplace_back(ids[node], ids.at(values("labels.npy").at(node)));
    const std::uint64_t parent = values("parents.npy").at(node);
    if (parent != 0xffffffff) parents.emplace_back(ids[node], ids.at(parent));
  }
  CHECK(parents.size() < ids.size());
  CHECK(here.succeed("emgraph cat levels.npy --map ids.npy --as values").out == as_text(levels));
  CHECK(here.succeed("emgraph cat labels.npy --map ids.npy --as labels").out == as_text(labels));
  CHECK(here.succeed("emgraph cat parents.npy --map ids.npy --as labels").out == as_text(parents));
  for (const std::string as : {"values", "labels"}) {
    const std::string line = "emgraph cat labels.npy --map ids.npy --output-header --head 0 --as " + as;
    CHECK(here.succeed(line).out == "node\tvalue\n");
    CHECK(here.succeed(line + " --output-format csv").out == "node,value\n");
  }

  require_failure(here.run("emgraph cat labels.npy --map ids.npy"), 2, {"labels.npy", "--as labels"});
  require_failure(here.run("emgraph cat labels.npy --map ids.npy --as text"), 2, {"--as", "text"});
  require_failure(here.run("emgraph cat labels.npy --as labels"), 2, {"--as", "--map"});
  here.succeed("emgraph cc g.emg -o labels.tsv");
  for (const std::string edges : {"g.emg", "labels.tsv", "gen:grid,dims=2x2"}) {
    require_failure(here.run("emgraph cat " + edges + " --map ids.npy --as labels"), 2,
                    {"--as", edges + " holds edges", ".npy"});
  }
  require_failure(here.run("emgraph cat labels.npy --map ids.npy --as list"), 3, {"labels.npy", "ascending"});
  require_failure(here.run("emgraph cat g.emg --map labels.npy"), 3, {"labels.npy", "ascending"});
  require_failure(here.run("emgraph cat g.emg --map none.npy"), 4, {"none.npy"});
  here.write("short.tsv", "0\t5\n1\t7\n");
  require_failure(here.run("emgraph cat g.emg --map short.tsv"), 3,
                  {"g.emg", "short.tsv has ids of 2 nodes"});
  require_failure(here.run("emgraph cat mis.npy --map short.tsv --as list"), 3,
                  {"mis.npy", "short.tsv has ids of 2 nodes"});
}

TEST_CASE("option --relabel without edges gives no nodes") {
  Workplace here;
  here.write("none.txt", "# nothing\n");
  const auto summary = here.summary("emgraph mis --relabel none.txt -o mis.npy --map ids.npy");
  CHECK(summary.at("nodes") == 0);
  CHECK(summary.at("mis_size") == 0);
  CHECK(npy_ids(here.read("ids.npy")).empty());
}

TEST_CASE("wrong uses of --relabel and --map are refused, and failures leave no map") {
  Workplace here;
  here.write("sparse.txt", "5 70000000000\n");
  require_failure(here.run("emgraph mis sparse.txt --map ids.npy"), 2, {"--map", "--relabel"});
  require_failure(here.run("emgraph mis --relabel sparse.txt --nodes 10"), 2, {"--nodes", "distinct ids"});
  require_failure(here.run("emgraph convert --relabel sparse.txt -o x.npy --map ./x.npy"), 2,
                  {"--map", "x.npy", "different names"});
  require_failure(here.run("emgraph cc --relabel sparse.txt --forest x.npy --map x.npy"), 2, {"--map"});
  require_failure(here.run("emgraph mis --relabel sparse.txt --map sparse.txt -f"), 2, {"sparse.txt"});
  here.write("mis.tsv", "0\n");
  here.write("levels.tsv", "0\t0\n1\t1\n");
  here.write("forest.txt", "0 1\n");
  for (const std::string check :
       {"check mis", "check cc", "check bfs", "check triangles", "check mst", "check sssp --root 5"}) {
    require_failure(here.run("emgraph " + check + " sparse.txt levels.tsv --relabel"), 2,
                    {"levels.tsv", "original ids", "--ids numbers"});
    require_failure(here.run("emgraph " + check + " sparse.txt levels.tsv --labels"), 2,
                    {"levels.tsv", "labels", "--ids numbers"});
  }
  const std::string relabel = " sparse.txt --relabel --ids numbers -f --map ";
  for (const std::string check : {"check mis mis.tsv", "check cc levels.tsv", "check bfs levels.tsv",
                                  "check triangles levels.tsv", "check mst forest.txt"}) {
    const std::string result = check.substr(check.rfind(' ') + 1);
    const std::string command = check.substr(0, check.rfind(' '));
    const std::string before = here.read(result);
    require_failure(here.run("emgraph " + command + relabel + result + " " + result), 2,
                    {result, "the input"});
    CHECK(here.read(result) == before);
  }
  require_failure(here.run("emgraph check bfs" + relabel + "mis.tsv levels.tsv --parents mis.tsv"), 2,
                  {"mis.tsv"});
  require_failure(here.run("emgraph check triangles" + relabel + "mis.tsv levels.tsv --list mis.tsv"), 2,
                  {"mis.tsv"});
  require_failure(here.run("emgraph stats" + relabel + "levels.tsv --html p.html --levels levels.tsv"), 2,
                  {"levels.tsv", "the input"});
  require_failure(here.run("emgraph cat sparse.txt --map mis.tsv -f -o mis.tsv"), 2, {"mis.tsv"});
  CHECK(here.read("mis.tsv") == "0\n");
  for (const std::string name : {"mis.tsv", "levels.tsv", "forest.txt"})
    std::filesystem::remove(here.path(name));
  here.write("old.npy", "precious");
  require_failure(here.run("emgraph mis --relabel sparse.txt --map old.npy"), 2, {"old.npy", "-f"});
  // Before the components are found: the input is not read.
  here.succeed("mkfifo never");
  require_failure(here.run("timeout 20 \"" + tested_program() +
                           "\" filter never --relabel --largest-component --map old.npy -o c.emg"),
                  2, {"old.npy", "-f"});
  std::filesystem::remove(here.path("never"));
  here.write("bad.txt", "5 70000000000\n7 oops\n");
  require_failure(here.run("emgraph mis --relabel bad.txt -o mis.npy --map ids.npy"), 3,
                  {"bad.txt", "line 2", "oops"});
  here.write("over.txt", "5 18446744073709551616\n");
  require_failure(here.run("emgraph mis --relabel over.txt -o mis.npy --map ids.npy"), 3, {"line 1"});
  require_failure(here.run("emgraph bfs --relabel sparse.txt --root 2 -o l.npy --map ids.npy"), 2,
                  {"--root 2", "no edge of sparse.txt"});
  require_failure(here.run("emgraph gen --edges 5 --relabel"), 2, {"--relabel"});
  CHECK(here.read("old.npy") == "precious");
  CHECK(here.files() == std::vector<std::string>{"bad.txt", "old.npy", "over.txt", "sparse.txt"});
}

}  // namespace emgraph::tests
