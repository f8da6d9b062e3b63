// SPDX-License-Identifier: MIT
// Puts the filter of --min-weight, --max-weight and --nodes-in before an input.
#pragma once

#include "apps/run/session.hpp"
#include "graph/format/table/open.hpp"

namespace emgraph::apps {

/// Does nothing without such an option. n stays: if the input does not declare it, it is read once more to
/// find the largest id, and an input that can be read only once is written to the temporary disks. Memory: a
/// bit per node up to the largest of --nodes-in. Throws UsageError (a bound for edges without weights),
/// DataError (the list cannot be read), MemoryLimitError, EnvironmentError.
void filter_input(Session& session, graph::format::EdgeInput& edges);

}  // namespace emgraph::apps
