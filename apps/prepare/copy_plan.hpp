// SPDX-License-Identifier: MIT
// What `convert` and `filter`, which copy edges in their order, foresee and write alike.
#pragma once

#include <string>

#include "apps/files/edge_input.hpp"
#include "apps/run/plan.hpp"
#include "apps/run/session.hpp"
#include "graph/format/source/edge_writer.hpp"

namespace emgraph::apps {

/// How edges are copied from an input to -o.
struct EdgeCopy {
  const Inputs& input;
  const std::string& codec;  ///< of the output
  const char* origin;        ///< key of the metadata that names the input: "converted_from"

  /// The metadata of the output.
  graph::format::Metadata metadata(const graph::format::EdgeInput& from) const;
  /// The plan of one pass. `edge_nanoseconds`: CPU time of all threads together for an edge.
  Plan plan(Session& session, double edge_nanoseconds) const;
};

}  // namespace emgraph::apps
