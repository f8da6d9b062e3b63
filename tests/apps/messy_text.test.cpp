// SPDX-License-Identifier: MIT
// Text as databases, spreadsheets and scripts write it: the answer is right, or the error names what helps.
#include <string>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

TEST_CASE("messy text: ids that are no numbers name the option that reads them") {
  const Workplace here;
  const auto refused = [&](const std::string& text, const std::vector<std::string>& words) {
    CAPTURE(text);
    here.write("in.csv", text);
    require_failure(here.run("emgraph cc in.csv"), 3, words);
  };
  refused("550e8400-e29b-41d4,550e8400-e29b-41d5\n", {"line 1", "550e8400", "--labels"});
  refused("0x1f,2\n", {"line 1", "0x1f", "--labels"});
  refused("1.0e3,2\n", {"1.0e3", "--labels"});
  refused("1,2\n1.0,2.0\n", {"line 2", "'1.0'", "--labels"});
  refused("1,2\nNULL,4\n", {"line 2", "'NULL'", "--na 'NULL'"});
  refused("1,2\n5,\\N\n", {"line 2", "'\\N'", "--na '\\N'"});
  refused("1,2\n,3\n", {"line 2", "empty column", "--on-error skip"});
  refused("1|2\n3|4\n", {"line 1", "--separator '|'"});
  refused("-1,2\n", {"line 1", "0 or more"});
  refused("18446744073709551616,2\n", {"below 2^64"});
  refused("1,2\nMüller,4\n", {"line 2", "'Müller'", "--labels"});
  refused("1,2\n\"Bob Smith\",4\n", {"line 2", "Bob", "--labels"});
  refused("1,2\n\xff\xfe,4\n", {"line 2", "binary data"});
  here.write("in.csv", "1,2\n3,4\n");
  require_failure(here.run("emgraph cc in.csv --separator ';'"), 3, {"--separator ','"});
  here.write("dec.csv", "1;2;0,5\n2;3;1,5\n");
  require_failure(here.run("emgraph mst dec.csv --separator ';' --cols 1,2,3 --weight-type f64"), 3,
                  {"line 1", "'0,5'", "decimal point"});
}

TEST_CASE("messy text: columns that blanks align") {
  const Workplace here;
  std::string text;
  std::string aligned;
  for (int i = 0; i < 3000; ++i) {
    const std::string ids[] = {std::to_string(i), std::to_string(i * i)};
    text += ids[0] + "," + ids[1] + "," + ids[0] + "\n";
    for (const std::string& id : ids)
      aligned += std::string(9 - id.size(), ' ') + id + (i > 1000 && i % 7 == 0 ? "\t" : "");
    aligned += "   " + ids[0] + (i % 3 == 0 ? "  \n" : "\n");
  }
  here.write("a.csv", text);
  here.write("b.txt", aligned);
  for (const std::string columns : {"", " --cols 1,2,3"}) {
    REQUIRE(here.run("emgraph convert a.csv -o a.emg -f" + columns).exit_code == 0);
    REQUIRE(here.run("emgraph convert b.txt -o b.emg -f" + columns).exit_code == 0);
    CHECK(here.run("emgraph cat a.emg").out == here.run("emgraph cat b.emg").out);
  }
}

TEST_CASE(
    "messy text: a line whose columns have two separators may mean decimals or thousands, and is refused") {
  const Workplace here;
  const auto refused = [&](const std::string& text, const std::string& arguments,
                           const std::vector<std::string>& words) {
    CAPTURE(text);
    here.write("in.csv", text);
    require_failure(here.run("emgraph cc in.csv " + arguments), 3, words);
  };
  std::string many;
  for (int i = 0; i < 3000; ++i) many += std::to_string(i) + " " + std::to_string(i + 1) + "\n";
  refused(many + "1,000 2,000\n", "",
          {"line 3001", "a comma behind column 1", "blanks behind column 2", "--separator"});
  refused(many + "1 2,000\n" + many, "", {"line 3001", "blanks behind column 1", "a comma behind column 2"});
  refused(many + "1 2 ,3\n" + many, "", {"line 3001", "blanks behind column 1", "a comma behind column 2"});
  refused("1,5;2,5\n", "", {"line 1", "a comma", "a semicolon"});
  refused("0,1,2\n1,2,1;5\n", "--cols 1,2,3", {"line 2", "a semicolon behind column 3"});
  refused("0;1;2\n1;2;2,5\n", "--weight-type f64", {"line 2", "a comma behind column 3"});
  refused("1,000 2,000\n", "--separator blanks", {"line 1", "'1,000'"});
  refused("1 2,000\n", "--separator ,", {"line 1"});
  // What stands behind the ids is no matter.
  for (const std::string text :
       {"1 2 {'weight': 3}\n", "1,2,{}\n", "1,2 # met in May\n", "1, 2, 3\n", "1 , 2 ,3\n", "1;2;x,y\n"}) {
    CAPTURE(text);
    here.write("in.txt", text);
    CHECK(here.summary("emgraph cc in.txt --cols 1,2").at("edges") == 1);
  }
}

TEST_CASE("messy text: spreadsheets name their separator in the first line") {
  const Workplace here;
  for (const std::string line : {"sep=;\r\n", "\xef\xbb\xbfsep=;\n", "\"sep=;\"\n"}) {
    CAPTURE(line);
    here.write("in.csv", line + "src;dst;w\r\n1;2;5\r\n2;4;6\r\n");
    CHECK(here.succeed("emgraph cat in.csv -q").out == "1\t2\n2\t4\n");
    CHECK(here.succeed("emgraph cat in.csv -q --header --cols dst,src").out == "2\t1\n4\t2\n");
    CHECK(here.summary("emgraph cc in.csv --labels --header").at("nodes") == 3);
  }
  here.write("tab.csv", "sep=\t\n1\t2\n");
  CHECK(here.succeed("emgraph cat tab.csv -q").out == "1\t2\n");
  here.write("twice.csv", "id,src,src,dst\n0,1,2,3\n");
  require_failure(here.run("emgraph cc twice.csv --header --cols src,dst"), 2,
                  {"twice.csv", "'src'", "column 2", "column 3"});
  CHECK(here.succeed("emgraph cat twice.csv -q --header --cols 3,4").out == "2\t3\n");
}

TEST_CASE("messy text: files of other programs are named with what reads them") {
  const Workplace here;
  const auto refused = [&](const std::string& name, const std::string& bytes,
                           const std::vector<std::string>& words) {
    CAPTURE(name);
    here.write(name, bytes);
    require_failure(here.run("emgraph cc " + name), 3, words);
  };
  const std::string zeros(400, '\0');
  refused("e.tar", "e.txt" + std::string(252, '\0') + "ustar" + zeros, {"tar archive", "tar -xOf"});
  here.succeed("gzip -k e.tar");
  require_failure(here.run("emgraph cc e.tar.gz"), 3, {"tar archive"});
  refused("e.rar", "Rar!\x1a\x07" + zeros, {"RAR", "unrar"});
  refused("e.Z", "\x1f\x9d\x90" + zeros, {"compress", "zcat"});
  refused("e.pdf", "%PDF-1.7\n1 0\n", {"PDF"});
  refused("e.xlsx", "PK\x03\x04" + zeros, {"spreadsheet", ".csv"});
  refused("e.s6", ":Fa@x^\n", {"sparse6", "read_sparse6"});
  refused("wide.csv",
          std::string("\xff\xfe\0\0"
                      "0\0\0\0,\0\0\0",
                      12),
          {"UTF-32", "iconv -f UTF-32"});
  refused("wide16.csv",
          std::string("\xff\xfe"
                      "0\0,\0",
                      6),
          {"UTF-16", "iconv -f UTF-16"});
}

TEST_CASE("messy text: SQL dumps are refused; a table of words alone is said to have no edge") {
  const Workplace here;
  for (const std::string start :
       {"INSERT INTO e VALUES (1,2),(3,4);\n", "-- PostgreSQL database dump\n\nSET x = 0;\n",
        "COPY public.e (a, b) FROM stdin;\n1\t2\n\\.\n", "-- MySQL dump 10.13\n",
        "CREATE TABLE e (a int);\n"}) {
    CAPTURE(start);
    here.write("dump.sql", start);
    require_failure(here.run("emgraph cc dump.sql"), 3, {"dump.sql", "SQL dump", "CSV"});
  }
  here.write("head.csv", "from,to\n");
  const Outcome outcome = here.succeed("emgraph cc head.csv");
  CHECK_THAT(outcome.error, Catch::Contains("head.csv: line 1") && Catch::Contains("no edge"));
  here.write("one.csv", "from,to\n1,2\n");
  CHECK(here.succeed("emgraph cc one.csv").error.empty());
}

TEST_CASE("messy text: sparse ids end with a word in cc, whatever n") {
  const Workplace here;
  for (const std::string id : {"1000000000", "17000000000", "9000000000000000000"}) {
    CAPTURE(id);
    here.write("in.txt", id + " 3\n4 5\n");
    require_failure(here.run("emgraph cc in.txt -M 64M"), 4, {"--relabel", "sparse"});
    CHECK(here.summary("emgraph cc in.txt -M 64M --relabel").at("components") == 2);
  }
}

TEST_CASE("messy text: mst of sparse ids that it has no room for names --relabel") {
  const Workplace here;
  here.write("in.txt", "9000000000000000000 3 1\n4 5 2\n");
  require_failure(here.run("emgraph mst in.txt --cols 1,2,3 -M 64M"), 4,
                  {"spanning forest", "sparse", "--relabel"});
  CHECK(here.summary("emgraph mst in.txt --cols 1,2,3 -M 64M --relabel").at("weight") == 3);
}

TEST_CASE("messy text: info shows of text what text has") {
  const Workplace here;
  here.write("in.csv", "\xef\xbb\xbfsrc,dst\r\n1,2\r\n");
  const std::string shown = here.succeed("emgraph info --head 2 in.csv").out;
  CHECK_THAT(shown, !Catch::Contains("not declared") && !Catch::Contains("id bytes"));
  CHECK_THAT(shown, Catch::Contains("source column") && Catch::Contains("'1', '2'"));
  CHECK(here.summary("emgraph info in.csv").at("files").at(0).at("id_bytes") == 4);
}

TEST_CASE(
    "messy text: packed results are checked; a check that fails says why once, and no facts it has not "
    "read") {
  const Workplace here;
  here.write("e.txt", "0 1\n1 2\n4 3\n");
  here.succeed("emgraph cc e.txt -q -o l.tsv && gzip -k l.tsv && zstd -q l.tsv");
  here.succeed(  // scripts/setup.sh installs neither xz nor bzip2
      "python3 -c 'import bz2, lzma; text = open(\"l.tsv\", \"rb\").read(); "
      "bz2.open(\"l.tsv.bz2\", \"wb\").write(text); lzma.open(\"l.tsv.xz\", \"wb\").write(text)'");
  for (const std::string packing : {"gz", "xz", "bz2", "zst"}) {
    here.succeed("emgraph check cc e.txt l.tsv." + packing);
  }
  here.write("w.tsv", "0\n0\n0\n3\n4\n");
  const Outcome wrong = here.run("emgraph check cc e.txt w.tsv");
  CHECK(wrong.exit_code == 1);
  CHECK_THAT(wrong.error, Catch::Contains("w.tsv"));
  CHECK_THAT(wrong.out, !Catch::Contains("verdict"));
  const Outcome sorted = here.run("emgraph check sorted e.txt --by target --json");
  CHECK(sorted.exit_code == 0);
  here.write("u.txt", "3 1\n1 2\n7 8\n");
  const auto unsorted = here.run("emgraph check sorted u.txt --json");
  CHECK(unsorted.exit_code == 1);
  CHECK(unsorted.json().at("first_violation") == 1);
  CHECK_THAT(here.run("emgraph check sorted u.txt").out, !Catch::Contains("edges"));
}

TEST_CASE("messy text: --na leaves out lines whose weight is missing") {
  const Workplace here;
  here.write("w.csv", "a,b,1\nb,c,NULL\nc,d,\nNULL,d,5\nd,e,7\n");
  here.write("w.txt", "0 1 1\n1 2 NULL\n2 3 -9\nNULL 3 5\n3 4 7\n");
  const auto labels = here.summary("emgraph mst w.csv --labels --cols 1,2,3 --na 'NULL,\"\"'");
  CHECK(labels.at("edges") == 2);
  CHECK(labels.at("na_lines") == 3);
  const auto ids = here.summary("emgraph mst w.txt --cols 1,2,3 --na NULL,-9");
  CHECK(ids.at("edges") == 2);
  CHECK(ids.at("weight") == 8);
  CHECK(ids.at("na_lines") == 3);
  require_failure(here.run("emgraph mst w.txt --cols 1,2,3"), 3, {"w.txt", "line 2", "NULL"});
  CHECK(here.summary("emgraph cc w.txt --na NULL").at("na_lines") == 1);  // no weight is read
}

TEST_CASE("messy text: an id beyond --nodes is named with its line") {
  const Workplace here;
  here.write("in.txt", "# first\n0 1\n\n2 7\n");
  require_failure(here.run("emgraph stats in.txt --nodes 7"), 3,
                  {"in.txt: line 4", "'7'", "at most 6", "--nodes"});
  require_failure(here.run("emgraph sort in.txt --nodes 8 --id-base 1 -o out.bin"), 3, {"line 2", "'0'"});
  CHECK(here.summary("emgraph cc in.txt --nodes 8").at("nodes") == 8);
  CHECK(here.files() == std::vector<std::string>{"in.txt"});
}

}  // namespace emgraph::tests
