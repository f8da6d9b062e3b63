// SPDX-License-Identifier: MIT
// Brings triangles into the order of their ids, however many there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "core/environment.hpp"

namespace emgraph::graph::triangles {

/// Sorts triples (a, b, c), a < b < c, ascending. Three ids make a key of 64 or 128 bits; where they need
/// more, the third travels as an attachment. I/O, Memory: of a DistributionSorter.
class TripleSort {
 public:
  virtual ~TripleSort() = default;
  /// Three ids in any order, from thread `thread`.
  virtual void push(unsigned thread, std::uint64_t x, std::uint64_t y, std::uint64_t z) = 0;
  /// All triples have been pushed.
  virtual void finish() = 0;
  /// Hands all triples on, in batches of whole triples a, b, c, a, b, c, …
  virtual void drain(const std::function<void(std::span<const std::uint64_t>)>& take) = 0;
};

/// Ids are below `nodes`; `threads` of them push.
std::unique_ptr<TripleSort> make_triple_sort(core::Environment& environment, std::uint64_t nodes,
                                             unsigned threads, std::size_t memory_bytes);

}  // namespace emgraph::graph::triangles
