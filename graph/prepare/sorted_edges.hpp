// SPDX-License-Identifier: MIT
// The sort that solvers share: reads the edges of a source on all threads, makes keys of them and sorts the
// keys.
//
// with_sorted_edges does all of it. Callers that need a step in between call its parts: with_id_bound (a
// bound of the ids from a sample), with_edge_keys (the narrowest keys), sort_edges (read and sort).
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "core/sort/key_batch.hpp"
#include "graph/prepare/edge_keys.hpp"
#include "graph/prepare/ingest.hpp"
#include "graph/prepare/open_sort.hpp"
#include "graph/prepare/sort_keeper.hpp"

namespace emgraph::graph::prepare {

/// Calls `body(SortInput<Id>)`. If n is not declared and the input can be read again, the guess is that ids
/// need no more bits than those of a sample; keys are shorter then, and fewer bytes are spilled. If the guess
/// is wrong, `body` throws GuessFailed and is called again, with the input at its start and without the
/// guess. Measured: sort -u --no-loops of kron24 (268 M raw u32 pairs) at -M 448M in a 512 MiB cgroup, two
/// pairs of runs: 1.0 GB spilled in 3.05 to 3.40 s with the guess, 1.27 GB in 3.17 to 3.67 s without.
template <class Id, class Body>
decltype(auto) with_id_bound(core::Environment& environment, EdgeSource<Id>& source,
                             const std::optional<std::uint64_t>& nodes, Body&& body) {
  SortInput<Id> input = sort_input(environment, source, nodes);
  if (!nodes && source.rewindable()) {
    const auto bits =
        static_cast<unsigned>(std::bit_width(largest_id(std::span<const Edge<Id>>(input.sample))));
    if (bits > 0 && bits < 8 * sizeof(Id)) {
      input.bound = IdBound::guess(std::uint64_t{1} << bits);
      try {
        return body(std::move(input));
      } catch (const GuessFailed&) {
        source.rewind();
      }
      return body(sort_input(environment, source, nodes));
    }
  }
  return body(std::move(input));
}

/// The same for a sort that goes on with the state of an earlier run, whose bound stands. `keeper`: may be
/// null.
template <class Id, class Body>
decltype(auto) with_id_bound(core::Environment& environment, EdgeSource<Id>& source,
                             const std::optional<std::uint64_t>& nodes, const SortKeeper* keeper,
                             Body&& body) {
  if (keeper == nullptr || !keeper->resumed()) return with_id_bound(environment, source, nodes, body);
  try {
    return body(SortInput<Id>{environment, source, keeper->bound(), {}, {}});
  } catch (const GuessFailed&) {
    source.rewind();
  }
  return body(sort_input(environment, source, nodes));
}

/// Calls `body(EdgeKeys<Key>)` with the narrowest key for ids below `nodes` (unknown: the full width of Id).
template <class Id, class Body>
decltype(auto) with_edge_keys(const std::optional<std::uint64_t>& nodes, Body&& body) {
  const unsigned bits = nodes ? bits_for_nodes(*nodes) : 8 * sizeof(Id);
  if (bits <= 32) return body(EdgeKeys<std::uint64_t>{bits});
  if constexpr (sizeof(Id) == 8) {
    return body(EdgeKeys<core::uint128>{bits});
  } else {
    return body(EdgeKeys<std::uint64_t>{32});
  }
}

/// The sorted keys, and what was counted while the edges were read. `Keys`: EdgeKeys or another mapping of
/// edges to keys with key_type, id_bits, make and range.
template <class Keys>
class SortedEdges {
 public:
  using Key = typename Keys::key_type;
  using Sorter = core::DistributionSorter<Key>;

  SortedEdges(const Keys& keys, std::unique_ptr<Sorter> sorter, const IngestFacts& read,
              SortKeeper* keeper = nullptr)
      : keys_(keys), sorter_(std::move(sorter)), read_(read), keeper_(keeper) {}

  const Keys& keys() const { return keys_; }
  const IngestFacts& read() const { return read_; }
  /// The number of keys, duplicates included.
  std::uint64_t records() const { return sorter_->records(); }
  Sorter& sorter() { return *sorter_; }
  /// Frees the memory.
  void close() { sorter_.reset(); }

  /// The next keys in ascending order, empty at the end; after a resumed run those that it has not consumed.
  std::span<const Key> next() {
    for (;;) {
      const std::span<const Key> batch = sorter_->next();
      if (keeper_ == nullptr || batch.empty()) return batch;
      const std::span<const Key> fresh = keeper_->fresh(batch);
      skipped_ = batch.size() - fresh.size();
      if (!fresh.empty()) return fresh;
    }
  }
  /// Attachments of the latest batch, contiguous, of so many bytes each.
  const std::byte* attachments(std::size_t bytes) const { return sorter_->attachments() + skipped_ * bytes; }
  /// To be called when the batch of next() was consumed, if there is a keeper. `what`: for people, what the
  /// keys are then; `tail`: writes the state of the caller.
  void consumed(std::span<const Key> batch, const std::string& what, const SaveState& tail) {
    if (keeper_ != nullptr) keeper_->consumed(*sorter_, batch, what, tail);
  }

  /// Calls take(batch) for batches of keys, ascending. Once. With a keeper, `tail` writes the state of the
  /// caller.
  template <class Take>
  void for_each_batch(core::Phase& phase, Take&& take, const std::string& what = {},
                      const SaveState& tail = {}) {
    if (keeper_ != nullptr) phase.advance(keeper_->records());
    for (auto batch = next(); !batch.empty(); batch = next()) {
      take(batch);
      phase.advance(batch.size());
      consumed(batch, what, tail);
    }
  }
  /// Calls take(first, second) for the ends of each key, ascending. Once.
  template <class Take>
  void for_each(core::Phase& phase, Take&& take) {
    for_each_batch(phase, [&, keys = keys_](std::span<const Key> batch) {
      for (const auto key : batch) take(keys.first(key), keys.second(key));
    });
  }

 private:
  Keys keys_;
  std::unique_ptr<Sorter> sorter_;
  IngestFacts read_;
  SortKeeper* keeper_;
  std::size_t skipped_ = 0;  ///< records at the start of the sorter's batch
};

/// Pushes all edges of the lanes, closes the lanes and finishes the sorter. `take(thread, sorter lane,
/// batch)` pushes the keys of a batch of edges, in the thread that read it; it may take the number of the
/// batch's first edge, too. `keeper`: keeps the sort in a checkpoint; may be null.
template <class Id, core::IntegerKey Key, class Take>
IngestFacts fill_sorter(core::Environment& environment, const EdgeFacts& source,
                        const std::string& phase_name, Lanes<Id> lanes, const IdBound& bound,
                        core::DistributionSorter<Key>& sorter, Take&& take, SortKeeper* keeper = nullptr) {
  using SorterLane = typename core::DistributionSorter<Key>::Lane;
  if (keeper != nullptr && keeper->restore(sorter)) {
    IngestFacts read = keeper->read();
    read.name = source.name;
    return read;
  }
  core::Phase phase(environment.progress, phase_name, source.edges.value_or(0), "edges");
  const IngestFacts facts = ingest(
      lanes, source.name, bound, phase,
      [&](unsigned thread, const EdgeBatch<Id>& batch, std::uint64_t first_edge) {
        if constexpr (std::invocable<Take&, unsigned, SorterLane&, const EdgeBatch<Id>&, std::uint64_t>) {
          take(thread, sorter.lane(thread), batch, first_edge);
        } else {
          take(thread, sorter.lane(thread), batch);
        }
      },
      keeper != nullptr ? keeper->reading(sorter, source.edges) : SealedReading{});
  lanes.clear();
  core::run_on_threads(sorter.lanes(), [&](unsigned thread) { sorter.lane(thread).finish(); });
  if (keeper != nullptr) keeper->finish_reading(sorter, facts);
  sorter.finish();
  return facts;
}

/// A `take` that pushes the keys that `visit` makes of each edge, with the edge's attachment.
template <class Keys, class Visit>
auto take_visited(const Keys& keys, const Visit& visit) {
  return [&keys, &visit]<class Id, class Lane>(unsigned, Lane& lane, const EdgeBatch<Id>& batch) {
    if (batch.plain()) {
      core::KeyBatch<Lane> records(lane);
      for (const Edge<Id>& edge : batch.edges()) {
        visit(edge.source, edge.target,
              [&](std::uint64_t a, std::uint64_t b) { records.push(keys.make(a, b)); });
      }
      return records.flush();
    }
    core::KeyBatch<Lane, true> records(lane);
    for (const Edge<Id>& edge : batch) {
      visit(edge.source, edge.target,
            [&](std::uint64_t a, std::uint64_t b) { records.push(keys.make(a, b), attachment_of(edge)); });
    }
    records.flush();
  };
}

/// Reads all edges and sorts their keys.
///   visit(source, target, push)       calls push(first, second) for each key of an edge
///   memory(threads)                   is called when the lanes are open; returns a SortMemory or bytes
///   take(thread, sorter lane, batch)  pushes the keys of a batch; default: take_visited
/// I/O: the source once; what the sort spills. Threads: all, or fewer if memory for their buffers is short.
/// Throws: GuessFailed, DataError (id not below n), MemoryLimitError, EnvironmentError.
template <class Id, class Keys, class Visit, class Memory, class Take>
SortedEdges<Keys> sort_edges(SortInput<Id> input, const Keys& keys, const SortSpec& spec, const Visit& visit,
                             Memory&& memory, Take&& take) {
  if (spec.keeper != nullptr) spec.keeper->begin(input.bound);
  OpenSort<Id, Keys> sort = open_sort(input, keys, spec, visit, memory);
  const EdgeFacts& facts = input.source.facts();
  const IngestFacts read = fill_sorter(input.environment, facts, "distribute", std::move(sort.lanes),
                                       input.bound, *sort.sorter, take, spec.keeper);
  return {keys, std::move(sort.sorter), read, spec.keeper};
}
template <class Id, class Keys, class Visit, class Memory>
SortedEdges<Keys> sort_edges(SortInput<Id> input, const Keys& keys, const SortSpec& spec, const Visit& visit,
                             Memory&& memory) {
  return sort_edges(std::move(input), keys, spec, visit, memory, take_visited(keys, visit));
}

/// Reads and sorts with the narrowest keys, then calls `use(SortedEdges&)`. `nodes`: n if declared. The other
/// arguments, I/O, threads and errors: as for sort_edges.
template <class Id, class Visit, class Memory, class Use>
decltype(auto) with_sorted_edges(core::Environment& environment, EdgeSource<Id>& source,
                                 const std::optional<std::uint64_t>& nodes, const SortSpec& spec,
                                 const Visit& visit, Memory&& memory, Use&& use) {
  return with_id_bound(environment, source, nodes, spec.keeper, [&](SortInput<Id> input) {
    return with_edge_keys<Id>(input.bound.below, [&](const auto& keys) {
      auto edges = sort_edges(std::move(input), keys, spec, visit, memory);
      return use(edges);
    });
  });
}

/// For a forecast, in place of sort_edges: reserves the memory that the sort of `edges` edges would take and
/// returns the space on disk. Unknown edges: as many as fill the buckets of the plan. `read(records, spare)`
/// gets SortMemory::spare when all edges have been read; what it returns is held while the keys are sorted.
template <class Id, class Keys, class Visit, class Memory, class Read>
[[gnu::cold]] core::SpillForecast rehearse_sort_edges(SortInput<Id> input, const Keys& keys, SortSpec spec,
                                                      const Visit& visit, Memory&& memory,
                                                      const std::optional<std::uint64_t>& edges,
                                                      Read&& read) {
  spec.rehearse = true;
  auto sort = open_sort(input, keys, spec, visit, memory);
  const std::uint64_t known = spec.records ? *spec.records : edges.value_or(0);
  const std::uint64_t records = core::size_product(known, spec.keys_per_edge);
  const core::SpillForecast spill = sort.sorter->rehearse_distribution(records);
  sort.lanes.clear();
  const auto held = read(records, std::move(sort.memory.spare));
  sort.sorter->rehearse_sorting(known > 0 ? records : ~std::uint64_t{0});
  return spill;
}

/// The same in place of with_sorted_edges. Reads the sample.
template <class Id, class Visit, class Memory, class Read>
[[gnu::cold]] core::SpillForecast rehearse_sort(core::Environment& environment, EdgeSource<Id>& source,
                                                const std::optional<std::uint64_t>& nodes,
                                                const SortSpec& spec, const Visit& visit, Memory&& memory,
                                                const std::optional<std::uint64_t>& edges, Read&& read) {
  return with_id_bound(environment, source, nodes, [&](SortInput<Id> input) {
    return with_edge_keys<Id>(input.bound.below, [&](const auto& keys) {
      return rehearse_sort_edges(std::move(input), keys, spec, visit, memory, edges, read);
    });
  });
}
template <class Id, class Visit, class Memory>
core::SpillForecast rehearse_sort(core::Environment& environment, EdgeSource<Id>& source,
                                  const std::optional<std::uint64_t>& nodes, const SortSpec& spec,
                                  const Visit& visit, Memory&& memory,
                                  const std::optional<std::uint64_t>& edges) {
  return rehearse_sort(environment, source, nodes, spec, visit, memory, edges,
                       [](std::uint64_t, core::Reservation spare) { return spare; });
}

}  // namespace emgraph::graph::prepare
