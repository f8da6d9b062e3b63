// SPDX-License-Identifier: MIT
// The arcs from one range of nodes, as lists by target, on the temporary disks.
//
// Layout: a run of 32-bit words. A fragment of a list is: the gap to the target of the fragment before
// (0: the same target), the number of sources, the sources from the first node of the range. A gap of
// 2^32 - 1 or more is preceded by words of 2^32 - 1, each of which stands for so much of it.
// I/O: 4 bytes per arc and 8 per target, once for each reading. Threads: one user.
// Throws: EnvironmentError, MemoryLimitError.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/block/run.hpp"
#include "core/environment.hpp"

namespace emgraph::graph::pagerank {

using InLists = core::Run<std::uint32_t>;

inline constexpr std::uint32_t wide_gap = 0xffffffffU;

/// Memory: two blocks; 16 KiB, not charged.
class InListWriter {
 public:
  InListWriter(core::Environment& environment, std::size_t block_bytes)
      : words_(environment, block_bytes, 2) {
    sources_.reserve(most_sources);
  }
  /// Goes on with the lists that save() has described.
  InListWriter(core::Environment& environment, core::StateReader& state) : words_(environment, state, 2) {
    sources_.reserve(most_sources);
    target_ = state.value<std::uint64_t>();
    written_target_ = state.value<std::uint64_t>();
    sources_.resize(static_cast<std::size_t>(state.value<std::uint64_t>()));
    state.array(std::span(sources_));
  }
  /// Requires: ascending targets.
  void push(std::uint64_t target, std::uint32_t source) {
    if (target != target_ || sources_.size() == most_sources) [[unlikely]] {
      flush();
      target_ = target;
    }
    sources_.push_back(source);
  }
  void save(core::StateWriter& state) {
    words_.save(state);
    state.value(target_);
    state.value(written_target_);
    state.value(static_cast<std::uint64_t>(sources_.size()));
    state.array(std::span(sources_));
  }
  InLists finish() {
    flush();
    return words_.finish();
  }

 private:
  static constexpr std::size_t most_sources = 4096;

  void flush() {
    if (sources_.empty()) return;
    std::uint64_t gap = target_ - written_target_;
    for (; gap >= wide_gap; gap -= wide_gap) words_.push(wide_gap);
    words_.push(static_cast<std::uint32_t>(gap));
    words_.push(static_cast<std::uint32_t>(sources_.size()));
    words_.append(sources_);
    written_target_ = target_;
    sources_.clear();
  }

  core::RunWriter<std::uint32_t> words_;
  std::vector<std::uint32_t> sources_;
  std::uint64_t target_ = 0;
  std::uint64_t written_target_ = 0;
};

/// Reads the lists. Calls take(target, sources) for each piece of a list, then end(target); targets ascend.
/// end() is also called for some targets without a list. Memory: three blocks.
template <class Take, class End>
void read_lists(core::Environment& environment, const InLists& lists, Take&& take, End&& end) {
  core::RunReader<std::uint32_t> reader(environment, lists, 2);
  std::uint64_t target = 0;
  std::uint32_t left = 0;
  bool gap_read = false;
  for (auto words = reader.next(); !words.empty(); words = reader.next()) {
    while (!words.empty()) {
      if (left > 0) {
        const std::size_t here = std::min<std::size_t>(left, words.size());
        take(target, words.first(here));
        left -= static_cast<std::uint32_t>(here);
        words = words.subspan(here);
        continue;
      }
      const std::uint32_t word = words.front();
      words = words.subspan(1);
      if (gap_read) {
        left = word;
        gap_read = false;
        continue;
      }
      gap_read = word != wide_gap;
      if (word > 0) end(target);
      target += word;
    }
  }
  end(target);
}

}  // namespace emgraph::graph::pagerank
