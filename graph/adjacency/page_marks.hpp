// SPDX-License-Identifier: MIT
// Places in pages at which the last reading of selected lists ended.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/memory/buffer.hpp"

namespace emgraph::graph::adjacency {

/// A fragment that begins the list of a node, and what a cursor needs of the foot of its page.
struct PageMark {
  std::uint32_t node = 0;        ///< less the first node of the page
  std::uint16_t fragment = 0;    ///< number of the fragment
  std::uint16_t position = 0;    ///< 0: no mark, for the first fragment needs none
  std::uint16_t fragments = 0;   ///< as in the foot
  std::uint16_t used_bytes = 0;  ///< as in the foot

  explicit operator bool() const { return position != 0; }
};

/// Problem: a search of a grid or a road network reads one or two lists of a page on every level, each next
/// to one of the level before, and finding a list takes a search in the directory and eight fragments on
/// average. Method: one mark per page, behind the list that was read last. A cursor that starts there finds
/// the next list at once and does not read the foot of the page. (Feet are 4 KiB apart, so they share few
/// sets of the processor's caches.) Memory: 16 bytes per page, charged. Threads: any number may read and
/// write marks, also of the same page: parts of a mark that change together are one word.
class PageMarks {
 public:
  /// Without marks.
  PageMarks() = default;
  PageMarks(core::MemoryBudget& budget, std::uint64_t pages)
      : words_(budget, words_for(pages), "places in the pages of an adjacency") {}

  static std::size_t bytes_for(std::uint64_t pages) {
    return words_for(pages) * sizeof(std::uint64_t) + core::page_bytes;
  }
  bool empty() const { return words_.size() == 0; }

  PageMark of(std::uint64_t page) const {
    if (empty()) return {};
    const std::size_t i = 2 * static_cast<std::size_t>(page);
    const std::uint64_t place = word(i).load(std::memory_order_relaxed);
    const std::uint64_t foot = word(i + 1).load(std::memory_order_relaxed);
    if (foot == 0) return {};
    return {.node = static_cast<std::uint32_t>(place >> 32),
            .fragment = static_cast<std::uint16_t>(place >> 16),
            .position = static_cast<std::uint16_t>(place),
            .fragments = static_cast<std::uint16_t>(foot >> 16),
            .used_bytes = static_cast<std::uint16_t>(foot)};
  }
  /// Keeps the old mark if there is no new one.
  void put(std::uint64_t page, const PageMark& mark) const {
    if (empty() || !mark) return;
    const std::size_t i = 2 * static_cast<std::size_t>(page);
    word(i).store(std::uint64_t{mark.node} << 32 | std::uint64_t{mark.fragment} << 16 | mark.position,
                  std::memory_order_relaxed);
    word(i + 1).store(std::uint64_t{mark.fragments} << 16 | mark.used_bytes, std::memory_order_relaxed);
  }

 private:
  static std::size_t words_for(std::uint64_t pages) { return 2 * static_cast<std::size_t>(pages); }
  std::atomic_ref<std::uint64_t> word(std::size_t i) const {
    return std::atomic_ref<std::uint64_t>(words_[i]);
  }

  // Two per page: the place, and what is the same for all marks of the page.
  core::Array<std::uint64_t> words_;
};

}  // namespace emgraph::graph::adjacency
