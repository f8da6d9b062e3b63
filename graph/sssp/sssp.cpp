// SPDX-License-Identifier: MIT
// Builds the adjacency and chooses the model of the searches.
#include "graph/sssp/sssp.hpp"

#include <optional>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/adjacency/weight_limits.hpp"
#include "graph/edge_weights.hpp"
#include "graph/prepare/remade.hpp"
#include "graph/sparse_ids.hpp"
#include "graph/sssp/build.hpp"
#include "graph/sssp/choice.hpp"
#include "graph/sssp/quick_rows.hpp"
#include "graph/sssp/run_models.hpp"

namespace emgraph::graph::sssp {
namespace {

template <class Id>
Demand demand_of(const RunArguments<Id>& arguments, WeightType type,
                 const std::optional<std::uint64_t>& nodes, const std::optional<std::uint64_t>& entries,
                 bool built) {
  return {.nodes = nodes,
          .entries = entries,
          .id_bytes = sizeof(Id),
          .arc_bytes = arc_bytes<Id>(type),
          .parents = arguments.wants_parents(),
          .built = built,
          .threads = arguments.environment.threads,
          .memory_bytes = arguments.environment.memory.available()};
}

/// Searches on pages; unpacks them to rows first if the model is internal.
template <class Id>
void run_on_pages(const RunArguments<Id>& arguments, adjacency::PagedAdjacency<Id>& pages, Result& result) {
  const adjacency::AdjacencyFacts& facts = pages.facts();
  check_nodes(arguments.options, facts.nodes);  // reports a wrong root before anything is read
  result.choice =
      choose(demand_of<Id>(arguments, facts.weight, facts.nodes, facts.entries, true), arguments.options);
  if (result.choice.model == MemoryModel::internal) {
    BuiltGraph<Id> rows = unpack_rows(arguments.environment, pages);
    return run_internal(arguments, *rows.rows, rows.lengths, result);
  }
  result.choice.model == MemoryModel::semi_external ? run_semi_external(arguments, pages, result)
                                                    : run_external(arguments, pages, result);
}

/// Rows from one reading; false if the input does not suit them.
template <class Id>
bool make_quick_rows(const RunArguments<Id>& arguments, EdgeSource<Id>& source, const Demand& demand,
                     BuiltGraph<Id>& built) {
  if constexpr (sizeof(Id) == sizeof(std::uint32_t)) {
    built.lengths.type = arguments.options.weighting.type(source.facts().layout.weight);
    return build_quick_rows(arguments.environment, source, arguments.options, demand, built);
  }
  return false;
}

/// With a checkpoint.
template <class Id>
Result run_kept(core::Environment& environment, adjacency::KeptSearch<Id>& kept, const Options& options,
                Outputs<Id>* outputs) {
  Result result;
  result.nodes = kept.adjacency().facts().nodes;
  result.edges = kept.edges();
  result.weight_type = kept.adjacency().facts().weight;
  run_on_pages({environment, options, outputs, &kept}, kept.adjacency(), result);
  return result;
}

}  // namespace

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
           Outputs<Id>* outputs) {
  const EdgeFacts& facts = edges.facts();
  const std::optional<std::uint64_t> nodes = declared_nodes<Id>(options.nodes, facts);
  const WeightType type = weights_of(edges, options.weighting);
  const RunArguments<Id> arguments{environment, options, outputs};
  if (nodes) check_nodes(options, *nodes);
  std::optional<std::uint64_t> entries = facts.edges;
  if (entries && !options.directed) entries = core::size_product(*entries, 2);
  const Demand demand = demand_of<Id>(arguments, type, nodes, entries, false);
  BuiltGraph<Id> built;
  const bool quick = prepare::edges_are_remade(environment.checkpoint, entries) &&
                     make_quick_rows(arguments, edges, demand, built);
  if (!quick && environment.checkpoint != nullptr) {
    adjacency::KeptSearch<Id> kept(environment, edges,
                                   {.directed = options.directed,
                                    .nodes = options.nodes,
                                    .weighting = options.weighting,
                                    .limits = length_limits()});
    require_justified(facts, options.nodes, kept.adjacency().facts().nodes, kept.edges());
    return run_kept(environment, kept, options, outputs);
  }
  if (!quick) built = build_graph(environment, edges, options, demand);
  Result result;
  result.nodes = built.nodes;
  result.edges = built.edges;
  require_justified(facts, options.nodes, result.nodes, result.edges);
  result.weight_type = type;
  if (built.pages) {
    run_on_pages(arguments, *built.pages, result);
    return result;
  }
  check_nodes(options, built.nodes);
  // The rows are made; the choice says what they and the nodes take of the memory from before.
  Demand whole = demand_of<Id>(arguments, type, built.nodes, built.lengths.entries, true);
  whole.memory_bytes = demand.memory_bytes;
  result.choice = internal_choice(whole, options);
  run_internal(arguments, *built.rows, built.lengths, result);
  return result;
}

template <class Id>
Result run(core::Environment& environment, adjacency::PagedAdjacency<Id>& graph, const Options& options,
           Outputs<Id>* outputs) {
  adjacency::require_weights(graph, length_limits());
  if (environment.checkpoint != nullptr) {
    adjacency::KeptSearch<Id> kept(environment, graph);
    return run_kept(environment, kept, options, outputs);
  }
  Result result;
  result.nodes = graph.facts().nodes;
  result.edges = graph.facts().entries;
  result.weight_type = graph.facts().weight;
  const RunArguments<Id> arguments{environment, options, outputs};
  run_on_pages(arguments, graph, result);
  return result;
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, Outputs<std::uint32_t>*);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, Outputs<std::uint64_t>*);
template Result run(core::Environment&, adjacency::PagedAdjacency<std::uint32_t>&, const Options&,
                    Outputs<std::uint32_t>*);
template Result run(core::Environment&, adjacency::PagedAdjacency<std::uint64_t>&, const Options&,
                    Outputs<std::uint64_t>*);

}  // namespace emgraph::graph::sssp
