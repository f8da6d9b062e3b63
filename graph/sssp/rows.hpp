// SPDX-License-Identifier: MIT
// Arcs with their lengths in memory, as compressed sparse rows.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/parallel.hpp"
#include "core/io/checksum.hpp"
#include "core/memory/buffer.hpp"
#include "graph/sssp/node_set.hpp"

namespace emgraph::graph::sssp {

/// An arc as its source keeps it. `Length`: std::uint32_t for integers below 2^32, else std::uint64_t, the
/// word of distances.hpp. Packed: 8, 12 or 16 bytes.
template <class Id, class Length>
struct __attribute__((packed, aligned(4))) Arc {
  Id target;
  Length length;
};

/// The arcs of node v are arcs[offsets[v]] … arcs[offsets[v + 1] - 1]. Memory: sizeof(Offset) per node and an
/// Arc per entry, charged. Threads: any number of readers.
template <class IdType, class OffsetType, class LengthType>
class Rows {
 public:
  using Id = IdType;
  using Offset = OffsetType;
  using Length = LengthType;
  using ArcType = Arc<Id, Length>;

  Rows(core::MemoryBudget& budget, std::uint64_t nodes, std::uint64_t entries_bound)
      : nodes_(nodes),
        offsets_(budget, core::size_sum(nodes, 1), "where the arcs of each node are"),
        arcs_(budget, static_cast<std::size_t>(entries_bound), "the arcs of each node") {}
  /// Of arrays that are filled.
  Rows(std::uint64_t nodes, core::Array<Offset> offsets, core::Array<ArcType> arcs)
      : nodes_(nodes), offsets_(std::move(offsets)), arcs_(std::move(arcs)) {}

  static constexpr bool fits(std::uint64_t entries) {
    return sizeof(Offset) == 8 || entries <= std::uint64_t{0xffffffff};
  }
  static std::uint64_t bytes_for(std::uint64_t nodes, std::uint64_t entries) {
    return core::size_sum(core::size_product(core::size_sum(nodes, std::uint64_t{1}), sizeof(Offset)),
                          core::size_product(entries, sizeof(ArcType)) + 2 * core::page_bytes);
  }

  std::uint64_t nodes() const { return nodes_; }
  std::uint64_t entries() const { return offsets_[static_cast<std::size_t>(nodes_)]; }
  std::span<const ArcType> arcs(std::uint64_t node) const {
    const auto v = static_cast<std::size_t>(node);
    return {arcs_.data() + offsets_[v], arcs_.data() + offsets_[v + 1]};
  }
  const Offset* offset_of(std::uint64_t node) const { return offsets_.data() + node; }
  const ArcType* first_arc(std::uint64_t node) const {
    return arcs_.data() + offsets_[static_cast<std::size_t>(node)];
  }

  /// Of all offsets and arcs.
  std::uint64_t checksum() const {
    core::ChecksumStream sum;
    sum.append(std::as_bytes(offsets_.span()));
    sum.append(std::as_bytes(all_arcs().first(static_cast<std::size_t>(entries()))));
    return sum.value();
  }

  // For builders.
  std::span<Offset> offsets() { return offsets_.span(); }
  std::span<ArcType> all_arcs() { return arcs_.span(); }
  std::span<const ArcType> all_arcs() const { return arcs_.span(); }

 private:
  std::uint64_t nodes_;
  core::Array<Offset> offsets_;
  core::Array<ArcType> arcs_;
};

/// Fills rows from arcs in the order of their sources. Threads: one.
template <class RowsType>
class RowsBuilder {
 public:
  explicit RowsBuilder(RowsType& rows) : rows_(rows), arc_(rows.all_arcs().data()) {}

  void push(std::uint64_t source, std::uint64_t target, std::uint64_t length) {
    const std::span<typename RowsType::Offset> offsets = rows_.offsets();
    while (next_ <= source) offsets[next_++] = static_cast<typename RowsType::Offset>(entries_);
    arc_[entries_++] = {static_cast<typename RowsType::Id>(target),
                        static_cast<typename RowsType::Length>(length)};
  }
  void finish() {
    const std::span<typename RowsType::Offset> offsets = rows_.offsets();
    while (next_ <= rows_.nodes()) offsets[next_++] = static_cast<typename RowsType::Offset>(entries_);
  }

 private:
  RowsType& rows_;
  typename RowsType::ArcType* arc_;
  std::size_t next_ = 0;  ///< offsets before this one are set
  std::uint64_t entries_ = 0;
};

/// The arcs of rows, for passes over them (parents.hpp).
template <class RowsType>
struct RowArcs {
  using Id = typename RowsType::Id;
  const RowsType& rows;
  unsigned threads;
  const Id* names = nullptr;   ///< the node of each row; null: the number of the row
  const Id* places = nullptr;  ///< the row of each node

  Id name(std::uint64_t row) const { return names == nullptr ? static_cast<Id>(row) : names[row]; }

  /// Calls visit(source, target, length) for every arc, from `threads` threads.
  template <class Visit>
  void all(Visit&& visit) const {
    constexpr std::uint64_t piece = 4096;
    std::atomic<std::uint64_t> cursor{0};
    core::run_on_threads(threads, [&](unsigned) {
      for (std::uint64_t first; (first = cursor.fetch_add(piece)) < rows.nodes();) {
        const std::uint64_t end = std::min(rows.nodes(), first + piece);
        for (std::uint64_t node = first; node < end; ++node) of_row(node, visit);
      }
    });
  }
  /// The same for the arcs of a set of nodes, from one thread.
  template <class Visit>
  void of(NodeSet& nodes, Visit&& visit) const {
    nodes.walk([&](std::uint64_t node) {
      of_row(places == nullptr ? node : places[node], visit);
      return NodeSet::Visit::keep;
    });
  }

 private:
  template <class Visit>
  void of_row(std::uint64_t row, Visit& visit) const {
    for (const auto arc : rows.arcs(row)) visit(name(row), name(arc.target), std::uint64_t{arc.length});
  }
};

/// Sets `to` to the reversed arcs of `from`. The arcs of a node come in the order of their sources. Threads:
/// one. Requires: `to` has as many nodes, and room for the entries.
template <class RowsType>
void reverse(const RowsType& from, RowsType& to) {
  using Offset = typename RowsType::Offset;
  const std::span<Offset> offsets = to.offsets();
  for (const auto arc : from.all_arcs().first(static_cast<std::size_t>(from.entries()))) {
    ++offsets[static_cast<std::size_t>(arc.target)];
  }
  // offsets[v] is the degree of v; it becomes the end of the arcs of v, and falls to their begin.
  Offset end = 0;
  for (std::size_t v = 0; v < from.nodes(); ++v) offsets[v] = end += offsets[v];
  offsets[static_cast<std::size_t>(from.nodes())] = end;
  for (std::uint64_t v = from.nodes(); v-- > 0;) {
    const auto arcs = from.arcs(v);
    for (std::size_t i = arcs.size(); i-- > 0;) {
      const auto arc = arcs[i];
      to.all_arcs()[--offsets[static_cast<std::size_t>(arc.target)]] = {static_cast<typename RowsType::Id>(v),
                                                                        arc.length};
    }
  }
}

}  // namespace emgraph::graph::sssp
