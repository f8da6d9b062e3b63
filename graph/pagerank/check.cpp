// SPDX-License-Identifier: MIT
// One round in doubles, from the values that are to be checked.
#include "graph/pagerank/check.hpp"

#include <atomic>
#include <bit>
#include <cmath>

#include "core/base/bytes.hpp"
#include "core/memory/growing_array.hpp"
#include "graph/edge_facts.hpp"
#include "graph/pagerank/arc_weights.hpp"
#include "graph/pagerank/sources.hpp"
#include "graph/prepare/spooled_source.hpp"

namespace emgraph::graph::pagerank {
namespace {

/// How far from 1 the sum of the ranks may be.
constexpr double sum_error = 1e-6;

struct CheckedNode {
  double rank = 0;
  double sum = 0;  ///< of the shares that come in
  double out = 0;  ///< number of arcs, or the sum of their weights
};
static_assert(sizeof(CheckedNode) == checked_node_bytes);

struct CheckedNodes {
  core::GrowingArray<CheckedNode> nodes;
  std::uint64_t count = 0;  ///< of ranks
};

/// Calls body(weight_of), which gives the weight of an edge: 1 unless they are stored.
template <class Body>
void with_weights(WeightType type, Body&& body) {
  if (type == WeightType::none) return body([](const auto&) { return 1.0; });
  body([type](const auto& edge) { return weight_at(type, attachment_of(edge)); });
}

/// Reads the ranks; returns what is wrong with them without regard to the edges.
std::string take_ranks(core::Environment& environment, CheckedNodes& checked, format::NodeReader& ranks,
                       std::uint64_t most) {
  auto& [nodes, count] = checked;
  core::Phase phase(environment.progress, "read ranks", ranks.count().value_or(0), "nodes");
  for (auto batch = ranks.next(); !batch.empty(); batch = ranks.next()) {
    if (batch.size() > most - count) {
      return "there are more than " + std::to_string(most) + " ranks, the number of nodes";
    }
    nodes.reach(count + batch.size());
    for (const std::uint64_t bits : batch) {
      const auto rank = std::bit_cast<double>(bits);
      if (!(rank >= 0) || std::isinf(rank)) {
        return "node " + std::to_string(count) + " has the rank " + core::format_real(rank) +
               ", expected a number of 0 or more";
      }
      nodes[count++].rank = rank;
    }
    phase.advance(batch.size());
  }
  return {};
}

/// What is wrong with the number of ranks; empty: nothing.
std::string count_fault(std::uint64_t ranks, std::uint64_t nodes) {
  if (ranks == nodes) return {};
  return "there are " + std::to_string(ranks) + " ranks for " + std::to_string(nodes) + " nodes";
}

/// Adds up the ranks of all nodes in `sum`. Returns the sum of those without outgoing edges.
double sum_ranks(const CheckedNodes& checked, double& sum) {
  double dangling = 0;
  for (std::uint64_t v = 0; v < checked.count; ++v) {
    sum += checked.nodes[v].rank;
    if (checked.nodes[v].out == 0) dangling += checked.nodes[v].rank;
  }
  return dangling;
}

/// The two readings of the edges.
template <class Id>
class ArcReadings {
 public:
  ArcReadings(core::Environment& environment, EdgeSource<Id>& edges, const CheckOptions& options)
      : environment_(environment),
        name_(edges.facts().name),
        both_(options.undirected && !edges.facts().symmetric),
        type_(options.weighted ? edges.facts().layout.weight : WeightType::none),
        readings_(environment_, edges) {
    if (!options.weighted) return;
    weights_.emplace(Weighting{}, type_);
    environment_.threads = 1;  // doubles are added in the order of the edges
  }

  /// Adds the arcs from each node up in `out`.
  prepare::IngestFacts count_degrees(const CheckedNodes& checked,
                                     const std::optional<std::uint64_t>& declared) {
    const auto& nodes = checked.nodes;
    const std::uint64_t count = checked.count;
    return readings_.first(
        "count degrees", declared, [&](const EdgeBatch<Id>& batch, std::uint64_t first_edge) {
          if (weights_) check_weights(batch, *weights_, weight_limits, name_, first_edge);
          with_weights(type_, [&](const auto& weight_of) {
            for (const Edge<Id>& edge : batch) {
              if (edge.source >= count || edge.target >= count)
                continue;  // their number is wrong, which is found later
              std::atomic_ref(nodes[edge.source].out).fetch_add(weight_of(edge), std::memory_order_relaxed);
              if (!both_ || edge.source == edge.target) continue;
              std::atomic_ref(nodes[edge.target].out).fetch_add(weight_of(edge), std::memory_order_relaxed);
            }
          });
        });
  }

  /// Adds the shares that come to each node up in `sum`. `edges`: their number. Requires: count_degrees() was
  /// called, and all ids have a rank.
  void share_ranks(const CheckedNodes& checked, std::uint64_t edges) {
    const auto& nodes = checked.nodes;
    EdgeSource<Id>& again = readings_.second();
    prepare::Lanes<Id> lane;
    lane.push_back(again.lane());
    core::Phase phase(environment_.progress, "check", edges, "edges");
    const auto share = [&](Id from, Id to, double weight) {
      if (nodes[from].out > 0) nodes[to].sum += nodes[from].rank / nodes[from].out * weight;
    };
    prepare::ingest(lane, name_, checked.count, phase, [&](unsigned, const EdgeBatch<Id>& batch) {
      with_weights(type_, [&](const auto& weight_of) {
        for (const Edge<Id>& edge : batch) {
          share(edge.source, edge.target, weight_of(edge));
          if (both_ && edge.source != edge.target) share(edge.target, edge.source, weight_of(edge));
        }
      });
    });
  }

 private:
  core::Environment environment_;
  const std::string name_;
  const bool both_;
  const WeightType type_;
  std::optional<EdgeWeights> weights_;
  prepare::TwoReadings<Id> readings_;
};

/// Compares the ranks with what a round makes of them, and completes the verdict. `dangling`: the sum of the
/// ranks without outgoing edges.
void compare(const CheckedNodes& checked, const CheckOptions& options, double dangling, Verdict& verdict) {
  const auto& [nodes, count] = checked;
  const auto sources = static_cast<double>(options.sources.empty() ? count : options.sources.size());
  const double jumps = (1 - options.damping) / sources + options.damping * dangling / sources;
  SourceCursor jumped_to(options.sources, 0);
  double largest = 0;
  double worst_due = 0;
  std::uint64_t worst = 0;
  for (std::uint64_t v = 0; v < count; ++v) {
    const double right = (jumped_to.at(v) ? jumps : 0) + options.damping * nodes[v].sum;
    const double error = std::abs(right - nodes[v].rank);
    verdict.residual += error;
    if (error <= largest) continue;
    largest = error;
    worst = v;
    worst_due = right;
  }
  if (count > 0 && std::abs(verdict.sum - 1) > sum_error) {
    verdict.message = "the ranks add up to " + core::format_real(verdict.sum) + ", expected 1";
  } else if (verdict.residual > options.tolerance) {
    verdict.message = "a round changes the ranks by " + core::format_real(verdict.residual) + ", more than " +
                      core::format_real(options.tolerance) + "; most at node " + std::to_string(worst) +
                      ", which has the rank " + core::format_real(nodes[worst].rank) + " and gets " +
                      core::format_real(worst_due);
  } else {
    verdict.ok = true;
  }
}

}  // namespace

template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& ranks,
              const CheckOptions& options) {
  Verdict verdict;
  const auto declared = declared_nodes<Id>(options.nodes, edges.facts());
  const std::uint64_t promised = declared.value_or(ranks.count().value_or(0));
  const std::uint64_t most = declared.value_or(std::uint64_t{1} << (sizeof(Id) == 4 ? 32 : 40));
  const std::uint64_t addressable = std::min(most, std::uint64_t{1} << 40);
  verdict.nodes = declared.value_or(0);
  ArcReadings<Id> readings(environment, edges, options);
  CheckedNodes checked{{environment.memory, addressable, "24 bytes per node"}};
  if (promised <= most) checked.nodes.reach(std::min(promised, addressable));
  verdict.message = take_ranks(environment, checked, ranks, most);
  if (verdict.message.empty() && declared) verdict.message = count_fault(checked.count, *declared);
  if (!verdict.message.empty()) return verdict;

  const prepare::IngestFacts read = readings.count_degrees(checked, declared);
  verdict.edges = read.edges;
  verdict.nodes = read.nodes(declared);
  verdict.message = count_fault(checked.count, verdict.nodes);
  if (!verdict.message.empty()) return verdict;
  require_sources(options.sources, options.sources_file, verdict.nodes);
  const double dangling = sum_ranks(checked, verdict.sum);
  readings.share_ranks(checked, read.edges);
  compare(checked, options, dangling, verdict);
  return verdict;
}

template Verdict check(core::Environment&, EdgeSource<std::uint32_t>&, format::NodeReader&,
                       const CheckOptions&);
template Verdict check(core::Environment&, EdgeSource<std::uint64_t>&, format::NodeReader&,
                       const CheckOptions&);

}  // namespace emgraph::graph::pagerank
