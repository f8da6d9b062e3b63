// SPDX-License-Identifier: MIT
// Builds the adjacency, chooses the model and the queue, then searches from one root after another, or answers
// the queries.
#include "graph/sssp/sssp.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/sssp/build.hpp"
#include "graph/sssp/choice.hpp"
#include "graph/sssp/in_memory.hpp"

namespace emgraph::graph::sssp {
namespace {

/// The graph of an internal run.
template <class DistancesType, class RowsType>
struct RowGraph {
  using Distances = DistancesType;
  core::Environment& environment;
  const RowsType& rows;
  const QueuePlan& plan;

  std::string search(std::uint64_t root, std::span<std::uint64_t> distances) const {
    return search_rows<Distances>(environment, rows, plan, root, distances);
  }
  template <class Take>
  void for_each_arc(Take&& take) const {
    sssp::for_each_arc(rows, environment.threads, take);
  }
};

/// The arguments that the searches of one run share.
template <class Id>
class Searches {
 public:
  Searches(core::Environment& environment, const Options& options, Outputs<Id>* outputs)
      : environment_(environment), options_(options), outputs_(outputs) {}

  Demand demand(WeightType type, const std::optional<std::uint64_t>& nodes,
                const std::optional<std::uint64_t>& entries, bool built) const {
    return {.nodes = nodes,
            .entries = entries,
            .id_bytes = sizeof(Id),
            .arc_bytes = arc_bytes<Id>(type),
            .parents = outputs_ != nullptr && outputs_->wants_parents(),
            .built = built,
            .threads = environment_.threads,
            .memory_bytes = environment_.memory.available()};
  }

  /// Throws UsageError if a root, or the node of a query, is not a node.
  void check_nodes(std::uint64_t nodes) const {
    if (nodes == 0) throw core::UsageError("the graph has no nodes: there is no root to search from");
    const auto check = [&](const std::string& what, std::uint64_t node) {
      if (node < nodes) return;
      throw core::UsageError(what + " " + std::to_string(node) + ": nodes are 0 to " + std::to_string(nodes - 1));
    };
    for (const std::uint64_t root : options_.roots) check("root", root);
    for (std::size_t i = 0; i < options_.queries.size(); ++i) {
      check("query " + std::to_string(i + 1) + ": source", options_.queries[i].source);
      check("query " + std::to_string(i + 1) + ": target", options_.queries[i].target);
    }
  }

  void run_on_rows(const BuiltGraph<Id>& graph, Result& result) {
    std::visit([&](const auto& rows) {
      with_distances(graph.lengths.type,
                     [&]<class Distances>(Distances) { run_on<Distances>(*rows, graph.lengths, result); });
    }, graph.rows->rows);
  }

 private:
  template <class Distances, class RowsType>
  void run_on(const RowsType& rows, const LengthFacts& lengths, Result& result) {
    // Short lengths are integers.
    if constexpr (!Distances::floating || sizeof(typename RowsType::Length) == 8) {
      const QueuePlan plan = choose_queue(options_, lengths, environment_.threads);
      result.queue = plan.queue;
      result.queue_reason = plan.reason;
      const RowGraph<Distances, RowsType> graph{environment_, rows, plan};
      for (const std::uint64_t root : options_.roots) result.searches.push_back(search(graph, lengths, root));
      if (!options_.queries.empty()) answer<Distances>(rows, plan, result);
    }
  }

  template <class Distances, class RowsType>
  void answer(const RowsType& rows, const QueuePlan& plan, Result& result) {
    std::optional<RowsType> reversed;
    if (needs_reversed(options_)) {
      const core::Phase phase(environment_.progress, "reverse arcs", 0, "arcs");
      reversed.emplace(environment_.memory, rows.nodes(), rows.entries());
      reverse(rows, *reversed);
    }
    result.queries = answer_queries<Distances>(environment_, rows, reversed ? *reversed : rows, plan, options_);
  }

  /// A full search with a distance per node in memory.
  template <class Graph>
  Search search(const Graph& graph, const LengthFacts& lengths, std::uint64_t root) {
    using Distances = typename Graph::Distances;
    Search found;
    found.root = root;
    NodeSink<std::uint64_t>* distance_sink = nullptr;
    NodeSink<Id>* parent_sink = nullptr;
    if (outputs_ != nullptr && outputs_->wants_distances()) {
      distance_sink = &outputs_->open_distances(root, lengths.nodes, Distances::floating);
    }
    if (outputs_ != nullptr && outputs_->wants_parents()) parent_sink = &outputs_->open_parents(root, lengths.nodes);
    core::Array<std::uint64_t> distances(environment_.memory, lengths.nodes, "a distance per node");
    {
      const core::Phase phase(environment_.progress, "search", lengths.nodes, "nodes");
      const auto start = std::chrono::steady_clock::now();
      found.method = graph.search(root, distances.span());
      found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    for (const std::uint64_t distance : distances.span()) {
      if (distance == Distances::unreached) continue;
      ++found.reached;
      found.max_distance = std::max(found.max_distance, distance);
    }
    refuse_overflow(graph, lengths, found.max_distance, distances.span());
    if (distance_sink != nullptr) {
      const core::Phase phase(environment_.progress, "write", lengths.nodes, "nodes");
      append_in_batches(*distance_sink, std::span<const std::uint64_t>(distances.span()));
    }
    if (parent_sink != nullptr) {
      // PARENTS
    }
    if (distance_sink != nullptr || parent_sink != nullptr) outputs_->close();
    return found;
  }

  /// A sum that does not fit leaves its node unreached. Some sum can only be too large if the largest distance
  /// and the longest arc together are.
  template <class Graph>
  void refuse_overflow(const Graph& graph, const LengthFacts& lengths, std::uint64_t max_distance,
                       std::span<const std::uint64_t> distances) const {
    using Distances = typename Graph::Distances;
    if (Distances::add(max_distance, lengths.longest) != Distances::unreached) return;
    graph.for_each_arc([&](unsigned, std::uint64_t from, std::uint64_t to, std::uint64_t) {
      if (distances[from] == Distances::unreached || distances[to] != Distances::unreached) return;
      throw core::DataError("the distance of node " + std::to_string(to) + " behind node " + std::to_string(from) +
                            " overflows: expected distances " +
                            (Distances::floating ? "that fit a double" : "below 18446744073709551615"));
    });
  }

  template <class T>
  static void append_in_batches(NodeSink<T>& sink, std::span<const T> values) {
    constexpr std::size_t batch = 64 * 1024;
    for (std::size_t done = 0; done < values.size(); done += batch) {
      sink.append(values.subspan(done, std::min(batch, values.size() - done)));
    }
  }

  core::Environment& environment_;
  const Options& options_;
  Outputs<Id>* const outputs_;
};


/// Searches on pages; unpacks them to rows first if the model is internal.
template <class Id>
void run_on_pages(core::Environment& environment, adjacency::PagedAdjacency<Id>& pages, const Options& options,
                  Searches<Id>& searches, Result& result) {
  const adjacency::AdjacencyFacts& facts = pages.facts();
  searches.check_nodes(facts.nodes);  // reports a wrong root before anything is read
  result.choice = choose(searches.demand(facts.weight, facts.nodes, facts.entries, true), options);
  if (result.choice.model == MemoryModel::internal) {
    const BuiltGraph<Id> rows = unpack_rows(environment, pages);
    return searches.run_on_rows(rows, result);
  }
}

}  // namespace

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options, Outputs<Id>* outputs) {
  const EdgeFacts& facts = edges.facts();
  const std::optional<std::uint64_t> nodes = declared_nodes<Id>(options.nodes, facts);
  const WeightType type = options.weighting.type(facts.layout.weight);
  Searches<Id> searches(environment, options, outputs);
  if (nodes) searches.check_nodes(*nodes);
  std::optional<std::uint64_t> entries = facts.edges;
  if (entries && !options.directed) entries = core::size_product(*entries, 2);
  const Demand demand = searches.demand(type, nodes, entries, false);
  BuiltGraph<Id> built = build_graph(environment, edges, options, demand);
  Result result;
  result.nodes = built.nodes;
  result.edges = built.edges;
  result.weight_type = type;
  if (built.pages) {
    run_on_pages(environment, *built.pages, options, searches, result);
    return result;
  }
  searches.check_nodes(built.nodes);
  // The rows are made; the choice says what they and the nodes take of the memory from before.
  Demand whole = searches.demand(type, built.nodes, built.lengths.entries, true);
  whole.memory_bytes = demand.memory_bytes;
  result.choice = choose(whole, options);
  result.choice.model = MemoryModel::internal;
  searches.run_on_rows(built, result);
  return result;
}

template <class Id>
Result run(core::Environment& environment, adjacency::PagedAdjacency<Id>& graph, const Options& options,
           Outputs<Id>* outputs) {
  Result result;
  result.nodes = graph.facts().nodes;
  result.edges = graph.facts().entries;
  result.weight_type = graph.facts().weight;
  Searches<Id> searches(environment, options, outputs);
  run_on_pages(environment, graph, options, searches, result);
  return result;
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, Outputs<std::uint32_t>*);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, Outputs<std::uint64_t>*);
template Result run(core::Environment&, adjacency::PagedAdjacency<std::uint32_t>&, const Options&,
                    Outputs<std::uint32_t>*);
template Result run(core::Environment&, adjacency::PagedAdjacency<std::uint64_t>&, const Options&,
                    Outputs<std::uint64_t>*);

}  // namespace emgraph::graph::sssp
