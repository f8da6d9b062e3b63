// SPDX-License-Identifier: MIT
// Levels from parents, then one pass over the edge list, then one over the nodes.
#include "graph/graph500/validation.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <mutex>
#include <type_traits>

#include "core/base/parallel.hpp"
#include "core/base/prefetch.hpp"
#include "graph/graph500/answer_checksum.hpp"
#include "graph/graph500/violations.hpp"

namespace emgraph::graph::graph500 {
namespace {

constexpr std::uint64_t nodes_at_once = 1 << 14;
constexpr std::size_t edges_ahead = 32;

/// What an edge sees of a node: its level or distance, and its parent.
template <class Value>
struct Seen {
  Value value;
  std::uint32_t parent;
};

/// In the arrays of the result.
template <class Value>
struct SeenApart {
  const Value* values;
  const std::uint32_t* parents;

  Seen<Value> operator()(std::uint32_t node) const { return {values[node], parents[node]}; }
  void prefetch(std::uint32_t node) const {
    core::prefetch(values + node);
    core::prefetch(parents + node);
  }
};

/// In copies where both lie together: half of the misses of the caches.
template <class Value>
struct SeenTogether {
  const Seen<Value>* nodes;

  Seen<Value> operator()(std::uint32_t node) const { return nodes[node]; }
  void prefetch(std::uint32_t node) const { core::prefetch(nodes + node); }
};

/// What one thread finds in the edges between different nodes.
template <class Value, class See>
class EdgeCheck {
 public:
  static constexpr bool lengths = std::is_same_v<Value, double>;

  /// `confirmed`: a bit per node, which is set if an edge joins it with its parent.
  EdgeCheck(const See& see, std::span<const std::uint32_t> parents, std::span<std::uint64_t> confirmed)
      : see_(see), parents_(parents), confirmed_(confirmed) {}

  void prefetch(Edge32 edge) const {
    see_.prefetch(edge.source);
    see_.prefetch(edge.target);
  }
  /// True if the edge counts: the search has reached its ends.
  bool check(std::uint64_t number, Edge32 edge, float weight) {
    // Most edges join no child with its parent and break no rule: that takes no branch which is hard to
    // predict.
    const auto parent_of = [this](std::uint32_t node) { return parents_[node]; };
    const auto [source, target] = edge;
    const Seen<Value> a = see_(source);
    const Seen<Value> b = see_(target);
    const bool tree = (a.parent == target) | (b.parent == source);
    if constexpr (lengths) {
      const bool apart = (a.value > b.value + double{weight}) | (b.value > a.value + double{weight});
      if (!(tree | apart)) return a.value < std::numeric_limits<double>::infinity();
      return take(number, edge, edge_between_distances(source, target, a.value, b.value, weight, parent_of),
                  a.value, b.value, weight);
    } else {
      const bool apart = unsigned{a.value} - unsigned{b.value} + 1 > 2;
      if (!(tree | apart)) return a.value != no_level;
      return take(number, edge, edge_between_levels(source, target, a.value, b.value, parent_of), a.value,
                  b.value);
    }
  }
  const Finding& worst() const { return worst_; }

 private:
  template <class... Values>
  bool take(std::uint64_t number, Edge32 edge, const EdgeShows& shows, const Values&... values) {
    if (shows.confirms_a) confirm(edge.source);
    if (shows.confirms_b) confirm(edge.target);
    if (shows.broken_rule != 0) {
      worst_.add(shows.broken_rule, number, edge_message(number, edge, shows.broken_rule, values...));
    }
    return shows.inside;
  }
  void confirm(std::uint32_t node) const {
    const std::atomic_ref word(confirmed_[node / 64]);
    const std::uint64_t bit = std::uint64_t{1} << node % 64;
    if (!(word.load(std::memory_order_relaxed) & bit)) word.fetch_or(bit, std::memory_order_relaxed);
  }

  const See see_;
  const std::span<const std::uint32_t> parents_;
  const std::span<std::uint64_t> confirmed_;
  Finding worst_;
};

}  // namespace

/// The result to check.
struct Validator::Rules {
  std::uint32_t root;
  std::span<const std::uint32_t> parents;
  std::span<const double> distances;  // empty: levels are checked

  /// What is wrong with one node alone; empty: nothing.
  std::string node_fault(std::uint32_t node) const {
    const NodeClaim claim{node, root, parents.size(), parents[node]};
    const std::string fault = parent_fault(claim);
    if (!fault.empty()) return fault;
    if (claim.parent != no_parent_claim && parents[claim.parent] == no_parent_claim) {
      return outside_parent_message(node, claim.parent);
    }
    return distances.empty() ? "" : distance_fault(claim, distances[node]);
  }
};

std::uint64_t Validator::bytes(std::uint64_t nodes, Copies copies) {
  const std::uint64_t copied = copies == Copies::none     ? 0
                               : copies == Copies::levels ? sizeof(Seen<std::uint16_t>)
                                                          : sizeof(Seen<double>);
  return 2 * nodes + nodes / 8 + copied * nodes + 8 * core::page_bytes;
}

Validator::Validator(core::Environment& environment, const EdgeList& list, Copies copies)
    : environment_(environment),
      list_(list),
      copies_(environment.memory, bytes(list.edges.nodes(), copies) - bytes(list.edges.nodes(), Copies::none),
              "what an edge sees of a node"),
      levels_(environment.memory, list.edges.nodes(), "a level per node"),
      confirmed_(environment.memory, (list.edges.nodes() + 63) / 64, "a bit per node") {}

Verdict Validator::check_levels(std::uint32_t root, std::span<const std::uint32_t> parents) {
  return check(root, parents, {});
}

Verdict Validator::check_distances(std::uint32_t root, std::span<const std::uint32_t> parents,
                                   std::span<const double> distances) {
  return check(root, parents, distances);
}

Verdict Validator::check(std::uint32_t root, std::span<const std::uint32_t> parents,
                         std::span<const double> distances) {
  const Rules rules{root, parents, distances};
  Verdict verdict;
  Finding worst;
  derive_levels(rules, worst);
  if (worst.rule == 0 && distances.empty())
    check_edges_of(rules, std::span<const std::uint16_t>(levels_.span()), worst, verdict);
  if (worst.rule == 0 && !distances.empty()) check_edges_of(rules, distances, worst, verdict);
  if (worst.rule == 0) check_confirmed(rules, worst, verdict);
  verdict.violated_rule = worst.rule;
  if (worst.rule != 0) verdict.message = "rule " + std::to_string(worst.rule) + ": " + worst.message;
  return verdict;
}

void Validator::derive_levels(const Rules& rules, Finding& worst) {
  std::fill_n(levels_.data(), levels_.size(), no_level);
  std::fill_n(confirmed_.data(), confirmed_.size(), std::uint64_t{0});
  const std::uint64_t nodes = rules.parents.size();
  const auto for_nodes = [&](const auto& check_node) {
    std::atomic<std::uint64_t> next{0};
    std::mutex mutex;
    core::run_on_threads(environment_.threads, [&](unsigned) {
      Finding mine;
      for (std::uint64_t at; (at = next.fetch_add(nodes_at_once, std::memory_order_relaxed)) < nodes;) {
        const std::uint64_t last = std::min(nodes, at + nodes_at_once);
        for (auto node = static_cast<std::uint32_t>(at); node < last; ++node) {
          check_node(node, mine);
          if (node == ~std::uint32_t{0}) break;
        }
      }
      const std::lock_guard lock(mutex);
      worst.add(mine);
    });
  };
  for_nodes([&](std::uint32_t node, Finding& mine) {
    const std::string fault = rules.node_fault(node);
    if (!fault.empty()) mine.add(1, node, fault);
  });
  if (worst.rule != 0) return;
  levels_[rules.root] = 0;
  // Several threads may write the same level of a node.
  const auto level = [&](std::uint32_t node) { return std::atomic_ref(levels_[node]); };
  for_nodes([&](std::uint32_t node, Finding& mine) {
    if (rules.parents[node] == no_parent_claim) return;
    std::uint64_t steps = 0;
    std::uint32_t above = node;
    std::uint16_t known = no_level;
    while ((known = level(above).load(std::memory_order_relaxed)) == no_level && steps < no_level) {
      above = rules.parents[above];
      ++steps;
    }
    const std::uint64_t own = steps + known;
    if (known == no_level || own > most_levels) {
      mine.add(1, node, cycle_message(node));
      return;
    }
    above = node;
    for (auto depth = static_cast<std::uint16_t>(own); depth > known; --depth) {
      level(above).store(depth, std::memory_order_relaxed);
      above = rules.parents[above];
    }
  });
}

template <class Value>
void Validator::check_edges_of(const Rules& rules, std::span<const Value> values, Finding& worst,
                               Verdict& verdict) {
  if (copies_.size() < values.size() * sizeof(Seen<Value>)) {
    return check_edges_seen<Value>(rules, SeenApart<Value>{values.data(), rules.parents.data()}, worst,
                                   verdict);
  }
  auto* const copies = reinterpret_cast<Seen<Value>*>(copies_.data());
  std::atomic<std::uint64_t> next{0};
  core::run_on_threads(environment_.threads, [&](unsigned) {
    for (std::uint64_t at; (at = next.fetch_add(nodes_at_once, std::memory_order_relaxed)) < values.size();) {
      const std::uint64_t last = std::min<std::uint64_t>(values.size(), at + nodes_at_once);
      for (std::uint64_t node = at; node < last; ++node) copies[node] = {values[node], rules.parents[node]};
    }
  });
  check_edges_seen<Value>(rules, SeenTogether<Value>{copies}, worst, verdict);
}

template <class Value, class See>
void Validator::check_edges_seen(const Rules& rules, const See& see, Finding& worst, Verdict& verdict) {
  constexpr bool lengths = EdgeCheck<Value, See>::lengths;
  EdgePass pass(list_, lengths);
  std::mutex mutex;
  core::run_on_threads(environment_.threads, [&](unsigned) {
    EdgeCheck<Value, See> mine(see, rules.parents, confirmed_.span());
    std::uint64_t inside = 0;
    std::uint64_t loops = 0;
    pass.run(environment_.memory,
             [&](std::uint64_t first, std::span<const Edge32> edges, std::span<const float> weights) {
               const std::size_t count = edges.size();
               for (std::size_t i = 0; i < count; ++i) {
                 mine.prefetch(edges[std::min(i + edges_ahead, count - 1)]);
                 const Edge32 edge = edges[i];
                 if (edge.source == edge.target) {
                   loops += rules.parents[edge.source] != no_parent_claim;
                 } else {
                   inside += mine.check(first + i, edge, lengths ? weights[i] : 0);
                 }
               }
             });
    const std::lock_guard lock(mutex);
    worst.add(mine.worst());
    verdict.edges += inside;
    verdict.loops += loops;
  });
}

void Validator::check_confirmed(const Rules& rules, Finding& worst, Verdict& verdict) {
  const std::uint64_t nodes = rules.parents.size();
  std::atomic<std::uint64_t> next{0};
  std::mutex mutex;
  core::run_on_threads(environment_.threads, [&](unsigned) {
    Finding mine;
    Verdict sum;
    for (std::uint64_t at; (at = next.fetch_add(nodes_at_once, std::memory_order_relaxed)) < nodes;) {
      for (std::uint64_t node = at; node < std::min(nodes, at + nodes_at_once); ++node) {
        if (rules.parents[node] == no_parent_claim) continue;
        ++sum.reached;
        sum.levels = std::max<std::uint64_t>(sum.levels, std::uint64_t{levels_[node]} + 1);
        if (!rules.distances.empty()) sum.max_distance = std::max(sum.max_distance, rules.distances[node]);
        sum.checksum += node_hash(
            node,
            rules.distances.empty() ? levels_[node] : std::bit_cast<std::uint64_t>(rules.distances[node]),
            rules.parents[node]);
        if (node == rules.root || confirmed_[node / 64] >> node % 64 & 1) continue;
        mine.add(5, node, unconfirmed_message(node, rules.parents[node], !rules.distances.empty()));
      }
    }
    const std::lock_guard lock(mutex);
    worst.add(mine);
    verdict.reached += sum.reached;
    verdict.levels = std::max(verdict.levels, sum.levels);
    verdict.max_distance = std::max(verdict.max_distance, sum.max_distance);
    verdict.checksum += sum.checksum;
  });
}

}  // namespace emgraph::graph::graph500
