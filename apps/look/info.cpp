// SPDX-License-Identifier: MIT
// The command info: prints what a file declares without reading it all; with --check, reads and checks all of
// it.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/exit_code.hpp"
#include "apps/run/printable.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "core/base/bytes.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/format/table/weight_names.hpp"
#include "graph/prepare/ingest.hpp"

namespace emgraph::apps {

namespace {

const char* name(graph::EdgeOrder order) {
  constexpr const char* names[] = {"none", "source", "target", "weight"};
  return names[static_cast<std::size_t>(order)];
}

SummaryObject texts(const graph::format::Metadata& metadata) {
  SummaryObject object;
  for (const auto& [key, value] : metadata) object.set(key, value);
  return object;
}

SummaryObject describe(const graph::format::EdgeInput& input) {
  const graph::EdgeFacts& facts = input.facts();
  SummaryObject about{{"format", input.format()},
                      {"nodes", facts.nodes},
                      {"edges", facts.edges},
                      {"id_bytes", facts.layout.id_bytes},
                      {"weight", graph::format::weight_name(facts.layout.weight)},
                      {"payload_bytes", facts.layout.payload_bytes},
                      {"order", name(facts.order)},
                      {"directed", facts.directed},
                      {"unique", facts.unique},
                      {"no_loops", facts.no_loops},
                      {"oriented_low", facts.oriented_low},
                      {"symmetric", facts.symmetric}};
  about.update(texts(input.details()));
  about.set("metadata", texts(input.metadata()));
  return about;
}

SummaryObject describe(const graph::format::NpyHeader& header) {
  if (header.floating) {
    return {{"format", "npy"}, {"values", header.shape[0]}, {"floating_point_bytes", header.item_bytes}};
  }
  return {{"format", "npy"}, {"values", header.shape[0]}, {"id_bytes", header.item_bytes}};
}

/// What a checkpoint keeps.
SummaryObject describe(const core::JournalHead& journal) {
  SummaryObject about{{"format", "checkpoint"},
                      {"command", journal.command},
                      {"done", journal.done.empty() ? "nothing that can be gone on from" : journal.done},
                      {"output", journal.output},
                      {"output_so_far", journal.part}};
  SummaryObject given;
  for (const auto& [key, value] : journal.identity) given.set(key, value);
  about.set("given", std::move(given));
  return about;
}

/// Reads every edge. The readers check the checksums and counts of the format; this function checks that ids
/// are below the declared n.
template <class Id>
SummaryObject read_all(core::Environment& environment, graph::EdgeSource<Id>& edges) {
  const graph::EdgeFacts& facts = edges.facts();
  core::Phase phase(environment.progress, "check", facts.edges.value_or(0), "edges");
  auto lanes = graph::prepare::open_lanes(environment, edges);
  const auto found =
      graph::prepare::ingest(lanes, facts.name, facts.nodes, phase, [](unsigned, const auto&) {});
  SummaryObject about{{"intact", true}, {"edges_read", found.edges}};
  if (found.edges > 0) about.set("largest_id", found.largest_id);
  return about;
}

/// Reads every value of a node result.
SummaryObject read_all(core::Environment& environment, const std::string& file,
                       const graph::format::NpyHeader& header) {
  core::Phase phase(environment.progress, "check", header.shape[0], "values");
  const auto reader =
      graph::format::open_node_reader(environment, file, {.numbers = graph::format::NodeNumbers::either});
  std::uint64_t values = 0;
  for (auto batch = reader->next(); !batch.empty(); batch = reader->next()) {
    values += batch.size();
    phase.advance(batch.size());
  }
  return {{"intact", true}, {"values_read", values}};
}

constexpr const char* undeclared = "not declared";

std::string shown(const std::string& key, const SummaryValue& value) {
  if (const auto* text = std::get_if<std::string>(&value.get())) return *text;
  if (const auto* number = std::get_if<std::uint64_t>(&value.get())) {
    return key == "bytes" ? core::format_size(*number) : core::format_count(*number);
  }
  const auto* flag = std::get_if<bool>(&value.get());
  if (flag != nullptr && *flag) return "yes";
  // A file can declare that it is not directed. It says nothing of other flags that are not set.
  return flag != nullptr && key == "directed" ? "no" : undeclared;
}

/// True for facts of edge files that text does not have.
bool says_nothing(const std::string& key, const std::string& value) {
  return value == undeclared || key == "id_bytes" || key == "payload_bytes" || key == "order";
}

/// A line for each field; the fields of objects follow as lines of their own.
std::string listing(const SummaryObject& about, bool keys_are_ours) {
  std::string text;
  const SummaryValue* const format = keys_are_ours ? about.find("format") : nullptr;
  const bool of_text = format != nullptr && shown("format", *format) == "text";
  for (const auto& [key, value] : about.fields()) {
    if (const auto* object = std::get_if<SummaryObject>(&value.get())) {
      text += listing(*object, false);
      continue;
    }
    const std::string value_text = shown(key, value);
    if (of_text && says_nothing(key, value_text)) continue;
    std::string label = key;
    if (keys_are_ours) std::replace(label.begin(), label.end(), '_', ' ');
    text += fmt::format("{:<19} {}\n", label, value_text);
  }
  return text;
}

class Info final : public Command {
 public:
  void declare(OptionSet& options) override {
    options
        .positionals("FILE", files_,
                     "edge files, node results, directories of --checkpoint, - (standard input), "
                     "gen:MODEL,key=value,... or @LIST (a name in each line)")
        .as_inputs();
    options.group("Info");
    options.flag("--check", check_, "read all of each file and check its checksums, counts and ids");
    options
        .value("--head", head_, "N",
               "for text, show how the first N lines are understood (at most 200, within 64 KiB)")
        .otherwise("1");
    declare_common_options(options, typed_,
                           {.filter = false,
                            .relabel = false,
                            .spills = false,
                            .arrays = false,
                            .output = OutputUse::none,
                            .instead = "the facts go to standard output"});
  }

  ExitCode run() override {
    CommonOptions options = validate(typed_);
    if (!head_.empty()) {
      constexpr std::uint64_t most_lines = 200;
      options.text.shown_lines = static_cast<unsigned>(std::min(most_lines, count_option("--head", head_)));
    }
    Session session(options, Spill::never);
    std::vector<SummaryObject> files;
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
      session.publish();
      session.finish_trace("info");
      for (const SummaryObject& file : files) {
        print_text((&file == &files.front() ? "" : "\n") + listing(file, true));
      }
      if (check_) print_text(left_out_rows(session));
      return worst;
    }
    Report report(session, "info");
    for (const char* key : {"nodes", "edges"}) {
      const SummaryValue* const declared = files.size() == 1 ? files[0].find(key) : nullptr;
      report.hidden(key, declared == nullptr ? SummaryValue() : *declared);
    }
    report.model("external", check_ ? "one pass, nothing is kept" : "headers alone are read");
    report.hidden("files", SummaryList(files.begin(), files.end()));
    report.finish();
    return worst;
  }

 private:
  SummaryObject about(Session& session, const std::string& file) const {
    SummaryObject about{{"file", file}};
    SummaryObject facts = facts_of(session, file);
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored)) about.set("bytes", std::filesystem::file_size(file));
    about.update(std::move(facts));
    return about;
  }

  SummaryObject facts_of(Session& session, const std::string& file) const {
    SummaryObject facts;
    if (const auto journal = core::Checkpoint::look(file)) return describe(*journal);
    if (const auto header = node_result_header(session, file)) {
      facts = describe(*header);
      if (check_) facts.update(read_all(session.environment(), file, *header));
    } else if (check_) {
      with_edges(session, file, Carry::everything,
                 [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
                   facts = describe(input);
                   facts.update(read_all<Id>(session.environment(), edges));
                 });
    } else {
      facts = describe(*open_edge_input(session, file, Carry::everything, 0));
    }
    return facts;
  }

  TypedOptions typed_;
  bool check_ = false;
  std::string head_;
  std::vector<std::string> files_;
};

}  // namespace

std::unique_ptr<Command> make_info() {
  return std::make_unique<Info>();
}

}  // namespace emgraph::apps
