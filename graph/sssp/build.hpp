// SPDX-License-Identifier: MIT
// Builds the adjacency for shortest paths from any edge source, or from pages: rows in memory, or pages.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "graph/prepare/adjacency/build_pages.hpp"
#include "graph/prepare/adjacency/csr.hpp"
#include "graph/sssp/bucket_width.hpp"
#include "graph/sssp/choice.hpp"
#include "graph/sssp/gather_rows.hpp"
#include "graph/sssp/in_memory.hpp"

namespace emgraph::graph::sssp {

/// Rows, or else pages.
template <class Id>
struct BuiltGraph {
  std::optional<AnyRows<Id>> rows;
  std::unique_ptr<adjacency::PagedAdjacency<Id>> pages;
  LengthFacts lengths;
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;  ///< as read
};

/// The bytes of an arc in memory.
template <class Id>
constexpr std::size_t arc_bytes(WeightType type) {
  if (sizeof(Id) == 8) return 16;
  return type == WeightType::u32 ? 8 : 12;
}

/// Fills rows of the kind that the weights and the number of entries need, in the order of sources.
template <class Id>
class RowsWriter {
 public:
  RowsWriter(core::MemoryBudget& memory, WeightType type, std::uint64_t nodes, std::uint64_t entries_bound) {
    if (sizeof(Id) == 8 || type != WeightType::u32) {
      open(wide_, memory, nodes, entries_bound);
    } else if (AnyRows<Id>::Short::fits(entries_bound)) {
      open(short_, memory, nodes, entries_bound);
    } else {
      open(long_, memory, nodes, entries_bound);
    }
  }

  void push(Id source, Id target, std::uint64_t length) {
    if (short_) {
      short_->push(source, target, length);
    } else if (wide_) {
      wide_->push(source, target, length);
    } else {
      long_->push(source, target, length);
    }
  }
  AnyRows<Id> finish() {
    if (short_) short_->finish();
    if (long_) long_->finish();
    if (wide_) wide_->finish();
    return std::move(rows_);
  }

 private:
  template <class RowsType>
  void open(std::optional<RowsBuilder<RowsType>>& builder, core::MemoryBudget& memory, std::uint64_t nodes,
            std::uint64_t entries_bound) {
    auto rows = std::make_unique<RowsType>(memory, nodes, entries_bound);
    builder.emplace(*rows);
    rows_.rows = std::move(rows);
  }

  AnyRows<Id> rows_;
  std::optional<RowsBuilder<typename AnyRows<Id>::Short>> short_;
  std::optional<RowsBuilder<typename AnyRows<Id>::Long>> long_;
  std::optional<RowsBuilder<typename AnyRows<Id>::Wide>> wide_;
};

/// What the edges of a source must satisfy.
inline WeightLimits length_limits() {
  return {.valid = valid_length, .expected = "a finite number of at least 0", .of_loops = true};
}

/// Reads the source into rows without sorting, if its numbers are known and memory is ample. False if not.
template <class Id>
bool gather_graph(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
                  const Demand& demand, BuiltGraph<Id>& built) {
  if (!demand.nodes || !demand.entries) return false;
  const auto gather = [&]<class RowsType>(std::type_identity<RowsType>) {
    const std::uint64_t bytes = core::size_sum(RowsType::bytes_for(*demand.nodes, *demand.entries),
                                               RowGatherer<Id, RowsType>::lists_bytes(*demand.entries));
    if (bytes > demand.memory_bytes / 8 * 7) return false;
    RowGatherer<Id, RowsType> gatherer(environment, *demand.nodes);
    built.edges = gatherer.read(source, options.weighting, length_limits(), options.directed).edges;
    built.nodes = *demand.nodes;
    built.lengths = {built.lengths.type, gatherer.longest(), built.nodes, gatherer.entries()};
    auto rows = std::make_unique<RowsType>(environment.memory, built.nodes, built.lengths.entries);
    gatherer.fill(*rows);
    built.rows.emplace().rows = std::move(rows);
    return true;
  };
  using Rows = AnyRows<Id>;
  if (sizeof(Id) == 8 || built.lengths.type != WeightType::u32) {
    return gather(std::type_identity<typename Rows::Wide>{});
  }
  return Rows::Short::fits(*demand.entries) ? gather(std::type_identity<typename Rows::Short>{})
                                            : gather(std::type_identity<typename Rows::Long>{});
}

/// Reads the source into pages.
template <class Id>
void page_graph(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
                BuiltGraph<Id>& built) {
  auto pages = adjacency::build_pages(environment, source,
                                      {.directed = options.directed,
                                       .nodes = options.nodes,
                                       .weighting = options.weighting,
                                       .limits = length_limits()});
  built.pages = std::move(pages.adjacency);
  built.edges = pages.edges;
  built.nodes = built.pages->facts().nodes;
}

/// Sorts the source; then it goes to rows if they fit in what the sort leaves, else to pages.
template <class Id>
void sort_graph(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
                const Demand& demand, BuiltGraph<Id>& built) {
  const WeightType type = built.lengths.type;
  std::optional<RowsWriter<Id>> rows;
  std::optional<adjacency::PageAppender<Id>> pages;
  const auto begin = [&](const std::optional<std::uint64_t>& nodes,
                         const std::optional<std::uint64_t>& bound) {
    if (nodes && bound) {
      Demand known = demand;
      known.nodes = nodes;
      known.entries = bound;
      const bool fits = needs(known, options).rows <= environment.memory.available();
      if (fits || options.model == MemoryModel::internal) {
        rows.emplace(environment.memory, type, *nodes, *bound);
        return;
      }
    }
    pages.emplace(environment, adjacency::default_page_bytes, 0, 0, type);
  };
  // The sort leaves memory for the rows; half of it while their number is not known.
  const Needs need = needs(demand, options);
  const std::uint64_t spare = demand.nodes && demand.entries
                                  ? std::min<std::uint64_t>(need.rows, demand.memory_bytes / 4 * 3)
                                  : demand.memory_bytes / 2;
  const prepare::IngestFacts read =
      adjacency::stream_neighbours(environment, source,
                                   {.directed = options.directed,
                                    .nodes = options.nodes,
                                    .spare_bytes = static_cast<std::size_t>(spare),
                                    .weighting = options.weighting,
                                    .limits = length_limits()},
                                   begin, [&](Id from, Id to, std::uint64_t bits) {
                                     if (pages) return pages->push(from, to, bits);
                                     const std::uint64_t length = length_of(type, bits);
                                     built.lengths.longest = std::max(built.lengths.longest, length);
                                     rows->push(from, to, length);
                                   });
  built.edges = read.edges;
  built.nodes = read.nodes(known_nodes(options.nodes, source.facts()));
  built.lengths.nodes = built.nodes;
  if (pages) built.pages = pages->finish(built.nodes, options.directed);
  if (rows) {
    built.rows = rows->finish();
    built.lengths.entries = std::visit([](const auto& kind) { return kind->entries(); }, built.rows->rows);
  }
}

/// Reads the source into rows if the model is internal and they fit when their size is known, else into
/// pages. I/O, memory, threads and errors: as adjacency::stream_neighbours.
template <class Id>
BuiltGraph<Id> build_graph(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
                           const Demand& demand) {
  BuiltGraph<Id> built;
  built.lengths.type = options.weighting.type(source.facts().layout.weight);
  if (choose(demand, options).model != MemoryModel::internal) {
    page_graph(environment, source, options, built);
  } else if (!gather_graph(environment, source, options, demand, built)) {
    sort_graph(environment, source, options, demand, built);
  }
  return built;
}

/// Decodes all pages into rows on all threads. Throws as adjacency::unpack_lists.
template <class Id>
BuiltGraph<Id> unpack_rows(core::Environment& environment, adjacency::PagedAdjacency<Id>& pages) {
  const adjacency::AdjacencyFacts& facts = pages.facts();
  BuiltGraph<Id> built;
  built.nodes = facts.nodes;
  built.lengths = length_facts(facts);
  const auto unpack_into = [&]<class RowsType>(std::unique_ptr<RowsType> rows) {
    const auto arcs = rows->all_arcs();
    adjacency::unpack_lists(environment, pages, rows->offsets(), arcs.size(),
                            [&](std::uint64_t entry, const adjacency::PageCursor<Id>& cursor) {
                              std::array<Id, adjacency::fragment_neighbours + 3> targets;
                              std::array<std::uint64_t, adjacency::fragment_neighbours + 3> bits;
                              cursor.decode(targets.data());
                              cursor.decode_weights(bits.data());
                              for (unsigned i = 0; i < cursor.count(); ++i) {
                                arcs[entry + i] = {targets[i], static_cast<typename RowsType::Length>(
                                                                   length_of(facts.weight, bits[i]))};
                              }
                            });
    built.rows.emplace().rows = std::move(rows);
  };
  if constexpr (sizeof(Id) == 4) {
    using Short = typename AnyRows<Id>::Short;
    using Long = typename AnyRows<Id>::Long;
    if (facts.weight == WeightType::u32 && Short::fits(facts.entries)) {
      unpack_into(std::make_unique<Short>(environment.memory, facts.nodes, facts.entries));
      return built;
    }
    if (facts.weight == WeightType::u32) {
      unpack_into(std::make_unique<Long>(environment.memory, facts.nodes, facts.entries));
      return built;
    }
  }
  unpack_into(std::make_unique<typename AnyRows<Id>::Wide>(environment.memory, facts.nodes, facts.entries));
  return built;
}

}  // namespace emgraph::graph::sssp
