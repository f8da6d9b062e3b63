// SPDX-License-Identifier: MIT
// From edges to core numbers: builds rows or the adjacency, chooses the model and peels.
#include "graph/kcore/kcore.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>

#include "core/base/bytes.hpp"
#include "graph/kcore/estimate_sweeps.hpp"
#include "graph/kcore/external_rounds.hpp"
#include "graph/kcore/memory.hpp"
#include "graph/kcore/peel.hpp"
#include "graph/node_space.hpp"
#include "graph/prepare/adjacency/build_pages.hpp"
#include "graph/sparse_ids.hpp"

namespace emgraph::graph::kcore {
namespace {

template <class Id>
void run_external(core::Environment& environment, adjacency::PagedAdjacency<Id>& pages, Result& result,
                  NodeSink<std::uint32_t>* sink) {
  require_node_space(environment, result.nodes, core::size_product(result.nodes, 2 * sizeof(std::uint64_t)));
  std::array<std::uint32_t, 4096> batch;
  std::size_t filled = 0;
  const auto flush = [&] {
    if (sink != nullptr) sink->append({batch.data(), filled});
    filled = 0;
  };
  const auto take = [&](std::uint64_t value) {
    if (filled == batch.size()) flush();
    // A core number of 2^32 would take 2^63 edges.
    batch[filled++] = static_cast<std::uint32_t>(value);
    result.degeneracy = std::max(result.degeneracy, value);
  };
  if (prepare::bits_for_nodes(result.nodes) <= 32) {
    result.rounds = ExternalRounds<Id, std::uint64_t>(environment, pages).run(take);
  } else if constexpr (sizeof(Id) == 8) {
    result.rounds = ExternalRounds<Id, core::uint128>(environment, pages).run(take);
  }
  flush();
}

/// `Search`: Peel or EstimateSweeps.
template <class Search>
void search_all(core::Environment& environment, Search&& search, Result& result,
                NodeSink<std::uint32_t>* sink) {
  result.degeneracy = search.run();
  result.rounds = search.rounds();
  const core::Phase phase(environment.progress, "write core numbers", result.nodes, "nodes");
  if (sink != nullptr) append_in_batches(*sink, search.cores());
}

/// Peels on rows that build_rows() makes; nullopt if the input does not suit.
template <class Id>
std::optional<Result> run_on_rows(core::Environment& environment, EdgeSource<Id>& source,
                                  const Options& options, NodeSink<std::uint32_t>* sink) {
  if constexpr (sizeof(Id) == sizeof(std::uint32_t)) {
    if (!may_be_internal(options.model)) return std::nullopt;
    const std::size_t memory = environment.memory.available();
    const auto built =
        adjacency::build_rows<std::uint64_t>(environment, source, rows_options(environment, options));
    if (!built) return std::nullopt;
    const RowLists::Rows& rows = *built->rows;
    Result result;
    result.nodes = rows.nodes();
    result.edges = built->read.edges;
    require_justified(source.facts(), options.nodes, result.nodes, result.edges);
    if (sink != nullptr) sink->expect(result.nodes);
    result.choice = {
        MemoryModel::internal,
        edges_and_nodes_fit(RowLists::Rows::bytes_for(rows.nodes(), rows.facts().entries), memory) +
            std::string(forced_suffix(options.model))};
    RowLists lists(rows);
    search_all(environment, Peel<RowLists>(environment, lists, result.nodes), result, sink);
    return result;
  }
  return std::nullopt;
}

}  // namespace

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
           NodeSink<std::uint32_t>* sink) {
  if (const auto result = run_on_rows(environment, source, options, sink)) return *result;
  const auto declared = declared_nodes<Id>(options.nodes, source.facts());
  const std::size_t memory = environment.memory.available();
  const auto built = adjacency::build_pages(
      environment, source,
      {.nodes = declared,
       .resident_bytes = resident_bytes<Id>(environment, source.facts(), options, declared)});
  adjacency::PagedAdjacency<Id>& pages = *built.adjacency;
  Result result;
  result.nodes = pages.facts().nodes;
  result.edges = built.edges;
  require_justified(source.facts(), options.nodes, result.nodes, result.edges);
  if (sink != nullptr) sink->expect(result.nodes);

  const std::size_t page_bytes = pages.context().page_bytes;
  const SearchChoice choice =
      choose_search<Id>(environment, options.model,
                        {.nodes = result.nodes,
                         .entries = pages.facts().entries,
                         .largest_degree = pages.facts().largest_degree,
                         .page_bytes = core::size_product(pages.pages(), page_bytes),
                         .absent_bytes = core::size_product(pages.absent_pages(), page_bytes),
                         .chunk_bytes = pages.store().chunk_bytes()},
                        memory);
  result.choice = choice.model;
  if (choice.search == Search::rounds) {
    if (result.nodes > 0) run_external(environment, pages, result, sink);
    return result;
  }
  PageLists<Id> lists(environment, pages);
  if (choice.search == Search::sweeps) {
    search_all(environment, EstimateSweeps<Id>(environment, lists, result.nodes), result, sink);
    return result;
  }
  Peel<PageLists<Id>> peel(environment, lists, result.nodes);
  lists.load();
  search_all(environment, peel, result, sink);
  return result;
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, NodeSink<std::uint32_t>*);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, NodeSink<std::uint32_t>*);

}  // namespace emgraph::graph::kcore
