// SPDX-License-Identifier: MIT
// The command info: what files declare, without reading them all.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/command.hpp"
#include "apps/edge_input.hpp"
#include "apps/error_exit.hpp"
#include "apps/node_input.hpp"
#include "apps/options.hpp"
#include "apps/report.hpp"
#include "apps/session.hpp"
#include "apps/verdict.hpp"
#include "core/base/bytes.hpp"

namespace emgraph::apps {

namespace {

using Json = nlohmann::ordered_json;

const char* name(graph::WeightType type) {
  constexpr const char* names[] = {"none", "u32", "i64", "f32", "f64"};
  return names[static_cast<std::size_t>(type)];
}

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
  about["weight"] = name(facts.layout.weight);
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

std::string shown(const std::string& key, const Json& value) {
  if (value.is_null()) return "not declared";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number_unsigned()) return value.dump();
  const auto number = value.get<std::uint64_t>();
  return key == "bytes" ? core::format_size(number) : core::format_count(number);
}

std::string table(const Json& files) {
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
      print_summary(table(files), false);
      return worst;
    }
    Report report("info");
    const bool one = files.size() == 1;
    report.hidden("nodes", one && files[0].contains("nodes") ? files[0]["nodes"] : Json());
    report.hidden("edges", one && files[0].contains("edges") ? files[0]["edges"] : Json());
    report.model("external", "headers alone are read");
    report.hidden("files", files);
    report.finish(session, false);
    return worst;
  }

 private:
  Json about(Session& session, const std::string& file) const {
    Json about;
    about["file"] = file;
    const auto header = node_result_header(session, file);
    const Json facts = header ? describe(*header) : describe(*open_edge_input(session, file, 0));
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored)) about["bytes"] = std::filesystem::file_size(file);
    about.update(facts);
    return about;
  }

  TypedOptions typed_;
  std::vector<std::string> files_;
};

}  // namespace

std::unique_ptr<Command> make_info() {
  return std::make_unique<Info>();
}

}  // namespace emgraph::apps
