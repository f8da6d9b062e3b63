// SPDX-License-Identifier: MIT
// Builds the adjacency, chooses the model and the queue, then searches from one root after another, or
// answers the queries.
#include "graph/sssp/sssp.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/adjacency/weight_limits.hpp"
#include "graph/sparse_ids.hpp"
#include "graph/sssp/build.hpp"
#include "graph/sssp/choice.hpp"
#include "graph/sssp/external.hpp"
#include "graph/sssp/in_memory.hpp"
#include "graph/sssp/node_order.hpp"
#include "graph/sssp/overflow.hpp"
#include "graph/sssp/page_search.hpp"
#include "graph/sssp/parents.hpp"

namespace emgraph::graph::sssp {
namespace {

/// The graph of an internal run. `order`: of the rows; null: that of the nodes.
template <class DistancesType, class RowsType>
struct RowGraph {
  using Distances = DistancesType;
  using Id = typename RowsType::Id;
  static constexpr bool takes_all_memory = false;
  core::Environment& environment;
  const RowsType& rows;
  const QueuePlan& plan;
  const NodeOrder<Id>* order;

  std::string search(std::uint64_t root, std::span<std::uint64_t> distances) const {
    if (order == nullptr) return search_rows<Distances>(environment, rows, plan, root, distances);
    core::Array<std::uint64_t> found(environment.memory, distances.size(), "a distance per row");
    std::string method = search_rows<Distances>(environment, rows, plan,
                                                order->place[static_cast<std::size_t>(root)], found.span());
    for (std::size_t v = 0; v < distances.size(); ++v)
      distances[v] = found[static_cast<std::size_t>(order->place[v])];
    return method;
  }
  RowArcs<RowsType> arcs() const {
    if (order == nullptr) return {rows, environment.threads};
    return {rows, environment.threads, order->node.data(), order->place.data()};
  }
};

/// The graph of a semi-external run.
template <class DistancesType, class Id>
struct PageGraph {
  using Distances = DistancesType;
  /// Pages in memory take what is free, so the parents come before them.
  static constexpr bool takes_all_memory = true;
  core::Environment& environment;
  PageSearch<Id, Distances>& pages;

  std::string search(std::uint64_t root, std::span<std::uint64_t> distances) const {
    pages.run(static_cast<Id>(root), distances);
    return pages.method();
  }
  PageArcs<Id> arcs() const { return {environment, pages.access()}; }
};

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

/// Keeps the values of all nodes in an array of the caller.
template <class T>
class KeptValues final : public NodeSink<T> {
 public:
  explicit KeptValues(std::span<T> place) : place_(place) {}
  void append(std::span<const T> values) override {
    std::copy(values.begin(), values.end(), place_.begin());
    place_ = place_.subspan(values.size());
  }

 private:
  std::span<T> place_;
};

/// The nodes from the source to the target by parents.
template <class Id>
std::vector<std::uint64_t> path_by_parents(const Query& query, std::span<const Id> parents) {
  std::vector<std::uint64_t> path{query.target};
  while (path.back() != query.source) path.push_back(parents[static_cast<std::size_t>(path.back())]);
  std::reverse(path.begin(), path.end());
  return path;
}

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
      throw core::UsageError(what + " " + std::to_string(node) + ": nodes are 0 to " +
                             std::to_string(nodes - 1));
    };
    for (const std::uint64_t root : options_.roots) check("root", root);
    for (std::size_t i = 0; i < options_.queries.size(); ++i) {
      check("query " + std::to_string(i + 1) + ": source", options_.queries[i].source);
      check("query " + std::to_string(i + 1) + ": target", options_.queries[i].target);
    }
  }

  void run_on_rows(BuiltGraph<Id>& graph, Result& result) {
    std::visit(
        [&](auto& rows) {
          with_distances(graph.lengths.type,
                         [&]<class Distances>(Distances) { run_on<Distances>(rows, graph.lengths, result); });
        },
        graph.rows->rows);
  }

  /// Semi-external: a distance per node in memory.
  void run_on_pages(adjacency::PagedAdjacency<Id>& pages, Result& result) {
    const LengthFacts lengths = length_facts(pages.facts());
    with_distances(lengths.type, [&]<class Distances>(Distances) {
      PageSearch<Id, Distances> search_pages(environment_, pages, options_.delta);
      const PageGraph<Distances, Id> graph{environment_, search_pages};
      for (const std::uint64_t root : options_.roots) result.searches.push_back(search(graph, lengths, root));
      for_each_source(
          [&](std::uint64_t source, std::span<const std::size_t> queries) {
            core::Array<std::uint64_t> distances(environment_.memory, lengths.nodes, "a distance per node");
            core::Array<Id> parents;
            if (options_.paths) {
              parents = core::Array<Id>(environment_.memory, lengths.nodes, "a parent per node");
            }
            std::optional<Id> target;
            if (queries.size() == 1 && !options_.paths)
              target = static_cast<Id>(options_.queries[queries[0]].target);
            const Reach reach = search_pages.run(static_cast<Id>(source), distances.span(), target);
            if (!target)
              refuse_overflow<Distances>(graph.arcs(), distances.span(), reach.max_distance, lengths.longest);
            if (options_.paths) {
              auto arcs = graph.arcs();
              find_parents<Distances>(environment_, std::span<const std::uint64_t>(distances.span()),
                                      static_cast<Id>(source), parents.span(), arcs);
            }
            for (const std::size_t i : queries) {
              const Query& query = options_.queries[i];
              const std::uint64_t distance = distances[static_cast<std::size_t>(query.target)];
              result.queries[i] = {query, distance, reach.nodes, {}};
              if (options_.paths && distance != Distances::unreached) {
                result.queries[i].path = path_by_parents(query, std::span<const Id>(parents.span()));
              }
            }
          },
          result);
    });
  }

  /// External.
  void run_external(adjacency::PagedAdjacency<Id>& pages, Result& result) {
    const std::uint64_t nodes = pages.facts().nodes;
    const bool floating = is_floating(pages.facts().weight);
    const auto search_from = [&](std::uint64_t root, NodeSink<std::uint64_t>* distances,
                                 NodeSink<Id>* parents) {
      return search_external(environment_, pages, static_cast<Id>(root), distances, parents);
    };
    for (const std::uint64_t root : options_.roots) {
      NodeSink<std::uint64_t>* distances = nullptr;
      NodeSink<Id>* parents = nullptr;
      if (outputs_ != nullptr && outputs_->wants_distances()) {
        distances = &outputs_->open_distances(root, nodes, floating);
      }
      if (outputs_ != nullptr && outputs_->wants_parents()) parents = &outputs_->open_parents(root, nodes);
      const auto start = std::chrono::steady_clock::now();
      const ExternalResult found = search_from(root, distances, parents);
      if (distances != nullptr || parents != nullptr) outputs_->close();
      Search search;
      search.root = root;
      search.reached = found.reached;
      search.max_distance = found.max_distance;
      search.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      search.method = found.method;
      result.searches.push_back(std::move(search));
    }
    for_each_source(
        [&](std::uint64_t source, std::span<const std::size_t> queries) {
          std::vector<std::uint64_t> targets;
          for (const std::size_t i : queries) targets.push_back(options_.queries[i].target);
          std::sort(targets.begin(), targets.end());
          targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
          PickedValues<std::uint64_t> distances(std::move(targets));
          core::Array<Id> parents;
          if (options_.paths) parents = core::Array<Id>(environment_.memory, nodes, "a parent per node");
          KeptValues<Id> parent_sink(parents.span());
          const ExternalResult found =
              search_from(source, &distances, options_.paths ? &parent_sink : nullptr);
          for (const std::size_t i : queries) {
            const Query& query = options_.queries[i];
            result.queries[i] = {query, distances.of(query.target), found.reached, {}};
            if (options_.paths && result.queries[i].distance != unreached_word(pages.facts().weight)) {
              result.queries[i].path = path_by_parents(query, std::span<const Id>(parents.span()));
            }
          }
        },
        result);
  }

 private:
  /// Calls answer(source, numbers of its queries) for each source of a query.
  template <class Answer>
  void for_each_source(Answer&& answer, Result& result) const {
    result.queries.resize(options_.queries.size());
    std::map<std::uint64_t, std::vector<std::size_t>> by_source;
    for (std::size_t i = 0; i < options_.queries.size(); ++i)
      by_source[options_.queries[i].source].push_back(i);
    for (const auto& [source, queries] : by_source) answer(source, std::span<const std::size_t>(queries));
  }

  template <class Distances, class RowsType>
  void run_on(std::unique_ptr<RowsType>& rows, const LengthFacts& lengths, Result& result) {
    // Short lengths are integers.
    if constexpr (!Distances::floating || sizeof(typename RowsType::Length) == 8) {
      const QueuePlan plan = choose_queue(options_, lengths, environment_.threads);
      result.queue = plan.queue;
      result.queue_reason = plan.reason;
      result.order = options_.order;
      std::optional<NodeOrder<Id>> order;
      if (options_.order != OrderRule::given) {
        order.emplace(environment_.memory, lengths.nodes);
        rows = reordered(environment_, *rows, options_, *order);
      }
      const RowGraph<Distances, RowsType> graph{environment_, *rows, plan, order ? &*order : nullptr};
      for (const std::uint64_t root : options_.roots) result.searches.push_back(search(graph, lengths, root));
      if (!options_.queries.empty()) answer<Distances>(*rows, plan, graph.order, result);
    }
  }

  template <class Distances, class RowsType>
  void answer(const RowsType& rows, const QueuePlan& plan, const NodeOrder<Id>* order, Result& result) {
    std::optional<RowsType> reversed;
    if (needs_reversed(options_)) {
      const core::Phase phase(environment_.progress, "reverse arcs", 0, "arcs");
      reversed.emplace(environment_.memory, rows.nodes(), rows.entries());
      reverse(rows, *reversed);
    }
    Options by_row = options_;
    for (Query& query : by_row.queries) {
      if (order != nullptr) query = {order->place[query.source], order->place[query.target]};
    }
    result.queries = answer_queries<Distances>(environment_, rows, reversed ? *reversed : rows,
                                               order == nullptr ? nullptr : order->node.data(), plan, by_row);
    for (std::size_t i = 0; i < result.queries.size(); ++i) {
      result.queries[i].query = options_.queries[i];
      if (order == nullptr) continue;
      for (std::uint64_t& node : result.queries[i].path) node = order->node[static_cast<std::size_t>(node)];
    }
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
    if (outputs_ != nullptr && outputs_->wants_parents())
      parent_sink = &outputs_->open_parents(root, lengths.nodes);
    core::Array<std::uint64_t> distances(environment_.memory, lengths.nodes, "a distance per node");
    core::Array<Id> parents;
    const auto take_parents = [&] {
      parents = core::Array<Id>(environment_.memory, lengths.nodes, "a parent per node");
    };
    if (Graph::takes_all_memory && parent_sink != nullptr) take_parents();
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
    refuse_overflow<Distances>(graph.arcs(), distances.span(), found.max_distance, lengths.longest);
    if (distance_sink != nullptr) {
      const core::Phase phase(environment_.progress, "write", lengths.nodes, "nodes");
      append_in_batches(*distance_sink, std::span<const std::uint64_t>(distances.span()));
    }
    if (parent_sink != nullptr) {
      if (!Graph::takes_all_memory) take_parents();
      {
        const core::Phase phase(environment_.progress, "parents", lengths.nodes, "nodes");
        auto arcs = graph.arcs();
        find_parents<Distances>(environment_, std::span<const std::uint64_t>(distances.span()),
                                static_cast<Id>(root), parents.span(), arcs);
      }
      append_in_batches(*parent_sink, std::span<const Id>(parents.span()));
    }
    if (distance_sink != nullptr || parent_sink != nullptr) outputs_->close();
    return found;
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
void run_on_pages(core::Environment& environment, adjacency::PagedAdjacency<Id>& pages,
                  const Options& options, Searches<Id>& searches, Result& result) {
  const adjacency::AdjacencyFacts& facts = pages.facts();
  searches.check_nodes(facts.nodes);  // reports a wrong root before anything is read
  result.choice = choose(searches.demand(facts.weight, facts.nodes, facts.entries, true), options);
  if (result.choice.model == MemoryModel::internal) {
    BuiltGraph<Id> rows = unpack_rows(environment, pages);
    return searches.run_on_rows(rows, result);
  }
  result.choice.model == MemoryModel::semi_external ? searches.run_on_pages(pages, result)
                                                    : searches.run_external(pages, result);
}

}  // namespace

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
           Outputs<Id>* outputs) {
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
  require_justified(facts, options.nodes, result.nodes, result.edges);
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
  adjacency::require_weights(graph, length_limits());
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
