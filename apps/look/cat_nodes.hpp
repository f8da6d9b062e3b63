// SPDX-License-Identifier: MIT
// Node results as text: as they are, with original ids, or with labels in place of nodes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apps/run/session.hpp"
#include "graph/format/table/open.hpp"

namespace emgraph::apps {

/// What a node result holds: --as.
enum class NodeResult {
  values,  ///< one per node, no ids: levels, counts
  labels,  ///< a node per node: components, parents
  list     ///< nodes, ascending: a set
};

/// Is this a map of --labels? Maps of --relabel are .npy or .bin files, or text whose first line is "0", a
/// tab and a number. Opens regular files only.
bool is_label_map(const std::string& map);

/// Copies the first `limit` values of a node result as lines. Returns how many lines there are.
std::uint64_t copy_values(Session& session, const std::string& input, std::uint64_t limit);

/// The same with the original ids of CommonOptions::original_ids. The lines are "id" for each node of a list,
/// "id value" or "id id" for each node; `as` (--as) or the numbers say which. Of labels, nodes without one
/// (all ones: not reached) are left out. Throws UsageError (nothing says what the result holds), DataError (a
/// list does not ascend, the map is of another graph).
std::uint64_t copy_with_original_ids(Session& session, const std::string& input, std::optional<NodeResult> as,
                                     std::uint64_t limit);

/// The same with the labels of CommonOptions::label_map: "label", "label value" or "label label". Returns how
/// many values were read. I/O: the result once; the map at most once for each batch of LabelLines. Memory:
/// half of what is free. Throws as copy_with_original_ids, and UsageError (the output is no text).
std::uint64_t copy_values_with_labels(Session& session, const std::string& input,
                                      std::optional<NodeResult> as, std::uint64_t limit);

/// The same for edges: "label label" and the weight. Returns how many there are.
std::uint64_t copy_edges_with_labels(Session& session, graph::format::EdgeInput& edges, std::uint64_t limit);

}  // namespace emgraph::apps
