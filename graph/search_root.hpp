// SPDX-License-Identifier: MIT
// The errors of searches, and of their checkers, about the root.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace emgraph::graph {

/// Throws DataError: a search needs a node to start from, and `input` has none.
[[noreturn]] void refuse_no_nodes(const std::string& input);

/// Throws UsageError if a root was asked for that is not below n.
void require_root(const std::optional<std::uint64_t>& asked, std::uint64_t nodes);

}  // namespace emgraph::graph
