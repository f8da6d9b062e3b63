// SPDX-License-Identifier: MIT
// Bounds of all degrees by shared counters, exact degrees of some nodes by bits.
#include "graph/bfs/largest_degree.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/random_word.hpp"
#include "core/memory/buffer.hpp"
#include "graph/bfs/choice.hpp"
#include "graph/node_bits.hpp"

namespace emgraph::graph::bfs {
namespace {

constexpr std::size_t most_candidates = 32;
constexpr unsigned counter_bits = 17;  // a MiB of counters stays in the second-level cache

std::uint64_t counter_bytes(unsigned threads) {
  return threads * (sizeof(std::uint64_t) << counter_bits);
}

std::size_t counter_of(std::uint64_t node) {
  return static_cast<std::size_t>(node * core::golden_increment >> (64 - counter_bits));
}

/// The nodes that occur most often, the most frequent first.
template <class Id>
[[gnu::cold]] std::vector<Id> frequent_nodes(std::span<const Edge<Id>> sample, bool both) {
  std::vector<Id> ends;
  for (const Edge<Id>& edge : sample) {
    if (edge.source == edge.target) continue;
    ends.push_back(edge.source);
    if (both) ends.push_back(edge.target);
  }
  std::ranges::sort(ends);
  std::vector<std::pair<std::size_t, Id>> counted;
  for (std::size_t i = 0; i < ends.size();) {
    const std::size_t first = i;
    while (i < ends.size() && ends[i] == ends[first]) ++i;
    counted.emplace_back(i - first, ends[first]);
  }
  const std::size_t count = std::min(counted.size(), most_candidates);
  std::ranges::partial_sort(counted, counted.begin() + static_cast<std::ptrdiff_t>(count),
                            [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Id> nodes;
  for (std::size_t i = 0; i < count; ++i) nodes.push_back(counted[i].second);
  return nodes;
}

/// Finds the number of a candidate.
template <class Id>
class CandidateTable {
 public:
  static constexpr std::uint8_t none = 255;

  explicit CandidateTable(const std::vector<Id>& nodes) : nodes_(nodes) {
    slots_.fill(none);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      std::size_t slot = slot_of(nodes[i]);
      while (slots_[slot] != none) slot = (slot + 1) % slots_.size();
      slots_[slot] = static_cast<std::uint8_t>(i);
    }
  }
  std::uint8_t find(Id node) const {
    std::size_t slot = slot_of(node);
    for (; slots_[slot] != none; slot = (slot + 1) % slots_.size()) {
      if (nodes_[slots_[slot]] == node) return slots_[slot];
    }
    return none;
  }

 private:
  static std::size_t slot_of(Id node) {
    return static_cast<std::size_t>(std::uint64_t{node} * core::golden_increment >> 54);
  }
  const std::vector<Id>& nodes_;
  std::array<std::uint8_t, 1024> slots_;
};
static_assert(most_candidates < CandidateTable<std::uint32_t>::none);

struct Candidate {
  AtomicBits neighbours;
  std::uint64_t ends = 0;  ///< edges at the node, duplicates and loops included
};

}  // namespace

template <class Id>
[[gnu::cold]] std::optional<LargestDegree<Id>> find_largest_degree(core::Environment& environment,
                                                                   EdgeSource<Id>& source,
                                                                   const Options& options, bool both,
                                                                   std::span<const Edge<Id>> sample) {
  const EdgeFacts& facts = source.facts();
  const std::optional<std::uint64_t> declared = declared_nodes<Id>(options.nodes, facts);
  if (counter_bytes(environment.threads) > environment.memory.available() / 8) return std::nullopt;
  std::vector<Id> nodes = frequent_nodes(sample, both);
  LargestDegree<Id> result;
  std::vector<std::uint64_t> bounds(std::size_t{1} << counter_bits);
  {
    prepare::Lanes<Id> lanes = prepare::open_lanes(environment, source);
    std::vector<core::Array<std::uint64_t>> counters;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      counters.emplace_back(environment.memory, bounds.size(), "counters of degrees");
    }
    core::Phase phase(environment.progress, "scan", *facts.edges, "edges");
    result.read =
        prepare::ingest(lanes, facts.name, declared, phase, [&](unsigned thread, const EdgeBatch<Id>& batch) {
          const std::span<std::uint64_t> here = counters[thread].span();
          for (const Edge<Id>& edge : batch) {
            ++here[counter_of(edge.source)];
            if (both) ++here[counter_of(edge.target)];
          }
        });
    for (const core::Array<std::uint64_t>& some : counters) {
      for (std::size_t i = 0; i < bounds.size(); ++i) bounds[i] += some[i];
    }
  }
  source.rewind();
  result.nodes = result.read.nodes(declared);
  check_roots(options, result.nodes);
  const std::uint64_t fitting =
      environment.memory.available() / 8 / std::max<std::uint64_t>(1, NodeBits::bytes_for(result.nodes));
  if (nodes.size() > fitting) nodes.resize(static_cast<std::size_t>(fitting));
  if (nodes.empty()) return std::nullopt;
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    candidates.push_back({AtomicBits(environment.memory, result.nodes, "one bit per neighbour")});
  }
  {
    const CandidateTable<Id> table(nodes);
    prepare::Lanes<Id> lanes = prepare::open_lanes(environment, source);
    std::vector<std::array<std::uint64_t, most_candidates>> ends(lanes.size());
    core::Phase phase(environment.progress, "scan", result.read.edges, "edges");
    prepare::ingest(lanes, facts.name, result.nodes, phase, [&](unsigned thread, const EdgeBatch<Id>& batch) {
      const auto take = [&](Id node, Id neighbour) {
        const std::uint8_t candidate = table.find(node);
        if (candidate == CandidateTable<Id>::none) return;
        ++ends[thread][candidate];
        if (neighbour != node) candidates[candidate].neighbours.set(neighbour);
      };
      for (const Edge<Id>& edge : batch) {
        take(edge.source, edge.target);
        if (both) take(edge.target, edge.source);
      }
    });
    for (const auto& some : ends) {
      for (std::size_t i = 0; i < nodes.size(); ++i) candidates[i].ends += some[i];
    }
  }
  source.rewind();
  std::uint64_t largest = 0;
  std::size_t best = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    bounds[counter_of(nodes[i])] -= candidates[i].ends;
    std::uint64_t degree = 0;
    for (const std::uint64_t word : std::as_const(candidates[i].neighbours).words()) {
      degree += static_cast<std::uint64_t>(std::popcount(word));
    }
    if (i > 0 && (degree < largest || (degree == largest && nodes[i] > nodes[best]))) continue;
    largest = degree;
    best = i;
  }
  if (largest <= std::ranges::max(bounds)) return std::nullopt;
  result.node = nodes[best];
  result.neighbours = std::move(candidates[best].neighbours);
  return result;
}

std::uint64_t largest_degree_bytes(const core::Environment& environment, std::uint64_t nodes) {
  const std::uint64_t counters = counter_bytes(environment.threads);
  const std::uint64_t bits =
      core::size_product(most_candidates, NodeBits::bytes_for(nodes) + core::page_bytes);
  return std::min<std::uint64_t>(std::max(counters, bits), environment.memory.available() / 8);
}

template std::optional<LargestDegree<std::uint32_t>> find_largest_degree(
    core::Environment&, EdgeSource<std::uint32_t>&, const Options&, bool,
    std::span<const Edge<std::uint32_t>>);
}  // namespace emgraph::graph::bfs
