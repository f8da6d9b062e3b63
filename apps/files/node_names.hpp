// SPDX-License-Identifier: MIT
// The original ids or labels of nodes during a run: for text results, and for the few nodes of a summary.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "apps/files/node_output.hpp"
#include "apps/run/session.hpp"
#include "apps/run/summary_value.hpp"
#include "graph/format/nodes/kept_labels.hpp"
#include "graph/format/source/edge_writer.hpp"
#include "graph/format/table/open.hpp"
#include "graph/sinks.hpp"

namespace emgraph::apps {

/// Makes relabel_input and number_labels keep the names of nodes. Call it before the session begins if an
/// output or the summary has nodes; --ids numbers, and a run without --relabel and --labels, keep none.
/// `outputs`: of node results; only text has names. `summary`: the summary has nodes.
void keep_names(CommonOptions& options, const std::vector<std::string>& outputs, bool summary = false);
/// The same for edge files.
void keep_edge_names(CommonOptions& options, const std::vector<std::string>& outputs);
/// For a check: throws UsageError for a result that is text with names, which nothing translates into
/// numbers.
void refuse_named_results(const CommonOptions& options, const std::vector<std::string>& results);

/// Receives labels or ids for a map that is written, and for names that are kept. Both may be null.
class NameSink final : public graph::LabelSink, public graph::NodeSink<std::uint64_t> {
 public:
  NameSink(graph::LabelSink* labels, graph::NodeSink<std::uint64_t>* ids, graph::format::KeptLabels* kept)
      : labels_(labels), ids_(ids), kept_(kept) {}
  bool used() const { return labels_ != nullptr || ids_ != nullptr || kept_ != nullptr; }
  void append(std::string_view label) override;
  void append(std::span<const std::uint64_t> ids) override;

 private:
  graph::LabelSink* labels_;
  graph::NodeSink<std::uint64_t>* ids_;
  graph::format::KeptLabels* kept_;
};

/// The names of a few nodes for a summary: empty if names are not kept. I/O: reads the names once.
std::vector<std::string> names_of(Session& session, std::span<const std::uint64_t> nodes);
/// A name as a value of the summary: a label, or an id as a number.
SummaryValue name_value(const Session& session, const std::string& name);
/// The key of a name that stands beside the key of a node: "root" gives root_label or root_id.
std::string name_key(const Session& session, const std::string& node_key);

/// True if the file of a node result gets names: text, while names are kept.
bool named(const Session& session, const NodeFile& file);
/// True if an edge file gets names.
bool named_edges(const Session& session, const std::string& path);

}  // namespace emgraph::apps
