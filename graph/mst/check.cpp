// SPDX-License-Identifier: MIT
// Builds a tree of links from the forest, then compares every edge of the graph with the path between its
// ends.
#include "graph/mst/check.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <mutex>
#include <tuple>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/node_bits.hpp"
#include "graph/prepare/ingest.hpp"

namespace emgraph::graph::mst {
namespace {

using ClaimedEdge = ClaimedForest::Edge;

/// Access to weights of one kind. For a maximum spanning forest values have the reversed order.
template <bool maximum>
struct Integers {
  using Value = std::int64_t;
  static Value order(std::int64_t weight) { return maximum ? ~weight : weight; }
  static Value of(const ClaimedEdge& edge) { return order(edge.integer); }
  static Value of(const WeightNumber& weight) { return order(weight.integer); }
  static std::string text(Value value) { return std::to_string(order(value)); }
};
template <bool maximum>
struct Floats {
  using Value = double;
  static Value order(double weight) { return maximum ? -weight : weight; }
  static Value of(const ClaimedEdge& edge) { return order(edge.number); }
  static Value of(const WeightNumber& weight) { return order(weight.number); }
  static std::string text(Value value) {
    char digits[64];
    return {digits, std::to_chars(digits, digits + sizeof digits, order(value)).ptr};
  }
};

template <class Kind>
auto order_of(const ClaimedEdge& edge) {
  return std::tuple(Kind::of(edge), edge.low, edge.high);
}
std::string ends_text(std::uint64_t low, std::uint64_t high) {
  return "(" + std::to_string(low) + ", " + std::to_string(high) + ")";
}
template <class Kind>
std::string edge_text(const ClaimedEdge& edge) {
  return ends_text(edge.low, edge.high) + " with weight " + Kind::text(Kind::of(edge));
}

/// What is wrong with the list without regard to the graph; "" if nothing.
std::string violation_of_list(std::span<const ClaimedEdge> edges, std::uint64_t nodes) {
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const ClaimedEdge& edge = edges[i];
    const std::string which = "edge " + std::to_string(i) + " " + ends_text(edge.low, edge.high);
    if (edge.low >= edge.high) return which + " does not have its smaller end first";
    if (edge.high >= nodes) return which + ": the graph has only the nodes below " + std::to_string(nodes);
    if (i == 0) continue;
    const ClaimedEdge& before = edges[i - 1];
    if (std::tie(before.low, before.high) < std::tie(edge.low, edge.high)) continue;
    return which + " comes after " + ends_text(before.low, before.high) +
           ": the forest is not sorted and unique";
  }
  return "";
}

/// A link of every node to another one, and the edge of the link. Edges ascend towards the root.
template <class Node>
class LinkTree {
 public:
  static constexpr Node none = static_cast<Node>(~Node{0});

  LinkTree(core::MemoryBudget& budget, std::uint64_t nodes)
      : parents_(budget, static_cast<std::size_t>(nodes), "links of nodes"),
        edges_(budget, static_cast<std::size_t>(nodes), "edges of links") {
    for (std::size_t node = 0; node < parents_.size(); ++node) {
      parents_[node] = static_cast<Node>(node);
      edges_[node] = none;
    }
  }
  /// Adds edge number `edge`; false if it closes a cycle. `ranks`: one byte per node. Requires: edges ascend.
  bool unite(std::uint64_t a, std::uint64_t b, std::size_t edge, std::span<std::uint8_t> ranks) {
    std::size_t low = root(a);
    std::size_t high = root(b);
    if (low == high) return false;
    if (ranks[low] < ranks[high]) std::swap(low, high);
    if (ranks[low] == ranks[high]) ++ranks[low];
    parents_[high] = static_cast<Node>(low);
    edges_[high] = static_cast<Node>(edge);
    return true;
  }
  /// The largest edge on the path between two different nodes; nullopt if they are not connected.
  Node largest_between(std::uint64_t a, std::uint64_t b) const {
    auto one = static_cast<std::size_t>(a);
    auto other = static_cast<std::size_t>(b);
    Node largest = none;
    while (one != other) {
      if (edges_[other] < edges_[one]) std::swap(one, other);
      largest = edges_[one];
      if (largest == none) return none;
      one = parents_[one];
    }
    return largest;
  }

 private:
  std::size_t root(std::uint64_t node) const {
    auto at = static_cast<std::size_t>(node);
    while (edges_[at] != none) at = parents_[at];
    return at;
  }
  core::Array<Node> parents_;
  core::Array<Node> edges_;
};

/// The violation with the smallest edge number of all threads.
class FirstViolation {
 public:
  void tell(std::uint64_t edge, const std::string& message) {
    const std::lock_guard lock(mutex_);
    if (!message_.empty() && edge_ <= edge) return;
    edge_ = edge;
    message_ = message;
  }
  const std::string& message() const { return message_; }

 private:
  std::mutex mutex_;
  std::uint64_t edge_ = 0;
  std::string message_;
};

/// The weight of an edge by the documented formula, without the solver's shortcuts.
template <class Id>
WeightNumber weight_of(const Edge<Id>& edge, std::uint64_t low, std::uint64_t high,
                       const Weighting& weighting, WeightType stored) {
  if (weighting.rule == WeightRule::unit) return {true, 1, 0};
  if (weighting.rule == WeightRule::hash) {
    const std::uint64_t hash = low * 2654435761U ^ high * 40503U;
    return {true, static_cast<std::int64_t>(hash % weighting.modulus + 1), 0};
  }
  return WeightNumber::load(stored, attachment_of(edge));
}

template <class Kind, class Node, class Id>
std::string check_edges(core::Environment& environment, EdgeSource<Id>& graph, ClaimedForest& forest,
                        std::uint64_t nodes, const CheckOptions& options, prepare::IngestFacts& read) {
  const std::span<ClaimedEdge> edges = forest.edges.span().first(forest.count);
  const prepare::Lanes<Id> lanes = prepare::open_lanes(environment, graph);
  std::sort(edges.begin(), edges.end(),
            [](const ClaimedEdge& a, const ClaimedEdge& b) { return order_of<Kind>(a) < order_of<Kind>(b); });
  LinkTree<Node> tree(environment.memory, nodes);
  {
    const core::Array<std::uint8_t> ranks(environment.memory, static_cast<std::size_t>(nodes), "ranks");
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (!tree.unite(edges[i].low, edges[i].high, i, ranks.span())) {
        return "edge " + edge_text<Kind>(edges[i]) + " closes a cycle in the forest";
      }
    }
  }
  const core::Array<std::uint64_t> found(environment.memory, NodeBits::words_for(edges.size()),
                                         "one bit per edge");
  FirstViolation violation;
  const WeightType stored = graph.facts().layout.weight;
  core::Phase phase(environment.progress, "check", graph.facts().edges.value_or(0), "edges");
  const auto look = [&](unsigned thread, const EdgeBatch<Id>& batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::uint64_t number = lanes[thread].first_edge() + i;
      const std::uint64_t low = std::min(batch[i].source, batch[i].target);
      const std::uint64_t high = std::max(batch[i].source, batch[i].target);
      if (low == high) continue;
      const auto weight = Kind::of(weight_of(batch[i], low, high, options.weighting, stored));
      if (weight != weight) {
        throw core::DataError(graph.facts().name + ": edge " + std::to_string(number) + " " +
                              ends_text(low, high) + ": weight NaN found, expected a number");
      }
      const auto named = [&] {
        return "edge " + std::to_string(number) + " of the graph, " + ends_text(low, high) + " with weight " +
               Kind::text(weight) + ", ";
      };
      const Node largest = high < nodes ? tree.largest_between(low, high) : LinkTree<Node>::none;
      if (largest == LinkTree<Node>::none) {
        violation.tell(number, named() + "joins two trees of the forest");
        continue;
      }
      const ClaimedEdge& other = edges[largest];
      const auto order = std::tuple(weight, low, high);
      if (order < order_of<Kind>(other)) {
        violation.tell(number,
                       named() + (options.maximum ? "is larger than edge " : "is smaller than edge ") +
                           edge_text<Kind>(other) + " of the forest, which lies on the cycle that it closes");
      } else if (order == order_of<Kind>(other)) {
        std::atomic_ref<std::uint64_t>(found[largest / 64])
            .fetch_or(std::uint64_t{1} << (largest % 64), std::memory_order_relaxed);
      }
    }
  };
  read = prepare::ingest(lanes, graph.facts().name, options.nodes ? options.nodes : graph.facts().nodes,
                         phase, look);
  if (!violation.message().empty()) return violation.message();
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if ((found[i / 64] >> (i % 64) & 1) != 0) continue;
    return "edge " + edge_text<Kind>(edges[i]) + " is not an edge of the graph";
  }
  return "";
}

}  // namespace

void require_comparable(const EdgeFacts& graph, const Weighting& weighting, bool integers,
                        const std::string& forest) {
  const WeightType type = weighting.type(graph.layout.weight);
  if (type == WeightType::none) throw core::UsageError(graph.name + " has no weights");
  if (integers == (type == WeightType::u32 || type == WeightType::i64)) return;
  throw core::UsageError(graph.name + " and " + forest +
                         " cannot be compared: one has integer weights, the other floating-point ones");
}

std::uint64_t check_bytes(const core::MemoryBudget& memory, std::uint64_t nodes, std::uint64_t forest_edges) {
  const std::uint64_t node_bytes = nodes < 0xffffffffU ? 9 : 17;
  const std::uint64_t need =
      core::size_sum(core::size_product(nodes, node_bytes), forest_edges / 8, 128 * core::KiB);
  if (need <= memory.available()) return need;
  const std::uint64_t least = core::size_sum(need, memory.used());
  throw core::MemoryLimitError("checking a forest of " + core::format_count(nodes) + " nodes and " +
                               core::format_count(forest_edges) + " edges needs " + core::format_size(least) +
                               ", the limit is " + core::format_size(memory.limit()) + "; " +
                               core::memory_option(least) + " is the least that would do");
}

template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& graph, ClaimedForest forest,
              const CheckOptions& options) {
  const EdgeFacts& facts = graph.facts();
  require_comparable(facts, options.weighting, forest.integers, forest.name);
  const bool integers = forest.integers;
  Verdict verdict;
  verdict.forest_edges = forest.count;
  const std::optional<std::uint64_t> declared = options.nodes ? options.nodes : facts.nodes;
  std::uint64_t nodes = 0;
  for (const ClaimedEdge& edge : forest.edges.span().first(forest.count)) {
    nodes = std::max({nodes, edge.low + 1, edge.high + 1});
  }
  if (declared) nodes = *declared;
  verdict.nodes = nodes;
  verdict.message =
      violation_of_list(forest.edges.span().first(forest.count), declared ? nodes : ~std::uint64_t{0});
  if (!verdict.message.empty()) return verdict;
  check_bytes(environment.memory, nodes, forest.count);
  prepare::IngestFacts read;
  const auto check_with = [&]<class Kind, class Node>() {
    return check_edges<Kind, Node>(environment, graph, forest, nodes, options, read);
  };
  const auto check_in = [&]<bool maximum>() {
    if (nodes < 0xffffffffU) {
      return integers ? check_with.template operator()<Integers<maximum>, std::uint32_t>()
                      : check_with.template operator()<Floats<maximum>, std::uint32_t>();
    }
    return integers ? check_with.template operator()<Integers<maximum>, std::uint64_t>()
                    : check_with.template operator()<Floats<maximum>, std::uint64_t>();
  };
  verdict.message =
      options.maximum ? check_in.template operator()<true>() : check_in.template operator()<false>();
  verdict.edges = read.edges;
  if (!declared && read.edges > 0) verdict.nodes = std::max(nodes, read.nodes(std::nullopt));
  verdict.ok = verdict.message.empty();
  return verdict;
}

template Verdict check(core::Environment&, EdgeSource<std::uint32_t>&, ClaimedForest, const CheckOptions&);
template Verdict check(core::Environment&, EdgeSource<std::uint64_t>&, ClaimedForest, const CheckOptions&);

}  // namespace emgraph::graph::mst
