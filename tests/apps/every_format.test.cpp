// SPDX-License-Identifier: MIT
// Every command reads every format; its answer is the same as for a container with these edges.
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <sstream>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/numpy_files.hpp"
#include "tests/apps/run_binary.hpp"
#include "tests/graph/format/webgraph_encoder.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {
namespace {

/// The names that --input-format takes, as the program lists them.
std::vector<std::string> format_names(const Workplace& here) {
  const std::string message = here.run("emgraph cat x --input-format nope").error;
  const std::size_t open = message.find('(');
  const std::size_t close = message.find(')', open);
  REQUIRE(close != std::string::npos);
  std::istringstream list(message.substr(open + 1, close - open - 1));
  std::vector<std::string> names;
  for (std::string name; std::getline(list >> std::ws, name, ',');) names.push_back(name);
  return names;
}

/// Lines "source target weight", with loops, duplicates and nodes without edges.
std::string random_list(std::uint64_t nodes, std::size_t lines) {
  std::mt19937_64 random(4);
  std::string text;
  for (std::size_t i = 0; i < lines; ++i) {
    const std::uint64_t source = random() % nodes;
    // Mostly near, so that there are triangles.
    const std::uint64_t target = (source + random() % (i % 4 == 0 ? nodes : 6)) % nodes;
    text +=
        std::to_string(source) + "\t" + std::to_string(target) + "\t" + std::to_string(random() % 50) + "\n";
  }
  return text;
}

/// How to read a file of this format.
std::string reading(const std::string& format) {
  return " --input-format " + format + (format == "jlg" ? " --skip-lines 1" : "");
}

/// Makes a file of the formats that emgraph reads and does not write, and one of those whose names only say
/// how to read another's. Returns the path.
std::string write_by_hand(const Workplace& here, const std::string& format) {
  const std::string name = "hand." + format;
  const SuccessorLists lists = web_like_lists(200, 3);
  std::vector<std::uint64_t> ends;
  std::vector<std::uint32_t> targets;
  for (const auto& list : lists) {
    targets.insert(targets.end(), list.begin(), list.end());
    ends.push_back(targets.size());
  }
  if (format == "webgraph") {
    here.write("hand.graph", encode_webgraph(lists, {}));
    here.write("hand.properties", webgraph_properties(lists, {}));
    return "hand.graph";
  }
  if (format == "galois") {
    here.write(name, bytes_of(std::vector<std::uint64_t>{1, 0, ends.size(), targets.size()}) +
                         bytes_of(ends) + bytes_of(targets) + std::string(targets.size() % 2 * 4, '\0'));
    return name;
  }
  if (format == "konect") {
    std::string text = "% asym positive\n";
    for (const auto& [source, target] : text_edges(here.read("list.tsv"))) {
      text += std::to_string(source + 1) + " " + std::to_string(target + 1) + "\n";
    }
    here.write(name, text);
    return name;
  }
  if (format == "jlg") {
    std::string text = "300,900,d,graph\n";
    for (const auto& [source, target] : text_edges(here.read("list.tsv"))) {
      text += std::to_string(source) + "," + std::to_string(target) + "\n";
    }
    here.write(name, text);
    return name;
  }
  if (format == "npz") {
    std::vector<std::uint32_t> row;
    std::vector<std::uint32_t> col;
    for (const auto& [source, target] : text_edges(here.read("list.tsv"))) {
      row.push_back(static_cast<std::uint32_t>(source));
      col.push_back(static_cast<std::uint32_t>(target));
    }
    const std::string m = "(" + std::to_string(row.size()) + ",)";
    write_npz(here, name,
              {{"row.npy", npy("<u4", m, bytes_of(row))},
               {"col.npy", npy("<u4", m, bytes_of(col))},
               {"format.npy", npy("|S3", "()", "coo")},
               {"shape.npy", npy("<i8", "(2,)", bytes_of(std::vector<std::int64_t>{300, 300}))},
               {"data.npy", npy("|b1", m, std::string(row.size(), '\1'))}},
              true);
    return name;
  }
  // Neighbours in descending order.
  const bool weighted = format.starts_with("w");
  std::string entries;
  std::uint64_t begin = 0;
  for (const std::uint64_t end : ends) {
    for (std::uint64_t i = end; i > begin; --i) {
      entries += bytes_of(std::vector<std::uint32_t>{targets[i - 1]});
      if (weighted) entries += bytes_of(std::vector<std::int32_t>{static_cast<std::int32_t>(i % 17) - 5});
    }
    begin = end;
  }
  const std::string part = bytes_of(std::vector<std::uint64_t>{0}) + bytes_of(ends) + entries;
  here.write(name, std::string(1, '\1') + bytes_of(std::vector<std::uint64_t>{targets.size(), ends.size()}) +
                       part + part);
  return name;
}

/// The input of a command: a file in this format, made by convert where that is possible.
std::string input_in(const Workplace& here, const std::string& format) {
  if (format.starts_with("text-")) return "list.tsv" + reading(format);
  const std::string list =
      "list.tsv --nodes 300 --input-format " + std::string(format == "f32w"   ? "text-f32w"
                                                           : format == "f64w" ? "text-f64w"
                                                           : format == "u32w" ? "text-u32w"
                                                                              : "text-i64w");
  const std::string made = "made." + format;
  const Outcome outcome =
      here.run("emgraph convert -q " + list + " --output-format " + format + " -o " + made);
  if (outcome.exit_code == 0) return made + reading(format);
  REQUIRE_THAT(outcome.error, Catch::Contains("cannot be written"));
  return write_by_hand(here, format) + reading(format);
}

/// Quickly started: nothing here is large.
const std::string machine = "-j 1 -M 48M ";

/// What the commands that the sample takes give for an input, by name of the command.
std::map<std::string, std::string> answers(const Workplace& here, const std::string& input, Sample& sample) {
  const std::map<std::string, std::string> commands = {
      {"mis", "mis -o - --output-format tsv"},
      {"cc", "cc -o - --output-format tsv"},
      {"bfs", "bfs -o - --output-format tsv"},
      {"mst", "mst --weights hash -o - --output-format text"},
      {"triangles", "triangles --per-node - --output-format tsv"},
      {"sort", "sort -u --symmetrize -o - --output-format text"},
      {"dedup", "dedup -o - --output-format text"},
      {"cat", "cat"}};
  std::map<std::string, std::string> results;
  for (const auto& [name, command] : commands) {
    if (!sample.takes()) continue;
    results[name] = here.succeed("emgraph " + command + " -q " + machine + input).out;
  }
  if (sample.takes())
    results["check sorted"] =
        std::to_string(here.run("emgraph check sorted -q " + machine + input).exit_code);
  if (!sample.takes()) return results;
  const auto stats = here.summary("emgraph stats " + machine + input);
  for (const std::string key :
       {"nodes", "edges", "loops", "duplicate_arcs", "undirected_duplicates", "simple_edges",
        "isolated_nodes", "wedges", "max_degree", "max_degree_node"}) {
    results["stats " + key] = stats.at(key).dump();
  }
  return results;
}

}  // namespace

TEST_CASE("every command gives the same answer for every format") {
  const Workplace here;
  here.write("list.tsv", random_list(250, 900));
  std::map<std::string, std::map<std::string, std::string>> known;  // by edges and n
  Sample sample(2);
  for (const std::string& format : format_names(here)) {
    INFO(format);
    const std::string input = input_in(here, format);
    here.succeed("emgraph convert -q -f " + input + " -o same.emg");
    const auto info = here.summary("emgraph info " + input).at("files").at(0);
    CHECK(info.at("format") == format);
    const auto right = here.summary("emgraph info same.emg").at("files").at(0);
    if (!info.at("nodes").is_null()) CHECK(info.at("nodes") == right.at("nodes"));
    if (!info.at("edges").is_null()) CHECK(info.at("edges") == right.at("edges"));
    CHECK(info.at("weight") == right.at("weight"));

    const std::string edges = here.succeed("emgraph cat -q same.emg").out;
    auto [expected, is_new] = known.try_emplace(right.at("nodes").dump() + "\n" + edges);
    if (is_new) {
      Sample all(1);
      expected->second = answers(here, "same.emg", all);
    }
    for (const auto& [command, answer] : answers(here, input, sample)) {
      INFO(command);
      CHECK(answer == expected->second.at(command));
    }
    if (right.at("weight") != "none") {
      const std::string forest = "emgraph mst -q -o - --output-format text " + machine;
      CHECK(here.succeed(forest + input).out == here.succeed(forest + "same.emg").out);
    }

    // Through a pipe, or a word about why not.
    const std::string file = input.substr(0, input.find(' '));
    const Outcome piped =
        here.run("cat " + file + " | emgraph mis -q -o - --output-format tsv -" + reading(format));
    if (piped.exit_code == 0) {
      CHECK(piped.out == expected->second.at("mis"));
    } else {
      require_failure(piped, 2, {"regular file"});
    }
  }
}

TEST_CASE("packed files are read or refused, never taken for other edges") {
  Sample sample(2);
  const Workplace here;
  here.write("list.tsv", random_list(250, 900));
  for (const std::string& format : format_names(here)) {
    const std::string input = input_in(here, format);
    const std::string file = input.substr(0, input.find(' '));
    const std::string right = here.succeed("emgraph mis -q -o - --output-format tsv " + machine + input).out;
    for (const std::string packer : {"gzip -c", "zstd -qc"}) {
      if (!sample.takes()) continue;
      const std::string packed = file + (packer == "gzip -c" ? ".gz" : ".zst");
      INFO(format << " in " << packed);
      const Outcome whole = here.run(packer + " " + file + " > " + packed + " && emgraph mis -q -o - " +
                                     "--output-format tsv " + machine + packed + reading(format));
      if (whole.exit_code == 0) {
        CHECK(whole.out == right);
        continue;
      }
      require_failure(whole, 3, {packed, "packed by"});
      // The size of raw edges must not be what gives it away.
      here.succeed("truncate -s %24 " + packed);
      require_failure(here.run("emgraph mis " + machine + packed + reading(format)), 3,
                      {packed, "packed by"});
    }
  }
}

}  // namespace emgraph::tests
