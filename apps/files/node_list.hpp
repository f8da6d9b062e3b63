// SPDX-License-Identifier: MIT
// The nodes of --nodes-in FILE or FILE=VALUE.
#pragma once

#include <string>

#include "apps/run/session.hpp"
#include "graph/edge_facts.hpp"
#include "graph/prepare/filtered_source.hpp"

namespace emgraph::apps {

/// True unless the list is NumPy or raw binary.
bool is_text_list(const std::string& list);

/// A text list has names where the session keeps names, else numbers. `facts`: of the input; n must be known
/// for names. `declared`: n is not only the largest id + 1; then the list has no larger ids. Before --relabel
/// numbers are ids of the input; a file with a value per node is text with lines "id value", or has a value
/// for each of n nodes. Memory: a bit per node up to the largest, or 8 bytes for each if that is less; names
/// take about 200 bytes each. Throws UsageError, DataError (a node at or above a declared n, or a list that
/// is none), MemoryLimitError, EnvironmentError.
graph::prepare::ListedNodes listed_nodes(Session& session, const graph::EdgeFacts& facts, bool declared);

}  // namespace emgraph::apps
