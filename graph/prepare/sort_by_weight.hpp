// SPDX-License-Identifier: MIT
// Sorting by weight: a merge sort, because weights are not short integer keys.
#pragma once

#include <cstdint>
#include <memory>

#include "core/environment.hpp"
#include "graph/prepare/sort.hpp"

namespace emgraph::graph::prepare {

/// Sorts records by (weight, source, target, remaining bytes).
/// I/O, Memory, Throws: those of core::MergeSorter. Threads: one at a time.
class WeightSort {
 public:
  virtual ~WeightSort() = default;
  virtual void push(const RecordBatch& batch) = 0;
  /// Passes on the sorted records. Returns their number.
  virtual std::uint64_t finish(const RecordConsumer& consume) = 0;
};

/// `shape`: of the records; their attachments begin with a weight.
std::unique_ptr<WeightSort> make_weight_sort(core::Environment& environment, const core::PairShape& shape,
                                             WeightType weight, std::size_t memory_bytes);

}  // namespace emgraph::graph::prepare
