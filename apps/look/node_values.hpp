// SPDX-License-Identifier: MIT
// What `cat` reads of results: values, lists of nodes, triples, in batches.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "apps/look/cat_nodes.hpp"
#include "apps/run/session.hpp"
#include "core/base/progress.hpp"
#include "graph/format/nodes/node_reader.hpp"

namespace emgraph::apps {

/// Opens the input, which may hold integers or floating-point numbers.
std::unique_ptr<graph::format::NodeReader> open_values(Session& session, const std::string& input);

/// Throws DataError if the nodes of a list do not ascend.
void check_ascending(const std::string& input, std::uint64_t node, std::uint64_t last);

/// The kind given by --as; else values, if they are floating-point numbers; else a list, if `input` has fewer
/// values than the map has nodes. Throws UsageError if the kind remains unknown, or nodes are asked for and
/// the values are floating-point numbers.
NodeResult node_result_kind(const graph::format::NodeReader& reader, const std::string& input,
                            std::optional<NodeResult> as, const std::optional<std::uint64_t>& nodes);

/// Calls `take(values)` with batches of the first `limit` values, in a phase.
template <class Take>
std::uint64_t for_values(Session& session, graph::format::NodeReader& reader, std::uint64_t limit,
                         Take&& take) {
  core::Phase phase(session.environment().progress, "copy", std::min(limit, reader.count().value_or(0)),
                    "values");
  std::uint64_t copied = 0;
  while (copied < limit) {
    auto batch = reader.next();
    if (batch.empty()) break;
    batch = batch.first(std::min<std::uint64_t>(batch.size(), limit - copied));
    take(batch);
    copied += batch.size();
    phase.advance(batch.size());
  }
  return copied;
}

/// The nodes of a triangle.
using Triple = std::array<std::uint64_t, 3>;

/// Calls `take(triple)` for the first `limit` rows of three nodes. A batch may end within a row.
template <class Take>
std::uint64_t for_triples(Session& session, const std::string& input, std::uint64_t limit, Take&& take) {
  Triple row{};
  constexpr std::size_t nodes = row.size();
  const auto reader = graph::format::open_node_reader(session.environment(), input, {.columns = nodes});
  std::size_t filled = 0;
  const std::uint64_t values = limit > ~std::uint64_t{0} / nodes ? limit : limit * nodes;
  return for_values(session, *reader, values,
                    [&](std::span<const std::uint64_t> batch) {
                      for (const std::uint64_t node : batch) {
                        row[filled++] = node;
                        if (filled < nodes) continue;
                        take(row);
                        filled = 0;
                      }
                    }) /
         nodes;
}

}  // namespace emgraph::apps
