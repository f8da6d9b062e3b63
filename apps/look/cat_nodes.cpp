// SPDX-License-Identifier: MIT
// Values are read in step with original ids, or become rows of LabelLines. Labels of components are
// translated like edges.
#include "apps/look/cat_nodes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "apps/files/copy_edges.hpp"
#include "apps/files/edge_output.hpp"
#include "apps/files/label_lines.hpp"
#include "apps/files/output_check.hpp"
#include "apps/files/relabelled_input.hpp"
#include "apps/look/real_lines.hpp"
#include "core/base/error.hpp"
#include "core/base/progress.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/format/nodes/node_writer.hpp"
#include "graph/format/packing/text_output.hpp"
#include "graph/format/raw/npy.hpp"
#include "graph/format/table/extension.hpp"
#include "graph/format/table/format.hpp"
#include "graph/prepare/relabel/map_reading.hpp"
#include "graph/prepare/relabel/node_pairs.hpp"

namespace emgraph::apps {

namespace {

/// Opens the input, which may hold integers or floating-point numbers.
std::unique_ptr<graph::format::NodeReader> open_values(Session& session, const std::string& input) {
  return graph::format::open_node_reader(session.environment(), input,
                                         {.numbers = graph::format::NodeNumbers::either});
}

/// Calls `take(values)` with batches of the first `limit` values, in a phase.
template <class Take>
std::uint64_t for_values(Session& session, graph::format::NodeReader& reader, std::uint64_t limit,
                         Take&& take) {
  core::Phase phase(session.environment().progress, "copy", std::min(limit, reader.count().value_or(0)),
                    "values");
  std::uint64_t copied = 0;
  while (copied < limit) {
    auto batch = reader.next();
    if (batch.empty()) break;
    batch = batch.first(std::min<std::uint64_t>(batch.size(), limit - copied));
    take(batch);
    copied += batch.size();
    phase.advance(batch.size());
  }
  return copied;
}

/// Throws DataError if the nodes of a list do not ascend.
void check_ascending(const std::string& input, std::uint64_t node, std::uint64_t last) {
  if (node >= last) return;
  throw core::DataError::in_file(
      input, fmt::format("node {} found after {}, expected an ascending list of nodes; --as values "
                         "or --as labels if it holds something for each node",
                         node, last));
}

/// The kind given by --as; else values, if they are floating-point numbers; else a list, if `input` has fewer
/// values than the map has nodes. Throws UsageError if the kind remains unknown, or nodes are asked for and
/// the values are floating-point numbers.
NodeResult node_result_kind(const graph::format::NodeReader& reader, const std::string& input,
                            std::optional<NodeResult> as, const std::optional<std::uint64_t>& nodes) {
  if (reader.floating()) {
    if (as.value_or(NodeResult::values) == NodeResult::values) return NodeResult::values;
    throw core::UsageError(
        fmt::format("{}: holds floating-point numbers, which are no nodes: --as values", input));
  }
  if (as) return *as;
  const auto values = reader.count();
  if (!values || !nodes || *values == *nodes) {
    throw core::UsageError(
        fmt::format("{}: say what it holds: --as values (levels, counts), --as labels (nodes: components, "
                    "parents) or --as list (a set of nodes)",
                    input));
  }
  return NodeResult::list;
}

std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> open_lines(Session& session,
                                                                     bool floating = false) {
  const std::string& format = session.options().output_format;
  if (format != "text" && format != "tsv" && format != "txt" && format != "csv") {
    throw core::UsageError(fmt::format("--output-format {}: values are written as text, one a line", format));
  }
  return graph::format::open_node_writer<std::uint64_t>(
      session.environment(), session.options().output,
      {.format = "tsv", .overwrite = overwrite(session.options()), .floating = floating});
}

std::unique_ptr<graph::format::TextOutput> open_label_lines(Session& session) {
  const CommonOptions& options = session.options();
  const std::string& format = options.output_format;
  if (format != "text" && format != "tsv" && format != "txt") {
    throw core::UsageError(
        fmt::format("--output-format {}: labels are written as text, separated by tabs", format));
  }
  if (graph::format::extension_of(graph::format::unpacked_name(options.output)) == "csv") {
    throw core::UsageError(fmt::format(
        "{}: labels are written as text, separated by tabs; call it .tsv or .txt", options.output));
  }
  const graph::EdgeFacts facts;
  const graph::format::CreateOptions create{.overwrite = overwrite(options)};
  return graph::format::open_text_output({session.environment(), options.output, facts, create});
}

std::unique_ptr<graph::format::EdgeWriter> open_pairs(Session& session, graph::EdgeFacts facts) {
  facts.edges = std::nullopt;  // fewer with --head
  return create_edge_output(session, session.options().output, facts, "", {});
}

/// Original ids of ascending nodes.
class OriginalIds {
 public:
  OriginalIds(Session& session, const std::string& input)
      : reader_(open_original_ids(session)), ids_(*reader_, session.options().original_ids), input_(input) {}
  std::uint64_t operator()(std::uint64_t node) {
    if (const auto id = ids_.id_of(node)) return *id;
    throw core::DataError::in_file(input_, graph::relabel::no_id(node, ids_.name(), ids_.read()));
  }

 private:
  const std::unique_ptr<graph::format::NodeReader> reader_;
  graph::relabel::MapReading ids_;
  const std::string input_;
};

std::uint64_t copy_list(Session& session, graph::format::NodeReader& list, OriginalIds& ids,
                        const std::string& input, std::uint64_t limit) {
  const auto writer = open_lines(session);
  std::vector<std::uint64_t> lines;
  std::uint64_t last = 0;
  const std::uint64_t copied = for_values(session, list, limit, [&](std::span<const std::uint64_t> nodes) {
    lines.clear();
    for (const std::uint64_t node : nodes) {
      check_ascending(input, node, last);
      last = node;
      lines.push_back(ids(node));
    }
    writer->append(lines);
  });
  writer->finish();
  return copied;
}

std::uint64_t copy_node_values(Session& session, graph::format::NodeReader& values, OriginalIds& ids,
                               const std::string& input, std::uint64_t limit) {
  graph::EdgeFacts facts;
  facts.layout.id_bytes = 8;
  facts.name = input;
  const auto writer = open_pairs(session, facts);
  std::vector<graph::Edge64> lines;
  std::uint64_t node = 0;
  const std::uint64_t copied = for_values(session, values, limit, [&](std::span<const std::uint64_t> batch) {
    lines.clear();
    for (const std::uint64_t value : batch) lines.push_back({ids(node++), value});
    writer->append_records(graph::record_shape(sizeof(std::uint64_t), 0),
                           std::as_bytes(std::span(lines)).data(), lines.size());
  });
  finish_edge_output(session, *writer);
  return copied;
}

std::uint64_t copy_real_values(Session& session, graph::format::NodeReader& values, OriginalIds& ids,
                               std::uint64_t limit) {
  RealLines lines(session);
  std::uint64_t node = 0;
  const std::uint64_t copied = for_values(session, values, limit, [&](std::span<const std::uint64_t> batch) {
    for (const std::uint64_t value : batch) lines.append(ids(node++), std::bit_cast<double>(value));
  });
  lines.finish();
  return copied;
}

std::uint64_t copy_labels(Session& session, std::unique_ptr<graph::format::NodeReader> labels,
                          const std::string& input, std::uint64_t limit) {
  core::Environment& environment = session.environment();
  auto pairs =
      std::make_shared<graph::relabel::NodePairs>(environment, std::move(labels), input, environment.threads);
  const graph::EdgeFacts numbered = pairs->facts();
  const auto restored = restore_ids(session, std::move(pairs), numbered);
  const auto writer = open_pairs(session, restored->facts());
  const Copied copied = copy_edges(session, *restored, limit, *writer);
  finish_edge_output(session, *writer);
  return copied.edges;
}

constexpr std::size_t triple_nodes = 3;

/// The whole map, for nodes in any order.
core::Array<std::uint64_t> all_original_ids(Session& session) {
  const auto reader = open_original_ids(session);
  const std::string& name = session.options().original_ids;
  std::uint64_t nodes = reader->count().value_or(0);
  if (!reader->count()) {  // text
    for (auto batch = reader->next(); !batch.empty(); batch = reader->next()) nodes += batch.size();
  }
  core::Array<std::uint64_t> ids(session.environment().memory, nodes, "original ids");
  const auto again = open_original_ids(session);
  graph::relabel::MapReading reading(*again, name);
  std::size_t filled = 0;
  for (auto batch = reading.next(); !batch.empty(); batch = reading.next()) {
    if (batch.size() > ids.size() - filled) throw core::DataError::in_file(name, "changed while it was read");
    std::copy(batch.begin(), batch.end(), ids.data() + filled);
    filled += batch.size();
  }
  return ids;
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

std::uint64_t copy_values(Session& session, const std::string& input, std::uint64_t limit) {
  const auto reader = open_values(session, input);
  const auto writer = open_lines(session, reader->floating());
  const std::uint64_t copied = for_values(
      session, *reader, limit, [&](std::span<const std::uint64_t> values) { writer->append(values); });
  writer->finish();
  return copied;
}

std::uint64_t copy_with_original_ids(Session& session, const std::string& input, std::optional<NodeResult> as,
                                     std::uint64_t limit) {
  const auto nodes = !as ? open_original_ids(session)->count() : std::nullopt;
  auto reader = open_values(session, input);
  const NodeResult kind = node_result_kind(*reader, input, as, nodes);
  if (kind == NodeResult::labels) return copy_labels(session, std::move(reader), input, limit);
  OriginalIds ids(session, input);
  if (reader->floating()) return copy_real_values(session, *reader, ids, limit);
  return kind == NodeResult::list ? copy_list(session, *reader, ids, input, limit)
                                  : copy_node_values(session, *reader, ids, input, limit);
}

std::uint64_t copy_values_with_labels(Session& session, const std::string& input,
                                      std::optional<NodeResult> as, std::uint64_t limit) {
  const auto reader = open_values(session, input);
  graph::format::LabelMap map(session.environment(), session.options().label_map);
  const NodeResult kind = node_result_kind(*reader, input, as, map.size());
  LabelRowLayout layout = row_layout(kind, reader->floating());
  layout.terminal = is_terminal(session.options().output);
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
  lines.finish();
  return copied;
}

std::uint64_t copy_triples(Session& session, const std::string& input, std::uint64_t limit) {
  core::Environment& environment = session.environment();
  const auto reader = graph::format::open_node_reader(environment, input, {.columns = triple_nodes});
  // A batch may end within a row.
  std::array<std::uint64_t, triple_nodes> row{};
  std::size_t filled = 0;
  const auto for_rows = [&](auto&& take) {
    const std::uint64_t values = limit > ~std::uint64_t{0} / triple_nodes ? limit : limit * triple_nodes;
    return for_values(session, *reader, values,
                      [&](std::span<const std::uint64_t> batch) {
                        for (const std::uint64_t node : batch) {
                          row[filled++] = node;
                          if (filled < triple_nodes) continue;
                          take();
                          filled = 0;
                        }
                      }) /
           triple_nodes;
  };
  if (!session.options().label_map.empty()) {
    graph::format::LabelMap map(environment, session.options().label_map);
    LabelLines lines(session.environment(), map, input,
                     {.nodes = triple_nodes, .terminal = is_terminal(session.options().output)},
                     open_label_lines(session));
    const std::uint64_t copied = for_rows([&] { lines.append({.nodes = row}); });
    lines.finish();
    return copied;
  }
  const auto ids = all_original_ids(session);
  const auto writer = graph::format::open_node_writer<std::uint64_t>(
      environment, session.options().output,
      {.format = "tsv", .overwrite = overwrite(session.options()), .columns = triple_nodes});
  const std::uint64_t copied = for_rows([&] {
    for (std::uint64_t& node : row) {
      if (node >= ids.size()) {
        throw core::DataError::in_file(
            input, graph::relabel::no_id(node, session.options().original_ids, ids.size()));
      }
      node = ids[static_cast<std::size_t>(node)];
    }
    writer->append(row);
  });
  writer->finish();
  return copied;
}

std::uint64_t copy_edges_with_labels(Session& session, graph::format::EdgeInput& edges, std::uint64_t limit) {
  const graph::EdgeFacts& facts = edges.facts();
  const std::size_t weight_bytes = graph::weight_bytes(facts.layout.weight);
  graph::format::LabelMap map(session.environment(), session.options().label_map);
  LabelLines lines(
      session.environment(), map, facts.name,
      {.nodes = 2, .weight = facts.layout.weight, .terminal = is_terminal(session.options().output)},
      open_label_lines(session));
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
  lines.finish();
  return copied;
}

}  // namespace emgraph::apps
