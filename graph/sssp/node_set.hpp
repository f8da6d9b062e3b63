// SPDX-License-Identifier: MIT
// A set of nodes as bits, with bits above them that say where members are.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/memory/buffer.hpp"
#include "graph/node_bits.hpp"

namespace emgraph::graph::sssp {

/// Whether several threads use a set at once. Atomic updates take several times as long.
enum class Sharing : bool { alone, shared };

/// A subset of the nodes 0 … n - 1, initially empty.
///
/// Method: a tree with 64 children per inner node. A bit of the lowest level is a node; a bit above is set if
/// the word below it may have a bit set. So the next member is found in one step per level, and a walk
/// through few members costs some words for each, not n / 64.
///
/// Invariant: between parallel phases the bits above every word that is not 0 are set; those above a word
/// that is 0 may be, until a walk clears them. Memory: 1 + 1/63 bits per node, charged. Threads: as each
/// function says. Throws: MemoryLimitError.
class NodeSet {
 public:
  NodeSet(core::MemoryBudget& budget, std::uint64_t nodes, std::string_view what)
      : words_(budget, plan(nodes, nullptr), what) {
    plan(nodes, &levels_);
  }

  static std::uint64_t bytes_for(std::uint64_t nodes) {
    return core::round_up(plan(nodes, nullptr) * 8, core::page_bytes);
  }

  // Any number of threads.

  bool contains(std::uint64_t node) const {
    return (load(node >> 6) >> (node & 63) & 1) != 0;
  }
  /// True if one of the nodes first … end - 1 is a member.
  bool any(std::uint64_t first, std::uint64_t end) const {
    while (first < end) {
      const std::uint64_t here = std::min<std::uint64_t>(64 - (first & 63), end - first);
      std::uint64_t bits = load(first >> 6) >> (first & 63);
      if (here < 64) bits &= (std::uint64_t{1} << here) - 1;
      if (bits != 0) return true;
      first += here;
    }
    return false;
  }

  /// Writes the members first … end - 1 of two sets of the same nodes to `out`, ascending, until it is full.
  /// Returns their number.
  template <class Id>
  static std::size_t collect(const NodeSet& a, const NodeSet& b, std::uint64_t first, std::uint64_t end,
                             std::span<Id> out) {
    std::size_t count = 0;
    while (first < end) {
      const std::uint64_t here = std::min<std::uint64_t>(64 - (first & 63), end - first);
      std::uint64_t bits = (a.load(first >> 6) | b.load(first >> 6)) >> (first & 63);
      if (here < 64) bits &= (std::uint64_t{1} << here) - 1;
      for (; bits != 0; bits &= bits - 1) {
        if (count == out.size()) return count;
        out[count++] = static_cast<Id>(first + static_cast<std::uint64_t>(std::countr_zero(bits)));
      }
      first += here;
    }
    return count;
  }

  // Any number of threads if shared.

  /// Adds a node; false if it was a member. If a thread stores a value of the node and then adds it, another
  /// thread that removes it sees the value, also if the node was a member already.
  template <Sharing sharing>
  bool insert(std::uint64_t node) {
    bool is_new = false;
    for (std::size_t level = 0; level < levels_.size(); ++level, node >>= 6) {
      std::uint64_t& word = words_[levels_[level] + static_cast<std::size_t>(node >> 6)];
      const std::uint64_t bit = std::uint64_t{1} << (node & 63);
      std::uint64_t before = 0;
      if constexpr (sharing == Sharing::shared) {
        const std::atomic_ref<std::uint64_t> shared(word);
        before = shared.load();
        if ((before & bit) == 0) before = shared.fetch_or(bit);
      } else {
        before = word;
        word |= bit;
      }
      if (level == 0) is_new = (before & bit) == 0;
      if (before != 0) break;
    }
    return is_new;
  }
  /// Removes a node; true if it was a member.
  template <Sharing sharing>
  bool remove(std::uint64_t node) {
    std::uint64_t& word = words_[static_cast<std::size_t>(node >> 6)];
    const std::uint64_t bit = std::uint64_t{1} << (node & 63);
    if constexpr (sharing == Sharing::shared) {
      const std::atomic_ref<std::uint64_t> shared(word);
      return (shared.load() & bit) != 0 && (shared.fetch_and(~bit) & bit) != 0;
    } else {
      const bool member = (word & bit) != 0;
      word &= ~bit;
      return member;
    }
  }

  // One thread, and no other function at the same time.

  enum class Visit { keep, remove, stop };
  /// Calls visit(node) for the members, ascending. `stop` keeps this member and those after it.
  template <class Take>
  void walk(Take&& take) {
    if (levels_.empty()) return;
    bool stopped = false;
    walk_below(levels_.size() - 1, 0, take, stopped);
  }
  void clear() {
    walk([](std::uint64_t) { return Visit::remove; });
  }
  bool empty() {
    bool any = false;
    walk([&](std::uint64_t) {
      any = true;
      return Visit::stop;
    });
    return !any;
  }

 private:
  // Words of all levels, the lowest first; `starts` gets where each begins.
  static std::size_t plan(std::uint64_t nodes, std::vector<std::size_t>* starts) {
    std::size_t words = 0;
    for (std::uint64_t bits = nodes; bits > 0;) {
      if (starts != nullptr) starts->push_back(words);
      const std::size_t here = NodeBits::words_for(bits);
      words += here;
      bits = here > 1 ? here : 0;
    }
    return words;
  }

  std::uint64_t load(std::uint64_t word) const {
    return std::atomic_ref<std::uint64_t>(words_[static_cast<std::size_t>(word)]).load();
  }

  // Returns true if members are left below this word.
  template <class Take>
  bool walk_below(std::size_t level, std::uint64_t index, Take& take, bool& stopped) {
    std::uint64_t& word = words_[levels_[level] + static_cast<std::size_t>(index)];
    for (std::uint64_t bits = word; bits != 0 && !stopped; bits &= bits - 1) {
      const std::uint64_t child = index * 64 + static_cast<std::uint64_t>(std::countr_zero(bits));
      bool keep = true;
      if (level > 0) {
        keep = walk_below(level - 1, child, take, stopped);
      } else {
        const Visit visit = take(child);
        stopped = visit == Visit::stop;
        keep = visit != Visit::remove;
      }
      if (!keep) word &= ~(bits & (~bits + 1));
    }
    return word != 0;
  }

  std::vector<std::size_t> levels_;  ///< where each level begins; the last has one word
  core::Array<std::uint64_t> words_;
};

}  // namespace emgraph::graph::sssp
