// SPDX-License-Identifier: MIT
// The levels of a breadth-first search, top-down or bottom-up.
#include "graph/graph500/breadth_first.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/base/prefetch.hpp"

namespace emgraph::graph::graph500 {
namespace {

// GAPBS's alpha (Beamer, Asanovic, Patterson 2015, arXiv:1508.03619).
constexpr std::uint64_t bottom_up_share = 15;
// With fewer entries a level is searched by one thread: starting the others takes longer.
constexpr std::uint64_t level_entries_worth_sharing = 4096;
constexpr std::uint64_t level_nodes_at_a_time = 64;
constexpr std::uint64_t words_at_a_time = 128;
constexpr std::uint64_t rows_ahead = 16;

bool bit(const core::Array<std::uint64_t>& bits, std::uint64_t i) {
  return bits[i / 64] >> i % 64 & 1;
}

}  // namespace

BreadthFirst::BreadthFirst(core::Environment& environment, core::ThreadTeam& team, const Graph& graph)
    : graph_(graph),
      team_(team),
      words_((graph.nodes() + 63) / 64),
      parents_(environment.memory, graph.nodes(), "a parent per node"),
      reached_(environment.memory, words_, "a bit per node"),
      level_bits_(environment.memory, words_, "a bit per node"),
      next_bits_(environment.memory, words_, "a bit per node"),
      lists_{{environment.memory, graph.nodes(), "nodes of a level"},
             {environment.memory, graph.nodes(), "nodes of a level"}},
      found_(environment.memory, team.size(), "counts of threads") {
  reset();
}

std::uint64_t BreadthFirst::bytes(std::uint64_t nodes) {
  return 12 * nodes + 3 * (nodes / 8) + 16 * core::page_bytes;
}

void BreadthFirst::reset() {
  std::memset(parents_.data(), 0xff, parents_.size() * sizeof(std::uint32_t));
  std::memcpy(reached_.data(), graph_.isolated().data(), words_ * sizeof(std::uint64_t));
  lists_[0].clear();
  lists_[1].clear();
}

void BreadthFirst::run(std::uint32_t root) {
  parents_[root] = root;
  reached_[root / 64] |= std::uint64_t{1} << root % 64;
  level_list_ = 0;
  as_bits_ = false;
  lists_[0].push(root);
  Found level{.nodes = 1, .entries = graph_.degree(root)};
  std::uint64_t unreached_entries = graph_.entries() - level.entries;
  while (level.nodes != 0) {
    if (level.entries > unreached_entries / bottom_up_share) {
      if (unreached_entries == 0) return;
      if (!as_bits_) list_to_bits();
      level = bottom_up();
    } else {
      if (as_bits_) bits_to_list();
      level = top_down();
    }
    unreached_entries -= level.entries;
  }
}

BreadthFirst::Found BreadthFirst::total() const {
  Found sum;
  for (const Found& found : found_.span()) sum.nodes += found.nodes, sum.entries += found.entries;
  return sum;
}

template <bool shared>
void BreadthFirst::offer(std::uint32_t node, SharedList<std::uint32_t>::Writer& found,
                         std::uint64_t& entries) {
  const std::uint32_t* const neighbours = graph_.neighbours();
  const std::uint64_t end = graph_.end(node);
  for (std::uint64_t i = graph_.begin(node); i < end; ++i) {
    const std::uint32_t target = neighbours[i];
    if (bit(reached_, target)) continue;
    bool first = false;
    if constexpr (shared) {
      const std::atomic_ref place(parents_[target]);
      std::uint32_t known = place.load(std::memory_order_relaxed);
      while (node < known && !place.compare_exchange_weak(known, node, std::memory_order_relaxed)) {
      }
      first = known == no_parent;
    } else {
      std::uint32_t& place = parents_[target];
      first = place == no_parent;
      place = std::min(place, node);
    }
    if (!first) continue;
    found.push(target);
    entries += graph_.degree(target);
  }
}

BreadthFirst::Found BreadthFirst::top_down() {
  const SharedList<std::uint32_t>& level = lists_[level_list_];
  SharedList<std::uint32_t>& next = lists_[1 - level_list_];
  next.clear();
  std::fill_n(found_.data(), found_.size(), Found{});
  std::uint64_t entries = 0;
  const std::uint64_t nodes = level.size();
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(nodes, level_nodes_at_a_time); ++i) {
    entries += graph_.degree(level[i]);
  }
  if (team_.size() == 1 || (nodes <= level_nodes_at_a_time && entries < level_entries_worth_sharing)) {
    SharedList<std::uint32_t>::Writer found(next);
    for (std::uint64_t i = 0; i < nodes; ++i) offer<false>(level[i], found, found_[0].entries);
    found.finish();
  } else {
    cursor_.store(0, std::memory_order_relaxed);
    team_.all([&](unsigned thread) {
      SharedList<std::uint32_t>::Writer found(next);
      std::uint64_t found_entries = 0;
      for (std::uint64_t at;
           (at = cursor_.fetch_add(level_nodes_at_a_time, std::memory_order_relaxed)) < nodes;) {
        const std::uint64_t last = std::min(nodes, at + level_nodes_at_a_time);
        for (std::uint64_t i = at; i < last; ++i) offer<true>(level[i], found, found_entries);
      }
      found.finish();
      found_[thread].entries = found_entries;
    });
  }
  level_list_ = 1 - level_list_;
  for (std::uint64_t i = 0; i < next.size(); ++i) {
    reached_[next[i] / 64] |= std::uint64_t{1} << next[i] % 64;
  }
  found_[0].nodes = next.size();
  return total();
}

/// Of the nodes of the level in the range of the neighbour at place `first`, up to `end`.
std::uint32_t BreadthFirst::smallest_of_range(std::uint64_t first, std::uint64_t end) const {
  const std::uint32_t* const neighbours = graph_.neighbours();
  std::uint32_t smallest = neighbours[first];
  const std::uint32_t range = graph_.target_range(smallest);
  for (std::uint64_t i = first + 1; i < end && graph_.target_range(neighbours[i]) == range; ++i) {
    if (neighbours[i] < smallest && bit(level_bits_, neighbours[i])) smallest = neighbours[i];
  }
  return smallest;
}

BreadthFirst::Found BreadthFirst::search_words(std::uint64_t first, std::uint64_t last) {
  const std::uint32_t* const neighbours = graph_.neighbours();
  const std::uint64_t most = graph_.nodes() - 1;
  Found found;
  for (std::uint64_t word = first; word < last; ++word) {
    std::uint64_t hits = 0;
    for (std::uint64_t left = ~reached_[word]; left != 0; left &= left - 1) {
      const std::uint64_t node = word * 64 + static_cast<std::uint64_t>(std::countr_zero(left));
      core::prefetch(neighbours + graph_.begin(std::min(node + rows_ahead, most)));
      const std::uint64_t begin = graph_.begin(node);
      const std::uint64_t end = graph_.end(node);
      for (std::uint64_t i = begin; i < end; ++i) {
        if (!bit(level_bits_, neighbours[i])) continue;
        parents_[node] = smallest_of_range(i, end);
        hits |= left & (~left + 1);
        found.entries += end - begin;
        break;
      }
    }
    next_bits_[word] = hits;
    reached_[word] |= hits;
    found.nodes += static_cast<std::uint64_t>(std::popcount(hits));
  }
  return found;
}

BreadthFirst::Found BreadthFirst::bottom_up() {
  cursor_.store(0, std::memory_order_relaxed);
  team_.all([&](unsigned thread) {
    Found sum;
    for (std::uint64_t at; (at = cursor_.fetch_add(words_at_a_time, std::memory_order_relaxed)) < words_;) {
      const Found found = search_words(at, std::min(words_, at + words_at_a_time));
      sum.nodes += found.nodes;
      sum.entries += found.entries;
    }
    found_[thread] = sum;
  });
  std::swap(level_bits_, next_bits_);
  return total();
}

void BreadthFirst::list_to_bits() {
  const SharedList<std::uint32_t>& level = lists_[level_list_];
  std::fill_n(level_bits_.data(), words_, std::uint64_t{0});
  for (std::uint64_t i = 0; i < level.size(); ++i) {
    level_bits_[level[i] / 64] |= std::uint64_t{1} << level[i] % 64;
  }
  as_bits_ = true;
}

void BreadthFirst::bits_to_list() {
  lists_[level_list_].clear();
  SharedList<std::uint32_t>::Writer level(lists_[level_list_]);
  for (std::uint64_t word = 0; word < words_; ++word) {
    for (std::uint64_t left = level_bits_[word]; left != 0; left &= left - 1) {
      level.push(static_cast<std::uint32_t>(word * 64 + static_cast<std::uint64_t>(std::countr_zero(left))));
    }
  }
  level.finish();
  as_bits_ = false;
}

}  // namespace emgraph::graph::graph500
