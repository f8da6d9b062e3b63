// SPDX-License-Identifier: MIT
// From edges to core numbers: builds rows or the adjacency, chooses the model and peels.
#include "graph/kcore/kcore.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>

#include "core/base/bytes.hpp"
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

template <class Lists>
void peel_all(core::Environment& environment, Peel<Lists>& peel, Result& result,
              NodeSink<std::uint32_t>* sink) {
  result.degeneracy = peel.run();
  result.rounds = peel.rounds();
  const core::Phase phase(environment.progress, "write core numbers", result.nodes, "nodes");
  if (sink != nullptr) append_in_batches(*sink, peel.cores());
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
    Peel<RowLists> peel(environment, lists, result.nodes);
    peel_all(environment, peel, result, sink);
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
  const std::string by(forced_suffix(options.model));
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

  const std::uint64_t values = peel_bytes<Id>(result.nodes, environment.threads);
  const std::uint64_t need = core::size_sum(values, scan_bytes(environment, memory));
  const std::string share = share_of_memory("a degree and two ids per node take", values, memory);
  const bool fits =
      need <= environment.memory.available() && pages.facts().largest_degree <= most_peeled_degree;
  const bool external =
      options.model == MemoryModel::external || (options.model == MemoryModel::automatic && !fits);
  if (external && result.nodes > 0) {
    result.choice = {MemoryModel::external, share + by};
    run_external(environment, pages, result, sink);
    return result;
  }
  if (!fits) {
    throw missing_memory({.what = model_option(options.model),
                          .precision = "about ",
                          .bytes = need,
                          .purpose = " for the nodes",
                          .advice = "; --model external needs less"},
                         environment.memory.available());
  }
  PageLists<Id> lists(environment, pages);
  Peel<PageLists<Id>> peel(environment, lists, result.nodes);
  const bool loaded = options.model != MemoryModel::semi_external && lists.load();
  if (options.model == MemoryModel::internal && !loaded) {
    throw missing_memory(
        {.what = model_option(options.model),
         .precision = "about ",
         .bytes = core::size_sum(need, core::size_product(pages.pages(), pages.context().page_bytes)),
         .purpose = " for edges and nodes",
         .advice = "; --model semi-external needs less"},
        memory);
  }
  const std::uint64_t page_bytes = core::size_product(pages.pages(), pages.context().page_bytes);
  result.choice =
      loaded ? ModelChoice{MemoryModel::internal, edges_and_nodes_fit(page_bytes, memory) + by}
             : ModelChoice{external ? MemoryModel::external : MemoryModel::semi_external, share + by};
  peel_all(environment, peel, result, sink);
  return result;
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, NodeSink<std::uint32_t>*);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, NodeSink<std::uint32_t>*);

}  // namespace emgraph::graph::kcore
