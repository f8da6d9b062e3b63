// SPDX-License-Identifier: MIT
// The largest id of a batch of edges: every reader looks at every id once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "graph/types.hpp"

namespace emgraph::graph::prepare {

/// 0 when there are none. In vectors, whose width is chosen at run time.
std::uint32_t largest_plain_id(std::span<const Record<std::uint32_t, 0>> batch);
std::uint64_t largest_plain_id(std::span<const Record<std::uint64_t, 0>> batch);

/// 0 when there are none.
template <class R>
std::uint64_t largest_id(std::span<const R> batch) {
  if constexpr (R::attachment_bytes == 0) {
    return largest_plain_id(batch);
  } else {
    typename R::id_type largest = 0;
    for (const R& edge : batch) largest = std::max(largest, std::max(edge.source, edge.target));
    return largest;
  }
}

}  // namespace emgraph::graph::prepare
