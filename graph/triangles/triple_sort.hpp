// SPDX-License-Identifier: MIT
// Sorts triangles by their ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/base/function_ref.hpp"
#include "core/environment.hpp"

namespace emgraph::graph::triangles {

/// Sorts triples (a, b, c), a < b < c, ascending. Three ids form a key of 64 or 128 bits; if they need more
/// bits, the third id is an attachment. I/O, Memory, Threads, Throws: as RunSort.
class TripleSort {
 public:
  virtual ~TripleSort() = default;
  /// Adds the triple of x, y and z for each z of `zs`; ids in any order. `thread`: number of the calling
  /// thread.
  virtual void push(unsigned thread, std::uint64_t x, std::uint64_t y, std::span<const std::uint64_t> zs) = 0;
  /// Ends the input.
  virtual void finish() = 0;
  /// Calls `take` with all triples, in batches of whole triples a, b, c, a, b, c, …
  virtual void drain(core::FunctionRef<void(std::span<const std::uint64_t>)> take) = 0;
};

/// `nodes`: all ids are below it. `triples`: an upper bound of their number, if known.
std::unique_ptr<TripleSort> make_triple_sort(core::Environment& environment, std::uint64_t nodes,
                                             const std::optional<std::uint64_t>& triples,
                                             std::size_t memory_bytes);

}  // namespace emgraph::graph::triangles
