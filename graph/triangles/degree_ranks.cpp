// SPDX-License-Identifier: MIT
// Counting sort of degrees.
#include "graph/triangles/degree_ranks.hpp"

#include <algorithm>
#include <compare>
#include <mutex>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::graph::triangles {
namespace {

constexpr std::uint64_t first_nodes = 64 * 1024;
constexpr std::size_t least_slots = 1024;

/// A node of large degree, in the order of ranks.
struct Heavy {
  std::uint32_t missing = 0;  ///< greatest possible degree - degree
  std::uint64_t node = 0;
  auto operator<=>(const Heavy&) const = default;
};

}  // namespace

DegreeRanks::DegreeRanks(core::MemoryBudget& budget, const std::optional<std::uint64_t>& nodes,
                         std::uint64_t most_nodes)
    : budget_(budget), most_nodes_(most_nodes), grows_(!nodes) {
  if (nodes && *nodes > most_nodes) {
    gave_up_ = true;
    return;
  }
  values_ = {budget, static_cast<std::size_t>(nodes.value_or(std::min(first_nodes, most_nodes))),
             "4 bytes per node for degrees"};
  room_ = values_.size();
}

bool DegreeRanks::make_room(std::uint64_t largest) {
  if (gave_up_.load(std::memory_order_relaxed)) return false;
  if (!grows_ || largest < room_.load(std::memory_order_acquire)) return true;
  const std::unique_lock lock(mutex_);
  if (gave_up_) return false;
  if (largest < values_.size()) return true;
  if (largest >= most_nodes_) {
    gave_up_ = true;
    values_ = {};
    return false;
  }
  std::uint64_t size = std::min(most_nodes_, std::max(largest + 1, 2 * room_.load()));
  const std::size_t free = budget_.available() - std::min(budget_.available(), core::page_bytes);
  if (size * sizeof(std::uint32_t) > free) size = largest + 1;
  if (size * sizeof(std::uint32_t) > free) {
    gave_up_ = true;
    values_ = {};
    return false;
  }
  core::Array<std::uint32_t> larger(budget_, static_cast<std::size_t>(size), "4 bytes per node for degrees");
  std::copy_n(values_.data(), values_.size(), larger.data());
  values_ = std::move(larger);
  room_.store(size, std::memory_order_release);
  return true;
}

void DegreeRanks::restore(core::StateReader& from) {
  const bool gave_up = from.value<bool>();
  edges_ = from.value<std::uint64_t>();
  const auto size = from.value<std::uint64_t>();
  values_ = {};
  if (gave_up || size > most_nodes_) {
    gave_up_ = true;
    return;
  }
  values_ = {budget_, static_cast<std::size_t>(size), "4 bytes per node for degrees"};
  room_ = size;
  from.array(values_.span());
}

RankFacts DegreeRanks::assign() {
  const std::uint32_t largest =
      values_.size() == 0 ? 0 : *std::max_element(values_.data(), values_.data() + values_.size());
  const std::size_t wished =
      std::clamp(budget_.available() / 64 / sizeof(std::uint64_t), least_slots, most_slots);
  const std::size_t slots = std::min<std::size_t>(std::size_t{largest} + 2, wished);
  // Degrees of at least slots - 1 share the last slot.
  core::Array<std::uint64_t> start(budget_, slots, "a counting sort of degrees");
  const auto slot = [&](std::uint32_t degree) { return std::min<std::size_t>(degree, slots - 1); };
  for (const std::uint32_t degree : values_.span()) ++start[slot(degree)];
  core::Array<Heavy> heavy(budget_, static_cast<std::size_t>(start[slots - 1]), "nodes of large degree");
  RankFacts facts;
  for (std::size_t s = slots; s-- > 1;) {
    const std::uint64_t here = start[s];
    start[s] = facts.ranks;
    facts.ranks += here;
    if (s >= std::min<std::uint64_t>(least_hub_degree, slots - 1)) facts.hub_candidates = facts.ranks;
  }
  if (facts.ranks > most_ranks) {
    throw core::DataError("found " + core::format_count(facts.ranks) +
                          " nodes with an edge, expected at most " + core::format_count(most_ranks));
  }
  std::size_t heavy_count = 0;
  for (std::size_t node = 0; node < values_.size(); ++node) {
    const std::uint32_t degree = values_[node];
    if (degree == 0) {
      values_[node] = no_rank;
    } else if (degree >= slots - 1) {
      heavy[heavy_count++] = {most_degree + 0xffff - degree, node};
    } else {
      values_[node] = static_cast<Rank>(start[degree]++);
    }
  }
  std::sort(heavy.data(), heavy.data() + heavy_count);
  for (std::size_t i = 0; i < heavy_count; ++i) {
    values_[static_cast<std::size_t>(heavy[i].node)] = static_cast<Rank>(i);
  }
  return facts;
}

}  // namespace emgraph::graph::triangles
