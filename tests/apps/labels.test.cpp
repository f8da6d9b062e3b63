// SPDX-License-Identifier: MIT
// --labels and cat --map with labels: every command, quotes, pipes, packed text, little memory, refusals.
#include <catch2/catch.hpp>
#include <map>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

namespace {

struct Labelled {
  std::string text;                 ///< labels, separated by blanks
  std::vector<std::string> labels;  ///< as they come first
  Edges edges;
};

/// Slow on purpose.
Labelled labelled(std::uint64_t nodes, std::size_t count) {
  Labelled result;
  std::map<std::string, std::uint64_t> numbers;
  std::uint64_t state = 1;
  const auto end = [&] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const std::string label = "http://node/" + std::to_string((state >> 33) % nodes * 0x9e3779b97f4a7c15U);
    const auto [found, added] = numbers.emplace(label, numbers.size());
    if (added) result.labels.push_back(label);
    result.text += label;
    return found->second;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t source = end();
    result.text += " ";
    result.edges.emplace_back(source, end());
    result.text += "\n";
  }
  return result;
}

std::string numbered_text(const Labelled& graph) {
  std::string text;
  for (const auto& [source, target] : graph.edges) {
    text += std::to_string(source) + "\t" + std::to_string(target) + "\n";
  }
  return text;
}

std::string map_text(const Labelled& graph) {
  std::string text;
  for (const std::string& label : graph.labels) text += label + "\n";
  return text;
}

}  // namespace

TEST_CASE("convert --labels numbers labels in the order of their first occurrence and writes them") {
  Workplace here;
  const Labelled graph = labelled(700, 3000);
  here.write("web.txt", graph.text);
  const auto summary = here.summary("emgraph convert --labels web.txt -o g.emg --map names.txt");
  CHECK(summary.at("nodes") == graph.labels.size());
  CHECK(summary.at("edges") == graph.edges.size());
  CHECK(summary.at("relabel") == "table");
  CHECK((here.read("names.txt") == map_text(graph)));
  CHECK((here.succeed("emgraph cat g.emg").out == numbered_text(graph)));
  for (const std::string how : {"-j 1", "-j 3 -M 16M", "-M 24M -T ."}) {
    here.succeed("emgraph convert --labels web.txt -f -o again.emg --map again.txt " + how);
    CHECK((here.read("again.txt") == map_text(graph)));
    CHECK((here.succeed("emgraph cat again.emg").out == numbered_text(graph)));
  }
  here.succeed("cat web.txt | emgraph convert --labels - --ids numbers -o piped.txt --map - > names2.txt");
  here.succeed("gzip -k web.txt && emgraph convert --labels web.txt.gz --ids numbers -o packed.txt");
  CHECK((here.read("names2.txt") == map_text(graph)));
  CHECK((here.read("piped.txt") == numbered_text(graph)));
  CHECK((here.read("packed.txt") == numbered_text(graph)));
  std::string back = here.succeed("emgraph cat g.emg --map names.txt").out;
  std::replace(back.begin(), back.end(), '\t', ' ');
  CHECK((back == graph.text));
  here.succeed("emgraph cat g.emg --map names.txt -o back.tsv.gz && gunzip back.tsv.gz");
  here.succeed("emgraph convert --labels back.tsv --ids numbers -o there.txt");
  CHECK((here.read("there.txt") == numbered_text(graph)));
  CHECK(here.succeed("emgraph cat g.emg --map names.txt --head 1").out ==
        "" + graph.labels[0] + "\t" + graph.labels[1] + "\n");
}

TEST_CASE("every solver and every check takes --labels") {
  Workplace here;
  const Labelled graph = labelled(300, 900);
  here.write("web.txt", graph.text);
  here.succeed("emgraph convert --labels web.txt -o g.emg");
  const auto same = [&](const std::string& command, const std::string& result) {
    here.succeed("emgraph " + command + " --labels web.txt " + result + "fused.npy -f --map map.txt");
    here.succeed("emgraph " + command + " g.emg -f " + result + "plain.npy");
    INFO(command);
    CHECK((here.read("fused.npy") == here.read("plain.npy")));
    CHECK((here.read("map.txt") == map_text(graph)));
  };
  same("mis", "-o ");
  here.succeed("emgraph check mis --labels web.txt fused.npy");
  same("cc", "-o ");
  here.succeed("emgraph check cc --labels web.txt fused.npy");
  same("bfs", "-o ");
  same("triangles", "--per-node ");
  same("stats", "-o ");
  const std::string root = graph.labels[70];
  const auto search = here.summary("emgraph bfs --labels web.txt -f -o l.npy --root " + root);
  CHECK(search.at("root") == 70);
  CHECK(search.at("root_label") == root);
  here.succeed("emgraph bfs g.emg --root 70 -o plain.npy -f");
  CHECK((here.read("l.npy") == here.read("plain.npy")));
  here.succeed("emgraph check bfs --labels web.txt l.npy --root " + root);
  CHECK(here.run("emgraph check bfs --labels web.txt l.npy --root " + graph.labels[71]).exit_code == 1);
  here.succeed(
      "emgraph sort --labels web.txt --ids numbers -o sorted.txt && emgraph sort g.emg -o sorted2.txt");
  CHECK((here.read("sorted.txt") == here.read("sorted2.txt")));
  here.succeed("emgraph mst --weights hash --labels web.txt --ids numbers -o a.txt");
  here.succeed("emgraph mst --weights hash g.emg -o b.txt");
  CHECK((here.read("a.txt") == here.read("b.txt")));
}

TEST_CASE("comma-separated labels with quotes, a header and weights") {
  Workplace here;
  here.write("people.csv",
             "from,to,since\n\"Bob, Jr.\",\"Ann \"\"A\"\"\",5\r\nAnn,\"Bob, Jr.\",7\n"
             "Zo\xc3\xab , New York,1\nAnn,Zo\xc3\xab,2\n\"#tag\",Ann,-3\n# no edge\n");
  here.succeed("emgraph cc people.csv --labels --skip-lines 1 --map names.txt -o labels.npy");
  CHECK(here.read("names.txt") == "Bob, Jr.\nAnn \"A\"\nAnn\nZo\xc3\xab\nNew York\n#tag\n");
  here.succeed("emgraph convert people.csv --labels --skip-lines 1 --cols 1,2,3 --ids numbers -o w.txt");
  CHECK(here.read("w.txt") == "0\t1\t5\n2\t0\t7\n3\t4\t1\n2\t3\t2\n5\t2\t-3\n");
  here.succeed("emgraph mst people.csv --labels --skip-lines 1 --cols 1,2,3 -o f.emg");
  CHECK_THAT(here.succeed("emgraph cat f.emg --map names.txt").out,
             Catch::Contains("Zo\xc3\xab\tNew York\t1\n") && Catch::Contains("Ann\t#tag\t-3\n"));
  here.succeed("emgraph mis people.csv --labels --skip-lines 1 -o mis.npy");
  CHECK(here.succeed("emgraph cat mis.npy --map names.txt").out == "Bob, Jr.\nZo\xc3\xab\n#tag\n");
  const auto levels =
      "emgraph bfs people.csv --labels --skip-lines 1 --root 'New York' -o l.npy --parents p.npy";
  here.succeed(levels);
  CHECK(here.succeed("emgraph cat l.npy --map names.txt --as values").out ==
        "Bob, Jr.\t3\nAnn \"A\"\t4\nAnn\t2\nZo\xc3\xab\t1\nNew York\t0\n#tag\t3\n");
  CHECK(here.succeed("emgraph cat p.npy --map names.txt --as labels --head 3").out ==
        "Bob, Jr.\tAnn\nAnn \"A\"\tBob, Jr.\nAnn\tZo\xc3\xab\n");
}

TEST_CASE(
    "labels with tabs and marks of comments survive from one command to the next, or a warning says no") {
  Workplace here;
  // A tab in quotes does not separate columns; one outside does.
  here.write("people.csv", "\"Smith\tA.\",\"Jones\"\n\"Jones\",\"Smith\tB.\"\n");
  CHECK(here.summary("emgraph cc people.csv --labels").at("nodes") == 3);
  here.write("plain.tsv", "a\"b\t\"c\"\n");
  CHECK(here.summary("emgraph cc plain.tsv --labels").at("nodes") == 2);
  here.write("odd.csv", "\"x\t\",y\nx,z\n\"\t#a\",b\n\"#c\",\"%d\"\n");
  const std::string once = "emgraph convert odd.csv --labels --separator , -q -o ";
  CHECK(here.succeed(once + "again.csv").error.empty());
  const auto before = here.summary("emgraph cc odd.csv --labels --separator ,");
  const auto after = here.summary("emgraph cc again.csv --labels --separator ,");
  for (const char* key : {"nodes", "edges", "components"}) CHECK(before.at(key) == after.at(key));
  CHECK_THAT(here.succeed("emgraph convert odd.csv --labels --separator , -o again.tsv").error,
             Catch::Contains("the label '#c' begins a line, which readers take for a comment"));
}

TEST_CASE("labels that do not fit into memory are numbered and restored correctly") {
  Workplace here;
  const Labelled graph = labelled(~std::uint64_t{0} >> 34, 160000);  // nearly all labels distinct
  here.write("web.txt", graph.text);
  const auto small =
      here.summary("cat web.txt | emgraph convert --labels - -M 16M -T . -o g.emg --map names.txt");
  CHECK(small.at("relabel") == "spilled");
  CHECK(small.at("memory_peak_bytes") <= 16 * 1024 * 1024);
  CHECK(small.at("nodes") == graph.labels.size());
  CHECK((here.read("names.txt") == map_text(graph)));
  here.succeed("emgraph cat g.emg > g.txt");
  CHECK((here.read("g.txt") == numbered_text(graph)));
  here.succeed("emgraph cat g.emg --map names.txt -M 16M | tr '\\t' ' ' > back.txt");
  CHECK((here.read("back.txt") == graph.text));
  here.succeed("emgraph cc --labels web.txt -M 16M -T . -o labels.npy");
  here.succeed("emgraph cat labels.npy --map names.txt --as labels -M 16M > small.txt");
  here.succeed("emgraph cat labels.npy --map names.txt --as labels > large.txt");
  CHECK((here.read("small.txt") == here.read("large.txt")));
}

TEST_CASE("wrong uses of --labels are refused, and failures leave nothing") {
  Workplace here;
  here.write("a.txt", "a b\nc d\n");
  here.write("bad.csv", "a,b\nc,\n");
  here.write("lines.csv", "a,\"b\nc\"\n");
  here.write("long.txt", "a " + std::string(200000, 'b') + "\n");
  here.write("zero.txt", std::string("a b\nc\0 d\n", 9));
  here.write("utf16.txt", std::string("\xff\xfe"
                                      "a\0 \0b\0\n\0",
                                      10));
  const auto files = here.files();
  const std::string outputs = " -o r.npy --map names.txt";
  require_failure(here.run("emgraph cc --labels bad.csv" + outputs), 3, {"bad.csv", "line 2", "column 2"});
  require_failure(here.run("emgraph cc --labels lines.csv" + outputs), 3, {"line 1", "line breaks"});
  require_failure(here.run("emgraph cc --labels long.txt" + outputs), 3, {"line 1", "64 KiB"});
  require_failure(here.run("emgraph cc --labels --input-format text zero.txt" + outputs), 3,
                  {"line 2", "zero byte"});
  require_failure(here.run("emgraph cc --labels utf16.txt" + outputs), 3, {"utf16.txt", "UTF-16"});
  require_failure(here.run("emgraph cc --labels a.txt --nodes 5"), 2, {"--nodes", "distinct labels"});
  require_failure(here.run("emgraph cc --labels a.txt --id-base 1"), 2, {"--id-base"});
  require_failure(here.run("emgraph cc --labels gen:random,edges=5"), 2, {"gen:", "labels"});
  require_failure(here.run("emgraph cc --labels a.txt --map names.npy"), 2, {"names.npy", "text"});
  require_failure(here.run("emgraph cc --labels a.txt --map a.txt -f"), 2, {"a.txt"});
  require_failure(here.run("emgraph cc --labels a.txt --cols 2,2"), 2, {"twice"});
  require_failure(here.run("emgraph bfs --labels a.txt --root e" + outputs), 2, {"--root e", "this label"});
  require_failure(here.run("emgraph bfs --labels a.txt --root a/b -o 'l-{root}.npy'"), 2, {"slash"});
  require_failure(here.run("emgraph gen --edges 5 --labels"), 2, {"--labels"});
  require_failure(here.run("emgraph cc --labels --relabel a.txt"), 2, {"--labels", "--relabel"});
  require_failure(here.run("emgraph cc --labels a.txt --skip 5"), 2, {"--labels", "--skip"});
  CHECK(here.files() == files);

  here.succeed("emgraph convert --labels a.txt -o g.emg --map names.txt && emgraph cc g.emg -o r.npy");
  require_failure(here.run("emgraph convert --labels g.emg -o h.emg"), 2, {"--labels", "emg"});
  here.write("short.txt", "a\nb\nc\n");
  require_failure(here.run("emgraph cat r.npy --map short.txt --as labels"), 3,
                  {"r.npy", "4 nodes", "short.txt has 3 labels"});
  require_failure(here.run("emgraph cat r.npy --map short.txt --as values"), 3, {"3 labels"});
  require_failure(here.run("emgraph cat g.emg --map short.txt"), 3, {"g.emg", "short.txt has 3 labels"});
  here.succeed("emgraph convert g.emg -o g.u32");
  require_failure(here.run("emgraph cat g.u32 --map short.txt"), 3, {"g.u32", "node 3", "short.txt"});
  require_failure(here.run("emgraph cat r.npy --map names.txt"), 2, {"--as labels"});
  require_failure(here.run("emgraph cat g.emg --map names.txt --output-format u32 -o x.u32"), 2, {"text"});
  require_failure(here.run("emgraph cat g.emg --map names.txt -o x.csv"), 2, {"x.csv", "tabs"});
  require_failure(here.run("emgraph cat g.emg --map names.txt --as labels"), 2, {"--as", "edges"});
  CHECK(here.succeed("emgraph cat r.npy --map names.txt --as labels").out == "a\ta\nb\ta\nc\tc\nd\tc\n");
}

}  // namespace emgraph::tests
