// SPDX-License-Identifier: MIT
// Values and original ids are read side by side; labels are translated as edges are.
#include "apps/look/cat_nodes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "apps/files/copy_edges.hpp"
#include "apps/files/edge_output.hpp"
#include "apps/files/output_check.hpp"
#include "apps/files/relabelled_input.hpp"
#include "core/base/error.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/format/nodes/node_writer.hpp"
#include "graph/format/source/typed_source.hpp"
#include "graph/prepare/relabel/map_reading.hpp"
#include "graph/prepare/relabel/node_pairs.hpp"

namespace emgraph::apps {

namespace {

using Pair = graph::Record<std::uint64_t, 0>;

std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> open_lines(Session& session) {
  const std::string& format = session.options().output_format;
  if (format != "text" && format != "tsv" && format != "txt" && format != "csv") {
    throw core::UsageError(fmt::format("--output-format {}: values are written as text, one a line", format));
  }
  return graph::format::open_node_writer<std::uint64_t>(
      session.environment(), session.options().output,
      {.format = "tsv", .overwrite = overwrite(session.options())});
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
  std::vector<Pair> lines;
  std::uint64_t node = 0;
  const std::uint64_t copied = for_values(session, values, limit, [&](std::span<const std::uint64_t> batch) {
    lines.clear();
    for (const std::uint64_t value : batch) lines.push_back({ids(node++), value});
    writer->append(std::span<const Pair>(lines));
  });
  finish_edge_output(session, *writer);
  return copied;
}

std::uint64_t copy_labels(Session& session, std::unique_ptr<graph::format::NodeReader> labels,
                          const std::string& input, std::uint64_t limit) {
  core::Environment& environment = session.environment();
  auto pairs =
      std::make_shared<graph::relabel::NodePairs>(environment, std::move(labels), input, environment.threads);
  const graph::EdgeFacts numbered = pairs->facts();
  const auto restored = restore_ids(session, std::move(pairs), numbered);
  graph::format::TypedSource<Pair> source(restored, restored->facts());
  const auto writer = open_pairs(session, restored->facts());
  const Copied copied = copy_edges<Pair>(session, source, limit, *writer);
  finish_edge_output(session, *writer);
  return copied.edges;
}

}  // namespace

void check_ascending(const std::string& input, std::uint64_t node, std::uint64_t last) {
  if (node >= last) return;
  throw core::DataError::in_file(
      input, fmt::format("node {} found after {}, expected an ascending list of nodes; --as values "
                         "or --as labels if it holds something for each node",
                         node, last));
}

NodeResult node_result_kind(Session& session, const std::string& input, const std::string& typed,
                            const std::optional<std::uint64_t>& nodes) {
  if (typed == "values") return NodeResult::values;
  if (typed == "labels") return NodeResult::labels;
  if (typed == "list") return NodeResult::list;
  if (!typed.empty()) {
    throw core::UsageError(fmt::format("--as: '{}' is not one of values, labels, list", typed));
  }
  const auto values = graph::format::open_node_reader(session.environment(), input, {})->count();
  if (!values || !nodes || *values == *nodes) {
    throw core::UsageError(
        fmt::format("{}: say what it holds: --as values (levels, counts), --as labels (nodes: components, "
                    "parents) or --as list (a set of nodes)",
                    input));
  }
  return NodeResult::list;
}

std::uint64_t copy_values(Session& session, const std::string& input, std::uint64_t limit) {
  const auto reader = graph::format::open_node_reader(session.environment(), input, {});
  const auto writer = open_lines(session);
  const std::uint64_t copied = for_values(
      session, *reader, limit, [&](std::span<const std::uint64_t> values) { writer->append(values); });
  writer->finish();
  return copied;
}

std::uint64_t copy_with_original_ids(Session& session, const std::string& input, const std::string& as,
                                     std::uint64_t limit) {
  const auto nodes = as.empty() ? open_original_ids(session)->count() : std::nullopt;
  const NodeResult kind = node_result_kind(session, input, as, nodes);
  auto reader = graph::format::open_node_reader(session.environment(), input, {});
  if (kind == NodeResult::labels) return copy_labels(session, std::move(reader), input, limit);
  OriginalIds ids(session, input);
  return kind == NodeResult::list ? copy_list(session, *reader, ids, input, limit)
                                  : copy_node_values(session, *reader, ids, input, limit);
}

}  // namespace emgraph::apps
