// SPDX-License-Identifier: MIT
// Builds a temporary paged adjacency from any edge source.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "core/base/bytes.hpp"
#include "graph/adjacency/page_builder.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/prepare/adjacency/neighbour_stream.hpp"

namespace emgraph::graph::adjacency {

struct BuildOptions {
  bool directed = false;
  std::optional<std::uint64_t> nodes = std::nullopt;  ///< ids must be below it; default: the source's
  std::size_t resident_bytes = 0;  ///< memory for resident pages; the sort gets that much less
  std::size_t page_bytes = default_page_bytes;
  std::optional<Weighting> weighting = std::nullopt;  ///< with it, the lists have weights
  WeightLimits limits = {};                           ///< of weights that are stored
};

/// Estimated bytes of pages per neighbour. A low estimate costs transfers, a high one memory of the sort.
// Measured: bytes per neighbour in the file: kron22 2.44, grid of 4096 x 4096 2.37.
inline constexpr double expected_entry_bytes = 2.75;
constexpr double expected_bytes(WeightType weight) {
  return expected_entry_bytes + (weight == WeightType::none ? 0 : weight == WeightType::f64 ? 8.5 : 3.5);
}

/// Builds an adjacency in temporary pages from sorted edges.
/// Memory: the index, the resident pages, three chunks. Threads: one. `expected_entries`: number of
/// neighbours for which the index reserves memory at once, at most half of the free memory.
template <class Id>
class PageAppender {
 public:
  PageAppender(core::Environment& environment, std::size_t page_bytes, std::size_t resident_bytes,
               std::uint64_t expected_entries = 0, WeightType weight = WeightType::none)
      : environment_(environment),
        weight_(weight),
        index_(environment.memory),
        store_(std::make_unique<PageStore>(environment, page_bytes, chunk_bytes(environment, page_bytes),
                                           resident_bytes)),
        builder_(
            page_bytes,
            [this](std::span<const std::byte> page, std::uint64_t first_node, bool continues) {
              index_.add(first_node, continues);
              store_->append(page);
            },
            weight) {
    const double pages =
        static_cast<double>(expected_entries) * expected_bytes(weight) / static_cast<double>(page_bytes);
    const std::size_t most = environment.memory.available() / 2 / (sizeof(Id) + 1);
    index_.reserve(static_cast<std::uint64_t>(std::min(pages, static_cast<double>(most))));
  }
  PageAppender(const PageAppender&) = delete;

  void push(Id source, Id target) { builder_.push(source, target); }
  void push(Id source, Id target, std::uint64_t weight_bits) { builder_.push(source, target, weight_bits); }

  /// Ends the input and returns the adjacency of `nodes` nodes. Afterwards only destruction is allowed.
  std::unique_ptr<PagedAdjacency<Id>> finish(std::uint64_t nodes, bool directed) {
    builder_.finish();
    store_->finish();
    const AdjacencyFacts facts{.nodes = nodes,
                               .entries = builder_.entries(),
                               .directed = directed,
                               .largest_degree_node = builder_.largest_degree_node(),
                               .largest_degree = builder_.largest_degree(),
                               .weight = weight_,
                               .weights = builder_.weights()};
    return std::make_unique<PagedAdjacency<Id>>(environment_, facts, PagedAdjacency<Id>::temporary_name, 0,
                                                std::move(index_), std::move(store_));
  }

  /// Describes what was pushed for a later process, whose appender has the same options. Requires: no
  /// resident pages.
  void save(core::StateWriter& state) const {
    index_.save(state);
    store_->save(state);
    builder_.save(state);
  }
  void restore(core::StateReader& state) {
    index_.restore(state);
    store_ = std::make_unique<PageStore>(environment_, state);
    builder_.restore(state);
  }

 private:
  /// Pages that are kept may be read with less memory.
  static std::size_t chunk_bytes(const core::Environment& environment, std::size_t page_bytes) {
    const std::size_t free = environment.memory.available();
    return scan_chunk_bytes(environment.checkpoint != nullptr ? free / 4 : free, page_bytes);
  }

  core::Environment& environment_;
  const WeightType weight_;
  PageIndex<Id> index_;
  std::unique_ptr<PageStore> store_;
  PageBuilder<Id> builder_;
};

template <class Id>
struct BuiltPages {
  std::unique_ptr<PagedAdjacency<Id>> adjacency;
  std::uint64_t edges = 0;  ///< as read
};

/// Memory: all free memory during the sort (neighbour_stream.hpp); then the index and the resident pages.
/// Throws as stream_neighbours.
template <class Id>
BuiltPages<Id> build_pages(core::Environment& environment, EdgeSource<Id>& source,
                           const BuildOptions& options) {
  // If the edges take some hundred times the memory, the index is as large as the memory that the sort leaves
  // free.
  const bool both = both_directions(source.facts(), options.directed, options.weighting);
  const WeightType weight =
      options.weighting ? options.weighting->type(source.facts().layout.weight) : WeightType::none;
  PageAppender<Id> pages(environment, options.page_bytes, options.resident_bytes,
                         core::size_product(source.facts().edges.value_or(0), both ? 2 : 1), weight);
  const StreamOptions stream = {.directed = options.directed,
                                .nodes = options.nodes,
                                .spare_bytes = options.resident_bytes,
                                .weighting = options.weighting,
                                .limits = options.limits};
  const auto begin = [](const auto&, const auto&) {};
  const prepare::IngestFacts read = options.weighting
                                        ? stream_neighbours(environment, source, stream, begin,
                                                            [&](Id from, Id to, std::uint64_t weight_bits) {
                                                              pages.push(from, to, weight_bits);
                                                            })
                                        : stream_neighbours(environment, source, stream, begin,
                                                            [&](Id from, Id to) { pages.push(from, to); });
  return {pages.finish(read.nodes(options.nodes ? options.nodes : source.facts().nodes), options.directed),
          read.edges};
}

}  // namespace emgraph::graph::adjacency
