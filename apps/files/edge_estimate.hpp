// SPDX-License-Identifier: MIT
// The size of an edge input before it is read: declared, or estimated from a sample.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "apps/run/session.hpp"
#include "graph/forecast.hpp"
#include "graph/format/table/open.hpp"
#include "graph/prepare/sorted_edges.hpp"

namespace emgraph::apps {

/// A number, and where it is from: "declared", "sample", "unknown".
struct KnownCount {
  std::optional<std::uint64_t> value = std::nullopt;
  std::string from = "unknown";
};

struct EdgeEstimate {
  KnownCount nodes = {};
  KnownCount edges = {};
  std::optional<std::uint64_t> file_bytes =
      std::nullopt;                ///< of one reading; a generator: 0; a pipe: unknown
  double reading_nanoseconds = 0;  ///< CPU time per edge of each reading, where edges are text or generated

  graph::InputSize size() const { return {nodes.value, edges.value}; }
};

/// All but the nodes of a sample. I/O: up to 1 MiB of a text that declares no number of edges.
EdgeEstimate declared_estimate(Session& session, const Inputs& inputs, const graph::format::EdgeInput& edges);

/// The edges of a text by a sample of its lines; nullopt: a pipe, or no text.
std::optional<std::uint64_t> estimated_edges(Session& session, const std::string& input);

/// Without declared nodes the largest id of a sample stands for them.
template <class Id>
EdgeEstimate estimate_edges(Session& session, const Inputs& inputs, const graph::format::EdgeInput& edges,
                            graph::EdgeSource<Id>& source) {
  EdgeEstimate estimate = declared_estimate(session, inputs, edges);
  if (estimate.nodes.value) return estimate;
  const auto sample = source.sample(graph::prepare::splitter_sample);
  if (sample.empty()) return estimate;
  std::uint64_t largest = 0;
  for (const auto& edge : sample) largest = std::max<std::uint64_t>({largest, edge.source, edge.target});
  if (largest + 1 > 0) estimate.nodes = {largest + 1, "sample"};  // id 2^64 - 1 is refused by the run
  return estimate;
}

}  // namespace emgraph::apps
