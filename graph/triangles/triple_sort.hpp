// SPDX-License-Identifier: MIT
// Brings triangles into the order of their ids, however many there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "core/environment.hpp"

namespace emgraph::graph::triangles {

/// Sorts triples (a, b, c), a < b < c, ascending. Three ids make a key of 64 or 128 bits; where they need
/// more, the third travels as an attachment. I/O, Memory, Threads, Throws: of a RunSort.
class TripleSort {
 public:
  virtual ~TripleSort() = default;
  /// x, y and each of `zs`, ids in any order, from thread `thread`.
  virtual void push(unsigned thread, std::uint64_t x, std::uint64_t y, std::span<const std::uint64_t> zs) = 0;
  /// All triples have been pushed.
  virtual void finish() = 0;
  /// Hands all triples on, in batches of whole triples a, b, c, a, b, c, …
  virtual void drain(const std::function<void(std::span<const std::uint64_t>)>& take) = 0;
};

/// Ids are below `nodes`; up to `triples` come, if that is known.
std::unique_ptr<TripleSort> make_triple_sort(core::Environment& environment, std::uint64_t nodes,
                                             const std::optional<std::uint64_t>& triples,
                                             std::size_t memory_bytes);

}  // namespace emgraph::graph::triangles
