// SPDX-License-Identifier: MIT
// Checks a search with 4 bytes per node in memory, directly on the unsorted edges.
#include "graph/bfs/check.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/prefetch.hpp"
#include "graph/atomic_bits.hpp"
#include "graph/bfs/check_rules.hpp"
#include "graph/bfs/check_sorted.hpp"
#include "graph/node_bits.hpp"
#include "graph/prepare/ingest.hpp"
#include "graph/search_root.hpp"

namespace emgraph::graph::bfs {
namespace {

constexpr std::uint32_t unreached_level = 0xffffffff;
// Edges between the prefetch of a level and its use.
constexpr std::size_t prefetch_edges = 16;
// CPU time of all threads together, measured on random graphs beside the run.
constexpr double memory_edge_nanoseconds = 9;
constexpr double memory_node_nanoseconds = 10;

/// The least violation found by a thread, by source, target and rule.
struct Violation {
  enum Kind { none, beyond, levels, smaller_parent };
  Kind kind = none;
  std::uint64_t source = 0;  ///< for smaller_parent: the node
  std::uint64_t target = 0;  ///< for smaller_parent: its smaller neighbour

  void meet(const Violation& other) {
    if (other.kind == none) return;
    if (kind == none || std::tie(other.source, other.target, other.kind) < std::tie(source, target, kind)) {
      *this = other;
    }
  }
};

template <class Id>
class MemoryCheck {
 public:
  static std::size_t bytes(std::uint64_t nodes, bool parents) {
    return static_cast<std::size_t>(nodes) * (sizeof(std::uint32_t) + (parents ? sizeof(Id) : 0)) +
           NodeBits::bytes_for(nodes);
  }

  MemoryCheck(core::Environment& environment, EdgeSource<Id>& edges, const CheckOptions& options,
              const std::optional<std::uint64_t>& declared, std::uint64_t values)
      : environment_(environment), edges_(edges), options_(options), declared_(declared), values_(values) {
    verdict_.choice = choice();
    verdict_.nodes = declared.value_or(values);
  }

  static ModelChoice choice() { return {MemoryModel::semi_external, "values of nodes fit in memory"}; }

  static Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, bool parents,
                           std::uint64_t values, const InputSize& size) {
    const std::size_t held = bytes(values, parents);
    const core::Reservation arrays = environment.memory.reserve(held, "values of nodes");
    const prepare::Lanes<Id> lanes = prepare::open_lanes(environment, edges);
    Forecast forecast;
    forecast.choice = choice();
    const double edge_nanoseconds = memory_edge_nanoseconds + 2 * miss_nanoseconds(held);
    forecast.add(
        "check", 1, 0,
        seconds_for(size.edges.value_or(0), edge_nanoseconds) + seconds_for(values, memory_node_nanoseconds));
    return forecast;
  }

  Verdict run(format::NodeReader& levels, format::NodeReader* parents) {
    if (declared_) require_root(options_.root, *declared_);
    verdict_.ok = read_levels(levels) && (parents == nullptr || read_parents(*parents)) && check_edges() &&
                  check_nodes();
    return verdict_;
  }

 private:
  bool read_levels(format::NodeReader& reader) {
    levels_ = core::Array<std::uint32_t>(environment_.memory, values_, "4 bytes per node for levels");
    format::ClaimedValues levels(reader, sizeof(std::uint32_t));
    for (std::uint64_t node = 0; node < values_; ++node) {
      if (levels.at_end()) return fail(count_message("levels", node, false, verdict_.nodes));
      const std::uint64_t level = levels.take();
      if (level != unreached_claim && level >= unreached_level) {
        return fail("node " + std::to_string(node) + " has level " + std::to_string(level) +
                    ", expected levels below 4,294,967,295");
      }
      levels_[node] = static_cast<std::uint32_t>(level);
      if (!note_level(node, level, options_.root, verdict_)) return false;
    }
    if (!levels.at_end()) return fail(count_message("levels", values_, true, verdict_.nodes));
    return check_root(verdict_);
  }

  bool read_parents(format::NodeReader& reader) {
    parents_ = core::Array<Id>(environment_.memory, values_, "an id per node for parents");
    with_parents_ = true;
    format::ClaimedValues parents(reader, sizeof(Id));
    for (std::uint64_t node = 0; node < values_; ++node) {
      if (parents.at_end())
        return fail_parents(verdict_, count_message("parents", node, false, verdict_.nodes));
      const std::uint64_t parent = parents.take();
      if (parent != unreached_claim && parent >= values_) {
        return fail_parents(verdict_, "node " + std::to_string(node) + " has parent " +
                                          std::to_string(parent) + ", but there are only the nodes below " +
                                          std::to_string(values_));
      }
      parents_[node] = static_cast<Id>(parent);
    }
    if (!parents.at_end())
      return fail_parents(verdict_, count_message("parents", values_, true, verdict_.nodes));
    return true;
  }

  bool check_edges() {
    witnessed_ = AtomicBits(environment_.memory, values_, "one bit per node");
    core::Phase phase(environment_.progress, "check", edges_.facts().edges.value_or(0), "edges");
    const prepare::Lanes<Id> lanes = prepare::open_lanes(environment_, edges_);
    std::vector<Violation> violations(lanes.size());
    const prepare::IngestFacts read = prepare::ingest(
        lanes, edges_.facts().name, declared_, phase, [&](unsigned thread, std::span<const Edge<Id>> batch) {
          Violation least;
          if (prepare::largest_id(batch) < values_) {
            for (std::size_t i = 0; i < batch.size(); ++i) {
              if (i + prefetch_edges < batch.size()) {
                core::prefetch(levels_.data() + batch[i + prefetch_edges].source);
                core::prefetch(levels_.data() + batch[i + prefetch_edges].target);
              }
              check_edge(batch[i], least);
            }
          } else {  // n was not declared, and there are too few levels
            const auto beyond = std::find_if(batch.begin(), batch.end(), [&](const Edge<Id>& edge) {
              return std::max(edge.source, edge.target) >= values_;
            });
            least.meet({Violation::beyond, beyond->source, beyond->target});
          }
          violations[thread].meet(least);
        });
    verdict_.edges = read.edges;
    verdict_.nodes = read.nodes(declared_);
    require_root(options_.root, verdict_.nodes);
    Violation least;
    for (const Violation& violation : violations) least.meet(violation);
    switch (least.kind) {
      case Violation::none:
        break;
      case Violation::beyond:
        return fail(count_message("levels", values_, false, verdict_.nodes));
      case Violation::levels:
        return fail(edge_message(least.source, least.target, level(least.source), level(least.target),
                                 options_.directed));
      case Violation::smaller_parent:
        return fail_parents(verdict_,
                            smaller_parent_message(least.source, parent(least.source), least.target));
    }
    if (verdict_.nodes != values_) return fail(count_message("levels", values_, false, verdict_.nodes));
    return true;
  }

  void check_edge(const Edge<Id>& edge, Violation& least) {
    switch (edge_rule(level(edge.source), level(edge.target), options_.directed)) {
      case EdgeRule::nothing:
        break;
      case EdgeRule::target_witness:
        witness(edge.target, edge.source, least);
        break;
      case EdgeRule::source_witness:
        witness(edge.source, edge.target, least);
        break;
      case EdgeRule::violated:
        least.meet({Violation::levels, edge.source, edge.target});
        break;
    }
  }

  /// `above` is a neighbour of the node, on the level above.
  void witness(Id node, Id above, Violation& least) {
    if (with_parents_) {
      if (above < parents_[node]) least.meet({Violation::smaller_parent, node, above});
      if (above != parents_[node]) return;
    }
    witnessed_.set(node);
  }

  bool check_nodes() {
    for (std::uint64_t node = 0; node < values_; ++node) {
      const std::uint64_t level = this->level(node);
      if (level == unreached_claim || level == 0) {
        const std::uint64_t expected = level == 0 ? node : unreached_claim;
        if (with_parents_ && parent(node) != expected)
          return fail_parents(verdict_, parent_message(node, level, parent(node)));
      } else if (!witnessed_.test(node)) {
        return with_parents_ ? fail_parents(verdict_, parent_message(node, level, parent(node)))
                             : fail(no_witness_message(node, level));
      }
    }
    return true;
  }

  std::uint64_t level(std::uint64_t node) const {
    const std::uint32_t level = levels_[node];
    return level == unreached_level ? unreached_claim : level;
  }
  std::uint64_t parent(std::uint64_t node) const {
    const Id parent = parents_[node];
    return parent == static_cast<Id>(unreached_claim) ? unreached_claim : parent;
  }
  bool fail(std::string message) {
    verdict_.message = std::move(message);
    return false;
  }

  core::Environment& environment_;
  EdgeSource<Id>& edges_;
  const CheckOptions& options_;
  const std::optional<std::uint64_t> declared_;
  const std::uint64_t values_;
  Verdict verdict_;
  core::Array<std::uint32_t> levels_;
  core::Array<Id> parents_;
  bool with_parents_ = false;
  AtomicBits witnessed_;  ///< bit v: an edge from the level above (from the parent) was seen
};

/// The number of values of nodes, if they fit in memory; else they are sorted.
template <class Id>
std::optional<std::uint64_t> values_in_memory(const core::Environment& environment,
                                              const std::optional<std::uint64_t>& nodes,
                                              const format::NodeReader* levels, bool parents) {
  const std::optional<std::uint64_t> values =
      nodes ? nodes : (levels != nullptr ? levels->count() : std::nullopt);
  if (!values || *values >= std::uint64_t{1} << 48) return std::nullopt;
  const std::size_t bytes = MemoryCheck<Id>::bytes(*values, parents);
  return bytes <= environment.memory.available() / 4 * 3 ? values : std::nullopt;
}

}  // namespace

template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& levels,
              format::NodeReader* parents, const CheckOptions& options) {
  const std::optional<std::uint64_t> nodes = declared_nodes<Id>(options.nodes, edges.facts());
  if (const auto values = values_in_memory<Id>(environment, nodes, &levels, parents != nullptr)) {
    return MemoryCheck<Id>(environment, edges, options, nodes, *values).run(levels, parents);
  }
  return prepare::with_edge_keys<Id>(nodes, [&]<core::IntegerKey Key>(const prepare::EdgeKeys<Key>& keys) {
    return SortedCheck<Id, Key>(environment, edges, options, nodes, keys).run(levels, parents);
  });
}

template <class Id>
Forecast forecast_check(core::Environment& environment, EdgeSource<Id>& edges,
                        const format::NodeReader* levels, bool parents, const CheckOptions& options,
                        const InputSize& size) {
  const std::optional<std::uint64_t> nodes = declared_nodes<Id>(options.nodes, edges.facts());
  if (nodes) require_root(options.root, *nodes);
  if (const auto values = values_in_memory<Id>(environment, nodes, levels, parents)) {
    return MemoryCheck<Id>::forecast(environment, edges, parents, *values, size);
  }
  return prepare::with_edge_keys<Id>(nodes, [&]<core::IntegerKey Key>(const prepare::EdgeKeys<Key>& keys) {
    return SortedCheck<Id, Key>(environment, edges, options, nodes, keys).forecast(size);
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

}  // namespace emgraph::graph::bfs
