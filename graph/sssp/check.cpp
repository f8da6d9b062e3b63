// SPDX-License-Identifier: MIT
// Checks shortest paths with the values of nodes in memory, directly on the unsorted edges.
#include "graph/sssp/check.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/prefetch.hpp"
#include "graph/atomic_bits.hpp"
#include "graph/node_bits.hpp"
#include "graph/prepare/ingest.hpp"
#include "graph/prepare/sorted_edges.hpp"
#include "graph/search_root.hpp"
#include "graph/sssp/check_equal_forecast.hpp"
#include "graph/sssp/check_rules.hpp"
#include "graph/sssp/check_sorted.hpp"
#include "graph/sssp/check_support.hpp"

namespace emgraph::graph::sssp {
namespace {

// Edges between the prefetch of a distance and its use.
constexpr std::size_t prefetch_edges = 16;
// CPU time of all threads together, measured on random graphs beside the run.
constexpr double memory_edge_nanoseconds = 12;
constexpr double memory_node_nanoseconds = 15;

/// The least violation found by a thread, by source, target and rule.
struct Violation {
  enum Kind { none, beyond, arc, smaller_parent };
  Kind kind = none;
  std::uint64_t source = 0;  ///< for smaller_parent: the node
  std::uint64_t target = 0;  ///< for smaller_parent: its smaller neighbour
  std::uint64_t sum = 0;     ///< the distance that the arc gives its target

  void meet(const Violation& other) {
    if (other.kind == none) return;
    if (kind == none || other.order() < order()) *this = other;
  }
  std::tuple<std::uint64_t, std::uint64_t, Kind, std::uint64_t> order() const {
    return {source, target, kind, sum};
  }
};

ModelChoice choice_in_memory() {
  return {MemoryModel::semi_external, "values of nodes fit in memory"};
}

/// Of a MemoryCheck.
template <class Id>
std::size_t values_bytes(std::uint64_t nodes, bool parents) {
  return static_cast<std::size_t>(nodes) * (sizeof(std::uint64_t) + (parents ? sizeof(Id) : 0)) +
         (parents ? 2 : 1) * NodeBits::bytes_for(nodes);
}

/// The number of values of nodes, if they fit in memory; else they are sorted.
template <class Id>
std::optional<std::uint64_t> values_in_memory(const core::Environment& environment, const EdgeFacts& facts,
                                              const CheckOptions& options,
                                              const format::NodeReader* distances, bool parents) {
  const std::optional<std::uint64_t> nodes = declared_nodes<Id>(options.nodes, facts);
  const std::optional<std::uint64_t> values =
      nodes ? nodes : (distances != nullptr ? distances->count() : std::nullopt);
  if (!values || *values >= std::uint64_t{1} << 48) return std::nullopt;
  const bool fit = values_bytes<Id>(*values, parents) <= environment.memory.available() / 4 * 3;
  return fit ? values : std::nullopt;
}

template <class Id, class Distances>
class MemoryCheck {
 public:
  MemoryCheck(core::Environment& environment, EdgeSource<Id>& edges, const CheckOptions& options,
              const std::optional<std::uint64_t>& declared, std::uint64_t values, bool with_parents)
      : environment_(environment),
        edges_(edges),
        options_(options),
        type_(options.weighting.type(edges.facts().layout.weight)),
        declared_(declared),
        values_(values),
        with_parents_(with_parents),
        root_(options, with_parents, verdict_) {
    verdict_.choice = choice_in_memory();
    verdict_.nodes = declared.value_or(values);
  }

  Verdict run(format::NodeReader& distances, format::NodeReader* parents) {
    if (declared_) require_root(options_.root, *declared_);
    verdict_.ok = read_distances(distances) && (parents == nullptr || read_parents(*parents)) &&
                  check_edges() && check_nodes() && check_pending();
    return verdict_;
  }

 private:
  /// What a thread finds.
  struct Share {
    Violation least;
    std::optional<core::RunWriter<Edge<Id>>>
        equal;  ///< tight arcs that add nothing, to nodes not supported yet
  };

  bool read_distances(format::NodeReader& reader) {
    distances_ = core::Array<std::uint64_t>(environment_.memory, values_, "8 bytes per node for distances");
    format::ClaimedValues distances(reader, sizeof(std::uint64_t));
    for (std::uint64_t node = 0; node < values_; ++node) {
      if (distances.at_end()) return fail(count_message("distances", node, false, verdict_.nodes));
      std::uint64_t distance = distances.take();
      if (!valid_distance<Distances>(distance)) return fail(invalid_distance_message(node, distance));
      distances_[node] = distance;
      if (!root_.note_distance(node, distance, type_)) return false;
    }
    if (!distances.at_end()) return fail(count_message("distances", values_, true, verdict_.nodes));
    return root_.check_distances();
  }

  bool read_parents(format::NodeReader& reader) {
    parents_ = core::Array<Id>(environment_.memory, values_, "an id per node for parents");
    format::ClaimedValues parents(reader, sizeof(Id));
    for (std::uint64_t node = 0; node < values_; ++node) {
      if (parents.at_end())
        return fail_parents(verdict_, count_message("parents", node, false, verdict_.nodes));
      const std::uint64_t parent = parents.take();
      if (parent != no_parent && parent >= values_) {
        return fail_parents(verdict_, "node " + std::to_string(node) + " has parent " +
                                          std::to_string(parent) + ", but there are only the nodes below " +
                                          std::to_string(values_));
      }
      parents_[node] = static_cast<Id>(parent);
      if (!root_.note_parent(node, distances_[node], parent, type_)) return false;
    }
    if (!parents.at_end())
      return fail_parents(verdict_, count_message("parents", values_, true, verdict_.nodes));
    return root_.check_parents();
  }

  bool check_edges() {
    supported_ = AtomicBits(environment_.memory, values_, "a bit per node");
    if (with_parents_) by_parent_ = AtomicBits(environment_.memory, values_, "a bit per node");
    core::Phase phase(environment_.progress, "check", edges_.facts().edges.value_or(0), "edges");
    const EdgeWeights weights(options_.weighting, edges_.facts().layout.weight);
    const prepare::Lanes<Id> lanes = prepare::open_lanes(environment_, edges_);
    std::vector<Share> shares(lanes.size());
    const prepare::IngestFacts read = weights.with_bits([&](const auto& bits_of) {
      return prepare::ingest(lanes, edges_.facts().name, declared_, phase,
                             [&](unsigned thread, const EdgeBatch<Id>& batch, std::uint64_t first_edge) {
                               check_weights(batch, weights, check_limits, edges_.facts().name, first_edge);
                               check_batch(batch, bits_of, shares[thread]);
                             });
    });
    verdict_.edges = read.edges;
    verdict_.nodes = read.nodes(declared_);
    require_root(options_.root, verdict_.nodes);
    Violation least;
    for (Share& share : shares) {
      least.meet(share.least);
      if (share.equal) equal_.push_back(share.equal->finish());
    }
    switch (least.kind) {
      case Violation::none:
        break;
      case Violation::beyond:
        return fail(count_message("distances", values_, false, verdict_.nodes));
      case Violation::arc:
        return fail(least.sum == Distances::unreached ? overflow_message(least.source, least.target)
                                                      : arc_message(least.source, least.target, type_,
                                                                    least.sum, distances_[least.target]));
      case Violation::smaller_parent:
        return fail_parents(verdict_,
                            smaller_parent_message(least.source, parent(least.source), least.target));
    }
    if (verdict_.nodes != values_) return fail(count_message("distances", values_, false, verdict_.nodes));
    return true;
  }

  template <class BitsOf>
  void check_batch(const EdgeBatch<Id>& batch, const BitsOf& bits_of, Share& share) {
    if (prepare::largest_id(batch) >= values_) {  // n was not declared, and there are too few distances
      for (const Edge<Id>& edge : batch) {
        if (std::max(edge.source, edge.target) < values_) continue;
        share.least.meet({Violation::beyond, edge.source, edge.target});
      }
      return;
    }
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (i + prefetch_edges < batch.size()) {
        core::prefetch(distances_.data() + batch[i + prefetch_edges].source);
        core::prefetch(distances_.data() + batch[i + prefetch_edges].target);
      }
      const Edge<Id>& edge = batch[i];
      if (edge.source == edge.target) continue;
      const std::uint64_t length = length_of(type_, bits_of(edge));
      check_arc(edge.source, edge.target, length, share);
      if (!options_.directed) check_arc(edge.target, edge.source, length, share);
    }
  }

  void check_arc(Id source, Id target, std::uint64_t length, Share& share) {
    const std::uint64_t from = distances_[source];
    const std::uint64_t to = distances_[target];
    const std::uint64_t sum = Distances::add(from, length);
    if (sum > to || from == Distances::unreached) return;
    if (sum < to || sum == Distances::unreached) {
      share.least.meet({Violation::arc, source, target, sum});
    } else if (from < to) {
      supported_.set(target);
      if (!with_parents_) return;
      if (source < parents_[target]) share.least.meet({Violation::smaller_parent, target, source});
      if (source == parents_[target]) by_parent_.set(target);
    } else if (!root_.is_root(target) && !supported_.test(target)) {
      if (!share.equal) share.equal.emplace(environment_, check_block_bytes(environment_));
      share.equal->push({source, target});
    }
  }

  bool check_nodes() {
    for (std::uint64_t node = 0; node < values_; ++node) {
      const bool reached = distances_[node] != Distances::unreached;
      if (!reached || root_.is_root(node)) {
        const std::uint64_t expected = reached ? node : no_parent;
        if (with_parents_ && parent(node) != expected) {
          return fail_parents(verdict_, parent_message(node, reached, reached, parent(node)));
        }
      } else if (!supported_.test(node)) {
        any_pending_ = true;
      } else if (with_parents_ && !by_parent_.test(node)) {
        return fail_parents(verdict_, parent_message(node, true, false, parent(node)));
      }
    }
    return true;
  }

  /// Checks the nodes without a nearer tight neighbour. Frees the values of nodes.
  bool check_pending() {
    if (!any_pending_) return true;
    return prepare::with_edge_keys<Id>(
        std::optional(values_), [&]<core::IntegerKey Key>(const prepare::EdgeKeys<Key>& keys) {
          EqualArcs<Key> zeros;  // between nodes of distance 0, if one of them is the unknown root
          EqualArcs<Key> pending = write_pending(keys, zeros);
          distances_ = {};
          parents_ = {};
          supported_ = {};
          by_parent_ = {};
          if (pending.nodes.records > 0) {
            check_equal_arcs(environment_, keys, std::move(pending), with_parents_, verdict_);
          }
          if (verdict_.message.empty() && zeros.nodes.records > 0) {
            verdict_.message = find_root(environment_, keys, std::move(zeros), verdict_.root);
          }
          return verdict_.message.empty();
        });
  }

  template <core::IntegerKey Key>
  EqualArcs<Key> write_pending(const prepare::EdgeKeys<Key>& keys, EqualArcs<Key>& zeros) {
    EqualArcsWriter<Key> pending(environment_);
    std::optional<EqualArcsWriter<Key>> of_zeros;
    if (root_.open()) of_zeros.emplace(environment_);
    const auto writer = [&](std::uint64_t node) -> EqualArcsWriter<Key>& {
      return of_zeros && distances_[node] == 0 ? *of_zeros : pending;
    };
    for (std::uint64_t node = 0; node < values_; ++node) {
      if (distances_[node] == Distances::unreached || root_.is_root(node) || supported_.test(node)) continue;
      writer(node).nodes.push({node, with_parents_ ? parent(node) : no_parent});
    }
    for (core::Run<Edge<Id>>& run : equal_) {
      for (core::RunCursor<Edge<Id>> arc(environment_, std::move(run)); !arc.at_end(); arc.next()) {
        if (!supported_.test(arc->target)) writer(arc->target).arcs.push(keys.make(arc->source, arc->target));
      }
    }
    if (of_zeros) zeros = of_zeros->finish();
    return pending.finish();
  }

  std::uint64_t parent(std::uint64_t node) const {
    const Id parent = parents_[node];
    return parent == static_cast<Id>(no_parent) ? no_parent : parent;
  }
  bool fail(std::string message) {
    verdict_.message = std::move(message);
    return false;
  }

  core::Environment& environment_;
  EdgeSource<Id>& edges_;
  const CheckOptions& options_;
  const WeightType type_;
  const std::optional<std::uint64_t> declared_;
  const std::uint64_t values_;
  const bool with_parents_;
  Verdict verdict_;
  RootRule root_;
  core::Array<std::uint64_t> distances_;
  core::Array<Id> parents_;
  AtomicBits supported_;  ///< by a tight arc from a nearer node
  AtomicBits by_parent_;  ///< by such an arc from the parent
  std::vector<core::Run<Edge<Id>>> equal_;
  bool any_pending_ = false;
};

void require_comparable(const format::NodeReader& distances, WeightType type, const std::string& graph) {
  if (distances.floating() == is_floating(type)) return;
  throw core::DataError(graph + ": the weights are " +
                        (is_floating(type) ? "floating-point numbers, but the distances integers"
                                           : "integers, but the distances floating-point numbers"));
}

/// For a plan, in place of MemoryCheck::run.
template <class Id>
Forecast forecast_in_memory(core::Environment& environment, EdgeSource<Id>& edges, bool parents,
                            const CheckOptions& options, std::uint64_t values, const InputSize& size) {
  Forecast forecast;
  forecast.choice = choice_in_memory();
  const std::uint64_t count = size.edges.value_or(0);
  const std::size_t held = values_bytes<Id>(values, parents);
  const EqualArcsForecast equal = equal_arcs(edges, options, values);
  {
    const core::Reservation arrays = environment.memory.reserve(held, "values of nodes");
    const prepare::Lanes<Id> lanes = prepare::open_lanes(environment, edges);
    const core::Reservation blocks = environment.memory.reserve_up_to(
        equal.share > 0 ? 2 * lanes.size() * check_block_bytes(environment) : 0);
  }
  const double edge_nanoseconds = memory_edge_nanoseconds + 2 * miss_nanoseconds(held);
  forecast.add("check", 1, 0,
               seconds_for(count, edge_nanoseconds) + seconds_for(values, memory_node_nanoseconds));
  equal.add(environment, core::size_product(count, options.directed ? 1 : 2), forecast);
  if (!size.edges && equal.share > 0) forecast.leave_size_open();
  return forecast;
}

}  // namespace

template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& distances,
              format::NodeReader* parents, const CheckOptions& options) {
  const WeightType type = options.weighting.type(edges.facts().layout.weight);
  require_comparable(distances, type, edges.facts().name);
  const auto nodes = declared_nodes<Id>(options.nodes, edges.facts());
  const auto values =
      values_in_memory<Id>(environment, edges.facts(), options, &distances, parents != nullptr);
  return with_distances(type, [&]<class Distances>(Distances) {
    if (values) {
      return MemoryCheck<Id, Distances>(environment, edges, options, nodes, *values, parents != nullptr)
          .run(distances, parents);
    }
    return prepare::with_edge_keys<Id>(nodes, [&]<core::IntegerKey Key>(const prepare::EdgeKeys<Key>& keys) {
      return SortedCheck<Id, Key, Distances>(environment, edges, options, keys).run(distances, parents);
    });
  });
}

template <class Id>
Forecast forecast_check(core::Environment& environment, EdgeSource<Id>& edges,
                        const format::NodeReader* distances, bool parents, const CheckOptions& options,
                        const InputSize& size) {
  if (distances != nullptr) {
    require_comparable(*distances, options.weighting.type(edges.facts().layout.weight), edges.facts().name);
  }
  const auto nodes = declared_nodes<Id>(options.nodes, edges.facts());
  if (nodes) require_root(options.root, *nodes);
  if (const auto values = values_in_memory<Id>(environment, edges.facts(), options, distances, parents)) {
    return forecast_in_memory(environment, edges, parents, options, *values, size);
  }
  return prepare::with_edge_keys<Id>(nodes, [&]<core::IntegerKey Key>(const prepare::EdgeKeys<Key>& keys) {
    return SumSort<Id, Key>(environment, edges, options, keys).forecast(size);
  });
}

template Verdict check(core::Environment&, EdgeSource<std::uint32_t>&, format::NodeReader&,
                       format::NodeReader*, const CheckOptions&);
template Verdict check(core::Environment&, EdgeSource<std::uint64_t>&, format::NodeReader&,
                       format::NodeReader*, const CheckOptions&);

template Forecast forecast_check(core::Environment&, EdgeSource<std::uint32_t>&, const format::NodeReader*,
                                 bool, const CheckOptions&, const InputSize&);
template Forecast forecast_check(core::Environment&, EdgeSource<std::uint64_t>&, const format::NodeReader*,
                                 bool, const CheckOptions&, const InputSize&);

}  // namespace emgraph::graph::sssp
