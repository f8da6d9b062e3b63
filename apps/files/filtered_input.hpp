// SPDX-License-Identifier: MIT
// Puts a filter before an input: --min-weight, --max-weight, --nodes-in, --largest-component, --sample.
#pragma once

#include "apps/run/session.hpp"
#include "graph/format/table/open.hpp"

namespace emgraph::apps {

/// Does nothing without such an option. n stays: if the input does not declare it and the command does not
/// stream, it is read once more to find the largest id, and an input that can be read only once is written to
/// the temporary disks. The largest component is found before the edges are read for the command. Memory: a
/// bit per node up to the largest of --nodes-in, or 8 bytes for each of its nodes if that is less; the same
/// for --largest-component. Throws UsageError (a bound for edges without weights),
/// DataError (the list cannot be read), MemoryLimitError, EnvironmentError.
void filter_input(Session& session, graph::format::EdgeInput& edges);

}  // namespace emgraph::apps
