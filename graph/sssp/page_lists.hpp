// SPDX-License-Identifier: MIT
// Relaxes the lists of nodes of one page.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "graph/adjacency/page.hpp"
#include "graph/sssp/bucket_state.hpp"

namespace emgraph::graph::sssp {

/// Gathers the lists of some nodes of a page, ascending, and relaxes them together, so that the loads of
/// their neighbours' distances overlap. Memory: 8 KiB. Threads: one; several if shared, each with its own.
template <class Id, class Distances, Sharing sharing>
class PageLists {
 public:
  using Cursor = adjacency::PageCursor<Id>;
  using State = BucketState<Id, Distances>;

  PageLists(State& state, Cursor& cursor, typename State::Tally& tally)
      : state_(state), cursor_(cursor), tally_(tally) {}

  /// Back to the first node of the page.
  void rewind() {
    cursor_.rewind();
    open_ = false;
  }
  /// Adds the list of a node, as far as it is in the page.
  void add(Id node) {
    if (!open_ || (cursor_.node() < node && node - cursor_.node() > near_by)) {
      cursor_.seek(node);
      open_ = cursor_.next();
    }
    while (open_ && cursor_.node() < node) open_ = cursor_.next();
    for (; open_ && cursor_.node() == node; open_ = cursor_.next()) {
      if (entries_ + cursor_.count() > most_entries || parts_ == ends_.size()) relax();
      cursor_.decode(neighbours_.data() + entries_);
      cursor_.decode_weights(weights_.data() + entries_);
      for (unsigned i = 0; i < cursor_.count(); ++i) state_.prefetch(neighbours_[entries_ + i]);
      entries_ += cursor_.count();
      nodes_[parts_] = node;
      ends_[parts_++] = static_cast<std::uint16_t>(entries_);
    }
  }
  /// Relaxes the gathered lists.
  void relax() {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < parts_; ++i) {
      const std::size_t count = ends_[i] - begin;
      state_.template relax<sharing>(nodes_[i], {neighbours_.data() + begin, count},
                                     {weights_.data() + begin, count}, tally_);
      begin = ends_[i];
    }
    parts_ = entries_ = 0;
  }

 private:
  // A node this near is found faster by reading on than by seeking.
  static constexpr Id near_by = 4;
  static constexpr std::size_t most_entries = 2 * adjacency::fragment_neighbours;

  State& state_;
  Cursor& cursor_;
  typename State::Tally& tally_;
  bool open_ = false;  ///< the cursor is at a part of a list
  std::size_t parts_ = 0;
  std::size_t entries_ = 0;
  std::array<Id, 64> nodes_;
  std::array<std::uint16_t, 64> ends_;
  std::array<Id, most_entries + 3> neighbours_;
  std::array<std::uint64_t, most_entries> weights_;
};

}  // namespace emgraph::graph::sssp
