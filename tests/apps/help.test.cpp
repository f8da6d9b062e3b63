// SPDX-License-Identifier: MIT
// --help, --help-all and what --generate prints: all of it says the same of every command.
#include <catch2/catch.hpp>
#include <map>
#include <sstream>

#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

namespace {

/// `plan` takes the options of the command that it is given.
std::string options_of(const std::string& command) {
  return command == "plan" ? " COMMAND [options]" : " [options]";
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// With one blank where lines are broken or columns aligned.
std::string in_one_line(const std::string& text) {
  std::istringstream stream(text);
  std::string line;
  for (std::string word; stream >> word;) line += word + " ";
  return line;
}

/// All commands, from the program's own overview: "  check mis    is RESULT ...".
std::vector<std::string> all_commands(const Workplace& here) {
  std::vector<std::string> commands;
  for (const std::string& line : lines_of(here.succeed("emgraph --help").out)) {
    if (line.starts_with("INPUT")) break;
    if (!line.starts_with("  ") || line[2] == ' ') continue;
    commands.push_back(line.substr(2, line.find("  ", 2) - 2));
  }
  REQUIRE(commands.size() >= 22);
  return commands;
}

/// What --help-all prints of a command. The program is started once for each.
const std::string& help_all(const Workplace& here, const std::string& command) {
  static std::map<std::string, std::string> known;
  std::string& text = known[command];
  if (text.empty()) text = here.succeed("emgraph " + command + " --help-all").out;
  return text;
}

/// "--long" of every option that a help explains: "  -o, --output FILE  ..." or "      --json  ...".
std::vector<std::string> explained_options(const std::string& help) {
  std::vector<std::string> options;
  for (const std::string& line : lines_of(help)) {
    const std::size_t start = line.find_first_not_of(' ');
    if (start == std::string::npos || start < 2 || start > 6 || line[start] != '-') continue;
    const std::size_t name = line.find("--", start);
    if (name <= 6) options.push_back(line.substr(name, line.find_first_of(" \n", name) - name));
  }
  return options;
}

bool is_among(const std::string& word, const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// What bash completes on the line that `words` are, the last of them as typed so far.
std::vector<std::string> completed(const Workplace& here, const std::vector<std::string>& words) {
  std::string line = ". ./completion\nCOMP_WORDS=(";
  for (const std::string& word : words) line += "'" + word + "' ";
  line += ")\nCOMP_CWORD=" + std::to_string(words.size() - 1) +
          "\n_emgraph\n[ ${#COMPREPLY[@]} = 0 ] || printf '%s\\n' \"${COMPREPLY[@]}\"\n";
  here.write("complete.bash", line);
  return lines_of(here.succeed("bash complete.bash").out);
}

std::vector<std::string> line_with(const std::string& command, const std::vector<std::string>& rest) {
  std::vector<std::string> words{"emgraph"};
  std::istringstream stream(command);
  for (std::string word; stream >> word;) words.push_back(word);
  words.insert(words.end(), rest.begin(), rest.end());
  return words;
}

}  // namespace

TEST_CASE("a short help has the command's own options and the common ones that most runs need") {
  Workplace here;
  Sample sample(3);
  for (const std::string& command : all_commands(here)) {
    INFO(command);
    const std::string help = here.succeed("emgraph " + command + " --help").out;
    const std::string& all = help_all(here, command);
    if (sample.takes()) CHECK(here.succeed("emgraph help " + command).out == help);
    if (sample.takes()) CHECK(here.succeed("emgraph " + command + " -h").out == help);
    for (const std::string& text : {help, all}) {
      CHECK(text.starts_with("Usage: emgraph " + command + options_of(command)));
      for (const std::string word : {"Example: emgraph", "Exit codes", "--memory", "--threads", "--json"}) {
        CHECK_THAT(text, Catch::Contains(word));
      }
      for (const std::string& line : lines_of(text)) {
        INFO(line);
        CHECK((line.size() <= 100 || !holds(line.substr(32), " ")));  // one word may be longer
      }
    }
    // Every option is explained by one of them and at least named by the other.
    const std::vector<std::string> explained = explained_options(all);
    CHECK(explained.size() >= 15);
    for (const std::string& option : explained) {
      INFO(option);
      CHECK(holds(help, option));
    }
    const std::vector<std::string> own = explained_options(help);
    CHECK(own.size() < explained.size());
    for (const std::string& option : own) CHECK(is_among(option, explained));
    CHECK(!is_among("--disk-strategy", own));
    CHECK(help.size() < all.size());
  }
}

TEST_CASE("a help names the words that an option takes, and its default") {
  Workplace here;
  const std::string help = in_one_line(here.succeed("emgraph mis --help").out);
  CHECK_THAT(help, Catch::Contains("how messages reach later nodes: auto, bitmap, ranges, heap [auto"));
  const std::string all = in_one_line(here.succeed("emgraph mis --help-all").out);
  for (const std::string words :
       {"auto, none, delta [auto", "auto, internal, semi-external, external [auto"}) {
    CHECK_THAT(all, Catch::Contains(words));
  }
}

TEST_CASE("a help lists the outputs that the command has, and no other") {
  Workplace here;
  const auto lists = [&](const std::string& command, const std::string& option) {
    return is_among(option, explained_options(help_all(here, command)));
  };
  for (const std::string command : {"check mis", "check cc", "check bfs", "check mst", "check sssp",
                                    "check triangles", "check sorted", "info"}) {
    INFO(command);
    for (const std::string option : {"--output", "--output-format"}) CHECK(!lists(command, option));
  }
  CHECK(!lists("triangles", "--output"));
  for (const std::string option : {"--force", "--output-format", "--per-node", "--list"}) {
    CHECK(lists("triangles", option));
  }
  for (const std::string command : {"mis", "cc", "bfs", "mst", "sort", "gen"}) {
    INFO(command);
    for (const std::string option : {"--output", "--force", "--output-format"}) CHECK(lists(command, option));
  }
  require_failure(here.run("emgraph check mis x y -o z"), 2, {"-o", "no result"});
}

TEST_CASE("a help names --resume where there are checkpoints only") {
  const Workplace here;
  CHECK_THAT(here.succeed("emgraph bfs --help").out, Catch::Contains("75 stopped"));
  for (const std::string help : {"cat --help", "cat --help-all", "check bfs --help"}) {
    CHECK_THAT(here.succeed("emgraph " + help).out,
               !Catch::Contains("--resume") && Catch::Contains("Exit codes"));
  }
}

TEST_CASE("a help lists options where they do something only") {
  const Workplace here;
  here.write("e.txt", "0 1 5\n1 2 6\n");
  here.succeed(
      "emgraph mis e.txt -q -o mis.npy && emgraph cc e.txt -q -o cc.npy && emgraph bfs e.txt -q -o bfs.npy");
  here.succeed("emgraph sort e.txt -q -o s.emg && emgraph mst e.txt --weights unit -q -o mst.csv");
  const auto lists = [&](const std::string& command, const std::string& option) {
    return is_among(option, explained_options(help_all(here, command)));
  };
  // Who lists -T uses it, and fails where it cannot; all others do not touch it.
  struct Run {
    std::string command;
    std::string arguments;
  };
  for (const auto& [command, arguments] :
       {Run{"gen", "--edges 9 -o g.emg -f"}, Run{"sort", "e.txt -o s2.emg -f"}, Run{"mis", "e.txt"},
        Run{"cc", "e.txt"}, Run{"bfs", "e.txt"}, Run{"sssp", "e.txt --weights unit --root 0"},
        Run{"mst", "e.txt --weights unit"}, Run{"triangles", "e.txt"}, Run{"stats", "e.txt"},
        Run{"info", "e.txt"}, Run{"info", "e.txt --check"}, Run{"cat", "e.txt"},
        Run{"check mis", "e.txt mis.npy"}, Run{"check bfs", "e.txt bfs.npy"},
        Run{"bench queue", "--quick --size 1M"}}) {
    CAPTURE(command);
    const bool listed = lists(command, "--temp-dir");
    const Outcome outcome =
        here.run("emgraph " + command + " " + arguments + " -q -T /nonexistent/directory");
    CHECK(outcome.exit_code == (listed ? 4 : 0));
    for (const std::string option : {"--disk", "--config", "--disk-strategy"})
      CHECK(lists(command, option) == listed);
    if (!listed) CHECK_FALSE(lists(command, "--spill-codec"));
  }
  for (const std::string command : {"info", "cat", "gen"}) CHECK_FALSE(lists(command, "--temp-dir"));
  CHECK_FALSE(lists("info", "--huge-pages"));
  for (const std::string command : {"bench disks", "bench queue"})
    CHECK_FALSE(lists(command, "--spill-codec"));
  // Only inputs have formats.
  for (const std::string command : {"gen", "graph500", "bench disks", "bench mis"}) {
    CAPTURE(command);
    for (const std::string option :
         {"--input-format", "--cols", "--bipartite", "--min-weight", "--relabel"}) {
      CHECK_FALSE(lists(command, option));
    }
  }
  // -f is for every output, and a trace is one of each command.
  here.write("trace.json", "");
  require_failure(here.run("emgraph info e.txt --trace trace.json"), 2, {"-f"});
}

TEST_CASE("a word that an option does not take is refused with those that it takes") {
  Workplace here;
  require_failure(here.run("emgraph mis x --queue stack"), 2,
                  {"--queue: 'stack' is not one of auto, bitmap, ranges, heap"});
  require_failure(here.run("emgraph mis x --model huge"), 2,
                  {"--model: 'huge' is not one of auto, internal, semi-external, external"});
  require_failure(here.run("emgraph mis x --progress often"), 2,
                  {"--progress: 'often' is not one of auto, always, never"});
  require_failure(here.run("emgraph mis x --weight-type u8"), 2,
                  {"--weight-type: 'u8' is not one of u32, i64, f32, f64"});
  require_failure(here.run("emgraph sort x -o y --by colour"), 2,
                  {"--by: 'colour' is not one of source, target, weight"});
  require_failure(here.run("emgraph check sorted x --by weight"), 2,
                  {"--by: 'weight' is not one of source, target"});
  require_failure(here.run("emgraph cat x --as text"), 2,
                  {"--as: 'text' is not one of values, labels, list"});
}

TEST_CASE("the manual and the completions know every command and every option") {
  Workplace here;
  here.succeed("emgraph --generate complete-bash > completion");
  const std::string zsh = here.succeed("emgraph --generate complete-zsh").out;
  const std::string fish = here.succeed("emgraph --generate=complete-fish").out;
  const std::string man = here.succeed("emgraph --generate man").out;
  const std::string markdown = here.succeed("emgraph --generate markdown").out;
  CHECK(man.starts_with(".TH EMGRAPH 1"));
  CHECK(markdown.starts_with("# emgraph\n"));
  CHECK(zsh.starts_with("#compdef emgraph\n"));
  for (const std::string& command : all_commands(here)) {
    INFO(command);
    CHECK_THAT(markdown, Catch::Contains("### emgraph " + command + options_of(command)));
    CHECK_THAT(man, Catch::Contains(".SS emgraph " + command + options_of(command)));
    CHECK_THAT(zsh, Catch::Contains("    '" + command + "')\n"));
    CHECK_THAT(fish, Catch::Contains(" \"" + command + "\""));
    const std::vector<std::string> by_bash = completed(here, line_with(command, {"--"}));
    for (const std::string& option : explained_options(help_all(here, command))) {
      INFO(option);
      CHECK(is_among(option, by_bash));
      CHECK_THAT(markdown, Catch::Contains(option));
      std::string escaped;
      for (const char c : option) escaped += c == '-' ? "\\-" : std::string(1, c);
      CHECK_THAT(man, Catch::Contains("\\fB" + escaped + "\\fR"));
      const std::size_t its_part = zsh.find("    '" + command + "')\n");
      CHECK(zsh.find(option, its_part) < zsh.find("\n    ;;\n", its_part));
      CHECK_THAT(fish, Catch::Contains(" -l " + option.substr(2) + " "));
    }
  }
}

TEST_CASE("every command has a man page of its own, with all its options") {
  Workplace here;
  here.succeed("emgraph --generate man-pages pages");
  CHECK(here.read("pages/emgraph.1") == here.succeed("emgraph --generate man").out);
  for (const std::string& command : all_commands(here)) {
    INFO(command);
    std::string name = "emgraph-" + command;
    std::ranges::replace(name, ' ', '-');
    const std::string page = here.read("pages/" + name + ".1");
    CHECK(page.starts_with(".TH EMGRAPH"));
    CHECK_THAT(page, Catch::Contains(".SH SYNOPSIS\nemgraph " + command + options_of(command)));
    CHECK_THAT(page, Catch::Contains(".SH EXIT STATUS\n"));
    for (const std::string& option : explained_options(help_all(here, command))) {
      std::string escaped;
      for (const char c : option) escaped += c == '-' ? "\\-" : std::string(1, c);
      CHECK_THAT(page, Catch::Contains("\\fB" + escaped + "\\fR"));
    }
  }
}

TEST_CASE("commands in man pages stay on one line") {
  Workplace here;
  here.succeed("mkdir pages && emgraph --generate man-pages pages");
  CHECK_THAT(here.read("pages/emgraph-bfs.1"), Catch::Contains("\\-o levels.npy\\fR\n.fi"));
  CHECK_THAT(here.read("pages/emgraph.1"), Catch::Contains("| emgraph mis \\-\n.fi"));
}

TEST_CASE("bash completes commands, options, their words and names of files") {
  Workplace here;
  here.succeed("emgraph --generate complete-bash > completion");
  here.write("graph.bin", "");
  here.succeed("mkdir graphs");
  const auto complete = [&](const std::vector<std::string>& rest) {
    return completed(here, line_with("", rest));
  };
  using Words = std::vector<std::string>;
  CHECK(complete({"cc", "--disk", "gra"}) == Words{"graphs"});
  CHECK(complete({"cc", "--disk", "/tmp,size=1G,li"}) == Words{"/tmp,size=1G,limit="});
  CHECK(complete({"cc", "--disk", "/tmp,io", "=", "ur"}) == Words{"uring"});
  CHECK(complete({"cc", "--disk", "/tmp,size", "=", "1"}).empty());
  CHECK(complete({"cc", "--cols", "1,2", "--js"}) == Words{"--json"});
  CHECK(complete({"tri"}) == Words{"triangles"});
  CHECK(complete({"check", "b"}) == Words{"bfs"});
  CHECK(complete({"help", "conv"}) == Words{"convert"});
  CHECK(complete({"help", "bench", "d"}) == Words{"disks"});
  CHECK(complete({"mis", "--qu"}) == Words{"--queue", "--quiet"});
  CHECK(complete({"mis", "--queue", ""}) == Words{"auto", "bitmap", "ranges", "heap"});
  CHECK(complete({"mis", "--queue", "=", "b"}) == Words{"bitmap"});
  CHECK(complete({"mis", "--queue", "="}) == Words{"auto", "bitmap", "ranges", "heap"});
  CHECK(complete({"gen", "--model", "k"}) == Words{"kron"});
  CHECK(complete({"cc", "--model", "s"}) == Words{"semi-external"});
  CHECK(complete({"cc", "--input-format", "graph5"}) == Words{"graph500"});
  CHECK(complete({"check", "sorted", "--by", ""}) == Words{"source", "target"});
  CHECK(complete({"check", "mis", "graph."}) == Words{"graph.bin"});
  CHECK(complete({"mis", "-o", "graph."}) == Words{"graph.bin"});
  CHECK(complete({"mis", "@", "graph."}) == Words{"@graph.bin"});
  CHECK(complete({"mis", "-T", "gra"}) == Words{"graphs"});
  CHECK(complete({"mis", "-M", ""}).empty());
  CHECK(complete({"mis", "gen", ":", "ran"}).empty());
  CHECK(complete({"--generate", "m"}) == Words{"man", "markdown", "man-pages"});
  CHECK(complete({"--generate", "=", "m"}) == Words{"man", "markdown", "man-pages"});
  CHECK(complete({"--generate", "="}).size() == 7);
  CHECK(complete({"--generate", "man-pages", "graphs"}) == Words{"graphs"});
  CHECK(complete({"plan", "m"}) == Words{"mis", "mst"});
  CHECK(complete({"plan", "ch"}) == Words{"check"});
  CHECK(complete({"plan", "check", "so"}) == Words{"sorted"});
  CHECK(complete({"plan", "check", "sorted", "--by", ""}) == Words{"source", "target"});
  CHECK(complete({"plan", "mis", "--queue", "b"}) == Words{"bitmap"});
  CHECK(complete({"plan", "mis", "graph."}) == Words{"graph.bin"});
}

TEST_CASE("bash completes the command of plan behind options, too") {
  Workplace here;
  here.succeed("emgraph --generate complete-bash > completion");
  here.write("graph.bin", "");
  here.succeed("mkdir graphs");
  const auto complete = [&](const std::vector<std::string>& rest) {
    return completed(here, line_with("plan", rest));
  };
  using Words = std::vector<std::string>;
  CHECK(complete({"-M", "1G", "m"}) == Words{"mis", "mst"});
  CHECK(complete({"--memory", "=", "1G", "--json", "m"}) == Words{"mis", "mst"});
  CHECK(complete({"--disk", "a,size", "=", "1G,io", "=", "uring", "m"}) == Words{"mis", "mst"});
  CHECK(complete({"-M", ""}).empty());
  CHECK(complete({"-T", "gra"}) == Words{"graphs"});
  CHECK(complete({"--huge-pages", "=", "o"}) == Words{"on", "off"});
  CHECK(complete({"-M", "1G", "--js"}) == Words{"--json"});
  CHECK(complete({"-M", "1G", "mis", "--qu"}) == Words{"--queue", "--quiet"});
  CHECK(complete({"-M", "1G", "mis", "graph."}) == Words{"graph.bin"});
  CHECK(complete({"-M", "1G", "check", "so"}) == Words{"sorted"});
  CHECK(complete({"-M", "1G", "check", "sorted", "--by", ""}) == Words{"source", "target"});
}

TEST_CASE("fish completes names of files where a command takes them") {
  Workplace here;
  std::string commands;  // whose arguments are files
  for (const std::string& line : lines_of(here.succeed("emgraph --generate complete-fish").out)) {
    if (line.ends_with("' -F")) commands += line;
  }
  CHECK_THAT(commands, Catch::Contains(" \"mis\"") && Catch::Contains(" \"check mis\""));
  CHECK(!holds(commands, "\"plan\""));
}

TEST_CASE("what cannot be generated is wrong usage") {
  Workplace here;
  require_failure(here.run("emgraph --generate html"), 2,
                  {"--generate: 'html' is not one of man, complete-bash, complete-zsh, complete-fish, "
                   "markdown, json, man-pages"});
  require_failure(here.run("emgraph --generate"), 2, {"--generate", "markdown"});
  require_failure(here.run("emgraph --generate man more"), 2, {"--generate", "more"});
  require_failure(here.run("emgraph --generate man-pages"), 2, {"--generate man-pages", "directory"});
  here.write("file", "");
  require_failure(here.run("emgraph --generate man-pages file/pages"), 4, {"file/pages"});
}

}  // namespace emgraph::tests
