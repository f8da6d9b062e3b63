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
#include "core/base/function_ref.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "core/sort/key_batch.hpp"
#include "core/sort/sorter_memory.hpp"
#include "graph/prepare/edge_keys.hpp"
#include "graph/prepare/ingest.hpp"
#include "graph/prepare/sort_keeper.hpp"

namespace emgraph::graph::prepare {

/// Number of edges in a sample of an input: several per bucket, and enough for 2^13 cells. In less than 8 MiB
/// of free memory there are fewer.
inline constexpr std::size_t splitter_sample = 64 * 1024;

using core::sorter_memory;

static_assert(max_attachment_bytes <= core::most_attachment_bytes);

/// The edges to sort.
template <class Id>
struct SortInput {
  core::Environment& environment;
  EdgeSource<Id>& source;
  IdBound bound;                 ///< of the ids
  std::vector<Edge<Id>> sample;  ///< from all over the source; may be empty
  core::Reservation sample_memory;
};

template <class Id>
SortInput<Id> sort_input(core::Environment& environment, EdgeSource<Id>& source, const IdBound& bound) {
  const std::size_t most = environment.memory.available() / 16 / sizeof(Edge<Id>);
  // The source has a copy of the records until it returns.
  const std::size_t count = std::min(splitter_sample, most);
  core::Reservation held = environment.memory.reserve(2 * count * sizeof(Edge<Id>), "a sample of the edges");
  std::vector<Edge<Id>> sample = source.sample(count);
  held.resize(sample.capacity() * sizeof(Edge<Id>), "a sample of the edges");
  return {environment, source, bound, std::move(sample), std::move(held)};
}

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

/// What differs among the users of sort_edges.
struct SortSpec {
  unsigned keys_per_edge = 1;  ///< upper bound
  bool unique = false;         ///< keep the first record of each key
  core::CompareAttachments compare = core::compare_bytes;
  std::optional<std::uint64_t> ends_below = std::nullopt;  ///< bound of the ends of keys, if these are no ids
  std::optional<std::uint64_t> records = std::nullopt;     ///< expected; default: by the declared edges
  std::optional<std::size_t> attachment_bytes = std::nullopt;  ///< of a record; default: of an edge
  bool last_on_disks = false;    ///< nothing else goes to the temporary disks while the result is read
  bool rehearse = false;         ///< set by rehearse_sort
  SortKeeper* keeper = nullptr;  ///< keeps the sort in a checkpoint; null: no
};

/// The memory of a sort. `spare`: freed when all edges have been read.
struct SortMemory {
  // Implicit, because most users set nothing aside.
  SortMemory(std::size_t bytes) : sorter_bytes(bytes) {}
  SortMemory(core::Reservation reserved, std::size_t bytes)
      : spare(std::move(reserved)), sorter_bytes(bytes) {}
  core::Reservation spare;
  std::size_t sorter_bytes;
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

/// A sort that is ready for its first edge.
template <class Id, class Keys>
struct OpenSort {
  Lanes<Id> lanes;
  SortMemory memory;
  std::unique_ptr<typename SortedEdges<Keys>::Sorter> sorter;
};

/// Adds the keys of an edge to a sample.
template <class Id, class Keys>
using AddKeys = core::FunctionRef<void(const Edge<Id>& edge, std::vector<typename Keys::key_type>& sample)>;

/// Opens the lanes, then the sorter in the memory that is left. Cold: compiled for size.
template <class Id, class Keys>
[[gnu::cold, gnu::noinline]] OpenSort<Id, Keys> open_sort(SortInput<Id>& input, const Keys& keys,
                                                          const SortSpec& spec, AddKeys<Id, Keys> add,
                                                          core::FunctionRef<SortMemory(unsigned)> memory) {
  using Sorter = typename SortedEdges<Keys>::Sorter;
  const EdgeFacts& facts = input.source.facts();
  typename Sorter::Options options;
  const std::uint64_t most = keys.id_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << keys.id_bits) - 1;
  const std::uint64_t below = (spec.ends_below ? spec.ends_below : input.bound.below).value_or(0);
  // The declared n can be larger than the number of ids of this width.
  options.range = keys.range(below > 0 ? std::min(below - 1, most) : most);
  options.records = spec.records ? spec.records : facts.edges;
  if (options.records) options.records = core::size_product(*options.records, spec.keys_per_edge);
  if (facts.most_edges) options.most_records = core::size_product(*facts.most_edges, spec.keys_per_edge);
  options.attachment_bytes = spec.attachment_bytes.value_or(input.source.attachment_bytes());
  options.unique = spec.unique;
  options.compare = spec.compare;
  options.rehearse = spec.rehearse;
  options.last_on_disks = spec.last_on_disks;
  options.ordered = facts.order == EdgeOrder::source_target || facts.order == EdgeOrder::target_source;
  if (spec.keeper != nullptr) {
    options.resumable = true;
    options.state = spec.keeper->state();
    spec.keeper->seek(input.source);
  }
  core::Reservation keys_held = input.environment.memory.reserve(
      input.sample.size() * spec.keys_per_edge * sizeof(typename Keys::key_type), "the sample of a sort");
  options.sample.reserve(input.sample.size() * spec.keys_per_edge);
  for (const Edge<Id>& edge : input.sample) {
    // Reading reports ids that are not below the bound; the sample must only leave out keys beyond the range.
    if (input.bound.below && std::max<std::uint64_t>(edge.source, edge.target) >= *input.bound.below)
      continue;
    add(edge, options.sample);
  }
  input.sample = std::vector<Edge<Id>>();  // = {} would keep its memory
  input.sample_memory.release();
  Lanes<Id> lanes = open_lanes(input.environment, input.source);
  options.threads = static_cast<unsigned>(lanes.size());
  keys_held.release();  // the sorter charges them before it takes its share
  SortMemory shares = memory(options.threads);
  options.memory_bytes = shares.sorter_bytes;
  auto sorter = std::make_unique<Sorter>(input.environment, std::move(options));
  return {std::move(lanes), std::move(shares), std::move(sorter)};
}

extern template OpenSort<std::uint32_t, EdgeKeys<std::uint64_t>> open_sort(
    SortInput<std::uint32_t>&, const EdgeKeys<std::uint64_t>&, const SortSpec&,
    AddKeys<std::uint32_t, EdgeKeys<std::uint64_t>>, core::FunctionRef<SortMemory(unsigned)>);
extern template OpenSort<std::uint64_t, EdgeKeys<std::uint64_t>> open_sort(
    SortInput<std::uint64_t>&, const EdgeKeys<std::uint64_t>&, const SortSpec&,
    AddKeys<std::uint64_t, EdgeKeys<std::uint64_t>>, core::FunctionRef<SortMemory(unsigned)>);
extern template OpenSort<std::uint64_t, EdgeKeys<core::uint128>> open_sort(
    SortInput<std::uint64_t>&, const EdgeKeys<core::uint128>&, const SortSpec&,
    AddKeys<std::uint64_t, EdgeKeys<core::uint128>>, core::FunctionRef<SortMemory(unsigned)>);

/// The same. Arguments: as for sort_edges.
template <class Id, class Keys, class Visit, class Memory>
OpenSort<Id, Keys> open_sort(SortInput<Id>& input, const Keys& keys, const SortSpec& spec, const Visit& visit,
                             Memory&& memory) {
  const auto add = [&](const Edge<Id>& edge, std::vector<typename Keys::key_type>& sample) {
    visit(edge.source, edge.target,
          [&](std::uint64_t a, std::uint64_t b) { sample.push_back(keys.make(a, b)); });
  };
  const auto shares = [&](unsigned threads) { return SortMemory(memory(threads)); };
  return open_sort<Id, Keys>(input, keys, spec, AddKeys<Id, Keys>(add),
                             core::FunctionRef<SortMemory(unsigned)>(shares));
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
