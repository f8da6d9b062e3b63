// SPDX-License-Identifier: MIT
// Builds a tree of links from the forest, then compares every edge of the graph with the path between its
// ends.
#include "graph/mst/check.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <mutex>
#include <span>
#include <tuple>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/edge_weights.hpp"
#include "graph/node_bits.hpp"
#include "graph/prepare/ingest.hpp"

namespace emgraph::graph::mst {
namespace {

using ClaimedEdge = ClaimedForest::Edge;

/// The rank of a stored weight among those of its kind.
std::uint64_t rank_of_stored(WeightType type, const std::byte* bytes) {
  const auto value = [bytes]<class T>(T of_type) {
    std::memcpy(&of_type, bytes, sizeof of_type);
    return of_type;
  };
  if (type == WeightType::f32) return rank_of_float(std::bit_cast<std::uint64_t>(double{value(float{})}));
  if (type == WeightType::f64) return rank_of_float(value(std::uint64_t{}));
  if (type == WeightType::i64) return rank_of_i64(value(std::uint64_t{}));
  return rank_of_i64(value(std::uint32_t{}));
}

/// The rank of an edge's weight by the documented formula, without the solver's shortcuts.
template <class Id>
std::uint64_t rank_of(const Edge<Id>& edge, std::uint64_t low, std::uint64_t high, const Weighting& weighting,
                      WeightType stored) {
  if (weighting.rule == WeightRule::unit) return rank_of_i64(1);
  if (weighting.rule == WeightRule::hash) {
    const std::uint64_t hash = low * 2654435761U ^ high * 40503U;
    return rank_of_i64(hash % weighting.modulus + 1);
  }
  return rank_of_stored(stored, attachment_of(edge));
}

/// The number by which edges are compared before their ends.
class WeightOrder {
 public:
  /// A maximum spanning forest has the reversed order.
  WeightOrder(WeightType kind, bool maximum)
      : kind_(kind), numbers_(number_ranks(kind)), reversed_(maximum ? ~std::uint64_t{0} : 0) {}

  bool is_number(std::uint64_t rank) const { return numbers_.contains(rank); }
  std::uint64_t of_rank(std::uint64_t rank) const { return rank ^ reversed_; }
  std::string text(std::uint64_t rank) const { return weight_text(kind_, rank); }

 private:
  WeightType kind_;
  WeightRanks numbers_;
  std::uint64_t reversed_;
};

std::string ends_text(std::uint64_t low, std::uint64_t high) {
  return "(" + std::to_string(low) + ", " + std::to_string(high) + ")";
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

/// The claimed forest as a tree of links, and which of its edges were found in the graph.
template <class Node>
class LinkedForest {
 public:
  /// Sorts the edges of the forest by weight.
  LinkedForest(core::MemoryBudget& memory, const ClaimedForest& forest, std::uint64_t nodes, bool maximum)
      : memory_(memory),
        edges_(forest.edges.span().first(forest.count)),
        nodes_(nodes),
        maximum_(maximum),
        order_(forest.kind, maximum),
        tree_(memory, nodes) {
    std::sort(edges_.begin(), edges_.end(),
              [this](const ClaimedEdge& a, const ClaimedEdge& b) { return key(a) < key(b); });
  }

  const WeightOrder& order() const { return order_; }
  std::string text(const ClaimedEdge& edge) const {
    return ends_text(edge.low, edge.high) + " with weight " + order_.text(edge.rank);
  }

  /// Links the ends of the edges. Returns what is wrong with them; "" if nothing.
  std::string link() {
    {
      const core::Array<std::uint8_t> ranks(memory_, static_cast<std::size_t>(nodes_), "ranks");
      for (std::size_t i = 0; i < edges_.size(); ++i) {
        if (tree_.unite(edges_[i].low, edges_[i].high, i, ranks.span())) continue;
        return "edge " + text(edges_[i]) + " closes a cycle in the forest";
      }
    }
    found_ = {memory_, NodeBits::words_for(edges_.size()), "one bit per edge"};
    return "";
  }

  /// Compares an edge of the graph with the path between its ends. Calls tell() with what contradicts the
  /// forest. Threads: any number. Requires: link() has returned "".
  template <class Tell>
  void compare(const ClaimedEdge& edge, const Tell& tell) const {
    const Node largest =
        edge.high < nodes_ ? tree_.largest_between(edge.low, edge.high) : LinkTree<Node>::none;
    if (largest == LinkTree<Node>::none) return tell("joins two trees of the forest");
    const ClaimedEdge& other = edges_[largest];
    if (key(edge) < key(other)) {
      tell((maximum_ ? "is larger than edge " : "is smaller than edge ") + text(other) +
           " of the forest, which lies on the cycle that it closes");
    } else if (key(edge) == key(other)) {
      std::atomic_ref<std::uint64_t>(found_[largest / 64])
          .fetch_or(std::uint64_t{1} << (largest % 64), std::memory_order_relaxed);
    }
  }

  /// What is wrong if the graph lacks an edge of the forest; "" if it has all. Requires: all were compared.
  std::string missing_edge() const {
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      if ((found_[i / 64] >> (i % 64) & 1) != 0) continue;
      return "edge " + text(edges_[i]) + " is not an edge of the graph";
    }
    return "";
  }

 private:
  std::tuple<std::uint64_t, std::uint64_t, std::uint64_t> key(const ClaimedEdge& edge) const {
    return {order_.of_rank(edge.rank), edge.low, edge.high};
  }

  core::MemoryBudget& memory_;
  const std::span<ClaimedEdge> edges_;
  const std::uint64_t nodes_;
  const bool maximum_;
  const WeightOrder order_;
  LinkTree<Node> tree_;
  core::Array<std::uint64_t> found_;  ///< a bit per edge
};

template <class Node, class Id>
std::string check_edges(core::Environment& environment, EdgeSource<Id>& graph, ClaimedForest& forest,
                        std::uint64_t nodes, const CheckOptions& options, prepare::IngestFacts& read) {
  const prepare::Lanes<Id> lanes = prepare::open_lanes(environment, graph);
  LinkedForest<Node> linked(environment.memory, forest, nodes, options.maximum);
  const std::string fault = linked.link();
  if (!fault.empty()) return fault;
  FirstViolation violation;
  const WeightType stored = graph.facts().layout.weight;
  core::Phase phase(environment.progress, "check", graph.facts().edges.value_or(0), "edges");
  const auto look = [&](unsigned thread, const EdgeBatch<Id>& batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::uint64_t number = lanes[thread].first_edge() + i;
      const auto [low, high] = low_high<std::uint64_t>(batch[i].source, batch[i].target);
      if (low == high) continue;
      const ClaimedEdge edge{low, high, rank_of(batch[i], low, high, options.weighting, stored)};
      if (!linked.order().is_number(edge.rank)) {
        throw core::DataError(graph.facts().name + ": edge " + std::to_string(number) + " " +
                              ends_text(low, high) + ": weight NaN found, expected a number");
      }
      linked.compare(edge, [&](const std::string& what) {
        violation.tell(
            number, "edge " + std::to_string(number) + " of the graph, " + linked.text(edge) + ", " + what);
      });
    }
  };
  read = prepare::ingest(lanes, graph.facts().name, known_nodes(options.nodes, graph.facts()), phase, look);
  return violation.message().empty() ? linked.missing_edge() : violation.message();
}

}  // namespace

WeightType kind_of_weights(WeightType type) {
  return type == WeightType::f32 || type == WeightType::f64 ? WeightType::f64 : WeightType::i64;
}

ClaimedForest load_forest(core::Environment& environment, EdgeSource<std::uint64_t>& source) {
  const EdgeFacts& facts = source.facts();
  const WeightType stored = facts.layout.weight;
  if (stored == WeightType::none) {
    throw core::UsageError(facts.name + " has no weights; a forest to check has the weights of its edges");
  }
  constexpr const char* what = "edges of the forest to check";
  ClaimedForest forest;
  forest.name = facts.name;
  forest.kind = kind_of_weights(stored);
  const WeightRanks numbers = number_ranks(forest.kind);
  const EdgeLane<std::uint64_t> lane = source.lane();
  forest.edges = {environment.memory, static_cast<std::size_t>(facts.edges.value_or(1024)), what};
  core::Phase phase(environment.progress, "read forest", facts.edges.value_or(0), "edges");
  for (EdgeBatch<std::uint64_t> batch; !(batch = lane.next()).empty();) {
    if (forest.count + batch.size() > forest.edges.size()) {
      core::Array<ClaimedEdge> larger(environment.memory, 2 * (forest.count + batch.size()), what);
      std::copy_n(forest.edges.data(), forest.count, larger.data());
      forest.edges = std::move(larger);
    }
    for (const Edge64& edge : batch) {
      const std::uint64_t rank = rank_of_stored(stored, attachment_of(edge));
      if (!numbers.contains(rank)) {
        throw core::DataError(facts.name + ": edge " + std::to_string(forest.count) +
                              ": weight NaN found, expected a number");
      }
      forest.edges[forest.count++] = {edge.source, edge.target, rank};
    }
    phase.advance(batch.size());
  }
  return forest;
}

void require_comparable(const EdgeFacts& graph, const Weighting& weighting, WeightType kind,
                        const std::string& forest) {
  const WeightType type = weighting.type(graph.layout.weight);
  if (type == WeightType::none) throw core::UsageError(graph.name + " has no weights");
  if (kind_of_weights(type) == kind) return;
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
  require_comparable(facts, options.weighting, forest.kind, forest.name);
  Verdict verdict;
  verdict.forest_edges = forest.count;
  const std::optional<std::uint64_t> declared = known_nodes(options.nodes, facts);
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
  verdict.message = nodes < 0xffffffffU
                        ? check_edges<std::uint32_t>(environment, graph, forest, nodes, options, read)
                        : check_edges<std::uint64_t>(environment, graph, forest, nodes, options, read);
  verdict.edges = read.edges;
  if (!declared && read.edges > 0) verdict.nodes = std::max(nodes, read.nodes(std::nullopt));
  verdict.ok = verdict.message.empty();
  return verdict;
}

template Verdict check(core::Environment&, EdgeSource<std::uint32_t>&, ClaimedForest, const CheckOptions&);
template Verdict check(core::Environment&, EdgeSource<std::uint64_t>&, ClaimedForest, const CheckOptions&);

}  // namespace emgraph::graph::mst
