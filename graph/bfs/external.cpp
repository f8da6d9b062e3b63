// SPDX-License-Identifier: MIT
// Searches; if that costs too much, regroups the adjacency and searches again; writes the results.
#include "graph/bfs/external.hpp"

#include <optional>

#include "core/base/bytes.hpp"
#include "graph/bfs/bfs.hpp"
#include "graph/bfs/external_clusters.hpp"
#include "graph/bfs/external_output.hpp"
#include "graph/bfs/external_search.hpp"

namespace emgraph::graph::bfs {
namespace {

// Regrouping the lists costs about as much as this number of scans: two sorts and some passes take about 100
// ns per edge; a scan takes 4 us per page of about 1,500 edges. A search that switches after this cost takes
// at most twice the time of the better way.
constexpr std::uint64_t clustering_scans = 40;

template <class Id, core::IntegerKey Key>
class External {
 public:
  External(core::Environment& environment, adjacency::PagedAdjacency<Id>& graph,
           const ExternalOptions& options, const prepare::EdgeKeys<Key>& keys,
           NodeSink<std::uint32_t>* levels, NodeSink<Id>* parents)
      : environment_(environment),
        graph_(graph),
        options_(options),
        keys_(keys),
        levels_(levels),
        parents_(parents),
        block_bytes_(Search::block_bytes(environment.memory.available())) {}

  ExternalResult run(Id root) {
    const bool can_cluster = !graph_.facts().directed && options_.clusters != Clusters::never &&
                             environment_.memory.available() >= Regrouping::least_bytes() + 32 * block_bytes_;
    if (!can_cluster || options_.clusters == Clusters::automatic) {
      if (search_as_it_is(root, can_cluster ? clustering_scans : 0)) return result();
      method_ += "; that cost too much: ";
    }
    ClusteredGraph<Id> clustered = Regrouping(environment_, graph_, block_bytes_).run(root);
    if (!clustered.root) {  // nothing to search
      search_as_it_is(root, 0);
      return result();
    }
    method_ +=
        "lists regrouped by clusters of about " + std::to_string(Regrouping::cluster_nodes) + " near nodes, ";
    search(*clustered.adjacency, *clustered.root, {.bits = options_.bits, .all_pairs = parents_ != nullptr});
    clustered.adjacency.reset();
    SearchOutput<Id, Key> output(environment_, *log_, graph_.facts().nodes);
    if (levels_ != nullptr) output.write_levels(clustered.originals, *levels_);
    if (parents_ != nullptr) output.write_parents(clustered.originals, *parents_);
    return result();
  }

 private:
  using Search = ExternalSearch<Id, Key>;
  using Regrouping = Clustering<Id, Key>;

  /// False if the search was given up.
  bool search_as_it_is(Id root, std::uint64_t most_scans) {
    if (!search(graph_, root, {.bits = options_.bits, .most_scans = most_scans})) return false;
    SearchOutput<Id, Key> output(environment_, *log_, graph_.facts().nodes);
    if (levels_ != nullptr) output.write_levels(*levels_);
    if (parents_ != nullptr) output.write_parents(*parents_);
    return true;
  }

  bool search(adjacency::PagedAdjacency<Id>& graph, Id root, const SearchOptions& options) {
    log_.reset();
    log_.emplace(environment_, block_bytes_, parents_ != nullptr);
    Search search(environment_, graph, options, keys_, *log_);
    const bool done = search.run(root);
    const LevelCounts& counts = search.counts();
    method_ += core::format_count(counts.selected) +
               (counts.selected == 1 ? " level by page, " : " levels by page, ") +
               core::format_count(counts.scanned + counts.bottom_up) + " by scans" +
               (search.has_bits() ? " (one bit per node in memory)" : "");
    log_->finish();
    return done;
  }

  ExternalResult result() {
    return {.reached = log_->reached(),
            .levels = log_->levels(),
            .nodes_per_level = log_->nodes_per_level(most_counted_levels),
            .method = method_};
  }

  core::Environment& environment_;
  adjacency::PagedAdjacency<Id>& graph_;
  const ExternalOptions options_;
  const prepare::EdgeKeys<Key> keys_;
  NodeSink<std::uint32_t>* const levels_;
  NodeSink<Id>* const parents_;
  const std::size_t block_bytes_;
  std::optional<SearchLog<Id>> log_;
  std::string method_;
};

}  // namespace

template <class Id>
ExternalResult search_external(core::Environment& environment, adjacency::PagedAdjacency<Id>& graph, Id root,
                               const ExternalOptions& options, NodeSink<std::uint32_t>* levels,
                               NodeSink<Id>* parents) {
  return prepare::with_edge_keys<Id>(
      std::optional(graph.facts().nodes), [&]<core::IntegerKey Key>(const prepare::EdgeKeys<Key>& keys) {
        return External<Id, Key>(environment, graph, options, keys, levels, parents).run(root);
      });
}

template ExternalResult search_external(core::Environment&, adjacency::PagedAdjacency<std::uint32_t>&,
                                        std::uint32_t, const ExternalOptions&, NodeSink<std::uint32_t>*,
                                        NodeSink<std::uint32_t>*);
template ExternalResult search_external(core::Environment&, adjacency::PagedAdjacency<std::uint64_t>&,
                                        std::uint64_t, const ExternalOptions&, NodeSink<std::uint32_t>*,
                                        NodeSink<std::uint64_t>*);

}  // namespace emgraph::graph::bfs
