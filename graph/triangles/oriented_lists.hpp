// SPDX-License-Identifier: MIT
// The oriented lists when a rank per node fits in memory: a sort of the edges by rank.
//
// Method: both ends of an edge become ranks while the input is read for the second time; sorted by larger and
// smaller rank, without duplicates, the edges are the lists. I/O: the input once; what the sort spills; for
// lists that do not fit in memory 4 bytes per edge. Memory: all that is free. Threads: all sort, one makes
// the lists. Throws: DataError, MemoryLimitError, EnvironmentError. With a checkpoint: the sort is kept while
// edges are read.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/function_ref.hpp"
#include "graph/prepare/sorted_edges.hpp"
#include "graph/triangles/degree_ranks.hpp"
#include "graph/triangles/kept.hpp"
#include "graph/triangles/list_segments.hpp"

namespace emgraph::graph::triangles {

/// The lists of all nodes, and what was counted while they were made.
struct OrientedLists {
  ListChunk in_memory;                 ///< of the internal model
  ListSegments on_disk;                ///< of the semi-external one
  core::Array<std::uint32_t> degrees;  ///< by rank; empty if they are not asked for
  std::uint64_t simple_edges = 0;
  core::uint128 wedges = 0;

  void save(core::StateWriter& to, MemoryModel model) const {
    to.value(simple_edges);
    to.value(wedges);
    to.value(static_cast<std::uint64_t>(degrees.size()));
    to.array(degrees.span());
    if (model == MemoryModel::internal) {
      in_memory.save(to);
    } else {
      on_disk.save(to);
    }
  }
  /// Reads what save() has written, before any space on the disks is taken.
  static OrientedLists restored(core::Environment& environment, core::StateReader& from, MemoryModel model) {
    OrientedLists lists;
    lists.simple_edges = from.value<std::uint64_t>();
    lists.wedges = from.value<core::uint128>();
    const auto degrees = static_cast<std::size_t>(from.value<std::uint64_t>());
    if (degrees > 0) {
      lists.degrees = core::Array<std::uint32_t>(environment.memory, degrees, "4 bytes per node for degrees");
      from.array(lists.degrees.span());
    }
    if (model == MemoryModel::internal) {
      lists.in_memory = ListChunk::restored(environment.memory, from);
    } else {
      lists.on_disk = ListSegments::restored(environment, from);
    }
    return lists;
  }
};

/// The input after the degrees have been counted, when the nodes fit.
template <class Id>
struct Counted {
  const std::optional<std::uint64_t>& declared;
  EdgeSource<Id>& source;
  std::unique_ptr<DegreeRanks> ranks;
  Place& place;              ///< has their facts
  core::StateReader* state;  ///< of an earlier run, after its Place
};

/// What stays in memory besides the lists.
struct ListsAside {
  bool ranks = false;
  bool degrees = false;
};

template <class Id>
class ListMaker {
 public:
  /// The lists go into memory or to segments as counted.place says. Ranks that are not asked for are freed.
  ListMaker(core::Environment& environment, Counted<Id>& counted, const ListsAside& aside)
      : environment_(environment), counted_(counted), place_(counted.place), aside_(aside) {}

  /// `lanes_are_open`: called before the sort takes the free memory.
  OrientedLists make(core::FunctionRef<void()> lanes_are_open) {
    const DegreeRanks& ranks = *counted_.ranks;
    const std::uint64_t edges = ranks.edges();
    const auto orient = [&](std::uint64_t source, std::uint64_t target, auto&& push) {
      if (source == target || std::max(source, target) >= ranks.size()) return;
      const Edge<Rank> ends = low_high(ranks[source], ranks[target]);
      push(ends.target, ends.source);
    };
    std::optional<prepare::SortKeeper> keeper;
    if (environment_.checkpoint != nullptr) keeper.emplace(this->keeper());
    const Keys keys{prepare::bits_for_nodes(place_.facts.ranks)};
    const std::string& name = counted_.source.facts().name;
    // Without a declared n, the ids of the second reading must be below those of the first.
    const auto bound =
        counted_.declared ? prepare::IdBound(counted_.declared) : prepare::IdBound::guess(place_.nodes);
    std::optional<prepare::SortedEdges<Keys>> sorted;
    try {
      sorted.emplace(prepare::sort_edges(
          prepare::sort_input(environment_, counted_.source, bound), keys,
          {.unique = true,
           .ends_below = place_.facts.ranks,
           .records = edges,
           .keeper = keeper ? &*keeper : nullptr},
          orient,
          [&](unsigned) {
            lanes_are_open();
            return reserve(edges);
          },
          [&](unsigned, Sorter::Lane& lane, std::span<const Edge<Id>> batch) {
            if (!push_oriented(lane, batch, ranks, keys)) prepare::refuse_changed(name);
          }));
    } catch (const prepare::GuessFailed&) {
      prepare::refuse_changed(name);
    }
    if (sorted->read().edges != place_.edges || sorted->records() != edges) prepare::refuse_changed(name);
    if (!aside_.ranks) counted_.ranks.reset();
    if (place_.model == MemoryModel::internal) {
      emit(*sorted, lists_.in_memory);
      lists_.in_memory.finish();
    } else {
      ListWriter writer(environment_, place_.segments);
      emit(*sorted, writer);
      lists_.on_disk = writer.finish();
    }
    lists_.wedges = count_wedges(lists_.degrees.span());
    if (!aside_.degrees) lists_.degrees = {};
    if (keeper) keeper->finish();
    return std::move(lists_);
  }

 private:
  using Keys = prepare::EdgeKeys<std::uint64_t>;
  using Sorter = core::DistributionSorter<std::uint64_t>;

  prepare::SortKeeper keeper() const {
    return prepare::SortKeeper(*environment_.checkpoint, {.head =
                                                              [this](core::StateWriter& to) {
                                                                Place sorting = place_;
                                                                sorting.stage = Stage::sort;
                                                                to.value(sorting);
                                                              },
                                                          .state = counted_.state,
                                                          .kept_part = 0.05,
                                                          .seals_keys = false});
  }

  /// Memory for the lists and what comes after the sort; the rest is for the sort.
  prepare::SortMemory reserve(std::uint64_t edges) {
    core::MemoryBudget& memory = environment_.memory;
    const std::uint64_t ranks = place_.facts.ranks;
    if (place_.model == MemoryModel::internal) {
      lists_.in_memory = ListChunk(memory, edges, ranks);
      lists_.in_memory.restart(0);
    }
    // While the sorter is read: degrees, ranks that are kept, a writer.
    core::Reservation later =
        memory.reserve((aside_.ranks ? ranks * sizeof(Rank) + core::page_bytes : 0) +
                           (place_.model == MemoryModel::internal ? 0 : 2 * place_.segments.writer_bytes()),
                       "writing oriented lists");
    return {std::move(later), prepare::sorter_memory(memory)};
  }

  /// Pushes edges as keys of ranks, larger rank first, in steps, so that the look-ups of a step overlap.
  /// False: an end has no rank, so it had no edge when the degrees were counted.
  static bool push_oriented(Sorter::Lane& lane, std::span<const Edge<Id>> batch, const DegreeRanks& ranks,
                            const Keys& keys) {
    constexpr std::size_t step = 256;
    std::array<std::uint64_t, step> made;
    for (std::size_t done = 0; done < batch.size(); done += step) {
      std::size_t count = 0;
      Rank largest = 0;
      for (const Edge<Id>& edge : batch.subspan(done, std::min(step, batch.size() - done))) {
        const Edge<Rank> ends = low_high(ranks[edge.source], ranks[edge.target]);
        made[count] = keys.make(ends.target, ends.source);
        const bool proper = edge.source != edge.target;
        count += proper ? 1 : 0;
        largest = std::max(largest, proper ? ends.target : 0);
      }
      if (largest == no_rank) return false;
      for (std::size_t i = 0; i < count; ++i) lane.push(made[i]);
    }
    return true;
  }

  /// Sends all sorted edges to `lists.add(u, v)`.
  template <class Lists>
  void emit(prepare::SortedEdges<Keys>& edges, Lists& lists) {
    core::Phase phase(environment_.progress, "orient", edges.records(), "edges");
    core::Array<std::uint32_t> degrees(environment_.memory, static_cast<std::size_t>(place_.facts.ranks),
                                       "4 bytes per node for degrees");
    std::uint64_t simple_edges = 0;
    edges.for_each(phase, [&](std::uint64_t first, std::uint64_t second) {
      const auto u = static_cast<Rank>(first);
      const auto v = static_cast<Rank>(second);
      lists.add(u, v);
      ++degrees[u];
      ++degrees[v];
      ++simple_edges;
    });
    lists_.simple_edges = simple_edges;
    lists_.degrees = std::move(degrees);
  }

  core::Environment& environment_;
  Counted<Id>& counted_;
  Place& place_;
  const ListsAside aside_;
  OrientedLists lists_;
};

}  // namespace emgraph::graph::triangles
