// SPDX-License-Identifier: MIT
// The state of a search: visited nodes, the frontier, the next level.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/base/vector_sort.hpp"
#include "core/environment.hpp"
#include "core/io/state_stream.hpp"
#include "core/memory/buffer.hpp"
#include "graph/atomic_bits.hpp"
#include "graph/bfs/bfs.hpp"
#include "graph/bfs/near_levels.hpp"
#include "graph/node_bits.hpp"
#include "graph/node_values.hpp"

namespace emgraph::graph::bfs {

/// Three bits per node, and two lists for levels of few nodes.
///
/// Invariants: between levels `next` is all 0. A level of at most `list_capacity` nodes is a sorted list, a
/// larger level the bits `frontier`. `visited` changes only between levels, so that during a level every
/// neighbour on the level above counts as a possible parent, for any number of threads. Memory: 3 bits per
/// node, and a list entry per 32 nodes, charged. Threads: one Finder each; other functions one. Throws:
/// MemoryLimitError; as NodeValues.
template <class Id>
class SearchState {
 public:
  /// `levels`, `parents`: receive the values of every node that is found; may be null.
  SearchState(core::Environment& environment, std::uint64_t nodes, NodeValues<std::uint32_t>* levels,
              NodeValues<Id>* parents)
      : environment_(environment),
        nodes_(nodes),
        visited_(environment.memory, nodes, "one bit per visited node"),
        frontier_(environment.memory, nodes, "one bit per node of a level"),
        next_(environment.memory, nodes, "one bit per node of the next level"),
        now_(environment.memory, list_capacity(nodes), "the nodes of a level"),
        later_(environment.memory, list_capacity(nodes), "the nodes of the next level"),
        levels_(levels),
        parents_(parents) {}

  static std::size_t list_capacity(std::uint64_t nodes) {
    return static_cast<std::size_t>(std::max<std::uint64_t>(nodes / 64, 1024));
  }
  static std::uint64_t bytes_for(std::uint64_t nodes) {
    constexpr std::uint64_t pages = 5 * core::page_bytes;  // of five arrays
    return 3 * std::uint64_t{NodeBits::bytes_for(nodes)} + 2 * sizeof(Id) * list_capacity(nodes) + pages;
  }

  /// Starts a search from `root`.
  void start(Id root) {
    for (AtomicBits* bits : {&visited_, &frontier_, &next_}) {
      std::fill(bits->words().begin(), bits->words().end(), 0);
    }
    visited_.set(root);
    now_[0] = root;
    size_ = 1;
    is_list_ = true;
    reached_ = 1;
    if (levels_ != nullptr) levels_->put(0, root, 0);
    if (parents_ != nullptr) parents_->put(0, root, root);
    open_level();
  }

  /// The same behind the levels of `near`, whose far edges have been read.
  [[gnu::cold]] void start(const NearLevels<Id>& near) {
    std::ranges::copy(near.visited().words(), visited_.words().begin());
    std::ranges::copy(near.next().words(), next_.words().begin());
    std::ranges::fill(frontier_.words(), 0);
    reached_ = 0;
    near.for_each([&](Id node, std::uint64_t level) {
      ++reached_;
      if (levels_ != nullptr) levels_->put(0, node, stored_level(level));
      if (parents_ != nullptr) parents_->put(0, node, near.parent(node));
    });
    std::size_t found = 0;
    near.next().for_each_one(0, near.next().words().size(), [&](std::uint64_t node) {
      if (found < later_.size()) later_[found] = static_cast<Id>(node);
      ++found;
      if (parents_ != nullptr) parents_->put(0, node, near.parent(static_cast<Id>(node)));
    });
    found_.store(found);
    end_level(near.levels());
  }

  /// Between two levels: the nodes of this level, and those visited so far.
  void save(core::StateWriter& state) const {
    state.value(size_);
    state.value(reached_);
    state.value(is_list_);
    state.array(visited_.words());
    state.put(is_list_ ? std::as_bytes(list()) : std::as_bytes(frontier_.words()));
  }
  /// In place of start().
  void restore(core::StateReader& state) {
    size_ = state.value<std::uint64_t>();
    reached_ = state.value<std::uint64_t>();
    is_list_ = state.value<bool>();
    state.array(visited_.words());
    state.get(is_list_ ? std::as_writable_bytes(std::span(now_.data(), static_cast<std::size_t>(size_)))
                       : std::as_writable_bytes(frontier_.words()));
    open_level();
  }

  std::uint64_t nodes() const { return nodes_; }
  std::uint64_t reached() const { return reached_; }
  unsigned threads() const { return environment_.threads; }
  bool wants_parents() const { return parents_ != nullptr; }
  /// Number of nodes on this level.
  std::uint64_t size() const { return size_; }
  bool is_list() const { return is_list_; }
  /// Requires: is_list().
  std::span<const Id> list() const { return {now_.data(), static_cast<std::size_t>(size_)}; }
  const AtomicBits& visited() const { return visited_; }
  const AtomicBits& next() const { return next_; }
  /// Fetches what reach(node) will need, for nodes that are near to it, too.
  void prefetch(Id node) const {
    visited_.prefetch(node);
    next_.prefetch(node);
  }
  /// Nodes [first, end) have no neighbours and count as visited. From any thread.
  void pass_over(std::uint64_t first, std::uint64_t end) {
    for (; first < end; ++first) visited_.set(first);
  }
  /// The level as bits, also if it is a list.
  const AtomicBits& frontier() {
    if (is_list_ && !list_has_bits_) {
      std::fill(frontier_.words().begin(), frontier_.words().end(), 0);
      for (const Id node : list()) frontier_.set(node);
      list_has_bits_ = true;
    }
    return frontier_;
  }

  /// Collects nodes of the next level for one thread.
  class Finder {
   public:
    Finder(SearchState& state, unsigned thread) : state_(state), thread_(thread) {}
    Finder(const Finder&) = delete;
    ~Finder() { flush(); }

    /// `parent`, in the frontier, has the neighbour `node`.
    void reach(Id node, Id parent) {
      if (state_.visited_.test(node)) return;
      take(node, parent);
    }
    /// The same for an unvisited node.
    void take(Id node, Id parent) {
      if (state_.next_.set(node)) add(node);
      if (state_.parents_ != nullptr) state_.parents_->put(thread_, node, parent);
    }
    /// The same for the unvisited nodes of a word of bits that no other thread writes. Parents are put apart.
    void take_word(std::size_t word, std::uint64_t bits) {
      if (bits == 0) return;
      state_.next_.words()[word] |= bits;
      if (state_.found_.load(std::memory_order_relaxed) > state_.later_.size()) {
        count_ += static_cast<std::uint64_t>(std::popcount(bits));  // the level becomes too large for a list
        return;
      }
      for (; bits != 0; bits &= bits - 1) {
        add(static_cast<Id>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
      }
    }
    void parent_of(Id node, Id parent) {
      if (state_.parents_ != nullptr) state_.parents_->put(thread_, node, parent);
    }

   private:
    void add(Id node) {
      buffer_[buffered_++] = node;
      if (buffered_ == buffer_.size()) flush();
    }
    void flush() {
      if (buffered_ + count_ == 0) return;
      const std::uint64_t place = state_.found_.fetch_add(buffered_ + count_, std::memory_order_relaxed);
      if (count_ == 0 && place + buffered_ <= state_.later_.size()) {
        std::copy_n(buffer_.data(), buffered_, state_.later_.data() + place);
      }
      buffered_ = 0;
      count_ = 0;
    }
    SearchState& state_;
    const unsigned thread_;
    std::array<Id, 256> buffer_;
    std::size_t buffered_ = 0;
    std::uint64_t count_ = 0;  ///< nodes found that are not in the buffer
  };

  /// Makes the found nodes the current level, at distance `level` from the root. Requires: all Finders are
  /// destroyed. Throws DataError (stored_level).
  void end_level(std::uint64_t level) {
    size_ = found_.load();
    const std::uint32_t stored = levels_ != nullptr && size_ > 0 ? stored_level(level) : 0;
    reached_ += size_;
    is_list_ = size_ <= later_.size();
    if (is_list_) {
      std::swap(now_, later_);
      const std::span<Id> found(now_.data(), static_cast<std::size_t>(size_));
      if (!std::is_sorted(found.begin(), found.end())) core::vector_sort(found);
      // Plain stores: no other thread is at work.
      const std::span<std::uint64_t> visited_words = visited_.words();
      const std::span<std::uint64_t> next_words = next_.words();
      for (const Id node : found) {
        const auto word = static_cast<std::size_t>(node >> 6);
        visited_words[word] |= std::uint64_t{1} << (node & 63);
        next_words[word] = 0;  // all its nodes are in the list
      }
      if (levels_ != nullptr) {
        for (const Id node : found) levels_->put(0, node, stored);
      }
    } else {
      take_bits(stored);
    }
    open_level();
  }

 private:
  void open_level() {
    found_.store(0);
    list_has_bits_ = false;
  }

  void take_bits(std::uint32_t level) {
    const std::size_t words = next_.words().size();
    const unsigned threads = words < 4096 ? 1 : environment_.threads;
    core::run_on_threads(threads, [&](unsigned thread) {
      const std::size_t first = words * thread / threads;
      const std::size_t end = words * (thread + 1) / threads;
      if (levels_ != nullptr) {
        next_.for_each_one(first, end, [&](std::uint64_t node) { levels_->put(thread, node, level); });
      }
      for (std::size_t w = first; w < end; ++w) {
        const std::uint64_t bits = std::exchange(next_.words()[w], 0);
        frontier_.words()[w] = bits;
        visited_.words()[w] |= bits;
      }
    });
  }

  core::Environment& environment_;
  const std::uint64_t nodes_;
  AtomicBits visited_;
  AtomicBits frontier_;
  AtomicBits next_;
  core::Array<Id> now_;
  core::Array<Id> later_;
  NodeValues<std::uint32_t>* const levels_;
  NodeValues<Id>* const parents_;
  std::uint64_t size_ = 0;
  std::uint64_t reached_ = 0;
  bool is_list_ = true;
  bool list_has_bits_ = false;
  std::atomic<std::uint64_t> found_{
      0};  ///< nodes on the next level; if more than later_.size(), there is no list
};

}  // namespace emgraph::graph::bfs
