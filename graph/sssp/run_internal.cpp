// SPDX-License-Identifier: MIT
// The internal model: puts the nodes in the wanted order, then searches on rows in memory.
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "graph/sssp/choice.hpp"
#include "graph/sssp/full_search.hpp"
#include "graph/sssp/in_memory.hpp"
#include "graph/sssp/node_order.hpp"
#include "graph/sssp/run_models.hpp"

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

template <class Distances, class RowsType>
void answer(const RunArguments<typename RowsType::Id>& arguments, const RowsType& rows, const QueuePlan& plan,
            const NodeOrder<typename RowsType::Id>* order, Result& result) {
  core::Environment& environment = arguments.environment;
  const Options& options = arguments.options;
  std::optional<RowsType> reversed;
  if (needs_reversed(options)) {
    const core::Phase phase(environment.progress, "reverse arcs", 0, "arcs");
    reversed.emplace(environment.memory, rows.nodes(), rows.entries());
    reverse(rows, *reversed);
  }
  Options by_row = options;
  for (Query& query : by_row.queries) {
    if (order != nullptr) query = {order->place[query.source], order->place[query.target]};
  }
  answer_queries<Distances>(environment, rows, reversed ? *reversed : rows,
                            order == nullptr ? nullptr : order->node.data(), plan, by_row, result);
  for (std::size_t i = 0; i < result.queries.size(); ++i) {
    result.queries[i].query = options.queries[i];
  }
}

template <class Distances, class RowsType>
void run_on(const RunArguments<typename RowsType::Id>& arguments, std::unique_ptr<RowsType>& rows,
            const LengthFacts& lengths, Result& result) {
  // Short lengths are integers.
  if constexpr (!Distances::floating || sizeof(typename RowsType::Length) == 8) {
    core::Environment& environment = arguments.environment;
    const Options& options = arguments.options;
    const QueuePlan plan = choose_queue(options, lengths, environment.threads);
    result.queue = plan.queue;
    result.queue_reason = plan.reason;
    result.order = options.order;
    std::optional<NodeOrder<typename RowsType::Id>> order;
    if (options.order != OrderRule::given) {
      order.emplace(environment.memory, lengths.nodes);
      rows = reordered(environment, *rows, options, *order);
    }
    const RowGraph<Distances, RowsType> graph{environment, *rows, plan, order ? &*order : nullptr};
    for (const std::uint64_t root : options.roots)
      result.searches.push_back(full_search(arguments, graph, lengths, root));
    if (!options.queries.empty()) answer<Distances>(arguments, *rows, plan, graph.order, result);
  }
}

}  // namespace

template <class Id>
void run_internal(const RunArguments<Id>& arguments, AnyRows<Id>& rows, const LengthFacts& lengths,
                  Result& result) {
  std::visit(
      [&](auto& kind) {
        with_distances(lengths.type, [&]<class Distances>(Distances) {
          run_on<Distances>(arguments, kind, lengths, result);
        });
      },
      rows.rows);
}

template void run_internal(const RunArguments<std::uint32_t>&, AnyRows<std::uint32_t>&, const LengthFacts&,
                           Result&);
template void run_internal(const RunArguments<std::uint64_t>&, AnyRows<std::uint64_t>&, const LengthFacts&,
                           Result&);

}  // namespace emgraph::graph::sssp
