// SPDX-License-Identifier: MIT
// Compressed sparse rows: the neighbours of all nodes in one array in memory.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/memory/buffer.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/prepare/adjacency/neighbour_stream.hpp"

namespace emgraph::graph::adjacency {

/// Compressed sparse rows. `Offset`: std::uint32_t if the number of entries fits, else std::uint64_t.
/// Memory: sizeof(Offset) per node and sizeof(Id) per entry, charged. Threads: any number of readers.
template <class Id, class Offset>
class Csr {
 public:
  using id_type = Id;

  Csr(core::MemoryBudget& budget, std::uint64_t nodes, std::uint64_t entries_bound)
      : offsets_(budget, core::size_sum(nodes, std::uint64_t{1}), "where the neighbours of each node are"),
        targets_(budget, static_cast<std::size_t>(entries_bound), "the neighbours of each node") {}
  /// Of arrays that are filled.
  Csr(core::Array<Offset> offsets, core::Array<Id> targets, const AdjacencyFacts& facts)
      : offsets_(std::move(offsets)), targets_(std::move(targets)), facts_(facts) {}

  static constexpr bool fits(std::uint64_t entries) {
    return sizeof(Offset) == 8 || entries <= std::uint64_t{0xffffffff};
  }
  static std::uint64_t bytes_for(std::uint64_t nodes, std::uint64_t entries) {
    return core::size_sum(core::size_product(core::size_sum(nodes, 1), sizeof(Offset)),
                          core::size_product(entries, sizeof(Id)), 2 * core::page_bytes);
  }

  const AdjacencyFacts& facts() const { return facts_; }
  std::uint64_t nodes() const { return facts_.nodes; }
  std::uint64_t degree(std::uint64_t node) const {
    return offsets_[static_cast<std::size_t>(node) + 1] - offsets_[static_cast<std::size_t>(node)];
  }
  std::span<const Id> neighbours(std::uint64_t node) const {
    const auto v = static_cast<std::size_t>(node);
    return {targets_.data() + offsets_[v], targets_.data() + offsets_[v + 1]};
  }

  /// Hands over the arrays: offsets of n + 1 nodes, and neighbours, of which facts().entries count.
  std::pair<core::Array<Offset>, core::Array<Id>> take_arrays() && {
    return {std::move(offsets_), std::move(targets_)};
  }

  // For builders.
  std::span<Offset> offsets() { return offsets_.span(); }
  std::span<Id> targets() { return targets_.span(); }
  void set_facts(const AdjacencyFacts& facts) { facts_ = facts; }

 private:
  core::Array<Offset> offsets_;
  core::Array<Id> targets_;
  AdjacencyFacts facts_;
};

/// Fills a Csr from sorted edges. Threads: one.
template <class Id, class Offset>
class CsrBuilder {
 public:
  CsrBuilder(core::MemoryBudget& budget, std::uint64_t nodes, std::uint64_t entries_bound)
      : csr_(std::make_unique<Csr<Id, Offset>>(budget, nodes, entries_bound)),
        nodes_(nodes),
        offset_(csr_->offsets().data()),
        target_(csr_->targets().data()) {}

  void push(Id source, Id target) {
    while (next_ <= source) offset_[next_++] = static_cast<Offset>(entries_);
    target_[entries_++] = target;
  }

  std::unique_ptr<Csr<Id, Offset>> finish(bool directed) {
    while (next_ <= nodes_) offset_[next_++] = static_cast<Offset>(entries_);
    AdjacencyFacts facts{.nodes = nodes_, .entries = entries_, .directed = directed};
    for (std::uint64_t v = 0; v < nodes_; ++v) {
      const std::uint64_t degree = offset_[v + 1] - offset_[v];
      if (degree <= facts.largest_degree) continue;
      facts.largest_degree = degree;
      facts.largest_degree_node = v;
    }
    csr_->set_facts(facts);
    return std::move(csr_);
  }

 private:
  std::unique_ptr<Csr<Id, Offset>> csr_;
  const std::uint64_t nodes_;
  Offset* offset_;
  Id* target_;
  std::uint64_t next_ = 0;  ///< offsets before this one are set
  std::uint64_t entries_ = 0;
};

/// Numbers whose sums tell sets of numbers apart (the finalizer of splitmix64).
constexpr std::uint64_t scattered(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
  x = (x ^ x >> 27) * 0x94D049BB133111EBU;
  return x ^ x >> 31;
}

/// Visits all lists on all threads: calls store(number of its first entry, cursor) for each fragment, and
/// fills the offsets of n + 1 nodes; each page says which entries it has. Throws as PagedAdjacency::scan, and
/// DataError if there are gaps between the pages, or more than `entries_bound` entries.
template <class Id, class Offset, class Store>
void unpack_lists(core::Environment& environment, PagedAdjacency<Id>& pages, std::span<Offset> offsets,
                  std::uint64_t entries_bound, Store&& store) {
  const AdjacencyFacts& facts = pages.facts();
  core::Phase phase(environment.progress, "unpack adjacency", pages.pages(), "pages");
  const std::uint64_t last_page = pages.pages() - 1;
  std::atomic<std::uint64_t> chain{0};  // ends less beginnings: what stays if pages follow each other
  pages.scan(environment.threads, 0, [&](unsigned, PageCursor<Id>& cursor) {
    const PageFoot foot = cursor.foot();
    const std::uint64_t page = cursor.number();
    std::uint64_t entry = foot.first_entry;
    const auto refuse = [&] { pages.context().refuse(page, "its entries do not follow those before it"); };
    std::uint64_t filled = std::uint64_t{foot.first_node} + 1;  // earlier pages set the offsets below
    while (cursor.next()) {
      if (entry > entries_bound || cursor.count() > entries_bound - entry) refuse();
      for (; filled <= cursor.node(); ++filled) offsets[filled] = static_cast<Offset>(entry);
      store(entry, cursor);
      entry += cursor.count();
    }
    const std::uint64_t next_node = page == last_page ? facts.nodes : pages.index().first_node(page + 1);
    if (page == last_page ? entry != facts.entries : next_node < cursor.node()) refuse();
    for (; filled <= next_node; ++filled) offsets[filled] = static_cast<Offset>(entry);
    chain.fetch_add(scattered(entry) - scattered(foot.first_entry), std::memory_order_relaxed);
    phase.advance(1);
  });
  if (chain.load() != scattered(facts.entries) - scattered(0)) {
    pages.context().refuse(0, "its entries do not lead to those after it");
  }
  // A page may have a valid checksum and wrong numbers. Offsets must not exceed the array in this case,
  // either.
  for (std::size_t v = 0; v < facts.nodes; ++v) {
    if (offsets[v] > offsets[v + 1]) pages.context().refuse(0, "the entries of its lists do not ascend");
  }
}

/// Decodes all pages into memory on all threads. Throws as unpack_lists.
template <class Id, class Offset>
std::unique_ptr<Csr<Id, Offset>> unpack(core::Environment& environment, PagedAdjacency<Id>& pages) {
  auto csr =
      std::make_unique<Csr<Id, Offset>>(environment.memory, pages.facts().nodes, pages.facts().entries);
  const std::span<Id> targets = csr->targets();
  unpack_lists(environment, pages, csr->offsets(), targets.size(),
               [&](std::uint64_t entry, const PageCursor<Id>& cursor) {
                 std::array<Id, fragment_neighbours + 3> list;  // decoding writes up to 3 values too many
                 cursor.decode(list.data());
                 std::copy_n(list.data(), cursor.count(), targets.data() + entry);
               });
  csr->set_facts(pages.facts());
  return csr;
}

}  // namespace emgraph::graph::adjacency
