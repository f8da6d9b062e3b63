// SPDX-License-Identifier: MIT
// Prints node results as text: unchanged, with original ids, or with labels in place of nodes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "apps/run/session.hpp"
#include "graph/format/table/open.hpp"

namespace emgraph::apps {

/// The kinds of node results: --as.
enum class NodeResult {
  values,   ///< one per node, no ids: levels, counts
  labels,   ///< a node per node: components, parents
  list,     ///< nodes, ascending: a set
  triples,  ///< rows of three nodes: triangles
  edges     ///< no node result: rows of two nodes, and perhaps a weight
};

/// Throws UsageError if --output-format is not text. `csv`: it may be csv; `why` ends the message.
void require_text_format(const std::string& format, bool csv, std::string_view why);

/// True if the file is a map of --labels. Maps of --relabel are .npy or .bin files, or text whose first line
/// is "0", a tab and a number. Opens regular files only.
bool is_label_map(const std::string& map);

/// Copies the first `limit` values of a node result, integers or floating-point numbers, as lines. Returns
/// the number of lines.
std::uint64_t copy_values(Session& session, const std::string& input, std::uint64_t limit);

/// The same with the original ids of CommonOptions::original_ids. The lines are "id" for each node of a list,
/// "id value" or "id id" for each node; which one follows from `as` (--as) or from the numbers of values. For
/// `labels`, nodes without a value (all ones: not reached) are left out. Throws UsageError (the kind of the
/// result is not known), DataError (a list does not ascend, the map is of another graph).
std::uint64_t copy_with_original_ids(Session& session, const std::string& input, std::optional<NodeResult> as,
                                     std::uint64_t limit);

/// The same with the labels of CommonOptions::label_map: "label", "label value" or "label label". Returns the
/// number of values read. I/O: reads the result once; the map at most once for each batch of LabelLines.
/// Memory: half of the free memory. Throws as copy_with_original_ids, and UsageError (the output is not
/// text).
std::uint64_t copy_values_with_labels(Session& session, const std::string& input,
                                      std::optional<NodeResult> as, std::uint64_t limit);

/// Prints rows of three nodes with original ids. Returns the number of rows. Memory: 8 bytes per node. Throws
/// as copy_with_original_ids, and MemoryLimitError (the ids do not fit).
std::uint64_t copy_triples(Session& session, const std::string& input, std::uint64_t limit);

/// The same with labels. Memory and errors: as copy_values_with_labels.
std::uint64_t copy_triples_with_labels(Session& session, const std::string& input, std::uint64_t limit);

/// The same for edges: "label label" and the weight. Returns the number of edges.
std::uint64_t copy_edges_with_labels(Session& session, graph::format::EdgeInput& edges, std::uint64_t limit);

}  // namespace emgraph::apps
