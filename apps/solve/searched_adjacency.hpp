// SPDX-License-Identifier: MIT
// Adjacency files that a search reads as they are.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "apps/files/edge_input.hpp"
#include "apps/run/session.hpp"
#include "graph/format/adjacency/adjacency_file.hpp"

namespace emgraph::apps {

/// The adjacency in `input`; null: it is another kind of input, the options change its edges or their
/// numbers, or n is to be another. Throws as graph::adjacency::open_adjacency.
template <class Id>
std::unique_ptr<graph::adjacency::PagedAdjacency<Id>> open_searched_adjacency(
    Session& session, const Inputs& inputs, const graph::format::EdgeInput& input,
    const std::optional<std::uint64_t>& nodes) {
  const bool as_it_is = input.format() == "adj" && !input.joined() && !session.options().relabel &&
                        !session.options().filter.given() && sizeof(Id) == input.facts().layout.id_bytes;
  if (!as_it_is) return nullptr;
  auto pages = graph::adjacency::open_adjacency<Id>(session.environment(), inputs.names().front());
  if (nodes && *nodes != pages->facts().nodes) return nullptr;
  return pages;
}

}  // namespace emgraph::apps
