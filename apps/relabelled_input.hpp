// SPDX-License-Identifier: MIT
// --relabel: puts a source with ids 0 … n - 1 in the place of an edge input's own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "apps/session.hpp"
#include "graph/format/nodes/node_writer.hpp"
#include "graph/format/open.hpp"

namespace emgraph::apps {

/// Does nothing without --relabel. Returns the writer of --map, if that is given: to be finished when the
/// command's own results are. Throws UsageError (the map cannot be written), DataError, EnvironmentError.
std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> relabel_input(Session& session,
                                                                        const std::string& input,
                                                                        graph::format::EdgeInput& edges);

}  // namespace emgraph::apps
