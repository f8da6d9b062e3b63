// SPDX-License-Identifier: MIT
// Node results as text: as they are, or with original ids.
#pragma once

#include <cstdint>
#include <string>

#include "apps/session.hpp"

namespace emgraph::apps {

/// What a node result holds, where the original ids are to be given back.
enum class NodeResult {
  values,  ///< one per node, no ids: levels, counts
  labels,  ///< a node per node: components, parents
  list     ///< nodes, ascending: a set
};

/// "values", "labels" or "list" as --as has it. "": a list if `input` has fewer values than there are
/// original ids. Throws UsageError for other words, and where nothing was said and the numbers do not tell.
NodeResult node_result_kind(Session& session, const std::string& input, const std::string& typed);

/// Copies the first `limit` values of a node result as lines. Returns how many lines there are.
std::uint64_t copy_values(Session& session, const std::string& input, std::uint64_t limit);

/// The same with original ids: "id" per node of a list, "id value" or "id id" per node. Nodes without a label
/// (all ones: not reached) are left out.
std::uint64_t copy_with_original_ids(Session& session, const std::string& input, NodeResult kind,
                                     std::uint64_t limit);

}  // namespace emgraph::apps
