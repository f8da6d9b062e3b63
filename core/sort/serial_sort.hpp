// SPDX-License-Identifier: MIT
// A distribution sorter that is read one key at a time, for merging with other sequences.
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

/// A sorter that one thread fills and reads. I/O, Memory, Throws: those of DistributionSorter.
template <IntegerKey Key>
class SerialSort {
 public:
  using Sorter = DistributionSorter<Key>;
  /// `sample`: keys from all parts of the input; if empty, the first keys are the sample. `rehearse`: for a
  /// forecast, which calls only the rehearse functions.
  SerialSort(Environment& environment, Key last, std::uint64_t records, std::size_t memory_bytes,
             std::vector<Key> sample = {}, bool rehearse = false) {
    typename Sorter::Options options;
    options.range = {0, last};
    options.records = records;
    options.memory_bytes = memory_bytes;
    options.sample = std::move(sample);
    options.threads = threads(environment, memory_bytes);
    options.rehearse = rehearse;
    sorter_ = std::make_unique<Sorter>(environment, std::move(options));
  }
  /// Threads that sort in so much memory: a further one would need memory and help little.
  static unsigned threads(const Environment& environment, std::size_t memory_bytes) {
    return static_cast<unsigned>(std::clamp<std::size_t>(memory_bytes / MiB, 1, environment.threads));
  }
  void push(Key key) { sorter_->lane(0).push(key); }
  /// Ends the input. Afterwards the keys can be read in ascending order.
  void start() {
    for (unsigned lane = 0; lane < sorter_->lanes(); ++lane) sorter_->lane(lane).finish();
    sorter_->finish();
    advance();
  }
  /// As those of DistributionSorter, in place of push() and of start().
  SpillForecast rehearse_distribution(std::uint64_t records) {
    return sorter_->rehearse_distribution(records);
  }
  void rehearse_sorting(std::uint64_t records) { sorter_->rehearse_sorting(records); }
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
