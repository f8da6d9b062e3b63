// SPDX-License-Identifier: MIT
// The command info: what files declare, without reading them all; with --check, whether all of it can be
// read.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/node_input.hpp"
#include "apps/run/error_exit.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "apps/run/verdict.hpp"
#include "core/base/bytes.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/format/table/weight_names.hpp"
#include "graph/prepare/ingest.hpp"

namespace emgraph::apps {

namespace {

using Json = nlohmann::ordered_json;

const char* name(graph::EdgeOrder order) {
  constexpr const char* names[] = {"none", "source", "target", "weight"};
  return names[static_cast<std::size_t>(order)];
}

Json describe(const graph::format::EdgeInput& input) {
  const graph::EdgeFacts& facts = input.facts();
  Json about;
  about["format"] = input.format();
  about["nodes"] = facts.nodes ? Json(*facts.nodes) : Json();
  about["edges"] = facts.edges ? Json(*facts.edges) : Json();
  about["id_bytes"] = facts.layout.id_bytes;
  about["weight"] = graph::format::weight_name(facts.layout.weight);
  about["payload_bytes"] = facts.layout.payload_bytes;
  about["order"] = name(facts.order);
  about["directed"] = facts.directed;
  about["unique"] = facts.unique;
  about["no_loops"] = facts.no_loops;
  about["oriented_low"] = facts.oriented_low;
  about["symmetric"] = facts.symmetric;
  for (const auto& [key, value] : input.details()) about[key] = value;
  about["metadata"] = Json::object();
  for (const auto& [key, value] : input.metadata()) about["metadata"][key] = value;
  return about;
}

Json describe(const graph::format::NpyHeader& header) {
  return {{"format", "npy"}, {"values", header.shape[0]}, {"id_bytes", header.item_bytes}};
}

/// Reads every edge. Readers compare every checksum and every count that the format has; ids are held against
/// the declared n here.
template <class R>
Json read_all(core::Environment& environment, graph::EdgeSource<R>& edges) {
  const graph::EdgeFacts& facts = edges.facts();
  core::Phase phase(environment.progress, "check", facts.edges.value_or(0), "edges");
  auto lanes = graph::prepare::open_lanes(environment, edges);
  const auto found =
      graph::prepare::ingest(lanes, facts.name, facts.nodes, phase, [](unsigned, std::span<const R>) {});
  Json about = {{"intact", true}, {"edges_read", found.edges}};
  if (found.edges > 0) about["largest_id"] = found.largest_id;
  return about;
}

/// Reads every value of a node result.
Json read_all(core::Environment& environment, const std::string& file,
              const graph::format::NpyHeader& header) {
  core::Phase phase(environment.progress, "check", header.shape[0], "values");
  const auto reader = graph::format::open_node_reader(environment, file, {});
  std::uint64_t values = 0;
  for (auto batch = reader->next(); !batch.empty(); batch = reader->next()) {
    values += batch.size();
    phase.advance(batch.size());
  }
  return {{"intact", true}, {"values_read", values}};
}

std::string shown(const std::string& key, const Json& value) {
  if (value.is_null()) return "not declared";
  // Of a flag only "yes" says something.
  if (value.is_boolean()) return value.get<bool>() ? "yes" : key == "directed" ? "no" : "not declared";
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number_unsigned()) return value.dump();
  const auto number = value.get<std::uint64_t>();
  return key == "bytes" ? core::format_size(number) : core::format_count(number);
}

std::string listing(const Json& files) {
  std::string text;
  for (const Json& about : files) {
    if (!text.empty()) text += "\n";
    for (const auto& [key, value] : about.items()) {
      if (value.is_object()) {
        for (const auto& [inner, made] : value.items())
          text += fmt::format("{:<20}{}\n", inner, shown(inner, made));
        continue;
      }
      std::string label = key;
      std::replace(label.begin(), label.end(), '_', ' ');
      text += fmt::format("{:<20}{}\n", label, shown(key, value));
    }
  }
  return text;
}

class Info final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("FILE", files_, "files, - (standard input) or gen:MODEL,key=value,...")->required();
    app.add_flag("--check", check_,
                 "reads it all: are checksums, counts and ids what the file says they are?")
        ->group("Info");
    declare_common_options(app, typed_, {.relabel = false, .output = OutputUse::none});
  }

  ExitCode run() override {
    const CommonOptions options = validate(typed_);
    refuse_output(options);
    Session session(options, Spill::never);
    Json files = Json::array();
    ExitCode worst = ExitCode::done;
    for (const std::string& file : files_) {
      try {
        files.push_back(about(session, file));
      } catch (...) {
        worst = std::max(worst, explain_current_exception("info"));
      }
    }
    if (files_.size() == 1 && worst != ExitCode::done) return worst;
    if (!options.json) {
      session.finish_trace("info");
      print_summary(listing(files), false);
      return worst;
    }
    Report report("info");
    const bool one = files.size() == 1;
    report.hidden("nodes", one && files[0].contains("nodes") ? files[0]["nodes"] : Json());
    report.hidden("edges", one && files[0].contains("edges") ? files[0]["edges"] : Json());
    report.model("external", check_ ? "one pass, nothing is kept" : "headers alone are read");
    report.hidden("files", files);
    report.finish(session, false);
    return worst;
  }

 private:
  Json about(Session& session, const std::string& file) const {
    Json about;
    about["file"] = file;
    const Json facts = facts_of(session, file);
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored)) about["bytes"] = std::filesystem::file_size(file);
    about.update(facts);
    return about;
  }

  Json facts_of(Session& session, const std::string& file) const {
    Json facts;
    if (const auto header = node_result_header(session, file)) {
      facts = describe(*header);
      if (check_) facts.update(read_all(session.environment(), file, *header));
    } else if (check_) {
      with_edges(session, file, AllAttachments(),
                 [&]<class R>(graph::format::EdgeInput& input, graph::EdgeSource<R>& edges) {
                   facts = describe(input);
                   facts.update(read_all<R>(session.environment(), edges));
                 });
    } else {
      facts = describe(*open_edge_input(session, file, 0));
    }
    return facts;
  }

  TypedOptions typed_;
  bool check_ = false;
  std::vector<std::string> files_;
};

}  // namespace

std::unique_ptr<Command> make_info() {
  return std::make_unique<Info>();
}

}  // namespace emgraph::apps
