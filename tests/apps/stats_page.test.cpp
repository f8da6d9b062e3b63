// SPDX-License-Identifier: MIT
// stats --html: one file, well-formed, without scripts or network, the same on every machine.
#include <catch2/catch.hpp>
#include <set>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

namespace {

using Catch::Contains;

constexpr const char* triangle_and_pair = "0 1\n1 2\n2 0\n3 4\n";

/// The first tag that is closed before or never opened, empty if there is none: a page that a strict reader
/// takes has none, and no bare ampersand.
std::string unbalanced(const std::string& page) {
  const std::set<std::string> single = {"meta", "!DOCTYPE"};
  std::vector<std::string> open;
  for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    const std::size_t end = page.find('>', at);
    if (end == std::string::npos) return page.substr(at, 40);
    const bool closing = page[at + 1] == '/';
    const bool whole = page[end - 1] == '/';
    const std::size_t from = at + (closing ? 2 : 1);
    const std::string tag = page.substr(from, page.find_first_of(" \n/>", from) - from);
    if (single.contains(tag) || whole) continue;
    if (!closing) {
      open.push_back(tag);
    } else if (open.empty() || open.back() != tag) {
      return tag;
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : open.back();
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("stats makes a self-contained page with tables and plots") {
  Workplace here;
  here.write("graph.txt", triangle_and_pair);
  here.succeed("emgraph bfs graph.txt --root 0 -q -o levels.npy && emgraph cc graph.txt -q -o labels.npy");
  here.succeed(
      "emgraph stats graph.txt -q --directed --html all.html --levels levels.npy --components labels.npy");
  const std::string page = here.read("all.html");
  CHECK(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
  CHECK(page.ends_with("</html>\n"));
  CHECK(unbalanced(page).empty());
  CHECK(count_of(page, "<svg") == 4);
  CHECK(count_of(page, "role=\"img\" aria-label=\"") == 4);
  for (const char* absent : {"<script", "http:", "https:", "url(", "@import", "<link", " src="}) {
    INFO(absent);
    CHECK(count_of(page, absent) == 0);
  }
  for (const char* part :
       {"<title>degree 2: 3 nodes</title>", "<title>degree 2 or more: 3 nodes, 60 %</title>",
        "<title>level 1: 2 nodes</title>", "<title>size 3: 1 component</title>",
        "<tr><th scope=\"row\">Out-degree</th>",
        "<tr><th scope=\"row\">Nodes not reached</th><td>2</td><td>40 %",
        "<tr><th scope=\"row\">Components</th><td>2</td>",
        "<tr><th scope=\"row\">0</th><td>2</td><td>50 %</td>", "prefers-color-scheme: dark",
        "@media print"}) {
    INFO(part);
    CHECK_THAT(page, Contains(part));
  }
  CHECK(here.files() == std::vector<std::string>{"all.html", "graph.txt", "labels.npy", "levels.npy"});
}

TEST_CASE("the page does not depend on the machine, also on standard output") {
  Workplace here;
  here.succeed("emgraph gen --model kron --scale 12 -q");
  const std::string want = here.succeed("emgraph stats edges.bin -q --html - | cat").out;
  CHECK(unbalanced(want).empty());
  for (const std::string machine :
       {"-j 1 -M 16M", "-j 2 -M 16M --model external", "-M 512M --model internal"}) {
    INFO(machine);
    here.succeed("emgraph stats edges.bin -q -f --html page.html -o degrees.npy " + machine);
    CHECK((here.read("page.html") == want));
  }
  CHECK_THAT(here.run("emgraph stats edges.bin --html - > page.html").error, Contains("simple edges"));
  CHECK((here.read("page.html") == want));
}

TEST_CASE("the page of strange names and of hardly any graph") {
  Workplace here;
  const std::string name = "<b>&\"'\x01\xff.txt";
  here.write(name, triangle_and_pair);
  here.succeed("emgraph stats ./*.txt -q --html page.html");
  CHECK(unbalanced(here.read("page.html")).empty());
  CHECK_THAT(here.read("page.html"),
             Contains("<h1>./&lt;b&gt;&amp;&quot;&#39;\xef\xbf\xbd\xef\xbf\xbd.txt</h1>"));
  here.write("empty.txt", "");
  here.write("empty.tsv", "");
  here.write("loop.txt", "0 0\n");
  here.succeed(
      "emgraph stats --input-format text empty.txt -q --html empty.html --levels empty.tsv --components "
      "empty.tsv");
  here.succeed("emgraph stats loop.txt -q --html loop.html --nodes 3");
  for (const std::string page : {"empty.html", "loop.html"}) {
    INFO(page);
    CHECK(unbalanced(here.read(page)).empty());
    CHECK(count_of(here.read(page), "<svg") == 0);
    CHECK(count_of(here.read(page), "nan") == 0);
  }
}

TEST_CASE("the page of a search with more levels than bars") {
  Workplace here;
  here.succeed("emgraph bfs gen:grid,dims=40x40 --root 0 -q -o levels.npy");
  here.succeed("emgraph stats gen:grid,dims=40x40 -q --html page.html --levels levels.npy");
  const std::string page = here.read("page.html");
  CHECK(unbalanced(page).empty());
  CHECK(count_of(page, "class=\"area\"") == 1);
  CHECK(count_of(page, "class=\"bar\"") == 0);
  CHECK_THAT(page, Contains("<th scope=\"row\">Levels</th><td>79</td>"));
}

TEST_CASE("stats refuses pages that make no sense, and leaves nothing of them") {
  Workplace here;
  here.write("graph.txt", triangle_and_pair);
  here.write("short.tsv", "0\n1\n");
  here.write("there.html", "x");
  const std::string run = "emgraph stats graph.txt ";
  require_failure(here.run(run + "--levels short.tsv"), 2, {"--levels", "--html FILE"});
  require_failure(here.run(run + "--html page.html --components -"), 2, {"--components", "standard input"});
  require_failure(here.run("mkfifo pipe && " + run + "--html page.html --levels pipe"), 2,
                  {"--levels pipe", "regular file"});
  std::filesystem::remove(here.path("pipe"));
  require_failure(here.run(run + "--html there.html"), 2, {"exists already"});
  require_failure(here.run(run + "--html graph.txt -f"), 2, {"the output is the input"});
  require_failure(here.run(run + "--html short.tsv --levels short.tsv -f"), 2, {"the output is the input"});
  require_failure(here.run(run + "--html a.npy -o ./a.npy"), 2, {"--html and -o both go to a.npy"});
  require_failure(here.run(run + "--html - -o -"), 2, {"standard output"});
  require_failure(here.run(run + "--html /dev/stdout -o -"), 2, {"standard output"});
  require_failure(here.run(run + "--html page.html --levels missing.npy"), 4, {"missing.npy"});
  require_failure(here.run(run + "-o out.npy --html page.html --levels short.tsv"), 3,
                  {"short.tsv", "2 values found", "each of 5 nodes"});
  require_failure(here.run(run + "-o out.npy --html page.html --components graph.txt"), 3, {"graph.txt"});
  CHECK(here.files() == std::vector<std::string>{"graph.txt", "short.tsv", "there.html"});
}

TEST_CASE("the page shows ranks, and refuses what is not a value per node") {
  Workplace here;
  here.write("graph.txt", "0 1\n2 1\n3 1\n1 0\n");
  here.succeed("emgraph pagerank graph.txt -q -o ranks.npy && emgraph lcc graph.txt -q -o zero.npy");
  here.succeed("emgraph stats graph.txt -q --html page.html --ranks ranks.npy");
  const std::string page = here.read("page.html");
  CHECK_THAT(page, Contains("Nodes of each rank") && Contains("Node of the largest") && Contains("0.25"));
  here.succeed("emgraph stats graph.txt -q -f --html page.html --ranks zero.npy");
  here.write("bad.tsv", "0.5\n-1\n0\n0\n");
  require_failure(here.run("emgraph stats graph.txt --html b.html --ranks bad.tsv"), 3,
                  {"bad.tsv", "node 1"});
  here.write("short.tsv", "0.5\n");
  require_failure(here.run("emgraph stats graph.txt --html b.html --ranks short.tsv"), 3, {"short.tsv"});
}

}  // namespace emgraph::tests
