// SPDX-License-Identifier: MIT
// Sorts the votes of every round.
#include "graph/cdlp/check.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/vector_sort.hpp"
#include "core/memory/buffer.hpp"
#include "graph/memory_model.hpp"
#include "graph/prepare/kept_edges.hpp"
#include "graph/prepare/sorted_edges.hpp"
#include "graph/sample_facts.hpp"

namespace emgraph::graph::cdlp {
namespace {

/// A node in the high half, its vote in the low half.
template <class Id>
using Vote = std::conditional_t<sizeof(Id) == 4, std::uint64_t, core::uint128>;

template <class Id>
Vote<Id> vote_of(Id node, Id label) {
  return static_cast<Vote<Id>>(node) << (8 * sizeof(Id)) | label;
}

/// One round: replaces the labels.
template <class Id>
void propagate(std::span<const Edge<Id>> arcs, std::span<Vote<Id>> votes, std::span<Id> labels) {
  std::size_t count = 0;
  for (const Edge<Id>& arc : arcs) {
    votes[count++] = vote_of(arc.target, labels[arc.source]);
    votes[count++] = vote_of(arc.source, labels[arc.target]);
  }
  core::vector_sort(votes.first(count));
  std::size_t longest = 0;
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    while (end < count && votes[end] == votes[begin]) ++end;
    const auto node = static_cast<std::size_t>(votes[begin] >> (8 * sizeof(Id)));
    if (begin == 0 || node != static_cast<std::size_t>(votes[begin - 1] >> (8 * sizeof(Id)))) longest = 0;
    if (end - begin <= longest) continue;
    longest = end - begin;
    labels[node] = static_cast<Id>(votes[begin]);
  }
}

template <class Id>
std::string compare(format::NodeReader& reader, std::span<const Id> labels) {
  std::uint64_t node = 0;
  for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
    for (const std::uint64_t found : batch) {
      if (node == labels.size()) {
        return "found a label for node " + std::to_string(node) + ", expected labels for the nodes below it";
      }
      const std::uint64_t expected = labels[static_cast<std::size_t>(node)];
      if (found != expected) {
        return "node " + std::to_string(node) + ": found label " + std::to_string(found) + ", expected " +
               std::to_string(expected);
      }
      ++node;
    }
  }
  if (node == labels.size()) return "";
  return "found labels for " + std::to_string(node) + " nodes, expected " + std::to_string(labels.size());
}

/// Calls push(source, target) for each arc; undirected: the smaller end is the source.
struct Arcs {
  bool directed;
  void operator()(std::uint64_t a, std::uint64_t b, auto&& push) const {
    if (a == b) return;
    if (directed) {
      push(a, b);
    } else {
      push(std::min(a, b), std::max(a, b));
    }
  }
};
constexpr prepare::SortSpec check_sort{.unique = true};

/// Labels and arcs; then votes beside them.
template <class Id>
prepare::KeptEdges bytes_of(std::uint64_t nodes, std::uint64_t arcs) {
  const std::uint64_t arc_bytes = core::size_product(arcs, sizeof(Edge<Id>));
  const std::uint64_t kept =
      core::size_sum(core::size_product(nodes, sizeof(Id)), arc_bytes, 4 * core::page_bytes);
  return {kept, core::size_sum(kept, core::size_product(arc_bytes, 2))};
}

/// Throws MemoryLimitError unless they fit in the `free` bytes.
template <class Id>
void require_check_memory(const core::MemoryBudget& memory, std::size_t free, std::uint64_t nodes,
                          std::uint64_t arcs) {
  const prepare::KeptEdges kept = bytes_of<Id>(nodes, arcs);
  const std::uint64_t need = std::max(core::size_sum(kept.while_sorted_bytes, free / 3), kept.later_bytes);
  if (need <= free) return;
  const std::uint64_t least = core::size_sum(std::max(kept.while_sorted_bytes / 2 * 3, kept.later_bytes),
                                             memory.limit() - free, 2 * core::MiB);
  throw missing_check_memory("labels", need, nodes, arcs, least);
}

template <class Id, core::IntegerKey Key>
Verdict check_with_keys(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& reader,
                        const CheckOptions& options, const std::optional<std::uint64_t>& declared,
                        const prepare::EdgeKeys<Key>& keys) {
  const std::size_t free = environment.memory.available();
  auto sorted = prepare::sort_edges(prepare::sort_input(environment, edges, declared), keys, check_sort,
                                    Arcs{options.directed}, [&](unsigned) { return free / 3; });
  Verdict verdict;
  verdict.nodes = sorted.read().nodes(declared);
  verdict.edges = sorted.read().edges;
  const std::uint64_t most = prepare::most_kept_edges(verdict.nodes, sorted.records(), options.directed);
  require_check_memory<Id>(environment.memory, free, verdict.nodes, most);
  const core::Array<Id> labels(environment.memory, static_cast<std::size_t>(verdict.nodes), "an id per node");
  std::iota(labels.data(), labels.data() + labels.size(), Id{0});
  const core::Array<Edge<Id>> arcs(environment.memory, static_cast<std::size_t>(most), "two ids per edge");
  std::size_t count = 0;
  {
    core::Phase phase(environment.progress, "sort", sorted.records(), "edges");
    sorted.for_each(phase, [&](std::uint64_t source, std::uint64_t target) {
      arcs[count++] = {static_cast<Id>(source), static_cast<Id>(target)};
    });
  }
  sorted.close();
  {
    const core::Array<Vote<Id>> votes(environment.memory, 2 * count, "four ids per edge");
    core::Phase phase(environment.progress, "vote", options.iterations, "rounds");
    for (std::uint64_t round = 0; round < options.iterations; ++round) {
      propagate<Id>(arcs.span().first(count), votes.span(), labels.span());
      phase.advance(1);
    }
  }
  const core::Phase phase(environment.progress, "check", 0, "nodes");
  verdict.message = compare<Id>(reader, labels.span());
  verdict.ok = verdict.message.empty();
  return verdict;
}

// CPU time of all threads together, measured on random graphs beside the run.
constexpr double vote_nanoseconds = 25;  // per edge and round

}  // namespace

template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& labels,
              const CheckOptions& options) {
  const auto declared = declared_nodes<Id>(options.nodes, edges.facts());
  return prepare::with_edge_keys<Id>(declared, [&](const auto& keys) {
    return check_with_keys(environment, edges, labels, options, declared, keys);
  });
}

template <class Id>
Forecast forecast_check(core::Environment& environment, EdgeSource<Id>& edges, const CheckOptions& options,
                        const InputSize& size) {
  const auto declared = declared_nodes<Id>(options.nodes, edges.facts());
  const std::uint64_t nodes = declared ? *declared : size.nodes.value_or(0);
  const std::uint64_t count = size.edges.value_or(0);
  const std::uint64_t most = prepare::most_kept_edges(nodes, count, options.directed);
  require_check_memory<Id>(environment.memory, environment.memory.available(), nodes, most);
  Forecast forecast;
  forecast.choice = Verdict().choice;
  prepare::with_edge_keys<Id>(declared, [&](const auto& keys) {
    prepare::rehearse_kept_edges(environment, edges, declared, keys, check_sort, Arcs{options.directed}, size,
                                 bytes_of<Id>(nodes, most), forecast);
  });
  const std::uint64_t arcs = sample_facts(edges, count, options.directed).distinct(count);
  const double arc_nanoseconds = vote_nanoseconds + miss_nanoseconds(core::size_product(nodes, sizeof(Id)));
  forecast.add("vote", 0, 0, seconds_for(core::size_product(arcs, options.iterations), arc_nanoseconds))
      .one_thread = true;
  prepare::add_comparison(nodes, forecast);
  return forecast;
}

template Verdict check(core::Environment&, EdgeSource<std::uint32_t>&, format::NodeReader&,
                       const CheckOptions&);
template Verdict check(core::Environment&, EdgeSource<std::uint64_t>&, format::NodeReader&,
                       const CheckOptions&);

template Forecast forecast_check(core::Environment&, EdgeSource<std::uint32_t>&, const CheckOptions&,
                                 const InputSize&);
template Forecast forecast_check(core::Environment&, EdgeSource<std::uint64_t>&, const CheckOptions&,
                                 const InputSize&);

}  // namespace emgraph::graph::cdlp
