// SPDX-License-Identifier: MIT
// Sorting by weight: runs and a merge, because weights are no short integer keys.
#pragma once

#include <cstdint>
#include <memory>

#include "core/environment.hpp"
#include "graph/prepare/sort.hpp"

namespace emgraph::graph::prepare {

/// Collects records and hands them on by (weight, source, target, remaining bytes).
/// I/O, Memory, Throws: of a core::MergeSorter. Threads: one user.
class WeightSort {
 public:
  virtual ~WeightSort() = default;
  virtual void push(const RecordBatch& batch) = 0;
  /// Returns how many there were.
  virtual std::uint64_t finish(const RecordConsumer& consume) = 0;
};

/// `shape`: of the records, which begin their attachments with a weight.
std::unique_ptr<WeightSort> make_weight_sort(core::Environment& environment, const core::PairShape& shape,
                                             WeightType weight, std::size_t memory_bytes);

}  // namespace emgraph::graph::prepare
