// SPDX-License-Identifier: MIT
// A distribution sorter one key at a time, to be merged with others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/sort/distribution_sorter.hpp"

namespace emgraph::core {

/// A sorter that one thread fills and the same reads. I/O, Memory, Throws: as DistributionSorter's.
template <IntegerKey Key>
class SerialSort {
 public:
  using Sorter = DistributionSorter<Key>;
  /// `sample`: keys from all over the input; without, the first ones stand for all.
  SerialSort(Environment& environment, Key last, std::uint64_t records, std::size_t memory_bytes,
             std::vector<Key> sample = {}) {
    typename Sorter::Options options;
    options.range = {0, last};
    options.records = records;
    options.memory_bytes = memory_bytes;
    options.sample = std::move(sample);
    // A thread that only sorts helps little where memory is this short, and takes some.
    options.threads =
        static_cast<unsigned>(std::clamp<std::size_t>(memory_bytes / MiB, 1, environment.threads));
    sorter_ = std::make_unique<Sorter>(environment, std::move(options));
  }
  void push(Key key) { sorter_->lane(0).push(key); }
  /// All keys have been pushed: from here on they can be read, ascending.
  void start() {
    for (unsigned lane = 0; lane < sorter_->lanes(); ++lane) sorter_->lane(lane).finish();
    sorter_->finish();
    advance();
  }
  bool at_end() const { return batch_.empty(); }
  Key key() const { return batch_.front(); }
  void next() {
    batch_ = batch_.subspan(1);
    if (batch_.empty()) advance();
  }

 private:
  void advance() { batch_ = sorter_->next(); }
  std::unique_ptr<Sorter> sorter_;
  std::span<const Key> batch_;
};

}  // namespace emgraph::core
