// SPDX-License-Identifier: MIT
// Writes sorted lists to pages.
#include "graph/prepare/adjacency/build_pages.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "core/base/bytes.hpp"

namespace emgraph::graph::adjacency {
namespace {

/// Pages that are kept may be read with less memory.
std::size_t chunk_bytes(const core::Environment& environment, std::size_t page_bytes) {
  const std::size_t free = environment.memory.available();
  return scan_chunk_bytes(environment.checkpoint != nullptr ? free / 4 : free, page_bytes);
}

}  // namespace

template <class Id>
PageAppender<Id>::PageAppender(core::Environment& environment, std::size_t page_bytes,
                               std::size_t resident_bytes, std::uint64_t expected_entries, WeightType weight)
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

template <class Id>
std::unique_ptr<PagedAdjacency<Id>> PageAppender<Id>::finish(std::uint64_t nodes, bool directed) {
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

template <class Id>
void PageAppender<Id>::save(core::StateWriter& state) const {
  index_.save(state);
  store_->save(state);
  builder_.save(state);
}

template <class Id>
void PageAppender<Id>::restore(core::StateReader& state) {
  index_.restore(state);
  store_ = std::make_unique<PageStore>(environment_, state);
  builder_.restore(state);
}

template <class Id>
BuiltPages<Id> build_pages(core::Environment& environment, EdgeSource<Id>& source,
                           const BuildOptions& options) {
  // If the edges take some hundred times the memory, the index is as large as the memory that the sort leaves
  // free.
  const bool both = both_directions(source.facts(), options.directed, options.weighting);
  const WeightType weight =
      options.weighting ? options.weighting->type(source.facts().layout.weight) : WeightType::none;
  PageAppender<Id> pages(
      environment, options.page_bytes, options.resident_bytes,
      core::size_product(options.edges.value_or(source.facts().edges.value_or(0)), both ? 2 : 1), weight);
  const prepare::IngestFacts read = pages.append_all(source, {.directed = options.directed,
                                                              .nodes = options.nodes,
                                                              .spare_bytes = options.resident_bytes,
                                                              .weighting = options.weighting,
                                                              .limits = options.limits,
                                                              .edges = options.edges});
  return {pages.finish(read.nodes(known_nodes(options.nodes, source.facts())), options.directed), read.edges};
}

template <class Id>
prepare::IngestFacts PageAppender<Id>::append_all(EdgeSource<Id>& source, const StreamOptions& stream) {
  return stream_neighbour_batches<Id>(
      environment_, source, stream, [](const auto&, const auto&) {},
      [&](std::span<const Edge<Id>> edges, const std::uint64_t* weights) {
        if (weights == nullptr) {
          for (const Edge<Id>& edge : edges) push(edge.source, edge.target);
        } else {
          for (const Edge<Id>& edge : edges) push(edge.source, edge.target, *weights++);
        }
      });
}

template class PageAppender<std::uint32_t>;
template class PageAppender<std::uint64_t>;
template BuiltPages<std::uint32_t> build_pages(core::Environment&, EdgeSource<std::uint32_t>&,
                                               const BuildOptions&);
template BuiltPages<std::uint64_t> build_pages(core::Environment&, EdgeSource<std::uint64_t>&,
                                               const BuildOptions&);

}  // namespace emgraph::graph::adjacency
