// SPDX-License-Identifier: MIT
// Sorting by weight: the edges themselves, or what a sort by source has left of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/sort/key_batch.hpp"
#include "core/sort/serial_sort.hpp"
#include "graph/forecast.hpp"
#include "graph/prepare/sort_by_key.hpp"
#include "graph/prepare/weight_sort.hpp"

namespace emgraph::graph::prepare {

/// Keys for records of `source` with ids below `nodes` (unknown: of the full width of Id).
template <class Id>
WeightKeys weight_keys(const EdgeSource<Id>& source, const std::optional<std::uint64_t>& nodes) {
  if (source.attachment_bytes() == 0) {
    throw core::UsageError(source.facts().name + ": sorting by weight needs weights");
  }
  const unsigned width = 8 * sizeof(Id);
  return {source.shape(), source.facts().layout.weight,
          nodes ? std::min(width, bits_for_nodes(*nodes)) : width};
}

/// Keys of a sample of the edges, for the splitters of a sort.
template <class Id>
std::vector<WeightKeys::Key> sample_weight_keys(core::Environment& environment, EdgeSource<Id>& source,
                                                const WeightKeys& keys, const IdBound& bound,
                                                const KeyEnds& ends) {
  const std::size_t row_bytes = source.shape().row_bytes;
  const std::size_t record_bytes = 2 * row_bytes + 2 * sizeof(WeightKeys::Key);
  const std::size_t count = std::min(splitter_sample, environment.memory.available() / 16 / record_bytes);
  const core::Reservation held = environment.memory.reserve(count * record_bytes, "a sample of the edges");
  std::vector<WeightKeys::Key> sample;
  source.sample(count, [&](const EdgeBatch<Id>& batch) {
    for (const Edge<Id>& edge : batch) {
      if (bound.below && std::max<std::uint64_t>(edge.source, edge.target) >= *bound.below) continue;
      ends(edge.source, edge.target,
           [&](std::uint64_t a, std::uint64_t b) { sample.push_back(keys.key(a, b, attachment_of(edge))); });
    }
  });
  return sample;
}

/// Calls `body(WeightSort&, lanes, bound, keys)` for a sort that is ready for the first edge of the source.
/// `rehearse`: for a forecast.
template <class Id, class Body>
decltype(auto) with_weight_sort(core::Environment& environment, EdgeSource<Id>& source, const KeyEnds& ends,
                                const std::optional<std::uint64_t>& nodes, bool rehearse, Body&& body) {
  return with_id_bound(environment, source, nodes, [&](SortInput<Id> input) {
    const IdBound bound = input.bound;
    input.sample = std::vector<Edge<Id>>();  // = {} would keep its memory
    input.sample_memory.release();
    const WeightKeys keys = weight_keys(source, bound.below);
    WeightSort::Sorter::Options sort;
    sort.sample = sample_weight_keys(environment, source, keys, bound, ends);
    const EdgeFacts& facts = source.facts();
    if (facts.edges) sort.records = core::size_product(*facts.edges, ends.keys_per_edge());
    if (facts.most_edges) sort.most_records = core::size_product(*facts.most_edges, ends.keys_per_edge());
    sort.rehearse = rehearse;
    Lanes<Id> lanes = open_lanes(environment, source);
    sort.threads = static_cast<unsigned>(lanes.size());
    sort.memory_bytes = sorter_memory(environment.memory);
    WeightSort weights(environment, keys, std::move(sort));
    return body(weights, std::move(lanes), bound, keys);
  });
}

/// Sorts the edges as they are read. Requires: the options keep duplicates, and no orientation by degree.
template <class Id>
SortResult sort_by_weight(core::Environment& environment, EdgeSource<Id>& source, const SortOptions& options,
                          const std::optional<std::uint64_t>& nodes, const RecordConsumer& consume) {
  using Lane = WeightSort::Sorter::Lane;
  const KeyEnds ends = key_ends(source, options, nullptr);
  const auto sort = [&](WeightSort& weights, Lanes<Id> lanes, const IdBound& bound, const WeightKeys& keys) {
    const auto take = [&](unsigned, Lane& lane, const EdgeBatch<Id>& batch) {
      core::KeyBatch<Lane> without_attachments(lane);
      for (const Edge<Id>& edge : batch) {
        ends(edge.source, edge.target, [&](std::uint64_t a, std::uint64_t b) {
          if (keys.attachment_bytes() == 0) {
            without_attachments.push(keys.key(a, b, attachment_of(edge)));
          } else {
            weights.push(lane, a, b, attachment_of(edge));
          }
        });
      }
      without_attachments.flush();
    };
    const IngestFacts read = fill_sorter(environment, source.facts(), "distribute", std::move(lanes), bound,
                                         weights.sorter(), take);
    const std::uint64_t records = weights.sorter().records();
    SortResult result;
    result.nodes = read.nodes(nodes);
    result.edges = read.edges;
    if (options.no_loops) result.loops_removed = result.edges - records / ends.keys_per_edge();
    core::Phase phase(environment.progress, "sort and write", records, "edges");
    result.edges_out = weights.write(phase, source.shape(), consume);
    return result;
  };
  return with_weight_sort(environment, source, ends, nodes, false, sort);
}

/// The forecast of sort_by_weight for `edges` edges.
template <class Id>
core::SpillForecast rehearse_sort_by_weight(core::Environment& environment, EdgeSource<Id>& source,
                                            const SortOptions& options,
                                            const std::optional<std::uint64_t>& nodes,
                                            const std::optional<std::uint64_t>& edges) {
  const KeyEnds ends = key_ends(source, options, nullptr);
  const auto rehearse = [&](WeightSort& weights, Lanes<Id> lanes, const IdBound&, const WeightKeys&) {
    const std::uint64_t records = core::size_product(edges.value_or(0), ends.keys_per_edge());
    const core::SpillForecast spill = weights.sorter().rehearse_distribution(records);
    lanes.clear();
    weights.sorter().rehearse_sorting(edges ? records : ~std::uint64_t{0});
    return spill;
  };
  return with_weight_sort(environment, source, ends, nodes, true, rehearse);
}

/// The space of two sorts, of which one is filled while the other one is read. The bound counts both: buckets
/// that are split take more than is expected.
inline core::SpillForecast overlapping(const core::SpillForecast& read, const core::SpillForecast& filled) {
  return {.most_bytes = core::size_sum(read.most_bytes, filled.most_bytes),
          .expected_bytes =
              std::max(read.expected_bytes,
                       peak_while_sort_is_read(read.expected_bytes, read.whole_bytes, filled.expected_bytes)),
          .whole_bytes = read.whole_bytes};
}

/// A sort of the records that another sort passes on, in half of the free memory or what so many records
/// need. While the other one opens and reads, nobody else takes that share.
template <class Id>
class FollowingWeightSort {
 public:
  FollowingWeightSort(core::Environment& environment, EdgeSource<Id>& source, const SortOptions& options,
                      const std::optional<std::uint64_t>& nodes, bool rehearse)
      : environment_(environment), shape_(source.shape()) {
    const std::size_t free = environment.memory.available();
    const WeightKeys keys = weight_keys(source, nodes);
    const KeyEnds ends = key_ends(source, options, nullptr);
    WeightSort::Sorter::Options sort;
    sort.sample = sample_weight_keys(environment, source, keys, nodes, ends);
    std::size_t share = free / 2;
    const EdgeFacts& facts = source.facts();
    if (const std::optional<std::uint64_t> most = facts.edges ? facts.edges : facts.most_edges) {
      // Blocks, and arrays in which buckets are sorted.
      const std::size_t record_bytes = 3 * (sizeof(WeightKeys::Key) + keys.attachment_bytes());
      const std::uint64_t needed = core::size_product(*most, ends.keys_per_edge() * record_bytes);
      share =
          static_cast<std::size_t>(std::min<std::uint64_t>(share, core::size_sum(needed, 32 * core::MiB)));
    }
    sort.memory_bytes = share;
    sort.threads = core::SerialSort<WeightKeys::Key>::threads(environment, share);
    sort.rehearse = rehearse;
    weights_.emplace(environment, keys, std::move(sort));
    const std::size_t taken = free - environment.memory.available();
    held_ = environment.memory.reserve_up_to(share - std::min(share, taken));
  }

  void push(const RecordBatch& batch) {
    held_.release();
    weights_->push(shape_, batch);
  }
  /// Passes on the sorted records. Returns their number.
  std::uint64_t finish(const RecordConsumer& consume) {
    held_.release();
    weights_->close();
    core::Phase phase(environment_.progress, phase_name, weights_->sorter().records(), "edges");
    return weights_->write(phase, shape_, consume);
  }
  /// The forecast of both for `records` records.
  core::SpillForecast rehearse(const std::optional<std::uint64_t>& records) {
    held_.release();
    const core::SpillForecast spill = weights_->sorter().rehearse_distribution(records.value_or(0));
    weights_->sorter().rehearse_sorting(records.value_or(~std::uint64_t{0}));
    return spill;
  }
  static constexpr const char* phase_name = "sort by weight and write";

 private:
  core::Environment& environment_;
  const core::PairShape shape_;
  std::optional<WeightSort> weights_;
  core::Reservation held_;
};

}  // namespace emgraph::graph::prepare
