// SPDX-License-Identifier: MIT
// Rows in memory from edges in any order, on all threads, without sorting.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/memory/buffer.hpp"
#include "graph/edge_weights.hpp"
#include "graph/prepare/ingest.hpp"
#include "graph/sssp/chunk_lists.hpp"
#include "graph/sssp/distances.hpp"
#include "graph/sssp/rows.hpp"

namespace emgraph::graph::sssp {

/// Problem: rows from edges that fit into memory twice. A shortest path needs no order of the arcs of a node,
/// and parallel arcs do no harm, so a sort would be wasted.
///
/// Method: each thread puts the arcs of the edges it reads into lists by ranges of sources. Then the threads
/// take ranges: they count the arcs of each node, and put them into the rows, within the caches. I/O: the
/// source once. Memory: lists_bytes while the rows are filled; the rows. Threads: all. Measured: sssp of 67 M
/// arcs (grid of 4096 x 4096), the whole command, one thread, two runs: 2.4 and 3.0 CPU s; by the sort 4.1
/// and 3.8 (EPYC, other work beside). Throws: DataError (id not below n, weight that is no length),
/// MemoryLimitError, EnvironmentError.
template <class Id, class RowsType>
class RowGatherer {
 public:
  RowGatherer(core::Environment& environment, std::uint64_t nodes)
      : environment_(environment),
        nodes_(nodes),
        shift_(range_shift(nodes)),
        ranges_(static_cast<std::size_t>((nodes >> shift_) + 1)),
        pool_(environment.memory, "arcs by ranges of nodes") {}

  /// Of the lists for so many arcs.
  static std::uint64_t lists_bytes(std::uint64_t entries) {
    return core::size_sum(core::size_product(entries, sizeof(Entry)), core::size_product(entries, 1),
                          2 * most_ranges * chunk_bytes);
  }

  /// Of the lists for so many arcs of so many nodes, read by so many threads: each has an open chunk per
  /// range, and takes chunks by huge pages.
  static std::uint64_t lists_bytes(std::uint64_t entries, std::uint64_t nodes, unsigned threads) {
    const std::uint64_t ranges = (nodes >> range_shift(nodes)) + 1;
    const std::uint64_t full = core::size_product(core::divide_up(entries, Pool::capacity), chunk_bytes);
    return core::size_sum(full, full / 8, threads * ranges * chunk_bytes, threads * 2 * core::MiB);
  }

  /// Reads all edges. Returns what was counted.
  prepare::IngestFacts read(EdgeSource<Id>& source, const Weighting& weighting, const WeightLimits& limits,
                            bool directed) {
    const EdgeFacts& facts = source.facts();
    const EdgeWeights weights(weighting, facts.layout.weight);
    const WeightType type = weights.type();
    prepare::Lanes<Id> lanes = prepare::open_lanes(environment_, source);
    readers_ = std::vector<Reader>(lanes.size());
    for (Reader& reader : readers_) {
      reader.lists.resize(ranges_);
      reader.counts.resize(ranges_);
    }
    core::Phase phase(environment_.progress, "read arcs", facts.edges.value_or(0), "edges");
    const auto take = [&](unsigned thread, const EdgeBatch<Id>& batch, std::uint64_t first_edge) {
      check_weights(batch, weights, limits, facts.name, first_edge);
      Reader& reader = readers_[thread];
      weights.with_bits([&](const auto& bits_of) {
        for (const Edge<Id>& edge : batch) {
          if (edge.source == edge.target) continue;
          const std::uint64_t length = length_of(type, bits_of(edge));
          reader.longest = std::max(reader.longest, length);
          add(reader, edge.source, edge.target, length);
          if (!directed) add(reader, edge.target, edge.source, length);
        }
      });
    };
    return prepare::ingest(lanes, facts.name, prepare::IdBound(nodes_), phase, take);
  }

  std::uint64_t entries() const {
    std::uint64_t all = 0;
    for (const Reader& reader : readers_) {
      for (const std::uint64_t count : reader.counts) all += count;
    }
    return all;
  }
  std::uint64_t longest() const {
    std::uint64_t longest = 0;
    for (const Reader& reader : readers_) longest = std::max(longest, reader.longest);
    return longest;
  }

  /// Fills the rows. Requires: they have room for entries().
  void fill(RowsType& rows) {
    core::Phase phase(environment_.progress, "build rows", nodes_, "nodes");
    std::vector<std::uint64_t> first(ranges_ + 1);
    for (std::size_t range = 0; range < ranges_; ++range) {
      first[range + 1] = first[range];
      for (const Reader& reader : readers_) first[range + 1] += reader.counts[range];
    }
    rows.offsets()[static_cast<std::size_t>(nodes_)] = static_cast<typename RowsType::Offset>(first[ranges_]);
    std::atomic<std::size_t> next{0};
    core::run_on_threads(environment_.threads, [&](unsigned) {
      for (std::size_t range; (range = next.fetch_add(1)) < ranges_;) {
        fill_range(rows, range, first[range]);
        phase.advance(std::uint64_t{1} << shift_);
      }
    });
  }

 private:
  // Each range has a chunk open per thread.
  static constexpr unsigned most_range_bits = 9;
  static constexpr std::uint64_t most_ranges = std::uint64_t{1} << (most_range_bits + 1);
  static constexpr std::size_t chunk_bytes = 4096;

  struct __attribute__((packed, aligned(4))) Entry {
    Id source;
    typename RowsType::ArcType arc;
  };
  using Pool = ChunkPool<Entry, chunk_bytes>;
  struct alignas(64) Reader {
    typename Pool::Cache cache;
    std::vector<ChunkList> lists;
    std::vector<std::uint64_t> counts;
    std::uint64_t longest = 0;
  };

  static unsigned range_shift(std::uint64_t nodes) {
    const auto bits = static_cast<unsigned>(std::bit_width(nodes));
    return std::max(12U, bits > most_range_bits ? bits - most_range_bits : 0);
  }

  void add(Reader& reader, Id source, Id target, std::uint64_t length) {
    const auto range = static_cast<std::size_t>(source >> shift_);
    ++reader.counts[range];
    pool_.push(reader.cache, reader.lists[range],
               {source, {target, static_cast<typename RowsType::Length>(length)}});
  }

  template <class Take>
  void for_each_entry(std::size_t range, Take&& take) const {
    for (const Reader& reader : readers_) {
      for (std::uint32_t at = reader.lists[range].head; at != ChunkList::none; at = pool_.at(at).next) {
        const auto& chunk = pool_.at(at);
        for (std::uint32_t i = 0; i < chunk.count; ++i) take(chunk.entries[i]);
      }
    }
  }

  void fill_range(RowsType& rows, std::size_t range, std::uint64_t first_entry) const {
    using Offset = typename RowsType::Offset;
    const std::uint64_t begin = std::uint64_t{range} << shift_;
    const std::uint64_t end = std::min(nodes_, begin + (std::uint64_t{1} << shift_));
    if (begin >= end) return;
    // The offsets of the range, which hold the ends of rows that are not filled yet.
    const std::span<Offset> offsets =
        rows.offsets().subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    for_each_entry(range,
                   [&](const Entry& entry) { ++offsets[static_cast<std::size_t>(entry.source - begin)]; });
    auto place = static_cast<Offset>(first_entry);
    for (Offset& offset : offsets) offset = place += offset;
    for_each_entry(range, [&](const Entry& entry) {
      rows.all_arcs()[static_cast<std::size_t>(--offsets[static_cast<std::size_t>(entry.source - begin)])] =
          entry.arc;
    });
  }

  core::Environment& environment_;
  const std::uint64_t nodes_;
  const unsigned shift_;
  const std::size_t ranges_;
  Pool pool_;
  std::vector<Reader> readers_;
};

}  // namespace emgraph::graph::sssp
