// SPDX-License-Identifier: MIT
// Counts labels and tells the most frequent one, the smallest among equals.
//
// A hash table with linear probing. The answer does not depend on the order of the labels.
// Memory: bytes_for(). Threads: one user. Throws: MemoryLimitError.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/base/bytes.hpp"
#include "core/memory/budget.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::cdlp {

template <class Id>
class Tally {
 public:
  /// `most_labels`: the largest number of labels that are counted together. Requires: four times it fits in
  /// an Id.
  Tally(core::MemoryBudget& memory, std::uint64_t most_labels)
      : slots_(memory, static_cast<std::size_t>(slots_for(most_labels)), "a counter per label of a list"),
        touched_(memory, slots_.size() / 2, "an id per label of a list") {
    std::fill_n(slots_.data(), slots_.size(), Slot{});
  }

  static std::uint64_t bytes_for(std::uint64_t most_labels) {
    return core::size_sum(core::size_product(slots_for(most_labels), sizeof(Slot) + sizeof(Id)),
                          2 * core::page_bytes);
  }

  /// Forgets all labels. At most `labels` are added until the next begin().
  void begin(std::uint64_t labels) {
    for (std::size_t i = 0; i < used_; ++i) slots_[static_cast<std::size_t>(touched_[i])] = Slot{};
    used_ = 0;
    mask_ = static_cast<std::size_t>(slots_for(labels)) - 1;
    most_ = 0;
  }
  void add(Id label) {
    std::size_t i = static_cast<std::size_t>(label * std::uint64_t{0x9e3779b97f4a7c15} >> 32) & mask_;
    while (slots_[i].count > 0 && slots_[i].label != label) i = (i + 1) & mask_;
    if (slots_[i].count == 0) {
      slots_[i].label = label;
      touched_[used_++] = static_cast<Id>(i);
    }
    const Id count = ++slots_[i].count;
    if (count > most_ || (count == most_ && label < winner_)) {
      most_ = count;
      winner_ = label;
    }
  }
  /// Requires: a label was added.
  Id winner() const { return winner_; }

 private:
  struct Slot {
    Id label = 0;
    Id count = 0;
  };
  static std::uint64_t slots_for(std::uint64_t labels) {
    return std::bit_ceil(std::clamp<std::uint64_t>(labels, 1, std::uint64_t{1} << 60) * 2);
  }

  core::Array<Slot> slots_;
  core::Array<Id> touched_;  ///< the slots in use
  std::size_t used_ = 0;
  std::size_t mask_ = 0;
  Id most_ = 0;
  Id winner_ = 0;
};

}  // namespace emgraph::graph::cdlp
