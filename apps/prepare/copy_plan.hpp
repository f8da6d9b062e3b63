// SPDX-License-Identifier: MIT
// What `convert` and `filter`, which copy edges in their order, foresee and write alike.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
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
  /// Foresees what is done with the edges before they are copied. Returns the memory that stays.
  using Before = std::function<core::Reservation(const std::shared_ptr<graph::RecordSource>& edges,
                                                 const graph::EdgeFacts& facts, Plan& plan)>;
  /// The plan of one pass. `edge_nanoseconds`: CPU time of all threads together for an edge. `before`: may be
  /// null.
  Plan plan(Session& session, double edge_nanoseconds, const Before& before = nullptr) const;
};

}  // namespace emgraph::apps
