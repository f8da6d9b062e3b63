// SPDX-License-Identifier: MIT
// Values are read in step with original ids. Labels of components are translated like edges.
#include "apps/look/cat_nodes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "apps/files/copy_edges.hpp"
#include "apps/files/edge_output.hpp"
#include "apps/files/named_results.hpp"
#include "apps/files/output_check.hpp"
#include "apps/files/relabelled_input.hpp"
#include "apps/look/node_values.hpp"
#include "apps/look/real_lines.hpp"
#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/nodes/node_writer.hpp"
#include "graph/prepare/relabel/map_reading.hpp"
#include "graph/prepare/relabel/node_pairs.hpp"

namespace emgraph::apps {

namespace {

/// The names of columns, if --output-header asks for them.
std::vector<std::string> names_if_asked(const Session& session, std::vector<std::string> names) {
  return session.options().output_header ? std::move(names) : std::vector<std::string>();
}

std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> open_lines(Session& session,
                                                                     bool floating = false) {
  require_text_format(session.options().output_format, true, "values are written as text, one a line");
  return graph::format::open_node_writer<std::uint64_t>(session.environment(), session.options().output,
                                                        {.format = "tsv",
                                                         .overwrite = overwrite(session.options()),
                                                         .column_names = names_if_asked(session, {"node"}),
                                                         .floating = floating});
}

/// Opens an output for nodes and their values.
std::unique_ptr<graph::format::EdgeWriter> open_pairs(Session& session, graph::EdgeFacts facts) {
  facts.edges = std::nullopt;  // fewer with --head
  return create_edge_output(session, session.options().output, facts, "", {}, {"node", "value"});
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

/// The number of ids in the map. Reads a text to its end.
std::uint64_t original_id_count(Session& session) {
  const auto reader = open_original_ids(session);
  if (const auto declared = reader->count()) return *declared;
  std::uint64_t ids = 0;
  for (auto batch = reader->next(); !batch.empty(); batch = reader->next()) ids += batch.size();
  return ids;
}

/// The whole map, for nodes in any order.
core::Array<std::uint64_t> all_original_ids(Session& session) {
  const std::string& name = session.options().original_ids;
  core::Array<std::uint64_t> ids(session.environment().memory, original_id_count(session), "original ids");
  const auto reader = open_original_ids(session);
  graph::relabel::MapReading reading(*reader, name);
  std::size_t filled = 0;
  for (auto batch = reading.next(); !batch.empty(); batch = reading.next()) {
    if (batch.size() > ids.size() - filled) throw core::DataError::in_file(name, "changed while it was read");
    std::copy(batch.begin(), batch.end(), ids.data() + filled);
    filled += batch.size();
  }
  return ids;
}

}  // namespace

void require_text_format(const std::string& format, bool csv, std::string_view why) {
  if (format == "text" || format == "tsv" || format == "txt" || (csv && format == "csv")) return;
  throw core::UsageError(fmt::format("--output-format {}: {}", format, why));
}

std::uint64_t copy_values(Session& session, const std::string& input, std::uint64_t limit) {
  if (session.options().output_header) {
    throw core::UsageError(
        "--output-header: the values of a node result are one column without a name; --map FILE prints "
        "their nodes beside them");
  }
  const auto reader = open_values(session, input);
  const auto writer = open_lines(session, reader->floating());
  const std::uint64_t copied = for_values(
      session, *reader, limit, [&](std::span<const std::uint64_t> values) { writer->append(values); });
  writer->finish();
  return copied;
}

std::uint64_t copy_with_original_ids(Session& session, const std::string& input, std::optional<NodeResult> as,
                                     std::uint64_t limit) {
  auto reader = open_values(session, input);
  const bool countable = !as && !reader->floating() && reader->count();
  const auto nodes = countable ? std::optional(original_id_count(session)) : std::nullopt;
  const NodeResult kind = node_result_kind(*reader, input, as, nodes);
  if (kind == NodeResult::labels) return copy_labels(session, std::move(reader), input, limit);
  OriginalIds ids(session, input);
  if (reader->floating()) return copy_real_values(session, *reader, ids, limit);
  return kind == NodeResult::list ? copy_list(session, *reader, ids, input, limit)
                                  : copy_node_values(session, *reader, ids, input, limit);
}

std::uint64_t copy_triples(Session& session, const std::string& input, std::uint64_t limit) {
  const auto ids = all_original_ids(session);
  const CommonOptions& options = session.options();
  const auto writer = graph::format::open_node_writer<std::uint64_t>(
      session.environment(), options.output,
      {.format = separator_of(options, options.output) == ',' ? "csv" : "tsv",
       .overwrite = overwrite(options),
       .column_names = names_if_asked(session, {"node", "node_2", "node_3"}),
       .columns = std::tuple_size_v<Triple>});
  const std::uint64_t copied = for_triples(session, input, limit, [&](Triple row) {
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

}  // namespace emgraph::apps
