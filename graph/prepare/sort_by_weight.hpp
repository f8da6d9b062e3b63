// SPDX-License-Identifier: MIT
// Sorting by weight: runs and a merge, because weights are no short integer keys.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "core/sort/merge_sorter.hpp"
#include "graph/prepare/sort_by_key.hpp"

namespace emgraph::graph::prepare {

/// By (weight, source, target, remaining bytes).
template <class R>
struct WeightLess {
  core::CompareAttachments compare;
  std::size_t weight_bytes;

  bool operator()(const R& a, const R& b) const {
    const int by_weight = compare(a.attachment.data(), b.attachment.data(), weight_bytes);
    if (by_weight != 0) return by_weight < 0;
    if (a.source != b.source) return a.source < b.source;
    if (a.target != b.target) return a.target < b.target;
    return compare(a.attachment.data(), b.attachment.data(), R::attachment_bytes) < 0;
  }
};

/// Collects edges from any number of threads, or from a sort by key, and hands them on by weight.
template <class R>
class WeightSort {
 public:
  WeightSort(core::Environment& environment, WeightType weight, std::size_t memory_bytes)
      : environment_(environment),
        sorter_(environment, {.memory_bytes = memory_bytes},
                {attachment_order(weight), weight_bytes(weight)}) {}

  /// Thread-safe.
  void push(std::span<const R> edges) {
    const std::lock_guard lock(mutex_);
    sorter_.push(edges);
  }
  std::uint64_t finish(const EdgeConsumer<R>& consume) {
    core::Phase phase(environment_.progress, "merge and write", sorter_.size(), "edges");
    auto stream = sorter_.finish();
    std::uint64_t edges = 0;
    for (auto batch = stream.next(); !batch.empty(); batch = stream.next()) {
      consume(batch);
      edges += batch.size();
      phase.advance(batch.size());
    }
    return edges;
  }

 private:
  core::Environment& environment_;
  std::mutex mutex_;
  core::MergeSorter<R, WeightLess<R>> sorter_;
};

}  // namespace emgraph::graph::prepare
