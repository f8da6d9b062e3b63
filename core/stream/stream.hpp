// SPDX-License-Identifier: MIT
// The stream concept: data moves in batches.
#pragma once

#include <concepts>
#include <span>

namespace emgraph::core {

/// `next()` returns the next batch. At the end, and on all later calls, the batch is empty. A batch is valid
/// until the next call.
template <class S, class T>
concept StreamOf = requires(S stream) {
  { stream.next() } -> std::convertible_to<std::span<const T>>;
};

}  // namespace emgraph::core
