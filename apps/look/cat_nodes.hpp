// SPDX-License-Identifier: MIT
// Node results as text: as they are, or with original ids.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "apps/run/session.hpp"
#include "core/base/progress.hpp"
#include "graph/format/nodes/node_reader.hpp"

namespace emgraph::apps {

/// What a node result holds, where the original ids are to be given back.
enum class NodeResult {
  values,  ///< one per node, no ids: levels, counts
  labels,  ///< a node per node: components, parents
  list     ///< nodes, ascending: a set
};

/// "values", "labels" or "list" as --as has it. "": a list if `input` has fewer values than `nodes`, for how
/// many the map has ids or labels. Throws UsageError for other words, and where nothing was said and the
/// numbers do not tell.
NodeResult node_result_kind(Session& session, const std::string& input, const std::string& typed,
                            const std::optional<std::uint64_t>& nodes);

/// Throws DataError if the nodes of a list do not ascend.
void check_ascending(const std::string& input, std::uint64_t node, std::uint64_t last);

/// Calls `take(values)` with batches of the first `limit` values, as a phase.
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

/// Copies the first `limit` values of a node result as lines. Returns how many lines there are.
std::uint64_t copy_values(Session& session, const std::string& input, std::uint64_t limit);

/// The same with original ids, `as` --as says: "id" per node of a list, "id value" or "id id" per node. Nodes
/// without a label (all ones: not reached) are left out.
std::uint64_t copy_with_original_ids(Session& session, const std::string& input, const std::string& as,
                                     std::uint64_t limit);

}  // namespace emgraph::apps
