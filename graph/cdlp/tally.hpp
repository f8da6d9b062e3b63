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
#include <span>

#include "core/base/bytes.hpp"
#include "core/base/random_word.hpp"
#include "core/memory/budget.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::cdlp {

/// The label that is there most often, the smallest among equals. Requires: labels ascend; there is one.
template <class Id>
Id most_frequent_of_sorted(std::span<const Id> labels) {
  Id winner = labels.front();
  Id last = labels.front();
  std::size_t most = 0;
  std::size_t count = 0;
  for (const Id label : labels) {
    count = label == last ? count + 1 : 1;
    last = label;
    winner = count > most ? label : winner;
    most = std::max(most, count);
  }
  return winner;
}

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
    for (const Id i : touched()) slots_[static_cast<std::size_t>(i)] = Slot{};
    used_ = 0;
    mask_ = static_cast<std::size_t>(slots_for(labels)) - 1;
  }
  void add(std::span<const Id> labels) {
    Slot* const slots = slots_.data();
    const std::size_t mask = mask_;
    std::size_t used = used_;
    for (const Id label : labels) {
      std::size_t i = static_cast<std::size_t>(label * core::golden_increment >> 32) & mask;
      while (slots[i].count > 0 && slots[i].label != label) i = (i + 1) & mask;
      if (slots[i].count == 0) {
        slots[i].label = label;
        touched_[used++] = static_cast<Id>(i);
      }
      ++slots[i].count;
    }
    used_ = used;
  }
  /// Requires: a label was added.
  Id winner() const {
    Slot most;
    for (const Id i : touched()) {
      const Slot& slot = slots_[static_cast<std::size_t>(i)];
      if (slot.count > most.count || (slot.count == most.count && slot.label < most.label)) most = slot;
    }
    return most.label;
  }

 private:
  struct Slot {
    Id label = 0;
    Id count = 0;
  };
  static std::uint64_t slots_for(std::uint64_t labels) {
    return std::bit_ceil(std::clamp<std::uint64_t>(labels, 1, std::uint64_t{1} << 60) * 2);
  }

  std::span<const Id> touched() const { return touched_.span().first(used_); }

  core::Array<Slot> slots_;
  core::Array<Id> touched_;  ///< the slots in use
  std::size_t used_ = 0;
  std::size_t mask_ = 0;
};

}  // namespace emgraph::graph::cdlp
