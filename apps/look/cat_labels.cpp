// SPDX-License-Identifier: MIT
// Nodes become rows of LabelLines.
#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>

#include "apps/files/label_lines.hpp"
#include "apps/files/output_check.hpp"
#include "apps/files/text_files.hpp"
#include "apps/look/cat_nodes.hpp"
#include "apps/look/node_values.hpp"
#include "core/base/error.hpp"
#include "core/base/progress.hpp"
#include "graph/format/arrays/npy.hpp"
#include "graph/format/packing/text_output.hpp"
#include "graph/format/table/extension.hpp"
#include "graph/format/table/format.hpp"

namespace emgraph::apps {

namespace {

std::unique_ptr<graph::format::TextOutput> open_label_lines(Session& session) {
  const CommonOptions& options = session.options();
  require_text_format(options.output_format, false, "labels are written as text, separated by tabs");
  if (graph::format::extension_of(graph::format::unpacked_name(options.output)) == "csv") {
    throw core::UsageError(fmt::format(
        "{}: labels are written as text, separated by tabs; call it .tsv or .txt", options.output));
  }
  return open_text(session, options.output);
}

/// "0", a tab, a number.
bool starts_with_number_of_0(std::string line) {
  if (line.ends_with('\r')) line.pop_back();
  return line.size() > 2 && line.starts_with("0\t") &&
         std::all_of(line.begin() + 2, line.end(), [](char c) { return c >= '0' && c <= '9'; });
}

void check_size(const graph::format::LabelMap& map, const std::string& input, std::uint64_t nodes) {
  if (nodes == map.size()) return;
  throw core::DataError::in_file(
      input, fmt::format("has {} nodes, but {} has {} labels: is it the map of this graph?", nodes,
                         map.name(), map.size()));
}

LabelRowLayout row_layout(NodeResult kind, bool floating) {
  if (floating) return {.nodes = 1, .weight = graph::WeightType::f64};
  return {.nodes = kind == NodeResult::labels ? std::size_t{2} : 1, .number = kind == NodeResult::values};
}

}  // namespace

bool is_label_map(const std::string& map) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(map, ignored)) return false;
  if (graph::format::extension_of(map) == "bin") return false;
  std::ifstream file(map, std::ios::binary);
  std::string line;
  // Enough for a line of a map of --relabel: an id has at most 20 digits.
  constexpr std::size_t looked_at_bytes = 32;
  line.resize(looked_at_bytes);
  file.read(line.data(), looked_at_bytes);
  line.resize(static_cast<std::size_t>(file.gcount()));
  if (graph::format::is_npy(std::as_bytes(std::span(line)))) return false;
  return !starts_with_number_of_0(line.substr(0, line.find('\n')));
}

std::uint64_t copy_values_with_labels(Session& session, const std::string& input,
                                      std::optional<NodeResult> as, std::uint64_t limit) {
  const auto reader = open_values(session, input);
  graph::format::LabelMap map(session.environment(), session.options().label_map);
  const NodeResult kind = node_result_kind(*reader, input, as, map.size());
  LabelRowLayout layout = row_layout(kind, reader->floating());
  layout.terminal = is_terminal(session.options().output);
  if (session.options().output_header) {
    layout.header = {"node"};
    if (kind != NodeResult::list) layout.header.emplace_back("value");
  }
  LabelLines lines(session.environment(), map, input, layout, open_label_lines(session));
  if (kind != NodeResult::list && reader->count()) check_size(map, input, *reader->count());
  const std::uint64_t missing = reader->value_bytes() == 4 ? ~std::uint32_t{0} : ~std::uint64_t{0};
  std::uint64_t last = 0;
  const std::uint64_t copied = for_values(
      session, *reader, limit, [&, node = std::uint64_t{0}](std::span<const std::uint64_t> batch) mutable {
        for (const std::uint64_t value : batch) {
          LabelRow row;
          row.nodes = {node++, value, 0};
          if (kind == NodeResult::list) {
            check_ascending(input, value, last);
            last = value;
            row.nodes[0] = value;
          } else if (kind == NodeResult::values) {
            std::memcpy(row.value.data(), &value, sizeof(value));
          } else if (value == missing) {
            continue;
          }
          lines.append(row);
        }
      });
  if (kind != NodeResult::list && copied < limit) check_size(map, input, copied);
  lines.finish(session);
  return copied;
}

std::uint64_t copy_triples_with_labels(Session& session, const std::string& input, std::uint64_t limit) {
  graph::format::LabelMap map(session.environment(), session.options().label_map);
  LabelRowLayout layout{.nodes = std::tuple_size_v<Triple>,
                        .terminal = is_terminal(session.options().output)};
  if (session.options().output_header) layout.header = {"node", "node_2", "node_3"};
  LabelLines lines(session.environment(), map, input, layout, open_label_lines(session));
  const std::uint64_t copied =
      for_triples(session, input, limit, [&](const Triple& row) { lines.append({.nodes = row}); });
  lines.finish(session);
  return copied;
}

std::uint64_t copy_edges_with_labels(Session& session, graph::format::EdgeInput& edges, std::uint64_t limit) {
  const graph::EdgeFacts& facts = edges.facts();
  const std::size_t weight_bytes = graph::weight_bytes(facts.layout.weight);
  graph::format::LabelMap map(session.environment(), session.options().label_map);
  LabelRowLayout layout{
      .nodes = 2, .weight = facts.layout.weight, .terminal = is_terminal(session.options().output)};
  if (session.options().output_header) layout.header = {"source", "target"};
  if (session.options().output_header && weight_bytes > 0) layout.header.emplace_back("weight");
  LabelLines lines(session.environment(), map, facts.name, layout, open_label_lines(session));
  if (facts.nodes) check_size(map, facts.name, *facts.nodes);
  core::Phase phase(session.environment().progress, "copy", std::min(limit, facts.edges.value_or(0)),
                    "edges");
  std::uint64_t copied = 0;
  const auto lane = edges.source<std::uint64_t>(weight_bytes).lane();
  while (copied < limit) {
    auto batch = lane.next();
    if (batch.empty()) break;
    batch = batch.subspan(0, std::min<std::uint64_t>(batch.size(), limit - copied));
    for (const auto& edge : batch) {
      LabelRow row{.nodes = {edge.source, edge.target, 0}};
      std::memcpy(row.value.data(), graph::attachment_of(edge), weight_bytes);
      lines.append(row);
    }
    copied += batch.size();
    phase.advance(batch.size());
  }
  lines.finish(session);
  return copied;
}

}  // namespace emgraph::apps
