// SPDX-License-Identifier: MIT
// The semi-external model: searches on pages with a distance per node in memory.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "graph/sssp/build.hpp"
#include "graph/sssp/full_search.hpp"
#include "graph/sssp/page_search.hpp"
#include "graph/sssp/queries_by_source.hpp"
#include "graph/sssp/run_models.hpp"

namespace emgraph::graph::sssp {
namespace {

/// The graph of a semi-external run.
template <class DistancesType, class Id>
struct PageGraph {
  using Distances = DistancesType;
  /// Pages in memory take what is free, so the parents come before them.
  static constexpr bool takes_all_memory = true;
  core::Environment& environment;
  PageSearch<Id, Distances>& pages;
  adjacency::KeptSearch<Id>* kept;

  std::string search(std::uint64_t root, std::span<std::uint64_t> distances) const {
    pages.run(static_cast<Id>(root), distances, {}, kept);
    return pages.method();
  }
  PageArcs<Id> arcs() const { return {environment, pages.access()}; }
};

}  // namespace

template <class Id>
void run_semi_external(const RunArguments<Id>& arguments, adjacency::PagedAdjacency<Id>& pages,
                       Result& result) {
  core::Environment& environment = arguments.environment;
  const Options& options = arguments.options;
  const LengthFacts lengths = length_facts(pages.facts());
  with_distances(lengths.type, [&]<class Distances>(Distances) {
    PageSearch<Id, Distances> search_pages(environment, pages, options.delta);
    const PageGraph<Distances, Id> graph{environment, search_pages, arguments.kept};
    for (const std::uint64_t root : options.roots)
      result.searches.push_back(full_search(arguments, graph, lengths, root));
    result.queries.resize(options.queries.size());
    std::optional<QueryPaths> paths;
    if (options.paths) paths.emplace(environment, options.queries.size());
    for_each_source(options.queries, [&](std::uint64_t source, std::span<const std::size_t> queries) {
      core::Array<std::uint64_t> distances(environment.memory, lengths.nodes, "a distance per node");
      core::Array<Id> parents;
      if (options.paths) {
        parents = core::Array<Id>(environment.memory, lengths.nodes, "a parent per node");
      }
      std::optional<Id> target;
      if (queries.size() == 1 && !options.paths) target = static_cast<Id>(options.queries[queries[0]].target);
      const Reach reach = search_pages.run(static_cast<Id>(source), distances.span(), target);
      const bool all_reached = std::all_of(queries.begin(), queries.end(), [&](std::size_t i) {
        return distances[static_cast<std::size_t>(options.queries[i].target)] != Distances::unreached;
      });
      if (!all_reached) {
        refuse_overflow<Distances>(options.input, graph.arcs(), distances.span(), reach.max_distance,
                                   lengths.longest);
      }
      if (options.paths) {
        auto arcs = graph.arcs();
        find_parents<Distances>(environment, std::span<const std::uint64_t>(distances.span()),
                                static_cast<Id>(source), parents.span(), arcs);
      }
      for (const std::size_t i : queries) {
        const Query& query = options.queries[i];
        const std::uint64_t distance = distances[static_cast<std::size_t>(query.target)];
        result.queries[i] = {query, distance, reach.nodes};
        if (options.paths && distance != Distances::unreached) {
          add_by_parents(*paths, i, query,
                         [&](std::uint64_t node) { return parents[static_cast<std::size_t>(node)]; });
        }
      }
    });
    if (paths) paths->hand_to(options.path_sink);
  });
}

template void run_semi_external(const RunArguments<std::uint32_t>&, adjacency::PagedAdjacency<std::uint32_t>&,
                                Result&);
template void run_semi_external(const RunArguments<std::uint64_t>&, adjacency::PagedAdjacency<std::uint64_t>&,
                                Result&);

}  // namespace emgraph::graph::sssp
