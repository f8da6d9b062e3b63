// SPDX-License-Identifier: MIT
// Results as text with labels in place of nodes.
#pragma once

#include <cstdint>
#include <string>

#include "apps/run/session.hpp"
#include "graph/edge_source.hpp"
#include "graph/format/source/edge_writer.hpp"

namespace emgraph::apps {

/// Is this a map of --labels? Maps of --relabel are .npy or .bin files, or text whose first line is "0", a
/// tab and a number. Opens nothing but regular files.
bool is_label_map(const std::string& map);

/// Copies the first `limit` values of a node result with the labels of CommonOptions::label_map: "label" per
/// node of a list, "label value" or "label label" per node, as `as` (--as) or the numbers say. Nodes without
/// a value that is a node (all ones: not reached) are left out of the latter. Returns how many values were
/// read. I/O: the result once, the map as LabelMap has it, at most once per batch. Memory: half of what is
/// free. Throws UsageError (as node_result_kind; the output is no text), DataError (the map has another
/// number of lines than the result has nodes).
std::uint64_t copy_values_with_labels(Session& session, const std::string& input, const std::string& as,
                                      std::uint64_t limit);

/// The same for edges: "label label" and the weight. Returns how many there are.
std::uint64_t copy_edges_with_labels(Session& session,
                                     graph::EdgeSource<graph::Record<std::uint64_t, 8>>& edges,
                                     std::uint64_t limit);

}  // namespace emgraph::apps
