// SPDX-License-Identifier: MIT
// Bad input files: the exit code, and a message that names the file, the place, what was found and expected.
#include <unistd.h>

#include <catch2/catch.hpp>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

namespace {

/// Every command that reads edges (with sanitizers: some of them) must refuse `file` in the same way and
/// leave no file.
void require_refused(const Workplace& here, const std::string& file, int code,
                     const std::vector<std::string>& words) {
  static Sample sample(2);
  const auto before = here.files();
  for (const std::string command :
       {"mis -o out.npy", "sort -o out.bin", "dedup -o out.bin", "convert -o out.bin", "check sorted"}) {
    if (!sample.takes()) continue;
    INFO(command);
    require_failure(here.run("emgraph " + command + " " + file), code, words);
  }
  CHECK(here.files() == before);
}

}  // namespace

TEST_CASE("an id with which n would not fit 64 bits is refused with its place") {
  Workplace here;
  here.write("big.txt", "0 1\n# a comment\n5 18446744073709551615\n");
  for (const char* command : {"cc", "mis", "stats", "sort -o x.bin", "bfs", "pagerank", "convert -o x.bin",
                              "convert -o x.u64", "convert -o x.tsv", "convert -o x.npy"}) {
    INFO(command);
    require_failure(here.run("emgraph " + std::string(command) + " big.txt -q"), 3,
                    {"big.txt: edge 1: id 18446744073709551615 found"});
  }
  CHECK(here.summary("emgraph cc --relabel big.txt")["components"] == 2);
  CHECK(here.succeed("emgraph cat big.txt").out == "0\t1\n5\t18446744073709551615\n");
}

TEST_CASE("an id that the output cannot hold is refused with its place in the input") {
  Workplace here;
  here.write("wide.txt", "0 1\n# a comment\n5 4294967296\n7 140737488355328\n");
  here.write("weighted.txt", "0 1 2\n5 4294967296 7\n");
  const auto refused = [&](const std::string& line, const std::string& place, const std::string& output) {
    INFO(line);
    require_failure(here.run("emgraph " + line + output + " -q"), 3,
                    {place, "found", "the limit of " + output});
  };
  const std::string narrow = "wide.txt: edge 1: id 4294967296";
  refused("convert wide.txt -o ", narrow, "x.u32");
  refused("filter wide.txt --sample 1 -o ", narrow, "x.u32");
  refused("cat wide.txt --output-format u32 -o ", narrow, "x.u32");
  refused("convert wide.txt -o ", "wide.txt: edge 2: id 140737488355328", "x.graph500");
  refused("convert weighted.txt --cols 1,2,3 --weight-type f32 -o ", "weighted.txt: edge 1: id 4294967296",
          "x.f32w");
  CHECK(here.files() == std::vector<std::string>{"weighted.txt", "wide.txt"});
}

TEST_CASE("files that cannot be read") {
  Workplace here;
  require_refused(here, "missing.bin", 4, {"missing.bin", "No such file"});
  std::filesystem::create_directory(here.path("folder.bin"));
  require_refused(here, "folder.bin", 4, {"folder.bin", "directory"});
  here.write("secret.txt", "0 1\n");
  std::filesystem::permissions(here.path("secret.txt"), std::filesystem::perms::none);
  if (access(here.path("secret.txt").c_str(), R_OK) != 0)
    require_refused(here, "secret.txt", 4, {"secret.txt"});
}

TEST_CASE("files named as packed that do not begin with packed data") {
  const Workplace here;
  here.write("e.txt", "0 1\n1 2\n");
  here.write("l.tsv", "0\n0\n0\n");
  here.succeed("gzip -k e.txt && zstd -q e.txt");
  here.succeed(  // scripts/setup.sh installs neither xz nor bzip2
      "python3 -c 'import bz2, lzma; text = open(\"e.txt\", \"rb\").read(); "
      "bz2.open(\"e.txt.bz2\", \"wb\").write(text); lzma.open(\"e.txt.xz\", \"wb\").write(text)'");
  for (const auto& [extension, packer] :
       {std::pair{"gz", "gzip"}, {"zst", "zstd"}, {"xz", "xz"}, {"bz2", "bzip2"}}) {
    const std::string whole = here.read(std::string("e.txt.") + extension);
    const std::string cut = std::string("cut.txt.") + extension;
    for (const std::size_t bytes : {0, 1, 5}) {
      here.write(cut, whole.substr(0, bytes));
      require_refused(here, cut, 3, {cut});
      require_failure(here.run("emgraph cc --input-format text " + cut), 3, {cut});
      require_failure(here.run("emgraph check cc e.txt " + cut), 3, {cut});
    }
    here.write(cut, "");
    require_refused(here, cut, 3, {cut, "found no bytes", "expected", packer});
    here.write(cut, whole.substr(0, 1));
    require_refused(here, cut, 3, {cut, "found the first bytes", "expected", packer});
    here.write(cut, "0 1\n1 2\n");
    require_refused(here, cut, 3, {cut, "found the first bytes 30 20 31 0a", "expected", packer});
  }
  // The bytes say which packer it was.
  here.write("other.txt.gz", here.read("e.txt.zst"));
  CHECK(here.summary("emgraph cc other.txt.gz").at("edges") == 2);
}

TEST_CASE("files whose contents do not match their names") {
  Workplace here;
  here.write("empty.bin", "");
  require_refused(here, "empty.bin", 3, {"empty.bin"});
  here.write("headerless.bin", raw_u32({0, 1, 1, 2}));
  require_refused(here, "headerless.bin", 3, {"headerless.bin", "--input-format"});
  here.succeed("emgraph mis headerless.bin --input-format u32 -q");
  here.write("letters.bin", "abcdefgh");  // ids that look like text
  require_refused(here, "letters.bin", 3, {"letters.bin", "--input-format"});
  here.write("odd.u32", raw_u32({0, 1, 1, 2}) + "xyz");
  require_refused(here, "odd.u32", 3, {"odd.u32", "3"});
  here.write("words.txt", "0 1\n1 two\n");
  require_refused(here, "words.txt", 3, {"words.txt", "line 2", "two"});
  here.write("half.txt", "0 1\n1\n");
  require_refused(here, "half.txt", 3, {"half.txt", "line 2"});
  here.write("minus.txt", "0 1\n-1 2\n");
  require_refused(here, "minus.txt", 3, {"minus.txt", "line 2"});
}

TEST_CASE("a byte order mark before the header of a text format") {
  Workplace here;
  const std::string mark = "\xef\xbb\xbf";
  here.write("a.gr", mark + "p sp 3 1\r\na 1 2 7\r\n");
  here.write("a.mtx", mark + "%%MatrixMarket matrix coordinate pattern general\r\n3 3 1\r\n1 2\r\n");
  here.write("out.a", mark + "% sym unweighted\n1 2\n");
  here.write("a.graph", mark + "3 1\n2\n1\n\n");
  CHECK(here.succeed("emgraph cat a.gr").out == "0\t1\t7\n");
  CHECK(here.succeed("emgraph cat a.mtx").out == "0\t1\n");
  CHECK(here.succeed("emgraph cat out.a").out == "0\t1\n");
  CHECK(here.succeed("emgraph cat a.graph").out == "0\t1\n1\t0\n");
  here.succeed("gzip -k a.gr");
  CHECK(here.succeed("emgraph cat a.gr.gz").out == "0\t1\t7\n");
}

TEST_CASE("an empty list of nodes is a list without nodes") {
  Workplace here;
  here.write("g.txt", "0 1\n1 2\n");
  here.write("none.txt", "");
  for (const std::string list : {"none.txt", "/dev/null", "/dev/stdin"}) {
    CHECK(here.summary("true | emgraph cc g.txt --nodes-in " + list).at("edges") == 0);
  }
}

TEST_CASE("no output replaces a file that the command reads, whatever names it") {
  Workplace here;
  here.write("g.txt", "0 1 5\n1 2 6\n");
  here.write("list", "g.txt\n");
  here.write("disks", "/tmp\n");
  here.write("places.co", "p aux sp co 3\nv 1 1 1\nv 2 1 2\nv 3 0 0\n");
  for (const std::string line :
       {"cc @list -o list --output-format npy", "cc @list --trace list",
        "sort @list -o list --output-format text", "cc g.txt --config disks -o disks --output-format npy",
        "cc g.txt --config disks --trace disks",
        "sssp g.txt --cols 1,2,3 --root 0 --order hilbert --coordinates places.co -o places.co "
        "--output-format npy",
        "sssp g.txt --cols 1,2,3 --root 0 --order hilbert --coordinates places.co --parents places.co "
        "--output-format npy"}) {
    INFO(line);
    CHECK(here.run("emgraph " + line + " -f -q").exit_code == 2);
  }
  CHECK(here.read("list") == "g.txt\n");
  CHECK(here.read("disks") == "/tmp\n");
  CHECK(here.read("places.co").starts_with("p aux"));
  here.succeed("cp '" EMGRAPH_DATASETS "/cnr-2000.graph' '" EMGRAPH_DATASETS "/cnr-2000.properties' .");
  require_failure(here.run("emgraph mis cnr-2000.graph -f -o cnr-2000.properties --output-format npy"), 2,
                  {"the output is the input"});
}

TEST_CASE("damaged containers") {
  Workplace here;
  for (const std::string codec : {"none", "delta+zstd"}) {
    // Sorted, so that check sorted has to read on to the damage.
    here.succeed("emgraph gen --model gnm --edges 100K --codec " + codec + " -f -q");
    const std::string good = here.read("edges.bin");
    const auto damaged = [&](const char* name, const std::string& bytes) {
      here.write(name, bytes);
      INFO(codec << " " << name);
      require_refused(here, name, 3, {name});
    };
    damaged("cut1.bin", good.substr(0, good.size() - 1));
    damaged("cut2.bin", good.substr(0, good.size() / 2));
    damaged("cut3.bin", good.substr(0, 100));
    damaged("longer.bin", good + "x");
    damaged("twice.bin", good + good);
    for (std::size_t place : {std::size_t{9}, std::size_t{40}, good.size() / 2, good.size() - 20}) {
      std::string flipped = good;
      flipped[place] = static_cast<char>(flipped[place] ^ 4);
      damaged("flipped.bin", flipped);
    }
    std::string magic = good;
    magic[1] = 'X';
    damaged("magic.bin", magic);
    std::string version = good;
    version[8] = 99;
    here.write("version.bin", version);
    require_refused(here, "version.bin", 3, {"version"});
  }
}

TEST_CASE("truncated pipes are noticed") {
  Workplace here;
  here.succeed("emgraph gen --edges 100K -q");
  require_failure(here.run("head -c 500000 edges.bin | emgraph mis - -o out.npy"), 3, {"standard input"});
  require_failure(here.run("head -c 500000 edges.bin | emgraph sort - -o out.bin"), 3, {"standard input"});
  require_failure(here.run(": | emgraph sort - -o out.bin"), 3, {"standard input"});
  require_failure(
      here.run("emgraph gen --edges 100K --output-format u32 -o - -q | head -c 1001 | emgraph mis - "
               "--input-format u32"),
      3, {"standard input"});
  CHECK(here.files() == std::vector<std::string>{"edges.bin"});
}

TEST_CASE("ids that are not below --nodes") {
  Workplace here;
  here.write("path.txt", "0 1\n1 2\n2 7\n");
  for (const std::string command : {"mis", "sort -o out.bin", "convert -o out.bin"}) {
    INFO(command);
    require_failure(here.run("emgraph " + command + " path.txt -f --nodes 7"), 3, {"7"});
    here.succeed("emgraph " + command + " path.txt --nodes 8 -f -q");
  }
}

TEST_CASE("compressed text that is cut off") {
  Workplace here;
  here.succeed("emgraph gen --edges 20K -o edges.txt -q && gzip -k edges.txt && zstd -q edges.txt");
  const std::string same = here.succeed("emgraph cat edges.txt").out;
  for (const std::string ending : {".gz", ".zst"}) {
    CHECK(here.succeed("emgraph cat edges.txt" + ending).out == same);
    const std::string good = here.read("edges.txt" + ending);
    here.write("cut.txt" + ending, good.substr(0, good.size() / 2));
    require_refused(here, "cut.txt" + ending, 3, {"cut.txt" + ending});
  }
}

TEST_CASE("results that are no results") {
  Workplace here;
  here.write("path.txt", "0 1\n1 2\n");
  require_failure(here.run("emgraph check mis path.txt nowhere.npy"), 4, {"nowhere.npy"});
  here.write("bad.npy", "not numpy");
  require_failure(here.run("emgraph check mis path.txt bad.npy"), 3, {"bad.npy"});
  here.write("cut.bin", "abc");
  require_failure(here.run("emgraph check mis path.txt cut.bin"), 3, {"cut.bin"});
}

}  // namespace emgraph::tests
