// SPDX-License-Identifier: MIT
// How the sort that solvers share begins: a sample of the edges, the lanes, and a sorter in the memory that
// is left.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/function_ref.hpp"
#include "core/sort/distribution_sorter.hpp"
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

/// A sort that is ready for its first edge.
template <class Id, class Keys>
struct OpenSort {
  Lanes<Id> lanes;
  SortMemory memory;
  std::unique_ptr<core::DistributionSorter<typename Keys::key_type>> sorter;
};

/// Adds the keys of an edge to a sample.
template <class Id, class Keys>
using AddKeys = core::FunctionRef<void(const Edge<Id>& edge, std::vector<typename Keys::key_type>& sample)>;

/// Opens the lanes, then the sorter in the memory that is left. Cold: compiled for size.
template <class Id, class Keys>
[[gnu::cold, gnu::noinline]] OpenSort<Id, Keys> open_sort(SortInput<Id>& input, const Keys& keys,
                                                          const SortSpec& spec, AddKeys<Id, Keys> add,
                                                          core::FunctionRef<SortMemory(unsigned)> memory) {
  using Sorter = core::DistributionSorter<typename Keys::key_type>;
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

}  // namespace emgraph::graph::prepare
