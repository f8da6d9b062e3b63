// SPDX-License-Identifier: MIT
// Values and edges become rows of LabelLines.
#include "apps/look/cat_labels.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "apps/files/label_lines.hpp"
#include "apps/look/cat_nodes.hpp"
#include "core/base/error.hpp"
#include "core/base/progress.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/format/raw/npy.hpp"
#include "graph/format/table/extension.hpp"

namespace emgraph::apps {

namespace {

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

LabelRowLayout row_layout(NodeResult kind) {
  return {.nodes = kind == NodeResult::labels ? std::size_t{2} : 1, .number = kind == NodeResult::values};
}

}  // namespace

bool is_label_map(const std::string& map) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(map, ignored)) return false;
  if (graph::format::extension_of(map) == "bin") return false;
  std::ifstream file(map, std::ios::binary);
  std::string line;
  // An id has 20 digits at most; a label may be long.
  constexpr std::size_t looked_at_bytes = 32;
  line.resize(looked_at_bytes);
  file.read(line.data(), looked_at_bytes);
  line.resize(static_cast<std::size_t>(file.gcount()));
  if (graph::format::is_npy(std::as_bytes(std::span(line)))) return false;
  return !starts_with_number_of_0(line.substr(0, line.find('\n')));
}

std::uint64_t copy_values_with_labels(Session& session, const std::string& input, const std::string& as,
                                      std::uint64_t limit) {
  const auto reader = graph::format::open_node_reader(session.environment(), input, {});
  graph::format::LabelMap map(session.environment(), session.options().label_map);
  const NodeResult kind = node_result_kind(session, input, as, map.size());
  LabelLines lines(session, map, input, row_layout(kind));
  if (kind != NodeResult::list && reader->count()) check_size(map, input, *reader->count());
  const std::uint64_t missing = reader->value_bytes() == 4 ? ~std::uint32_t{0} : ~std::uint64_t{0};
  std::uint64_t last = 0;
  const std::uint64_t copied = for_values(
      session, *reader, limit, [&, node = std::uint64_t{0}](std::span<const std::uint64_t> batch) mutable {
        for (const std::uint64_t value : batch) {
          LabelRow row;
          row.nodes = {node++, value};
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
  lines.finish();
  return copied;
}

std::uint64_t copy_edges_with_labels(Session& session,
                                     graph::EdgeSource<graph::Record<std::uint64_t, 8>>& edges,
                                     std::uint64_t limit) {
  const graph::EdgeFacts& facts = edges.facts();
  graph::format::LabelMap map(session.environment(), session.options().label_map);
  LabelLines lines(session, map, facts.name, {.nodes = 2, .weight = facts.layout.weight});
  if (facts.nodes) check_size(map, facts.name, *facts.nodes);
  core::Phase phase(session.environment().progress, "copy", std::min(limit, facts.edges.value_or(0)),
                    "edges");
  std::uint64_t copied = 0;
  const auto lane = edges.lane();
  while (copied < limit) {
    auto batch = lane->next();
    if (batch.empty()) break;
    batch = batch.first(std::min<std::uint64_t>(batch.size(), limit - copied));
    for (const auto& edge : batch) {
      LabelRow row{.nodes = {edge.source, edge.target}};
      std::memcpy(row.value.data(), edge.attachment.data(), row.value.size());
      lines.append(row);
    }
    copied += batch.size();
    phase.advance(batch.size());
  }
  lines.finish();
  return copied;
}

}  // namespace emgraph::apps
