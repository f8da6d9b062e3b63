// SPDX-License-Identifier: MIT
// A filter of the keys of a bucket, applied before they are sorted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace emgraph::core {

/// Moves the keys that may still matter to the front, in any order, and returns their number. Threads: it is
/// called by several at a time.
using KeepKeys = std::function<std::size_t(std::span<std::uint64_t> keys)>;

}  // namespace emgraph::core
