// SPDX-License-Identifier: MIT
// An external sort of edge codes, whatever their type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "core/sort/merge_sorter.hpp"
#include "graph/mst/edge_code.hpp"

namespace emgraph::graph::mst {

/// What is known beforehand of the codes to sort.
template <class Code>
struct CodesAhead {
  unsigned bits = 0;                                  ///< bits of the largest possible code
  std::optional<std::uint64_t> count = std::nullopt;  ///< approximate number
  std::vector<Code> sample = {};                      ///< a sample of all codes, if there is one
  std::size_t memory_bytes = 0;
  unsigned threads = 1;                ///< threads that sort; more threads may push and then share lanes
  bool rehearse = false;               ///< for rehearse(), without edges
  core::StateReader* state = nullptr;  ///< what save() has written in an earlier process; null: nothing
};

/// Usage: thread i calls push(i, …); then one thread calls finish() and next(). I/O, Throws: as the sorters.
template <class Code>
class OrderSorter {
 public:
  using Sorter = core::DistributionSorter<Code>;

  OrderSorter(core::Environment& environment, CodesAhead<Code> ahead)
      : sorter_(environment, {.range = {0, core::low_mask<Code>(ahead.bits)},
                              .records = ahead.count,
                              .memory_bytes = ahead.memory_bytes,
                              .threads = ahead.threads,
                              .sample = std::move(ahead.sample),
                              .rehearse = ahead.rehearse,
                              .resumable = environment.checkpoint != nullptr,
                              .state = ahead.state}),
        lane_mutexes_(sorter_.lanes()) {}
  void push(unsigned thread, std::span<const Code> codes) {
    const unsigned number = thread % sorter_.lanes();
    const std::lock_guard lock(lane_mutexes_[number]);
    sorter_.lane(number).push(codes);
  }
  void finish() {
    end_input();
    sorter_.finish();
  }
  std::span<const Code> next() { return sorter_.next(); }

  /// True if the codes can go to a later process: as core::DistributionSorter::save_fan() and so on.
  static constexpr bool can_be_saved = true;
  void save_fan(core::StateWriter& to) { sorter_.save_fan(to); }
  void save_codes(core::StateWriter& to) { sorter_.save_chains(to); }
  void restore_codes(core::StateReader& from) { sorter_.restore_chains(from); }
  void end_input() {
    core::run_on_threads(sorter_.lanes(), [&](unsigned number) { sorter_.lane(number).finish(); });
    sorter_.end_input();
  }
  /// Drops the buckets that lie below this code; a few smaller codes may still be returned. Requires:
  /// end_input() was called, finish() was not.
  void drop_below(const Code& code) { sorter_.drop_below(code); }

  /// For a forecast: reserves the memory for this number of codes, calls `read()` where the last one has been
  /// pushed, and returns the space on disk. What `read` returns is held while the codes are sorted.
  template <class Read>
  core::SpillForecast rehearse(std::uint64_t codes, Read&& read) {
    const core::SpillForecast spill = sorter_.rehearse_distribution(codes);
    const auto held = read();
    sorter_.rehearse_sorting(codes);
    return spill;
  }

 private:
  Sorter sorter_;
  std::vector<std::mutex> lane_mutexes_;
};

template <>
class OrderSorter<WideCode> {
 public:
  OrderSorter(core::Environment& environment, CodesAhead<WideCode> ahead)
      : sorter_(environment, core::MergeSorterOptions{.memory_bytes = ahead.memory_bytes}) {}
  void push(unsigned, std::span<const WideCode> codes) {
    const std::lock_guard lock(mutex_);
    sorter_.push(codes);
  }
  void finish() { stream_.emplace(sorter_.finish()); }
  static constexpr bool can_be_saved = false;
  std::span<const WideCode> next() { return stream_->next(); }

  /// As that of integers. Every code may be written.
  template <class Read>
  core::SpillForecast rehearse(std::uint64_t codes, Read&& read) {
    const auto held = read();
    const std::uint64_t bytes = core::size_product(codes, sizeof(WideCode));
    return {.most_bytes = core::size_sum(bytes, bytes / 64, core::MiB), .expected_bytes = bytes};
  }

 private:
  using Sorter = core::MergeSorter<WideCode>;
  std::mutex mutex_;
  Sorter sorter_;
  std::optional<Sorter::Stream> stream_;
};

}  // namespace emgraph::graph::mst
