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

/// The two readings.
template <class Id>
class DegreeSearch {
 public:
  [[gnu::cold]] DegreeSearch(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
                             bool both, std::vector<Id> candidates)
      : environment_(environment),
        source_(source),
        options_(options),
        both_(both),
        bounds_(std::size_t{1} << counter_bits),
        candidates_(std::move(candidates)) {}

  [[gnu::cold]] std::optional<LargestDegree<Id>> find() {
    count_ends();
    check_roots(options_, nodes_);
    const std::uint64_t bits = std::max<std::uint64_t>(1, NodeBits::bytes_for(nodes_));
    const std::uint64_t fitting = environment_.memory.available() / 8 / bits;
    if (candidates_.size() > fitting) candidates_.resize(static_cast<std::size_t>(fitting));
    if (candidates_.empty()) return std::nullopt;
    mark_neighbours();
    return result();
  }

 private:
  /// First reading: the ends of edges, loops and duplicates included, by counter.
  [[gnu::cold]] void count_ends() {
    const EdgeFacts& facts = source_.facts();
    const std::optional<std::uint64_t> declared = declared_nodes<Id>(options_.nodes, facts);
    {
      prepare::Lanes<Id> lanes = prepare::open_lanes(environment_, source_);
      std::vector<core::Array<std::uint64_t>> counters;
      for (std::size_t i = 0; i < lanes.size(); ++i) {
        counters.emplace_back(environment_.memory, bounds_.size(), "counters of degrees");
      }
      core::Phase phase(environment_.progress, "scan", *facts.edges, "edges");
      read_ = prepare::ingest(lanes, facts.name, declared, phase,
                              [&](unsigned thread, const EdgeBatch<Id>& batch) {
                                const std::span<std::uint64_t> here = counters[thread].span();
                                for (const Edge<Id>& edge : batch) {
                                  ++here[counter_of(edge.source)];
                                  if (both_) ++here[counter_of(edge.target)];
                                }
                              });
      for (const core::Array<std::uint64_t>& some : counters) {
        for (std::size_t i = 0; i < bounds_.size(); ++i) bounds_[i] += some[i];
      }
    }
    source_.rewind();
    nodes_ = read_.nodes(declared);
  }

  /// Second reading: the neighbours of the candidates. Takes their ends from the counters.
  [[gnu::cold]] void mark_neighbours() {
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      neighbours_.emplace_back(environment_.memory, nodes_, "one bit per neighbour");
    }
    {
      const CandidateTable<Id> table(candidates_);
      prepare::Lanes<Id> lanes = prepare::open_lanes(environment_, source_);
      std::vector<std::array<std::uint64_t, most_candidates>> ends(lanes.size());
      core::Phase phase(environment_.progress, "scan", read_.edges, "edges");
      prepare::ingest(lanes, source_.facts().name, nodes_, phase,
                      [&](unsigned thread, const EdgeBatch<Id>& batch) {
                        const auto take = [&](Id node, Id neighbour) {
                          const std::uint8_t candidate = table.find(node);
                          if (candidate == CandidateTable<Id>::none) return;
                          ++ends[thread][candidate];
                          if (neighbour != node) neighbours_[candidate].set(neighbour);
                        };
                        for (const Edge<Id>& edge : batch) {
                          take(edge.source, edge.target);
                          if (both_) take(edge.target, edge.source);
                        }
                      });
      for (const auto& some : ends) {
        for (std::size_t i = 0; i < candidates_.size(); ++i) bounds_[counter_of(candidates_[i])] -= some[i];
      }
    }
    source_.rewind();
  }

  /// The best candidate; nullopt if another node may have as many neighbours.
  [[gnu::cold]] std::optional<LargestDegree<Id>> result() {
    std::uint64_t largest = 0;
    std::size_t best = 0;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      std::uint64_t degree = 0;
      for (const std::uint64_t word : std::as_const(neighbours_[i]).words()) {
        degree += static_cast<std::uint64_t>(std::popcount(word));
      }
      if (degree < largest || (degree == largest && candidates_[i] > candidates_[best])) continue;
      largest = degree;
      best = i;
    }
    if (largest <= std::ranges::max(bounds_)) return std::nullopt;
    return LargestDegree<Id>{candidates_[best], std::move(neighbours_[best]), std::move(read_), nodes_};
  }

  core::Environment& environment_;
  EdgeSource<Id>& source_;
  const Options& options_;
  const bool both_;
  std::vector<std::uint64_t>
      bounds_;  ///< of the degrees of all nodes of a counter, at last without candidates
  std::vector<Id> candidates_;
  std::vector<AtomicBits> neighbours_;  ///< of each candidate
  prepare::IngestFacts read_;
  std::uint64_t nodes_ = 0;
};

}  // namespace

template <class Id>
std::optional<LargestDegree<Id>> find_largest_degree(core::Environment& environment, EdgeSource<Id>& source,
                                                     const Options& options, bool both,
                                                     std::span<const Edge<Id>> sample) {
  if (counter_bytes(environment.threads) > environment.memory.available() / 8) return std::nullopt;
  return DegreeSearch<Id>(environment, source, options, both, frequent_nodes(sample, both)).find();
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
