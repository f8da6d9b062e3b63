// SPDX-License-Identifier: MIT
// The external model: distances go through sinks.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/stopwatch.hpp"
#include "core/base/vector_sort.hpp"
#include "graph/sssp/distances.hpp"
#include "graph/sssp/external.hpp"
#include "graph/sssp/queries_by_source.hpp"
#include "graph/sssp/run_models.hpp"
#include "graph/sssp/stored_parents.hpp"

namespace emgraph::graph::sssp {
namespace {

/// Keeps the values of some nodes of a result.
template <class T>
class PickedValues final : public NodeSink<T> {
 public:
  /// `nodes`: ascending.
  explicit PickedValues(std::vector<std::uint64_t> nodes) : nodes_(std::move(nodes)) {}
  void append(std::span<const T> values) override {
    for (; picked_.size() < nodes_.size() && nodes_[picked_.size()] < seen_ + values.size();) {
      picked_.push_back(values[static_cast<std::size_t>(nodes_[picked_.size()] - seen_)]);
    }
    seen_ += values.size();
  }
  T of(std::uint64_t node) const {
    return picked_[static_cast<std::size_t>(std::lower_bound(nodes_.begin(), nodes_.end(), node) -
                                            nodes_.begin())];
  }

 private:
  const std::vector<std::uint64_t> nodes_;
  std::vector<T> picked_;
  std::uint64_t seen_ = 0;
};

}  // namespace

template <class Id>
void run_external(const RunArguments<Id>& arguments, adjacency::PagedAdjacency<Id>& pages, Result& result) {
  core::Environment& environment = arguments.environment;
  const Options& options = arguments.options;
  const std::uint64_t nodes = pages.facts().nodes;
  const bool floating = is_floating(pages.facts().weight);
  const auto search_from = [&](std::uint64_t root, NodeSink<std::uint64_t>* distances,
                               NodeSink<Id>* parents) {
    return search_external(environment, pages, static_cast<Id>(root), distances, parents);
  };
  for (const std::uint64_t root : options.roots) {
    NodeSink<std::uint64_t>* distances = nullptr;
    NodeSink<Id>* parents = nullptr;
    if (arguments.wants_distances()) {
      distances = &arguments.outputs->open_distances(root, nodes, floating);
    }
    if (arguments.wants_parents()) parents = &arguments.outputs->open_parents(root, nodes);
    const core::Stopwatch watch;
    const ExternalResult found = search_from(root, distances, parents);
    if (found.overflow) throw core::DataError::in_file(options.input, *found.overflow);
    if (distances != nullptr || parents != nullptr) arguments.outputs->close();
    Search search;
    search.root = root;
    search.reached = found.reached;
    search.max_distance = found.max_distance;
    search.seconds = watch.seconds();
    search.method = found.method;
    result.searches.push_back(std::move(search));
  }
  result.queries.resize(options.queries.size());
  std::optional<QueryPaths> paths;
  if (options.paths) paths.emplace(environment, options.queries.size());
  for_each_source(options.queries, [&](std::uint64_t source, std::span<const std::size_t> queries) {
    std::vector<std::uint64_t> targets;
    for (const std::size_t i : queries) targets.push_back(options.queries[i].target);
    core::vector_sort(std::span(targets));
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    PickedValues<std::uint64_t> distances(std::move(targets));
    std::optional<StoredParents<Id>> parents;
    if (options.paths) parents.emplace(environment);
    const ExternalResult found = search_from(source, &distances, parents ? &*parents : nullptr);
    if (parents) parents->finish();
    for (const std::size_t i : queries) {
      const Query& query = options.queries[i];
      result.queries[i] = {query, distances.of(query.target), found.reached};
      const bool reached = result.queries[i].distance != unreached_word(pages.facts().weight);
      if (!reached && found.overflow) throw core::DataError::in_file(options.input, *found.overflow);
      if (options.paths && reached) {
        add_by_parents(*paths, i, query, [&](std::uint64_t node) { return parents->of(node); });
      }
    }
  });
  if (paths) paths->hand_to(options.path_sink);
}

template void run_external(const RunArguments<std::uint32_t>&, adjacency::PagedAdjacency<std::uint32_t>&,
                           Result&);
template void run_external(const RunArguments<std::uint64_t>&, adjacency::PagedAdjacency<std::uint64_t>&,
                           Result&);

}  // namespace emgraph::graph::sssp
