// SPDX-License-Identifier: MIT
// The oriented graph in words of four bytes: ranks, and sorted lists of ranks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/bytes.hpp"
#include "core/base/integers.hpp"
#include "core/io/state_stream.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::triangles {

/// The position of a node in the order of descending degree, ties by id; the node of largest degree has rank
/// 0. Every edge is oriented from its larger rank to its smaller one, that is from the end of smaller degree.
/// So no list is longer than sqrt(2m). Nodes without an edge have no rank.
using Rank = std::uint32_t;

inline constexpr Rank no_rank = ~Rank{0};
/// All ranks are below this.
inline constexpr std::uint64_t most_ranks = no_rank;

/// Number of pairs of edges with a common end at a node of this degree. The sum over all nodes can exceed 64
/// bits.
constexpr core::uint128 wedges_at(std::uint64_t degree) {
  return degree == 0 ? 0 : static_cast<core::uint128>(degree) * (degree - 1) / 2;
}
constexpr core::uint128 count_wedges(std::span<const std::uint32_t> degrees) {
  core::uint128 wedges = 0;
  for (const std::uint32_t degree : degrees) wedges += wedges_at(degree);
  return wedges;
}

/// Number of ranks that vector loads may read after the end of an array of lists.
inline constexpr std::size_t list_slack = 64;

/// Lists of some sources. List k has the ranks targets[begins[k]] … targets[ends[k] - 1], ascending, all less
/// than the rank of its source. The source of list k is sources[k] if `sources` is given, else first_source +
/// k.
struct ListBatch {
  Rank first_source = 0;
  const Rank* sources = nullptr;
  const std::uint32_t* begins = nullptr;
  const std::uint32_t* ends = nullptr;
  const Rank* targets = nullptr;
  std::size_t lists = 0;

  Rank source(std::size_t k) const {
    return sources != nullptr ? sources[k] : first_source + static_cast<Rank>(k);
  }
  std::span<const Rank> list(std::size_t k) const { return {targets + begins[k], ends[k] - begins[k]}; }
};

/// Receives triangles as they are found.
class TriangleSink {
 public:
  virtual ~TriangleSink() = default;
  /// Takes the triangles u > v > w for every w of `thirds`, which is not empty. Several threads call it at
  /// once, each with its own number.
  virtual void take(unsigned thread, Rank u, Rank v, std::span<const Rank> thirds) = 0;
};

/// The adjacency of the nodes of largest degree among themselves, one bit per pair.
/// Row v < size(): bit w is set iff w < v is a neighbour of v. Rows are rounded up to whole lines of 512
/// bits; row v has v / 512 + 1 of them. Memory: about size² / 16 bytes. Threads: rows are independent.
class HubRows {
 public:
  static constexpr std::size_t line_words = 8;
  static constexpr std::size_t line_bits = 512;

  HubRows() = default;
  HubRows(core::MemoryBudget& budget, Rank size)
      : words_(budget, first_line(size) * line_words, "one bit per pair of hubs"), size_(size) {}

  static std::size_t bytes_for(Rank size) { return first_line(size) * line_words * sizeof(std::uint64_t); }

  Rank size() const { return size_; }
  const std::uint64_t* words() const { return words_.data(); }

  /// First line of row v: rows 512 q … 512 q + 511 have q + 1 lines each.
  static std::size_t first_line(Rank v) {
    const std::size_t q = v / line_bits;
    return line_bits * (q * (q + 1) / 2) + v % line_bits * (q + 1);
  }
  static std::size_t lines(Rank v) { return v / line_bits + 1; }

  void set(Rank v, Rank w) const {
    words_[first_line(v) * line_words + w / 64] |= std::uint64_t{1} << (w % 64);
  }

 private:
  core::Array<std::uint64_t> words_;
  Rank size_ = 0;
};

/// The lists of a chunk, those of the sources first … end - 1, for the kernels.
struct ChunkView {
  Rank first = 0;
  Rank end = 0;
  const std::uint32_t* offsets = nullptr;  ///< end - first + 1 offsets
  const Rank* targets = nullptr;           ///< targets of all lists, followed by list_slack
  Rank hubs = 0;                           ///< sources below it have a row of bits, too
  const std::uint64_t* hub_rows = nullptr;
};

/// The lists of consecutive sources in memory, all of them (internal) or as many as fit. Memory: 4 bytes per
/// edge and per source of the range, reserved on construction. Requires: less than 2^32 edges.
class ListChunk {
 public:
  ListChunk() = default;
  ListChunk(core::MemoryBudget& budget, std::uint64_t most_edges, std::uint64_t most_sources)
      : offsets_(budget, static_cast<std::size_t>(most_sources) + 1, "4 bytes per source of a chunk"),
        targets_(budget, static_cast<std::size_t>(most_edges) + list_slack, "4 bytes per edge of a chunk") {}

  static std::uint64_t bytes_for(std::uint64_t edges, std::uint64_t sources) {
    return core::size_sum(core::size_product(core::size_sum(edges, sources, list_slack + 1), sizeof(Rank)),
                          2 * core::page_bytes);
  }

  Rank first() const { return first_; }
  Rank end() const { return end_; }
  std::size_t lists() const { return end_ - first_; }
  std::size_t edges() const { return edges_; }

  /// Deletes all lists; the next list has source `first` or a later one.
  void restart(Rank first) {
    first_ = end_ = first;
    edges_ = 0;
    offsets_[0] = 0;
  }
  /// Adds the next edge. Requires: edges ascend by (source, target), from the source of restart() on.
  void add(Rank source, Rank target) {
    if (source >= end_) open(source);
    targets_[edges_++] = target;
  }
  void add_list(Rank source, std::span<const Rank> targets) {
    open(source);
    std::copy(targets.begin(), targets.end(), targets_.data() + edges_);
    edges_ += targets.size();
  }
  /// Ends the input.
  void finish() { offsets_[end_ - first_] = static_cast<std::uint32_t>(edges_); }

  /// The lists, for a checkpoint. Requires: finish() was called.
  void save(core::StateWriter& to) const {
    to.value(first_);
    to.value(end_);
    to.value(static_cast<std::uint64_t>(edges_));
    to.array(offsets_.span().first(lists() + 1));
    to.array(targets_.span().first(edges_));
  }
  /// Reads what save() has written.
  static ListChunk restored(core::MemoryBudget& budget, core::StateReader& from) {
    const auto first = from.value<Rank>();
    const auto end = from.value<Rank>();
    const auto edges = from.value<std::uint64_t>();
    ListChunk chunk(budget, edges, end - first);
    chunk.first_ = first;
    chunk.end_ = end;
    chunk.edges_ = static_cast<std::size_t>(edges);
    from.array(chunk.offsets_.span());
    from.array(chunk.targets_.span().first(chunk.edges_));
    return chunk;
  }

  ChunkView view(const HubRows& hubs) const {
    return {.first = first_,
            .end = end_,
            .offsets = offsets_.data(),
            .targets = targets_.data(),
            .hubs = hubs.size(),
            .hub_rows = hubs.words()};
  }
  /// The lists of sources first() + begin … first() + end - 1.
  ListBatch batch(std::size_t begin, std::size_t end) const {
    return {.first_source = first_ + static_cast<Rank>(begin),
            .begins = offsets_.data() + begin,
            .ends = offsets_.data() + begin + 1,
            .targets = targets_.data(),
            .lists = end - begin};
  }

 private:
  void open(Rank source) {
    for (; end_ <= source; ++end_) offsets_[end_ - first_] = static_cast<std::uint32_t>(edges_);
  }

  core::Array<std::uint32_t> offsets_;
  core::Array<Rank> targets_;
  Rank first_ = 0;
  Rank end_ = 0;
  std::size_t edges_ = 0;
};

}  // namespace emgraph::graph::triangles
