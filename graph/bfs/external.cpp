// SPDX-License-Identifier: MIT
// Searches; if that costs too much, regroups the adjacency and searches again; writes the results.
#include "graph/bfs/external.hpp"

#include <memory>
#include <optional>
#include <span>
#include <utility>

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
           NodeSink<std::uint32_t>* levels, NodeSink<Id>* parents, adjacency::KeptSearch<Id>* kept,
           core::StateReader* saved)
      : environment_(environment),
        graph_(graph),
        options_(options),
        keys_(keys),
        levels_(levels),
        parents_(parents),
        kept_(kept),
        saved_(saved),
        block_bytes_(Search::block_bytes(environment.memory.available())) {}

  ExternalResult run(Id root) {
    const bool can_cluster = !graph_.facts().directed && options_.clusters != Clusters::never &&
                             environment_.memory.available() >= Regrouping::least_bytes() + 32 * block_bytes_;
    read_saved(can_cluster);
    if (!clusters_.number && (!can_cluster || options_.clusters == Clusters::automatic)) {
      if (search_as_it_is(root, can_cluster ? clustering_scans : 0)) return result();
      method_ += "; that cost too much: ";
    }
    ClusteredGraph<Id> clustered = this->clustered(root);
    if (!clustered.root) {  // nothing to search
      search_as_it_is(root, 0);
      return result();
    }
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

  /// Reads what comes before the log. A state is not used if the memory is too small to go on with it: the
  /// lists are regrouped and there is no memory for two such sorts, or its bits do not fit.
  void read_saved(bool can_cluster) {
    if (saved_ == nullptr) return;
    clusters_ = saved_->value<core::StateFile>();
    const bool bits = saved_->value<bool>();
    method_.resize(static_cast<std::size_t>(saved_->value<std::uint64_t>()));
    saved_->array(std::span(method_));
    if (clusters_.number && can_cluster) {
      regrouped_ = environment_.checkpoint->read_state_file(clusters_);
    } else if (clusters_.number ||
               (bits && !graph_.facts().directed && !Search::fit(environment_, graph_.facts().nodes, {}))) {
      environment_.checkpoint->drop(std::exchange(clusters_, {}));
      method_.clear();
      saved_ = nullptr;
    }
  }

  void seal(Search& search) {
    kept_->seal(levels_done(log_->levels(), log_->reached()), [&](core::StateWriter& to) {
      to.value(SavedSearch::external);
      to.value(clusters_);
      to.value(search.has_bits());
      to.value(static_cast<std::uint64_t>(method_.size()));
      to.array(std::span<const char>(method_));
      log_->save(to);
      search.save(to);
    });
  }

  /// The graph with its lists regrouped, by this run or an earlier one.
  ClusteredGraph<Id> clustered(Id root) {
    if (regrouped_ != nullptr) return ClusteredGraph<Id>(environment_, *regrouped_);
    ClusteredGraph<Id> clustered = Regrouping(environment_, graph_, block_bytes_).run(root);
    if (!clustered.root) return clustered;
    method_ +=
        "lists regrouped by clusters of about " + std::to_string(Regrouping::cluster_nodes) + " near nodes, ";
    if (kept_ != nullptr) {
      clusters_ =
          environment_.checkpoint->write_state_file([&](core::StateWriter& to) { clustered.save(to); });
    }
    return clustered;
  }

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
    core::StateReader* const saved = std::exchange(saved_, nullptr);
    if (saved != nullptr) {
      log_.emplace(environment_, *saved);
    } else {
      log_.emplace(environment_, block_bytes_, parents_ != nullptr);
    }
    Search search(environment_, graph, options, keys_, *log_, saved);
    const bool done = search.run(root, [&] {
      if (kept_ != nullptr && kept_->due()) seal(search);
    });
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
  adjacency::KeptSearch<Id>* const kept_;
  core::StateReader* saved_;  ///< of an earlier run, until it is restored
  const std::size_t block_bytes_;
  core::StateFile
      clusters_;  ///< describes the regrouped lists that are searched; none: they are as they were
  std::unique_ptr<core::StateReader> regrouped_;  ///< clusters_ of an earlier run
  std::optional<SearchLog<Id>> log_;
  std::string method_;
};

}  // namespace

std::string levels_done(std::uint64_t levels, std::uint64_t reached) {
  return core::format_count(levels) + (levels == 1 ? " level is searched, " : " levels are searched, ") +
         core::format_count(reached) + " nodes are reached";
}

template <class Id>
ExternalResult search_external(core::Environment& environment, adjacency::PagedAdjacency<Id>& graph, Id root,
                               const ExternalOptions& options, NodeSink<std::uint32_t>* levels,
                               NodeSink<Id>* parents, adjacency::KeptSearch<Id>* kept,
                               core::StateReader* saved) {
  return prepare::with_edge_keys<Id>(
      std::optional(graph.facts().nodes), [&]<core::IntegerKey Key>(const prepare::EdgeKeys<Key>& keys) {
        return External<Id, Key>(environment, graph, options, keys, levels, parents, kept, saved).run(root);
      });
}

template ExternalResult search_external(core::Environment&, adjacency::PagedAdjacency<std::uint32_t>&,
                                        std::uint32_t, const ExternalOptions&, NodeSink<std::uint32_t>*,
                                        NodeSink<std::uint32_t>*, adjacency::KeptSearch<std::uint32_t>*,
                                        core::StateReader*);
template ExternalResult search_external(core::Environment&, adjacency::PagedAdjacency<std::uint64_t>&,
                                        std::uint64_t, const ExternalOptions&, NodeSink<std::uint32_t>*,
                                        NodeSink<std::uint64_t>*, adjacency::KeptSearch<std::uint64_t>*,
                                        core::StateReader*);

}  // namespace emgraph::graph::bfs
