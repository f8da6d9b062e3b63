// SPDX-License-Identifier: MIT
// Builds a temporary paged adjacency from any edge source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

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
  std::optional<std::uint64_t> edges = std::nullopt;  ///< expected; default: those that the source declares
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
               std::uint64_t expected_entries = 0, WeightType weight = WeightType::none);
  PageAppender(const PageAppender&) = delete;

  /// As PageStore::resident_bytes.
  std::uint64_t resident_bytes(std::uint64_t bytes) const { return store_->resident_bytes(bytes); }

  void push(Id source, Id target) { builder_.push(source, target); }
  void push(Id source, Id target, std::uint64_t weight_bits) { builder_.push(source, target, weight_bits); }

  /// Pushes all neighbours of a source, with weights if stream.weighting has a rule. Throws as
  /// stream_neighbours.
  prepare::IngestFacts append_all(EdgeSource<Id>& source, const StreamOptions& stream);

  /// Ends the input and returns the adjacency of `nodes` nodes. Afterwards only destruction is allowed.
  std::unique_ptr<PagedAdjacency<Id>> finish(std::uint64_t nodes, bool directed);

  /// Describes what was pushed for a later process, whose appender has the same options. Requires: no
  /// resident pages.
  void save(core::StateWriter& state) const;
  void restore(core::StateReader& state);

 private:
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
                           const BuildOptions& options);

extern template class PageAppender<std::uint32_t>;
extern template class PageAppender<std::uint64_t>;

}  // namespace emgraph::graph::adjacency
