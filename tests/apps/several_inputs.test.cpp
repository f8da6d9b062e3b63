// SPDX-License-Identifier: MIT
// Several inputs as one graph: the same answers as of one file with all edges.
#include <string>
#include <vector>

#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

namespace {

/// Edges as lines, with a weight each, divided among parts of different lengths; the second has none.
struct Parts {
  std::vector<std::string> texts = std::vector<std::string>(4);
  std::string all;

  Parts() {
    std::uint64_t state = 12345;
    for (int i = 0; i < 9000; ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      const std::string line = std::to_string((state >> 33) % 3000) + "\t" +
                               std::to_string((state >> 20) % 3000) + "\t" + std::to_string(i % 17) + "\n";
      all += line;
      texts[i < 5 ? 0 : i < 6000 ? 2 : 3] += line;
    }
  }
  void write(const Workplace& here) const {
    for (std::size_t i = 0; i < texts.size(); ++i) here.write("part-" + std::to_string(i) + ".csv", texts[i]);
    here.write("all.csv", all);
  }
};

}  // namespace

TEST_CASE("several inputs: every command answers as for one file with all edges") {
  Workplace here;
  Parts().write(here);
  here.write("list", "part-0.csv\r\n\npart-1.csv\npart-2.csv\npart-3.csv\n");
  const std::vector<std::string> ways = {
      "part-*.csv",       "@list",
      "@marked",          "@zeros",
      "part-0.csv @rest", "part-0.csv part-1.csv - part-3.csv <part-2.csv"};
  here.write("marked", "\xef\xbb\xbfpart-0.csv\rpart-1.csv\rpart-2.csv\rpart-3.csv");
  here.succeed("find . -name 'part-*' -print0 | sort -z >zeros");
  here.write("rest", "part-1.csv\npart-2.csv\npart-3.csv\n");
  Sample sample(3);
  // bfs and stats have outputs elsewhere.
  for (const std::string command :
       {"mis -o OUT.npy", "cc -o OUT.npy", "cc --relabel -o OUT.tsv", "cc --labels -o OUT.tsv",
        "mst --cols 1,2,3 -o OUT.tsv", "triangles --per-node OUT.npy", "bfs -o OUT.npy",
        "sssp --root 7 --cols 1,2,3 -o OUT.npy", "sort -u -o OUT.u32", "convert --cols 1,2,3 -o OUT.txt",
        "cat --cols 1,2,3 -o OUT.txt", "mis --model external -M 16M -o OUT.npy", "cc --labels --map OUT.txt",
        "cc --relabel --map OUT.npy", "convert --min-weight 5 --cols 1,2,3 -o OUT.txt"}) {
    const std::size_t at = command.find("OUT");
    const std::string extension = command.substr(command.find('.', at));
    const auto line = [&](const std::string& name, const std::string& inputs) {
      return "emgraph " + command.substr(0, at) + name + extension + " -q -f " + inputs;
    };
    here.succeed(line("one", "all.csv"));
    for (const std::string& inputs : ways) {
      if (!sample.takes()) continue;
      INFO(command << ": " << inputs);
      here.succeed(line("several", inputs));
      CHECK(here.read("several" + extension) == here.read("one" + extension));
    }
  }
  const auto summary = here.summary("emgraph cc part-*.csv");
  CHECK(summary.at("edges") == 9000);
  CHECK(summary.at("input") == "part-0.csv, part-1.csv and 2 more");
  CHECK(summary.at("inputs").size() == 4);
  here.succeed("emgraph cc all.csv -o labels.npy -q && emgraph check cc part-*.csv labels.npy -M 16M");
  here.succeed("emgraph plan cc part-*.csv --json");
}

TEST_CASE("several inputs: each in its own format, ids of both widths, and the number of nodes") {
  Workplace here;
  here.write("a.txt", "0 1\n1 2\n");
  here.succeed("printf '3 4\n' | emgraph convert - --input-format text --nodes 20 -o b.emg -q");
  here.write("c.mtx", "%%MatrixMarket matrix coordinate pattern general\n9 9 1\n6 7\n");
  here.write("d.csv", "from,to\n4,6\n");
  here.succeed("gzip -k a.txt");
  const auto summary = here.summary("emgraph cc a.txt b.emg c.mtx d.csv gen:grid,dims=2x2");
  CHECK(summary.at("nodes") == 20);
  CHECK(summary.at("edges") == 9);
  CHECK(here.summary("emgraph cc b.emg a.txt.gz").at("nodes") == 20);
  CHECK(here.summary("emgraph cc a.txt c.mtx").at("nodes") == 9);
  CHECK(here.summary("emgraph cc a.txt c.mtx --nodes 50").at("nodes") == 50);
  // The format is that of inputs without a mark of their own.
  here.succeed("emgraph convert a.txt -o e.u32 -q && mv e.u32 e.dat");
  CHECK(here.summary("emgraph cc b.emg e.dat --input-format u32").at("edges") == 3);
  here.write("wide.txt", "9000000000 1\n");
  CHECK(here.succeed("emgraph cat a.txt wide.txt b.emg -q").out == "0\t1\n1\t2\n9000000000\t1\n3\t4\n");
  CHECK(here.succeed("emgraph cat a.txt b.emg c.mtx --head 2").out == "0\t1\n1\t2\n");
  CHECK(here.succeed("emgraph convert b.emg wide.txt -q -o -  --output-format tsv").out ==
        "3\t4\n9000000000\t1\n");
  here.write("one.csv", "from,to\n1,2\n");
  here.write("two.csv", "to;from\n3;4\n");
  CHECK(here.succeed("emgraph cat one.csv two.csv --header --cols from,to -q").out == "1\t2\n4\t3\n");
  here.write("words.csv", "from,to\nann,bob\n");  // the second line is no header
  require_failure(here.run("emgraph cat one.csv words.csv --header"), 3, {"words.csv: line 2", "'ann'"});
}

TEST_CASE("several inputs: labels are shared, each file has its own columns") {
  Workplace here;
  here.write("one.csv", "from,to\nann,bob\nbob,eve\n");
  here.write("two.csv", "day,to,from\n1,ann,zoe\n");
  here.succeed("emgraph cc one.csv two.csv --labels --header --cols from,to --map names.txt -o c.tsv -q");
  CHECK(here.read("names.txt") == "ann\nbob\neve\nzoe\n");
  CHECK(here.read("c.tsv") == "ann\tann\nbob\tann\neve\tann\nzoe\tann\n");
  const auto warned = here.succeed("emgraph cc one.csv one.csv --labels");
  CHECK(warned.error.find("--header") != std::string::npos);
}

TEST_CASE("several inputs: different weights matter only where weights are used") {
  const Workplace here;
  here.write("a.txt", "0 1\n1 2\n");
  here.write("b.wel", "2 3 5\n3 0 7\n");
  here.write("c.gr", "p sp 6 2\na 1 3 9\na 5 6 1\n");
  here.succeed("emgraph gen --edges 9 --nodes 6 --weights 1:9 --payload 4 -q -o d.emg");
  here.succeed("emgraph cat d.emg -q | cut -f 1,2 > d.txt");
  here.write("all.txt", "0 1\n1 2\n2 3\n3 0\n0 2\n4 5\n" + here.read("d.txt"));
  for (const std::string command :
       {"cc", "mis", "bfs", "triangles --per-node", "kcore", "lcc", "cdlp", "pagerank", "scc", "stats",
        "sssp --weights unit --root 0", "mst --weights hash", "cc --relabel", "cc -M 16M -j 1"}) {
    CAPTURE(command);
    const bool per_node = command.ends_with("--per-node");
    const std::string option = per_node ? " got -q " : " -o got -f -q ";
    here.succeed("emgraph " + command + option + "a.txt b.wel c.gr d.emg" + (per_node ? " -f" : ""));
    here.succeed("mv got want && emgraph " + command + option + "all.txt" + (per_node ? " -f" : ""));
    CHECK((here.read("got") == here.read("want")));
  }
  here.succeed("emgraph cc a.txt b.wel c.gr d.emg -q -o labels.npy");
  here.succeed("emgraph check cc a.txt b.wel c.gr d.emg labels.npy -q && emgraph plan cc a.txt b.wel");
  here.succeed("emgraph cc --labels a.txt b.wel -q -o labelled.tsv && emgraph cc all.txt -q -o plain.tsv");
  CHECK(here.read("labelled.tsv").starts_with("0\t0\n1\t0\n2\t0\n3\t0\n"));
  CHECK_FALSE(here.summary("emgraph stats a.txt b.wel").contains("weights"));
  for (const std::string command :
       {"sort -o x.emg", "dedup -o x.emg", "convert -o x.emg", "cat", "mst", "sssp --root 0",
        "pagerank --weighted", "cc --min-weight 2", "cc --labels --min-weight 2", "mis --carry-payload"}) {
    CAPTURE(command);
    require_failure(here.run("emgraph " + command + " a.txt b.wel"), 2, {"a.txt", "b.wel", "weights"});
  }
}

TEST_CASE("several inputs: what does not fit is refused with its file") {
  Workplace here;
  here.write("a.txt", "0 1 5\n1 2 6\n");
  here.write("b.wel", "0 1 5\n");
  here.write("bad.txt", "0 1\n1 x\n");
  here.write("none", "\n");
  const auto refused = [&](const std::string& arguments, int code, const std::vector<std::string>& words) {
    INFO(arguments);
    require_failure(here.run("emgraph " + arguments), code, words);
  };
  refused("sort a.txt b.wel -o x.emg", 2, {"a.txt", "b.wel", "weights", "--cols 1,2,3"});
  refused("cc a.txt bad.txt", 3, {"bad.txt: line 2", "'x'"});
  refused("cc a.txt bad.txt --labels -o a.txt", 2, {"a.txt", "the output is the input"});
  refused("cc a.txt missing.txt", 4, {"missing.txt"});
  refused("cc - a.txt - <a.txt", 2, {"standard input", "twice"});
  refused("cc @none", 2, {"@none"});
  refused("cc @missing", 4, {"missing"});
  refused("cc gen:random,edges=5 gen:random,edges=6 --cols 1,2", 2, {"columns"});
  refused("cc a.txt gen:random,edges=5 --labels", 2, {"generator"});
  refused("mis a.txt bad.txt --nodes 2", 3, {"a.txt: line 2", "'2'", "at most 1"});
  refused("check cc a.txt", 2, {"LABELS"});
  refused("sort a.txt b.wel --labels -o x.emg", 2, {"weights"});
  CHECK(here.files() == std::vector<std::string>{"a.txt", "b.wel", "bad.txt", "none"});
}

TEST_CASE("several inputs: what unpacks a file is gone when the next one begins, however many threads read") {
  Workplace here;
  if (here.run("command -v xz").exit_code != 0) return skip("there is no xz");
  // Each takes 64 MiB to unpack; one is open at a time.
  here.succeed("for i in $(seq 24); do echo $i $((i + 1)) > p$i.txt; done; xz -9 p*.txt");
  for (const std::string threads : {"2", "8"}) {
    CHECK(here.summary("emgraph cc p*.xz -M 100M -j " + threads).at("edges") == 24);
  }
}

TEST_CASE("lines that cannot be read are skipped, counted and shown") {
  Workplace here;
  here.write("a.csv", "src,dst,w\n0,1,5\n1,two,6\n\\N,2,1\n2,NULL,7\n2,3,x\n,4,1\n3,4,9\n-1,4,1\n5\n");
  require_failure(here.run("emgraph cc a.csv"), 3, {"a.csv", "line 3"});
  auto summary = here.summary("emgraph cc a.csv --on-error skip");
  CHECK(summary.at("edges") == 3);
  CHECK(summary.at("skipped_lines") == 6);
  CHECK(summary.at("first_skipped_lines").size() == 5);
  CHECK(summary.at("first_skipped_lines")[0].at("line") == 3);
  CHECK(summary.at("first_skipped_lines")[0].at("file") == "a.csv");
  CHECK(here.summary("emgraph cc a.csv a.csv --on-error skip").at("skipped_lines") == 12);
  summary = here.summary("emgraph mst a.csv --cols 1,2,3 --on-error skip --na 'NULL,\\N,\"\"'");
  CHECK(summary.at("edges") == 2);
  CHECK(summary.at("na_lines") == 4);
  CHECK(summary.at("skipped_lines") == 3);
  CHECK(here.summary("emgraph cc a.csv --na NULL,two,'\\N',-1,'' --on-error stop --nodes 9").at("na_lines") ==
        6);
  CHECK(here.summary("emgraph cc a.csv a.csv --on-error skip --na 0 -M 16M").at("na_lines") == 2);
  const auto text = here.succeed("emgraph cc a.csv --on-error skip");
  CHECK(text.out.find("a.csv: line 3: found 'two' as the second id") != std::string::npos);
  require_failure(here.run("emgraph cc gen:random,edges=9 --on-error skip"), 2, {"text"});
  // Labels, in many chunks, by any number of threads, and read twice.
  std::string many;
  for (int i = 0; i < 40000; ++i)
    many += i % 1000 == 7 ? "alone\n" : i % 1000 == 9 ? "NULL n\n" : "a b" + std::to_string(i % 9) + "\n";
  here.write("many.txt", many);
  for (const std::string way : {"--labels -j 1", "--labels -j 3", "--labels -M 16M"}) {
    INFO(way);
    const auto labels =
        here.summary("emgraph cc many.txt --on-error skip --na NULL --separator blanks " + way);
    CHECK(labels.at("skipped_lines") == 40);
    CHECK(labels.at("na_lines") == 40);
    CHECK(labels.at("nodes") == 10);
    CHECK(labels.at("first_skipped_lines")[1].at("line") == 1008);
  }
  std::string numbers;
  for (int i = 0; i < 60000; ++i)
    numbers += i % 1000 == 7 ? "1 x\n" : i == 59999 ? "5000000000 1\n" : std::to_string(i) + " 4\n";
  here.write("numbers.txt", numbers);
  for (const std::string way : {"mis -j 1", "mis -j 3", "cc --relabel -M 16M", "sort -o s.emg -f"}) {
    INFO(way);
    const auto of_ids = here.summary("emgraph " + way + " numbers.txt --on-error skip");
    CHECK(of_ids.at("skipped_lines") == 60);
    CHECK(of_ids.at("edges") == 59940);
    CHECK(of_ids.at("first_skipped_lines")[4].at("line") == 4008);
  }
}

}  // namespace emgraph::tests
