// SPDX-License-Identifier: MIT
// Outputs as files among others: several at once, modes, links of strangers, inputs that change, names on
// terminals, sparse ids.
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

TEST_CASE("of two outputs neither appears if one cannot") {
  Workplace here;
  here.succeed("emgraph gen --edges 100K -q");
  for (const std::string command :
       {"bfs - -o a.npy --parents b.npy", "cc - -o a.npy --forest b.npy",
        "triangles - --list a.npy --per-node b.npy", "convert --relabel - -o a.npy --map b.npy"}) {
    // A pipe does not hold so many bytes: the program reads, so it has looked for files with these names.
    const Outcome outcome =
        here.run("{ head -c 400000 edges.bin; echo theirs >b.npy; tail -c +400001 edges.bin; } | emgraph " +
                 command + " -q");
    INFO(command);
    require_failure(outcome, 2, {"b.npy: exists already (--force replaces it)"});
    CHECK(here.files() == std::vector<std::string>{"b.npy", "edges.bin"});
    CHECK(here.read("b.npy") == "theirs\n");
    std::filesystem::remove(here.path("b.npy"));
  }
}

TEST_CASE("an output keeps the mode of the file that it replaces") {
  Workplace here;
  here.succeed("emgraph gen --edges 9 -q && chmod 600 edges.bin && emgraph gen --edges 9 -q -f");
  struct stat status {};
  REQUIRE(stat(here.path("edges.bin").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0600);
  here.succeed("umask 027 && emgraph gen --edges 9 -q -o fresh.bin");
  REQUIRE(stat(here.path("fresh.bin").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0640);
}

TEST_CASE("links and FIFOs of strangers in a shared directory are not followed") {
  Workplace here;
  here.run(
      "mkdir -m 1777 pub && echo precious >victim && ln -s ../victim pub/out.bin && mkfifo pub/fifo "
      "&& ln -s ../victim pub/mine.bin && chown -h 65534 pub/out.bin pub/fifo && touch made");
  if (!here.exists("made")) {
    skip("only root can give files away");
    return;
  }
  require_failure(here.run("emgraph gen --edges 9 -q -f -o pub/out.bin"), 4,
                  {"pub/out.bin", "symbolic link"});
  require_failure(here.run("timeout 20 \"" + tested_program() + "\" gen --edges 9 -q -o pub/fifo"), 4,
                  {"pub/fifo", "FIFO"});
  CHECK(here.read("victim") == "precious\n");
  here.succeed("emgraph gen --edges 9 -q -f -o pub/mine.bin && emgraph info victim");
  here.succeed("chmod 755 pub && emgraph gen --edges 9 -q -f -o pub/out.bin");
}

TEST_CASE("the end of a link becomes the output, if it does not exist, too") {
  const Workplace here;
  here.succeed("mkdir part && ln -s part/set.npy link.npy && ln -s two one && ln -s one two");
  here.succeed("emgraph mis gen:random,edges=9 -q -f -o link.npy");
  here.succeed("test -L link.npy && test -f part/set.npy && ! test -L part/set.npy");
  require_failure(here.run("emgraph mis gen:random,edges=9 -q -f -o one"), 4, {"one", "symbolic links"});
  here.succeed("test -L one && test -L two");
  // Before any work: nothing reads the input, which is not there.
  here.succeed("ln -s nowhere/set.npy away.npy && ln -s absent.npy dangling.npy");
  require_failure(here.run("emgraph mis missing.bin -f -o away.npy"), 4, {"away.npy", "nowhere"});
  require_failure(here.run("emgraph bfs missing.bin -o dangling.npy"), 2, {"dangling.npy", "exists already"});
  require_failure(here.run("emgraph cc missing.bin -f -o absent.npy --forest dangling.npy"), 2,
                  {"both go to"});
  require_failure(here.run("emgraph cc missing.bin -f -o dangling.npy --trace absent.npy"), 2,
                  {"another output"});
  const std::string longest(251, 'n');
  require_failure(here.run("emgraph cc missing.bin -o n" + longest + ".npy"), 4,
                  {"has 256 bytes, expected at most 255"});
  require_failure(here.run("emgraph cc missing.bin -o " + longest + ".npy"), 4, {"missing.bin"});
}

TEST_CASE("an owner is kept by root") {
  Workplace here;
  here.succeed("emgraph gen --edges 9 -q");
  if (here.run("chown 65534:65534 edges.bin").exit_code != 0) {
    skip("only root can give files away");
    return;
  }
  here.succeed("emgraph gen --edges 9 -q -f");
  struct stat status {};
  REQUIRE(stat(here.path("edges.bin").c_str(), &status) == 0);
  CHECK(status.st_uid == 65534);
  CHECK(status.st_gid == 65534);
}

TEST_CASE("control characters of names do not reach the terminal") {
  Workplace here;
  here.write("e\033[31mvil.txt", "0 1\n1 x\n");
  const Outcome outcome = here.run("emgraph stats e*.txt");
  require_failure(outcome, 3, {"e\\x1b[31mvil.txt"});
  CHECK(outcome.error.find('\033') == std::string::npos);
  here.write("e\033[31mvil.txt", "0 1\n");
  CHECK(here.succeed("emgraph stats e*.txt").out.find('\033') !=
        std::string::npos);  // a file gets it as it is
  const Outcome terminal =
      here.run("script -qc '\"" + tested_program() + "\" stats e*.txt' /dev/null | grep input");
  if (terminal.exit_code != 0) {
    skip("there is no script(1)");
    return;
  }
  CHECK_THAT(terminal.out, Catch::Contains("e\\x1b[31mvil.txt"));
  for (const std::string command : {"info", "plan cc"}) {
    const Outcome shown =
        here.run("script -qc '\"" + tested_program() + "\" " + command + " e*.txt' /dev/null");
    CHECK_THAT(shown.out, Catch::Contains("e\\x1b[31mvil.txt"));
    CHECK(shown.out.find('\033') == std::string::npos);
  }
}

TEST_CASE("control characters of labels do not reach the terminal") {
  Workplace here;
  here.write("labels.txt", "a\033]0;title b\n");
  here.succeed("emgraph convert --labels labels.txt --separator blanks -o g.bin --map map.txt -q");
  CHECK_THAT(here.succeed("emgraph cat g.bin --map map.txt").out, Catch::Contains("\033]0;title"));
  const Outcome terminal =
      here.run("script -qc '\"" + tested_program() + "\" cat g.bin --map map.txt' /dev/null | grep title");
  if (terminal.exit_code != 0) {
    skip("there is no script(1)");
    return;
  }
  CHECK_THAT(terminal.out, Catch::Contains("a\\x1b]0;title"));
}

TEST_CASE("an input that changes while it is read is told") {
  Workplace here;
  here.succeed("emgraph gen --edges 1M -q -o in.bin && mkfifo pipe");
  const std::string read_while =
      "emgraph convert in.bin --output-format text -o pipe & "
      "exec 3<pipe; head -c 1 <&3 >/dev/null; ";
  CHECK_THAT(here.succeed(read_while + "touch -d 2001-01-01 in.bin; cat <&3 >/dev/null; wait").error,
             Catch::Contains("in.bin: was changed while it was read"));
  CHECK(here.succeed(read_while + "cat <&3 >/dev/null; wait").error.find("changed") == std::string::npos);
}

TEST_CASE("an input that changes while it is read more than once is refused") {
  Workplace here;
  here.succeed("emgraph gen --edges 1M -q -o in.bin && mkfifo pipe");
  const std::string convert = "emgraph convert in.bin --relabel --output-format text -o pipe";
  const std::string read = "; exec 3<pipe; head -c 1 <&3 >/dev/null; ";
  require_failure(
      here.run(convert + " & run=$!" + read + "touch -d 2001-01-01 in.bin; cat <&3 >/dev/null; wait $run"), 3,
      {"in.bin: was changed while it was read more than once"});
  here.succeed(convert + " & run=$!" + read + "cat <&3 >/dev/null; wait $run");
}

TEST_CASE("sparse ids cost what the edges justify") {
  Workplace here;
  for (const std::string id : {"4294967295", "1000000000000000", "9223372036854775807"}) {
    here.write("h.txt", "0 " + id + "\n");
    INFO(id);
    const Outcome mis = here.succeed("emgraph mis h.txt -M 16M --json");
    CHECK(mis.json()["mis_size"] == std::stoull(id));  // all but one end
    CHECK_THAT(mis.error, Catch::Contains("sparse") && Catch::Contains("--relabel"));
    for (const std::string command :
         {"mis h.txt -o x.npy", "bfs h.txt -o x.npy", "stats h.txt -o x.npy",
          "triangles h.txt --per-node x.npy", "sssp --root 0 --weights unit h.txt -o x.npy", "cc h.txt",
          "pagerank h.txt -o x.npy", "cdlp h.txt -o x.npy", "kcore h.txt -o x.npy", "lcc h.txt -o x.npy",
          "scc h.txt -o x.npy"}) {
      require_failure(here.run("emgraph " + command + " -M 64M -q"), 4, {"h.txt", "sparse", "--relabel"});
      CHECK(here.files() == std::vector<std::string>{"h.txt"});
    }
    CHECK(here.summary("emgraph cc --relabel h.txt -M 16M")["components"] == 1);
  }
  // The answer of lcc --directed counts the nodes and edges of the file.
  here.write("h.txt", "0 4294967295\n");
  require_failure(here.run("emgraph lcc --directed h.txt -M 64M -q"), 4,
                  {"1 edges, ids up to 4,294,967,295:", "--nodes 4294967296 goes on"});
  require_failure(here.run("emgraph mis h.txt --nodes 9223372036854775808 -o x.npy -M 16M -q"), 4,
                  {"x.npy", "EiB"});
  CHECK(here.succeed("emgraph mis gen:random,edges=1000 -M 16M").error.empty());
}

TEST_CASE("raw disks count only from the command line and from files that nobody else can write") {
  Workplace here;
  require_failure(here.run("EMGRAPH_DISKS=/dev/null,raw=yes emgraph mis gen:random,edges=9"), 2,
                  {"EMGRAPH_DISKS", "raw"});
  here.write("disks", "/dev/null,raw=yes\n");
  here.run("chmod 666 disks");
  require_failure(here.run("emgraph mis gen:random,edges=9 --config disks"), 2, {"disks: line 1", "nobody"});
  here.run("chmod 644 disks");
  require_failure(here.run("emgraph mis gen:random,edges=9 --config disks"), 2, {"not a block device"});
}

TEST_CASE("settings of a relative directory and of a stranger's home do not count") {
  Workplace here;
  std::filesystem::create_directories(here.path("settings/emgraph"));
  std::filesystem::create_directories(here.path(".config/emgraph"));
  here.write("settings/emgraph/disks", "/nowhere\n");
  const std::string mis = " emgraph mis gen:random,edges=9 -q";
  here.succeed("XDG_CONFIG_HOME=settings HOME=/nowhere" + mis);
  require_failure(here.run("XDG_CONFIG_HOME=$PWD/settings" + mis), 4, {"/nowhere"});
  here.write(".config/emgraph/disks", "/nowhere\n");
  require_failure(here.run("XDG_CONFIG_HOME= HOME=$PWD" + mis), 4, {"/nowhere"});
  if (here.run("chown 65534 .").exit_code == 0) here.succeed("XDG_CONFIG_HOME= HOME=$PWD" + mis);
}

TEST_CASE("release builds are hardened") {
#ifdef NDEBUG
  const bool release = !sanitized;
#else
  const bool release = false;
#endif
  if (!release) return skip("this is no release build");
  Workplace here;
  const Outcome headers = here.run("readelf -Wld \"" + tested_program() + "\" && readelf -W --dyn-syms \"" +
                                   tested_program() + "\"");
  if (headers.exit_code != 0) {
    skip("there is no readelf");
    return;
  }
  CHECK_THAT(headers.out, Catch::Contains("GNU_RELRO"));
  CHECK_THAT(headers.out, Catch::Contains("BIND_NOW"));
  CHECK_THAT(headers.out, Catch::Contains("PIE"));
  CHECK_THAT(headers.out, Catch::Contains("__stack_chk_fail"));
  CHECK_THAT(headers.out, Catch::Contains("__memcpy_chk"));
  CHECK(headers.out.find("RWE") == std::string::npos);
#if defined(__x86_64__)
  const std::string program = whole_file(tested_program());
  std::size_t landings = 0;
  for (std::size_t at = 0; (at = program.find("\xf3\x0f\x1e\xfa", at)) != std::string::npos; ++at) ++landings;
  CHECK(landings > 1000);  // endbr64
#endif
}

}  // namespace emgraph::tests
