// SPDX-License-Identifier: MIT
// The errors of searches, and of their checkers, about the nodes they start from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace emgraph::graph {

/// Throws DataError: a search needs a node to start from, and `input` has none.
[[noreturn]] void refuse_no_nodes(const std::string& input);

/// Throws UsageError if a node is not below n. `what` names its use: "root".
void require_node(const std::string& what, std::uint64_t node, std::uint64_t nodes);
/// The same for a root, if one was asked for.
void require_root(const std::optional<std::uint64_t>& asked, std::uint64_t nodes);

}  // namespace emgraph::graph
