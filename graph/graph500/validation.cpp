// SPDX-License-Identifier: MIT
// Levels from parents, then one pass over the edge list, then one over the nodes.
#include "graph/graph500/validation.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>
#include <tuple>

#include "core/base/parallel.hpp"

namespace emgraph::graph::graph500 {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};
constexpr std::uint16_t unknown = ~std::uint16_t{0};
constexpr std::uint64_t nodes_at_once = 1 << 14;
constexpr std::size_t edges_ahead = 32;

std::string text(double value) {
  std::string digits(32, '\0');
  digits.resize(static_cast<std::size_t>(std::snprintf(digits.data(), digits.size(), "%.17g", value)));
  return digits;
}

}  // namespace

/// The first violation by place, so that the message does not depend on the threads.
struct Validator::Finding {
  unsigned rule = 0;
  std::uint64_t place = 0;  // number of the edge, or the node
  std::string message;

  void add(unsigned broken, std::uint64_t where, const std::string& what) {
    if (rule != 0 && where >= place) return;
    rule = broken;
    place = where;
    message = what;
  }
  void add(const Finding& other) {
    if (other.rule != 0) add(other.rule, other.place, other.message);
  }
};

/// The result to check.
struct Validator::Rules {
  std::uint32_t root;
  std::span<const std::uint32_t> parents;
  std::span<const double> distances;  // empty: levels are checked

  static std::string edge(std::uint64_t number, Edge32 e) {
    return "edge " + std::to_string(number) + " (" + std::to_string(e.source) + ", " +
           std::to_string(e.target) + ")";
  }

  /// What is wrong with one node alone; empty: nothing.
  std::string node_fault(std::uint32_t node) const {
    const std::uint32_t parent = parents[node];
    const auto name = [&] { return "node " + std::to_string(node); };
    if (parent != none && parent >= parents.size()) {
      return name() + " has the parent " + std::to_string(parent) + ", expected a node below " +
             std::to_string(parents.size());
    }
    if ((node == root) != (parent == node)) {
      return node == root ? "the root " + std::to_string(node) + " is not its own parent"
                          : name() + " is its own parent, but not the root";
    }
    if (parent != none && parents[parent] == none) {
      return name() + " has the parent " + std::to_string(parent) + ", which is not in the tree";
    }
    if (distances.empty()) return {};
    const double distance = distances[node];
    if (!(distance >= 0) || std::isinf(distance) != (parent == none)) {
      return name() + " has the distance " + text(distance) + " and " +
             (parent == none ? "no parent" : "a parent, expected a number from 0 on");
    }
    if (node == root && distance != 0) return "the root has the distance " + text(distance) + ", expected 0";
    return {};
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
  std::fill_n(levels_.data(), levels_.size(), unknown);
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
    if (rules.parents[node] == none) return;
    std::uint64_t steps = 0;
    std::uint32_t above = node;
    std::uint16_t known = unknown;
    while ((known = level(above).load(std::memory_order_relaxed)) == unknown && steps < unknown) {
      above = rules.parents[above];
      ++steps;
    }
    const std::uint64_t own = steps + known;
    if (known == unknown || own >= unknown) {
      mine.add(1, node,
               "the parents of node " + std::to_string(node) + " do not lead to the root in " +
                   std::to_string(unknown - 1) + " steps: found a cycle, expected a tree");
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
    const auto check_levels_of = [&](std::uint64_t number, Edge32 edge) {
      const std::uint16_t a = levels_[edge.source];
      const std::uint16_t b = levels_[edge.target];
      if (a == b) return a != unknown;
      if (a == unknown || b == unknown) {
        mine.add(4, number, Rules::edge(number, edge) + " leads out of the tree");
        return false;
      }
      const std::uint32_t upper = a < b ? edge.source : edge.target;
      const std::uint32_t lower = a < b ? edge.target : edge.source;
      if (std::max(a, b) - std::min(a, b) > 1) {
        mine.add(3, number,
                 Rules::edge(number, edge) + " joins levels " + std::to_string(a) + " and " +
                     std::to_string(b) + ", expected at most one apart");
      } else if (rules.parents[lower] == upper) {
        confirm(lower);
      }
      return true;
    };
    const auto check_distances_of = [&](std::uint64_t number, Edge32 edge, float weight) {
      const double a = rules.distances[edge.source];
      const double b = rules.distances[edge.target];
      if (std::isinf(a) && std::isinf(b)) return false;
      if (std::isinf(a) || std::isinf(b)) {
        mine.add(4, number, Rules::edge(number, edge) + " leads out of the tree");
        return false;
      }
      const std::uint32_t nearer = a < b ? edge.source : edge.target;
      const std::uint32_t farther = a < b ? edge.target : edge.source;
      const double least = std::min(a, b);
      const double most = std::max(a, b);
      const double reach = least + double{weight};
      if (most > reach) {
        const bool tree = rules.parents[farther] == nearer;
        mine.add(tree ? 2 : 3, number,
                 Rules::edge(number, edge) + " of weight " + text(double{weight}) + " joins distances " +
                     text(a) + " and " + text(b) + ", expected at most the weight apart");
      } else if (most == reach) {
        // Equal distances (weight 0): either end may be the parent.
        if (rules.parents[farther] == nearer) confirm(farther);
        if (a == b && rules.parents[nearer] == farther) confirm(nearer);
      }
      return true;
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
      return tree | (a - b + 1 > 2) ? check_levels_of(number, edge) : a != unknown;
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
                   loops += rules.parents[edge.source] != none;
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
    if (rules.parents[node] == none) continue;
    ++verdict.reached;
    verdict.levels = std::max<std::uint64_t>(verdict.levels, std::uint64_t{levels_[node]} + 1);
    if (!rules.distances.empty())
      verdict.max_distance = std::max(verdict.max_distance, rules.distances[node]);
    if (node == rules.root || confirmed_[node / 64] >> node % 64 & 1) continue;
    worst.add(5, node,
              "no edge joins node " + std::to_string(node) + " and its parent " +
                  std::to_string(rules.parents[node]) +
                  (rules.distances.empty() ? "" : " with the difference of their distances as weight"));
  }
}

}  // namespace emgraph::graph::graph500
