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
#include "graph/kcore/kept.hpp"
#include "graph/kcore/memory.hpp"
#include "graph/kcore/peel.hpp"
#include "graph/node_space.hpp"
#include "graph/prepare/adjacency/build_pages.hpp"
#include "graph/prepare/remade.hpp"
#include "graph/sparse_ids.hpp"

namespace emgraph::graph::kcore {
namespace {

template <class Id>
struct Job {
  core::Environment& environment;
  EdgeSource<Id>& source;
  const Options& options;
  NodeSink<std::uint32_t>* sink;
  std::size_t memory_bytes;  ///< free at the start
};

template <class Id>
void run_external(core::Environment& environment, adjacency::PagedAdjacency<Id>& pages, Start& start,
                  RoundKeeper<Id>& keeper, Result& result, NodeSink<std::uint32_t>* sink) {
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
    result.rounds = ExternalRounds<Id, std::uint64_t>(environment, pages, start, keeper).run(take);
  } else if constexpr (sizeof(Id) == 8) {
    result.rounds = ExternalRounds<Id, core::uint128>(environment, pages, start, keeper).run(take);
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
    const EdgeFacts& facts = source.facts();
    std::optional<std::uint64_t> entries = facts.edges;
    if (entries && !facts.symmetric) entries = core::size_product(*entries, 2);
    if (!may_be_internal(options.model) || !prepare::edges_are_remade(environment.checkpoint, entries)) {
      return std::nullopt;
    }
    const std::size_t memory = environment.memory.available();
    const auto built =
        adjacency::build_rows<std::uint64_t>(environment, source, rows_options(environment, options));
    if (!built) return std::nullopt;
    const RowLists::Rows& rows = *built->rows;
    Result result;
    result.nodes = rows.nodes();
    result.edges = built->read.edges;
    require_justified(facts, options.nodes, result.nodes, result.edges);
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

/// `kept`: null without a checkpoint.
template <class Id>
Result run_on_pages(const Job<Id>& job, adjacency::PagedAdjacency<Id>& pages, adjacency::KeptSearch<Id>* kept,
                    std::uint64_t edges) {
  core::Environment& environment = job.environment;
  Result result;
  result.nodes = pages.facts().nodes;
  result.edges = edges;
  require_justified(job.source.facts(), job.options.nodes, result.nodes, result.edges);
  if (job.sink != nullptr) job.sink->expect(result.nodes);
  const std::unique_ptr<core::JournalReader> state = kept != nullptr ? kept->take_state() : nullptr;
  Start start(environment, state.get());
  RoundKeeper<Id> keeper(kept);

  const std::size_t page_bytes = pages.context().page_bytes;
  const SearchChoice choice =
      choose_search<Id>(environment, job.options.model,
                        {.nodes = result.nodes,
                         .entries = pages.facts().entries,
                         .largest_degree = pages.facts().largest_degree,
                         .page_bytes = core::size_product(pages.pages(), page_bytes),
                         .absent_bytes = core::size_product(pages.absent_pages(), page_bytes),
                         .chunk_bytes = pages.store().chunk_bytes()},
                        job.memory_bytes);
  result.choice = choice.model;
  if (choice.search == Search::rounds) {
    if (result.nodes > 0) run_external(environment, pages, start, keeper, result, job.sink);
    return result;
  }
  PageLists<Id> lists(environment, pages);
  if (choice.search == Search::sweeps) {
    search_all(environment, EstimateSweeps<Id>(environment, lists, result.nodes, start, keeper), result,
               job.sink);
    return result;
  }
  Peel<PageLists<Id>> peel(environment, lists, result.nodes);
  lists.load();
  search_all(environment, peel, result, job.sink);
  return result;
}

}  // namespace

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
           NodeSink<std::uint32_t>* sink) {
  if (const auto result = run_on_rows(environment, source, options, sink)) return *result;
  const Job<Id> job{environment, source, options, sink, environment.memory.available()};
  const auto declared = declared_nodes<Id>(options.nodes, source.facts());
  if (environment.checkpoint != nullptr) {
    adjacency::KeptSearch<Id> kept(environment, source, {.nodes = declared});
    return run_on_pages(job, kept.adjacency(), &kept, kept.edges());
  }
  const auto built = adjacency::build_pages(
      environment, source,
      {.nodes = declared,
       .resident_bytes = resident_bytes<Id>(environment, source.facts(), options, declared)});
  return run_on_pages<Id>(job, *built.adjacency, nullptr, built.edges);
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, NodeSink<std::uint32_t>*);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, NodeSink<std::uint32_t>*);

}  // namespace emgraph::graph::kcore
