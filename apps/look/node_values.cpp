// SPDX-License-Identifier: MIT
// Opens results, and finds out what they hold.
#include "apps/look/node_values.hpp"

#include <fmt/core.h>

#include "core/base/error.hpp"

namespace emgraph::apps {

std::unique_ptr<graph::format::NodeReader> open_values(Session& session, const std::string& input) {
  return graph::format::open_node_reader(session.environment(), input,
                                         {.numbers = graph::format::NodeNumbers::either});
}

void check_ascending(const std::string& input, std::uint64_t node, std::uint64_t last) {
  if (node >= last) return;
  throw core::DataError::in_file(
      input, fmt::format("node {} found after {}, expected an ascending list of nodes; --as values "
                         "or --as labels if it holds something for each node",
                         node, last));
}

NodeResult node_result_kind(const graph::format::NodeReader& reader, const std::string& input,
                            std::optional<NodeResult> as, const std::optional<std::uint64_t>& nodes) {
  if (reader.floating()) {
    if (as.value_or(NodeResult::values) == NodeResult::values) return NodeResult::values;
    throw core::UsageError(
        fmt::format("{}: holds floating-point numbers, which are no nodes: --as values", input));
  }
  if (as) return *as;
  const auto values = reader.count();
  if (!values || !nodes || *values == *nodes) {
    throw core::UsageError(
        fmt::format("{}: say what it holds: --as values (levels, counts), --as labels (nodes: components, "
                    "parents) or --as list (a set of nodes)",
                    input));
  }
  return NodeResult::list;
}

}  // namespace emgraph::apps
