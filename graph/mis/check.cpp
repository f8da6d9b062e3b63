// SPDX-License-Identifier: MIT
// Checks with two bits per node, or with two sorts. Both end with a pass over 0 … n-1.
#include "graph/mis/check.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"
#include "core/block/run.hpp"
#include "core/sort/held_sort.hpp"
#include "graph/atomic_bits.hpp"
#include "graph/node_bits.hpp"
#include "graph/prepare/sorted_edges.hpp"

namespace emgraph::graph::mis {
namespace {

/// Reads the ids of a list one at a time, up to the first that does not ascend.
class MemberList {
 public:
  explicit MemberList(format::NodeReader& reader) : reader_(reader) { advance(); }

  bool at_end() const { return at_end_; }
  std::uint64_t id() const { return id_; }
  /// What is wrong with the list; empty if nothing is, so far.
  const std::string& fault() const { return fault_; }

  void advance() {
    if (batch_.empty()) batch_ = reader_.next();
    if (batch_.empty()) {
      at_end_ = true;
      return;
    }
    const std::uint64_t next = batch_.front();
    batch_ = batch_.subspan(1);
    if (started_ && next <= id_) {
      fault_ = "the set is not a sorted list of distinct ids: entry " + std::to_string(position_ + 1) +
               " is " + std::to_string(next) + " after " + std::to_string(id_);
      at_end_ = true;
      return;
    }
    if (started_) ++position_;
    started_ = true;
    id_ = next;
  }

 private:
  format::NodeReader& reader_;
  std::span<const std::uint64_t> batch_;
  std::uint64_t id_ = 0;
  std::uint64_t position_ = 0;
  std::string fault_;
  bool started_ = false;
  bool at_end_ = false;
};

std::string missing_member(std::uint64_t node) {
  return "node " + std::to_string(node) + " is not in the set, but no smaller neighbour of it is either";
}
std::string covered_member(std::uint64_t node) {
  return "node " + std::to_string(node) + " is in the set, and so is a smaller neighbour of it";
}
std::string unknown_member(std::uint64_t id, std::uint64_t nodes) {
  return "node " + std::to_string(id) + " is in the set, but the graph has only the nodes below " +
         std::to_string(nodes);
}

/// Largest id + 1, by a pass over the edges, which are then rewound.
template <class Id>
std::uint64_t count_nodes(core::Environment& environment, EdgeSource<Id>& edges) {
  core::Phase phase(environment.progress, "count nodes", edges.facts().edges.value_or(0), "edges");
  const prepare::IngestFacts read =
      prepare::ingest(prepare::open_lanes(environment, edges), edges.facts().name, std::nullopt, phase,
                      [](unsigned, std::span<const Edge<Id>>) {});
  edges.rewind();
  return read.nodes(std::nullopt);
}

ModelChoice choice_in_memory() {
  return {MemoryModel::semi_external, "two bits per node fit in memory"};
}
ModelChoice choice_by_sorting() {
  return {MemoryModel::external, "two bits per node do not fit in memory"};
}
bool fits(const core::Environment& environment, std::uint64_t nodes) {
  return 2 * NodeBits::bytes_for(nodes) <= environment.memory.available() / 2;
}

/// Members and covered nodes as bits.
template <class Id>
Verdict check_in_memory(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& set,
                        std::uint64_t nodes) {
  Verdict verdict;
  verdict.nodes = nodes;
  verdict.choice = choice_in_memory();
  NodeBits members(environment.memory, nodes, "one bit per node for the set");
  AtomicBits covered(environment.memory, nodes, "one bit per node");
  MemberList list(set);
  for (; !list.at_end(); list.advance()) {
    if (list.id() >= nodes) {
      verdict.message = unknown_member(list.id(), nodes);
      return verdict;
    }
    members.set(list.id());
    ++verdict.members;
  }
  if (!list.fault().empty()) {
    verdict.message = list.fault();
    return verdict;
  }
  {
    core::Phase phase(environment.progress, "check", edges.facts().edges.value_or(0), "edges");
    const auto cover = [&](unsigned, std::span<const Edge<Id>> batch) {
      for (const Edge<Id>& edge : batch) {
        const auto [low, high] = std::minmax(edge.source, edge.target);
        if (low != high && members.test(low)) covered.set(high);
      }
    };
    verdict.edges =
        prepare::ingest(prepare::open_lanes(environment, edges), edges.facts().name, nodes, phase, cover)
            .edges;
  }
  for (std::uint64_t node = 0; node < nodes; ++node) {
    const bool is_covered = covered.test(node);
    if (members.test(node) != is_covered) continue;
    verdict.message = is_covered ? covered_member(node) : missing_member(node);
    return verdict;
  }
  verdict.ok = true;
  return verdict;
}

constexpr std::size_t spool_block_bytes = 64 * 1024;
using CoveredSorter = core::DistributionSorter<std::uint64_t>;

/// Calls push(smaller end, larger end) for each edge.
struct LowFirst {
  void operator()(std::uint64_t source, std::uint64_t target, auto&& push) const {
    if (source != target) push(std::min(source, target), std::max(source, target));
  }
};

CoveredSorter::Options covered_options(std::uint64_t nodes, std::size_t free) {
  CoveredSorter::Options options;
  options.range = {0, nodes == 0 ? 0 : nodes - 1};
  options.memory_bytes = free / 4;
  options.unique = true;
  return options;
}

/// Merges the edges, sorted by their smaller end, with the list. The larger ends of edges whose smaller end
/// is a member, sorted and without duplicates, are the covered nodes.
template <class Id, core::IntegerKey Key>
Verdict check_by_sorting(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& set,
                         const std::optional<std::uint64_t>& declared, const prepare::EdgeKeys<Key>& keys) {
  std::size_t free = 0;
  auto sorted = prepare::sort_edges(prepare::sort_input(environment, edges, declared), keys, {}, LowFirst(),
                                    [&](unsigned) { return (free = environment.memory.available()) / 2; });

  Verdict verdict;
  verdict.nodes = sorted.read().nodes(declared);
  verdict.edges = sorted.read().edges;
  verdict.choice = choice_by_sorting();
  core::RunWriter<std::uint64_t> spool(environment, spool_block_bytes, 2);
  CoveredSorter covered(environment, covered_options(verdict.nodes, free));
  {
    core::Phase phase(environment.progress, "cover", sorted.records(), "edges");
    MemberList list(set);
    const auto spool_below = [&](std::uint64_t end) {
      for (; !list.at_end() && list.id() < end; list.advance(), ++verdict.members) spool.push(list.id());
    };
    sorted.for_each(phase, [&](std::uint64_t low, std::uint64_t high) {
      spool_below(low);
      if (!list.at_end() && list.id() == low) covered.lane(0).push(high);
    });
    spool_below(verdict.nodes);
    if (!list.at_end()) verdict.message = unknown_member(list.id(), verdict.nodes);
    if (!list.fault().empty()) verdict.message = list.fault();
    if (!verdict.message.empty()) return verdict;
  }
  covered.lane(0).finish();
  covered.finish();

  core::Phase phase(environment.progress, "check", verdict.nodes, "nodes");
  core::RunReader<std::uint64_t> members(environment, spool.finish());
  std::span<const std::uint64_t> member = members.next();
  auto cover = covered.next();
  for (std::uint64_t node = 0; node < verdict.nodes; ++node) {
    const bool is_member = !member.empty() && member.front() == node;
    const bool is_covered = !cover.empty() && cover.front() == node;
    if (is_member == is_covered) {
      verdict.message = is_covered ? covered_member(node) : missing_member(node);
      return verdict;
    }
    if (is_member) {
      member = member.subspan(1);
      if (member.empty()) member = members.next();
    } else {
      cover = cover.subspan(1);
      if (cover.empty()) cover = covered.next();
    }
  }
  verdict.ok = true;
  return verdict;
}

// CPU time of all threads together per edge, measured on random graphs beside the run.
constexpr double count_nanoseconds = 4;
constexpr double mark_nanoseconds = 10;
constexpr double distribute_nanoseconds = 15;
constexpr double cover_nanoseconds = 20;
constexpr double compare_nanoseconds = 10;
constexpr double node_nanoseconds = 10;       // per node
constexpr double cover_node_nanoseconds = 8;  // likewise

/// For a plan, in place of check_in_memory.
template <class Id>
void rehearse_in_memory(core::Environment& environment, EdgeSource<Id>& edges, std::uint64_t nodes,
                        std::uint64_t count, Forecast& forecast) {
  const std::size_t bits = 2 * NodeBits::bytes_for(nodes);
  const core::Reservation held = environment.memory.reserve(bits, "two bits per node");
  const prepare::Lanes<Id> lanes = prepare::open_lanes(environment, edges);
  forecast.choice = choice_in_memory();
  forecast.add("check", 1, 0,
               seconds_for(count, mark_nanoseconds + 2 * miss_nanoseconds(bits)) +
                   seconds_for(nodes, node_nanoseconds));
}

/// The set of a random graph. It is found in the order of ids: of the nodes at the part x of all, the share
/// 1 / (1 + degree · x) is in it.
struct LikelySet {
  double members;   ///< of all nodes
  double covering;  ///< of all edges: those from a member to a larger node

  LikelySet(double nodes, double edges) {
    const double degree = std::max(1e-3, 2 * edges / std::max(1.0, nodes));
    members = std::log1p(degree) / degree;
    covering = 2 * ((1 + 1 / degree) * std::log1p(degree) - 1) / degree;
  }
};

/// The same in place of check_by_sorting.
template <class Id, core::IntegerKey Key>
void rehearse_sorting(core::Environment& environment, EdgeSource<Id>& edges,
                      const std::optional<std::uint64_t>& declared, const prepare::EdgeKeys<Key>& keys,
                      std::uint64_t nodes, const InputSize& size, Forecast& forecast) {
  std::size_t free = 0;
  core::SpillForecast covered;
  const core::SpillForecast sorted = prepare::rehearse_sort_edges(
      prepare::sort_input(environment, edges, declared), keys, {}, LowFirst(),
      [&](unsigned) { return (free = environment.memory.available()) / 2; }, size.edges,
      [&](std::uint64_t records, const core::Reservation&) {
        core::HeldSort<std::uint64_t> sort(environment, covered_options(nodes, free), records);
        covered = sort.spill();
        core::Reservation blocks = environment.memory.reserve_up_to(4 * spool_block_bytes);
        return std::pair(std::move(sort), std::move(blocks));
      });
  const std::uint64_t count = size.edges.value_or(0);
  const LikelySet likely(static_cast<double>(nodes), static_cast<double>(count));
  const std::uint64_t ids = core::size_product(nodes, sizeof(std::uint64_t));
  covered.expected_bytes = spilled_of_share(covered, likely.covering);
  covered.add({.most_bytes = ids,
               .expected_bytes = static_cast<std::uint64_t>(static_cast<double>(ids) * likely.members)});
  forecast.choice = choice_by_sorting();
  forecast.temporary = space_of_two_sorts(sorted, covered, spool_block_bytes);
  forecast.add("distribute", 1, sorted.expected_bytes, seconds_for(count, distribute_nanoseconds));
  forecast.add("cover", 0, sorted.expected_bytes + covered.expected_bytes,
               seconds_for(count, cover_nanoseconds) + seconds_for(nodes, cover_node_nanoseconds));
  forecast.add("check", 0, covered.expected_bytes,
               seconds_for(count, compare_nanoseconds) + seconds_for(nodes, node_nanoseconds));
}

}  // namespace

template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& set,
              const CheckOptions& options) {
  std::optional<std::uint64_t> nodes = known_nodes(options.nodes, edges.facts());
  if (!nodes && edges.rewindable()) nodes = count_nodes(environment, edges);
  if (nodes && fits(environment, *nodes)) {
    return check_in_memory(environment, edges, set, *nodes);
  }
  return prepare::with_edge_keys<Id>(
      nodes, [&](const auto& keys) { return check_by_sorting(environment, edges, set, nodes, keys); });
}

template <class Id>
Forecast forecast_check(core::Environment& environment, EdgeSource<Id>& edges, const CheckOptions& options,
                        const InputSize& size) {
  std::optional<std::uint64_t> nodes = known_nodes(options.nodes, edges.facts());
  const std::uint64_t count = size.edges.value_or(0);
  Forecast forecast;
  if (!nodes && edges.rewindable()) {
    nodes = size.nodes;
    const prepare::Lanes<Id> lanes = prepare::open_lanes(environment, edges);
    forecast.add("count nodes", 1, 0, seconds_for(count, count_nanoseconds));
  }
  if (nodes && fits(environment, *nodes)) {
    rehearse_in_memory(environment, edges, *nodes, count, forecast);
    return forecast;
  }
  prepare::with_edge_keys<Id>(nodes, [&](const auto& keys) {
    rehearse_sorting(environment, edges, nodes, keys, nodes ? *nodes : size.nodes.value_or(0), size,
                     forecast);
  });
  if (!size.edges || !(nodes || size.nodes)) forecast.leave_size_open();
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

}  // namespace emgraph::graph::mis
