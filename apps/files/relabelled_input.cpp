// SPDX-License-Identifier: MIT
// Converts options to those of graph/prepare/relabel, and creates and opens the file of the map.
#include "apps/files/relabelled_input.hpp"

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "apps/files/node_names.hpp"
#include "apps/files/output_check.hpp"
#include "apps/files/stand_in.hpp"
#include "apps/run/words.hpp"
#include "core/base/error.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/table/extension.hpp"
#include "graph/format/table/open_several.hpp"
#include "graph/format/text/label_text.hpp"
#include "graph/prepare/relabel/labels.hpp"
#include "graph/prepare/relabel/original_ids.hpp"
#include "graph/prepare/relabel/relabel.hpp"

namespace emgraph::apps {

void IdMap::finish(Session& session) {
  if (!ids && !labels) return;
  const core::Phase phase(session.environment().progress, "finish map", 0, "bytes");
  if (ids) ids->finish();
  if (labels) labels->finish();
}

void open_id_map(Session& session, IdMap& map) {
  const CommonOptions& options = session.options();
  if (options.map.empty()) return;
  map.ids = graph::format::open_node_writer<std::uint64_t>(session.environment(), options.map,
                                                           {.overwrite = overwrite(options), .dense = true});
}

void relabel_input(Session& session, const Inputs& inputs, graph::format::EdgeInput& edges, IdMap& map) {
  const CommonOptions& options = session.options();
  if (!options.original_ids.empty()) edges.replace(restore_ids(session, edges.release(), edges.facts()));
  if (!options.relabel) return;
  core::Environment& environment = session.environment();
  open_id_map(session, map);
  graph::format::KeptLabels* const kept = options.keep_names ? &session.start_names() : nullptr;
  NameSink names(nullptr, map.ids.get(), kept);
  const std::uint64_t likely_edges = declared_estimate(session, inputs, edges).edges.value.value_or(0);
  const auto foresee = [&](const graph::relabel::Outlook& outlook) {
    if (!foresees_phases(session)) return;
    graph::EdgeFacts facts = edges.facts();
    facts.edges = outlook.edges;
    if (!facts.edges && likely_edges > 0) facts.edges = likely_edges;
    facts.layout.id_bytes = 4;
    facts.nodes = outlook.nodes != 0 ? outlook.nodes : stand_in_estimate(facts).nodes.value;
    foresee_phases(session, outlook.phases, {.facts = std::move(facts), .rewindable = true});
  };
  const graph::relabel::Relabelled relabelled =
      graph::relabel::relabel(environment, edges.release(), edges.facts(),
                              {.max_lanes = environment.threads,
                               .likely_edges = likely_edges,
                               .asked = options.asked_ids,
                               .foresee = foresee},
                              names.used() ? &names : nullptr);
  if (kept != nullptr) kept->finish();
  session.set_relabelling({.method = std::string(graph::relabel::name(relabelled.method)),
                           .reason = relabelled.reason,
                           .numbers = relabelled.numbers});
  edges.replace(relabelled.source);
}

std::unique_ptr<graph::format::EdgeInput> number_labels(Session& session, const Inputs& inputs,
                                                        const graph::format::OpenOptions& open, IdMap& map) {
  const CommonOptions& options = session.options();
  core::Environment& environment = session.environment();
  const std::vector<std::string>& names_of_inputs = inputs.names();
  graph::format::SharedOptions shared(open, names_of_inputs.size());
  std::optional<graph::format::FirstLines> first;
  graph::relabel::LabelTexts texts;
  texts.count = names_of_inputs.size();
  texts.reopenable = [&](std::size_t number) { return graph::format::reopenable(names_of_inputs[number]); };
  texts.open = [&](std::size_t number) {
    const std::string& input = names_of_inputs[number];
    if (graph::format::is_generator(input)) throw core::UsageError(input + ": a generator has no labels");
    core::InputFile file(input, environment.io);
    const graph::format::OpenOptions own = shared.for_file(environment, file);
    auto text = graph::format::open_label_text(environment, std::move(file), own);
    const graph::format::FirstLines& lines = text->first_lines();
    if (!lines.ignored.empty()) session.warn_once(text->name() + ": " + lines.ignored);
    if (!first) {
      first = lines;
      foresee_labels(session, inputs, text->columns().weight);
    }
    return text;
  };
  if (!options.map.empty()) {
    map.labels = std::make_unique<graph::format::LabelWriter>(environment, options.map, overwrite(options));
  }
  graph::format::KeptLabels* const kept = options.keep_names ? &session.start_names() : nullptr;
  NameSink names(map.labels.get(), nullptr, kept);
  graph::relabel::NumberedLabels numbered =
      graph::relabel::number_labels(environment, texts,
                                    {.max_lanes = environment.threads,
                                     .weights_may_differ = open.weights_may_differ,
                                     .asked = options.asked_labels},
                                    names.used() ? &names : nullptr);
  if (kept != nullptr) kept->finish();
  const graph::format::FirstLines& lines = *first;
  if (numbered.lonely_first_edge && !options.text.header && lines.row_line != 0) {
    session.warn_once(
        fmt::format("{}: line {} ({}) may be a header: its labels occur in no other line; --header skips it",
                    inputs.names().front(), lines.row_line, joined(lines.row, ", ")));
  }
  session.set_relabelling({.method = std::string(numbered.method),
                           .reason = std::string(numbered.reason),
                           .numbers = std::move(numbered.numbers)});
  graph::EdgeFacts facts = numbered.source->facts();
  graph::format::Opened opened{.source = std::move(numbered.source)};
  return std::make_unique<graph::format::EdgeInput>(std::move(opened), std::move(facts), "text");
}

void ask_for(CommonOptions& options, const std::string& option, const std::vector<std::string>& typed) {
  for (const std::string& text : typed) {
    if (options.labels) {
      options.asked_labels.push_back(text);
    } else {
      options.asked_ids.push_back(id_option(option, text));
    }
  }
}

std::vector<std::uint64_t> asked_nodes(const Session& session, const std::string& option,
                                       const std::string& input) {
  const CommonOptions& options = session.options();
  if (options.stand_in || session.numbering())
    return std::vector<std::uint64_t>(options.asked_ids.size() + options.asked_labels.size());
  if (!session.relabelling()) return options.asked_ids;
  std::vector<std::uint64_t> nodes;
  for (const std::optional<std::uint64_t>& number : session.relabelling()->numbers) {
    const std::size_t i = nodes.size();
    if (!number && options.labels) {
      throw core::UsageError(
          fmt::format("{} {}: no edge of {} has this label", option, options.asked_labels[i], input));
    }
    if (!number) {
      throw core::UsageError(
          fmt::format("{} {}: no edge of {} has this id", option, options.asked_ids[i], input));
    }
    nodes.push_back(*number);
  }
  return nodes;
}

std::unique_ptr<graph::format::NodeReader> open_original_ids(Session& session) {
  return graph::format::open_node_reader(session.environment(), session.options().original_ids,
                                         {.bin_value_bytes = 8});
}

std::shared_ptr<graph::format::RecordSource> restore_ids(Session& session,
                                                         std::shared_ptr<graph::format::RecordSource> source,
                                                         const graph::EdgeFacts& facts) {
  core::Environment& environment = session.environment();
  return graph::relabel::restore(environment, std::move(source), facts,
                                 [&session] { return open_original_ids(session); },
                                 session.options().original_ids, {.max_lanes = environment.threads});
}

}  // namespace emgraph::apps
