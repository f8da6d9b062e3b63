// SPDX-License-Identifier: MIT
// The memory of an external search, for a forecast.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/bytes.hpp"
#include "graph/bfs/external.hpp"
#include "graph/bfs/external_clusters.hpp"
#include "graph/bfs/external_search.hpp"

namespace emgraph::graph::bfs {
namespace {

template <class Id, core::IntegerKey Key>
class ExternalRehearsal {
 public:
  ExternalRehearsal(core::Environment& environment, const ExternalSize& size,
                    const prepare::EdgeKeys<Key>& keys)
      : environment_(environment),
        size_(size),
        keys_(keys),
        block_bytes_(ExternalSearch<Id, Key>::block_bytes(environment.memory.available())) {}

  void run() {
    search();
    if (!size_.directed && !cached_) regroup();
    if (!size_.levels && !size_.parents) return;
    const std::uint64_t ends = 6 * std::uint64_t{block_bytes_};
    const std::size_t bytes = left_beside(ends);
    constexpr std::size_t batches_bytes = 320 * core::KiB;
    const core::Reservation batches = environment_.memory.reserve_up_to(batches_bytes);
    sort(size_.nodes, std::min(bytes, environment_.memory.available()));
  }

 private:
  std::size_t left_beside(std::uint64_t bytes) const {
    const std::size_t free = environment_.memory.available();
    return free - static_cast<std::size_t>(std::min<std::uint64_t>(free, bytes));
  }

  /// As ExternalSearch: the log, three lists, candidates, bits; then a cache, or a sort of a level that may
  /// have all neighbours.
  void search() {
    const std::size_t free = environment_.memory.available();
    const std::uint64_t writers = core::size_sum(4 * block_bytes_, 2 * core::page_bytes);
    const bool fit = ExternalSearch<Id, Key>::fit(environment_, size_.nodes, {});
    const std::uint64_t bits = fit              ? (size_.directed ? 1 : 2) * NodeBits::bytes_for(size_.nodes)
                               : size_.directed ? free / 8
                                                : 0;
    const core::Reservation arrays = environment_.memory.reserve_up_to(
        core::size_sum(writers, 3 * (free / 64), free / 16, bits, 8 * block_bytes_));
    {
      const std::uint64_t bytes = core::size_sum(size_.pages_bytes, size_.pages_bytes / 512);
      const core::Reservation cache = environment_.memory.reserve_up_to(bytes);
      cached_ = cache.bytes() == bytes;
    }
    if (fit && !size_.directed) return;  // bottom up: nothing is sorted
    sort(size_.entries, environment_.memory.available());
  }

  /// As Clustering: two sorts of all neighbours at a time.
  void regroup() {
    const std::size_t half = left_beside(12 * std::uint64_t{block_bytes_}) / 2;
    const core::Reservation blocks = environment_.memory.reserve_up_to(12 * std::uint64_t{block_bytes_});
    auto first = sorter(size_.entries, half);
    if (first == nullptr) return;
    first->rehearse_distribution(size_.entries);
    const auto second = sorter(size_.entries, half);
    if (second != nullptr) second->rehearse_distribution(size_.entries);
    first->rehearse_sorting(size_.entries);
  }

  /// Null if the memory does not suffice, for which the search has another way, or an error.
  std::unique_ptr<core::DistributionSorter<Key>> sorter(std::uint64_t records, std::size_t bytes) {
    typename core::DistributionSorter<Key>::Options options;
    options.range = keys_.range(std::max<std::uint64_t>(size_.nodes, 1) - 1);
    options.records = records;
    options.memory_bytes = within_sort(bytes);
    options.rehearse = true;
    const core::SortDemand demand = core::DistributionSorter<Key>::demand(environment_, options);
    if (options.memory_bytes < core::SortPlan::least_bytes(demand)) return nullptr;
    return std::make_unique<core::DistributionSorter<Key>>(environment_, std::move(options));
  }
  void sort(std::uint64_t records, std::size_t bytes) {
    const auto keys = sorter(records, bytes);
    if (keys == nullptr) return;
    keys->rehearse_distribution(records);
    keys->rehearse_sorting(records);
  }

  core::Environment& environment_;
  const ExternalSize size_;
  const prepare::EdgeKeys<Key> keys_;
  const std::size_t block_bytes_;
  bool cached_ = false;  ///< each page is read once at most, which is not worth regrouping
};

}  // namespace

template <class Id>
void rehearse_external(core::Environment& environment, const ExternalSize& size) {
  prepare::with_edge_keys<Id>(std::optional(size.nodes),
                              [&]<core::IntegerKey Key>(const prepare::EdgeKeys<Key>& keys) {
                                ExternalRehearsal<Id, Key>(environment, size, keys).run();
                              });
}

template void rehearse_external<std::uint32_t>(core::Environment&, const ExternalSize&);
template void rehearse_external<std::uint64_t>(core::Environment&, const ExternalSize&);

}  // namespace emgraph::graph::bfs
