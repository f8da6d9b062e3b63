// SPDX-License-Identifier: MIT
// The neighbours of all nodes, as lists on the temporary disks.
//
// Layout: a run of ids. A fragment of a list is: the node, the number of neighbours, the neighbours.
// I/O: an id per neighbour and two per fragment, once for each reading. Threads: one user.
// Throws: EnvironmentError, MemoryLimitError.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/block/run.hpp"
#include "core/environment.hpp"

namespace emgraph::graph::cdlp {

template <class Id>
using NeighbourLists = core::Run<Id>;

inline constexpr std::size_t most_in_fragment = 1024;

/// What is known of lists that are pushed node by node.
struct ListFacts {
  std::uint64_t entries = 0;
  std::uint64_t longest = 0;
  std::uint64_t node = 0;    ///< the last one
  std::uint64_t length = 0;  ///< of its list so far

  /// A neighbour of `of`. Requires: ascending nodes.
  void count(std::uint64_t of) {
    if (of != node) length = 0;
    node = of;
    longest = std::max(longest, ++length);
    ++entries;
  }
};

/// Memory: two blocks; 8 KiB, not charged.
template <class Id>
class ListWriter {
 public:
  ListWriter(core::Environment& environment, std::size_t block_bytes) : words_(environment, block_bytes, 2) {}
  /// Goes on with the lists that save() has described.
  ListWriter(core::Environment& environment, core::StateReader& state) : words_(environment, state, 2) {
    node_ = state.value<Id>();
    filled_ = static_cast<std::size_t>(state.value<std::uint64_t>());
    state.array(std::span(fragment_).first(filled_));
  }
  void save(core::StateWriter& state) {
    words_.save(state);
    state.value(node_);
    state.value(std::uint64_t{filled_});
    state.array(std::span(fragment_).first(filled_));
  }
  /// Requires: ascending nodes.
  void push(Id node, Id neighbour) {
    if (node != node_ || filled_ == most_in_fragment) {
      flush();
      node_ = node;
    }
    fragment_[filled_++] = neighbour;
  }
  NeighbourLists<Id> finish() {
    flush();
    return words_.finish();
  }

 private:
  void flush() {
    if (filled_ == 0) return;
    words_.push(node_);
    words_.push(static_cast<Id>(filled_));
    words_.append({fragment_.data(), filled_});
    filled_ = 0;
  }

  core::RunWriter<Id> words_;
  std::array<Id, most_in_fragment> fragment_;
  std::size_t filled_ = 0;
  Id node_ = 0;
};

/// Calls take(node, neighbours, length of the fragment) for each piece of a fragment; nodes ascend.
/// Memory: three blocks.
template <class Id, class Take>
void read_lists(core::Environment& environment, const NeighbourLists<Id>& lists, Take&& take) {
  core::RunReader<Id> reader(environment, lists, 2);
  Id node = 0;
  std::size_t length = 0;
  std::size_t left = 0;
  bool node_read = false;
  for (auto words = reader.next(); !words.empty(); words = reader.next()) {
    while (!words.empty()) {
      if (left > 0) {
        const std::size_t here = std::min(left, words.size());
        take(node, words.first(here), length);
        left -= here;
        words = words.subspan(here);
        continue;
      }
      if (node_read) {
        left = length = static_cast<std::size_t>(words.front());
      } else {
        node = words.front();
      }
      node_read = !node_read;
      words = words.subspan(1);
    }
  }
}

}  // namespace emgraph::graph::cdlp
