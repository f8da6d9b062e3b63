// SPDX-License-Identifier: MIT
// Levels from parents, then one pass over the edge list, then one over the nodes.
#include "graph/graph500/validation.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <mutex>

#include "core/base/parallel.hpp"
#include "graph/graph500/answer_checksum.hpp"
#include "graph/graph500/violations.hpp"

namespace emgraph::graph::graph500 {
namespace {

constexpr std::uint64_t nodes_at_once = 1 << 14;
constexpr std::size_t edges_ahead = 32;

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

Validator::Validator(core::Environment& environment, const EdgeList& list)
    : environment_(environment),
      list_(list),
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
  if (worst.rule == 0) check_edges(rules, worst, verdict);
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

void Validator::check_edges(const Rules& rules, Finding& worst, Verdict& verdict) {
  const bool lengths = !rules.distances.empty();
  EdgePass pass(list_, lengths);
  std::mutex mutex;
  core::run_on_threads(environment_.threads, [&](unsigned) {
    Finding mine;
    std::uint64_t inside = 0;
    std::uint64_t loops = 0;
    const auto confirm = [&](std::uint32_t node) {
      const std::atomic_ref word(confirmed_[node / 64]);
      const std::uint64_t bit = std::uint64_t{1} << node % 64;
      if (!(word.load(std::memory_order_relaxed) & bit)) word.fetch_or(bit, std::memory_order_relaxed);
    };
    const auto parent_of = [&](std::uint32_t node) { return rules.parents[node]; };
    const auto take = [&](std::uint64_t number, Edge32 edge, const EdgeShows& shows, const auto&... values) {
      if (shows.confirms_a) confirm(edge.source);
      if (shows.confirms_b) confirm(edge.target);
      if (shows.broken_rule != 0) {
        mine.add(shows.broken_rule, number, edge_message(number, edge, shows.broken_rule, values...));
      }
      return shows.inside;
    };
    const auto check_levels_of = [&](std::uint64_t number, Edge32 edge) {
      const std::uint16_t a = levels_[edge.source];
      const std::uint16_t b = levels_[edge.target];
      return take(number, edge, edge_between_levels(edge.source, edge.target, a, b, parent_of), a, b);
    };
    const auto check_distances_of = [&](std::uint64_t number, Edge32 edge, float weight) {
      const double a = rules.distances[edge.source];
      const double b = rules.distances[edge.target];
      return take(number, edge, edge_between_distances(edge.source, edge.target, a, b, weight, parent_of), a,
                  b, weight);
    };
    // Most edges join no child with its parent and break no rule: that takes no branch which is hard to
    // predict.
    const auto check_edge = [&](std::uint64_t number, Edge32 edge, float weight) {
      const auto [source, target] = edge;
      const bool tree = (rules.parents[source] == target) | (rules.parents[target] == source);
      if (lengths) {
        const double a = rules.distances[source];
        const double b = rules.distances[target];
        const bool apart = (a > b + double{weight}) | (b > a + double{weight});
        return tree | apart ? check_distances_of(number, edge, weight)
                            : a < std::numeric_limits<double>::infinity();
      }
      const unsigned a = levels_[source];
      const unsigned b = levels_[target];
      return tree | (a - b + 1 > 2) ? check_levels_of(number, edge) : a != no_level;
    };
    pass.run(environment_.memory,
             [&](std::uint64_t first, std::span<const Edge32> edges, std::span<const float> weights) {
               const std::size_t count = edges.size();
               for (std::size_t i = 0; i < count; ++i) {
                 for (const std::uint32_t node : {edges[std::min(i + edges_ahead, count - 1)].source,
                                                  edges[std::min(i + edges_ahead, count - 1)].target}) {
                   __builtin_prefetch(&rules.parents[node]);
                   if (lengths) {
                     __builtin_prefetch(&rules.distances[node]);
                   } else {
                     __builtin_prefetch(&levels_[node]);
                   }
                 }
                 const Edge32 edge = edges[i];
                 if (edge.source == edge.target) {
                   loops += rules.parents[edge.source] != no_parent_claim;
                 } else {
                   inside += check_edge(first + i, edge, lengths ? weights[i] : 0);
                 }
               }
             });
    const std::lock_guard lock(mutex);
    worst.add(mine);
    verdict.edges += inside;
    verdict.loops += loops;
  });
}

void Validator::check_confirmed(const Rules& rules, Finding& worst, Verdict& verdict) {
  for (std::uint64_t node = 0; node < rules.parents.size(); ++node) {
    if (rules.parents[node] == no_parent_claim) continue;
    ++verdict.reached;
    verdict.levels = std::max<std::uint64_t>(verdict.levels, std::uint64_t{levels_[node]} + 1);
    if (!rules.distances.empty())
      verdict.max_distance = std::max(verdict.max_distance, rules.distances[node]);
    verdict.checksum += node_hash(
        node, rules.distances.empty() ? levels_[node] : std::bit_cast<std::uint64_t>(rules.distances[node]),
        rules.parents[node]);
    if (node == rules.root || confirmed_[node / 64] >> node % 64 & 1) continue;
    worst.add(5, node, unconfirmed_message(node, rules.parents[node], !rules.distances.empty()));
  }
}

}  // namespace emgraph::graph::graph500
