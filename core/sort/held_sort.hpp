// SPDX-License-Identifier: MIT
// For a forecast: a sort that is filled while another one is read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/sort/distribution_sorter.hpp"

namespace emgraph::core {

/// Holds the memory that a sorter takes between its first record and its last one, or all that is free if
/// that is less. The keys come in an order, so the first ones are not a sample of all.
template <IntegerKey Key>
class HeldSort {
 public:
  using Options = typename DistributionSorter<Key>::Options;

  /// `records`: upper bound.
  HeldSort(Environment& environment, Options options, std::uint64_t records) {
    options.rehearse = options.ordered = true;
    const std::size_t packed_bytes = DistributionSorter<Key>::demand(environment, options).packed_bytes;
    sorter_ = std::make_unique<DistributionSorter<Key>>(environment, std::move(options));
    spill_ = sorter_->rehearse_distribution(records);
    if (spill_.most_bytes > 0) {
      // Most keys may go to one bucket, which implies no bits, and be split on the disks, to blocks that are
      // not full.
      const SortPlan& plan = sorter_->plan();
      const std::uint64_t whole = size_product(records, packed_bytes);
      const std::uint64_t open = size_product(2 * plan.buckets, plan.block_bytes);
      spill_.most_bytes = std::max(spill_.most_bytes, size_sum(whole, whole / 8, open));
    }
    const std::uint64_t bytes = sorter_->sorting_bytes(records);
    sorting_ = environment.memory.reserve_up_to(bytes);
  }
  const SpillForecast& spill() const { return spill_; }

 private:
  std::unique_ptr<DistributionSorter<Key>> sorter_;
  SpillForecast spill_;
  Reservation sorting_;
};

}  // namespace emgraph::core
