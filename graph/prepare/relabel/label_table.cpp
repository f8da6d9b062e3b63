// SPDX-License-Identifier: MIT
// Adds new labels, and grows the table.
#include "graph/prepare/relabel/label_table.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/bytes.hpp"

namespace emgraph::graph::relabel {
namespace {

constexpr std::size_t first_slots = 4096;
constexpr std::uint64_t greatest_size = std::numeric_limits<std::uint32_t>::max() - 1;

std::uint64_t labels_in(std::size_t slots) {
  return std::min<std::uint64_t>(slots / 10 * 7, greatest_size);
}

/// The first number of slots: `most` halved repeatedly, so that repeated doubling reaches about `most`.
std::size_t slots_at_first(std::size_t most) {
  while (most / 2 >= first_slots) most /= 2;
  return most;
}

// While growing, the table and the previous one of half the size are in memory.
std::size_t slots_for(std::size_t bytes) {
  return std::max<std::size_t>(32, bytes / 3 * 2 / sizeof(core::uint128));
}

}  // namespace

std::uint64_t LabelTable::most_labels(std::size_t bytes) {
  return labels_in(slots_for(bytes));
}

std::uint64_t LabelTable::most_bytes(std::uint64_t labels) {
  // A table that has just grown is 35 % full.
  constexpr std::uint64_t bytes_per_label = sizeof(core::uint128) * 3 * 10 / 7;
  return core::size_sum(core::size_product(labels, bytes_per_label), 2 * first_slots * sizeof(core::uint128));
}

LabelTable::LabelTable(core::MemoryBudget& budget, std::size_t bytes)
    : budget_(budget),
      most_slots_(slots_for(bytes)),
      slots_(budget, slots_at_first(most_slots_), "labels"),
      most_(labels_in(slots_.size())) {}

LabelTable::Number LabelTable::add(core::uint128 hash, std::size_t slot) {
  if (size_ == most_) {
    if (!grow()) {
      full_ = true;
      return {};
    }
    slot = find_slot(hash);
  }
  slots_[slot] = hash << number_bits | ++size_;
  return {.value = static_cast<std::uint32_t>(size_ - 1), .known = true, .added = true};
}

bool LabelTable::grow() {
  if (slots_.size() * 2 > most_slots_ || most_ == greatest_size) return false;
  // Doubles the size; the last step goes to the greatest size.
  const std::size_t size = slots_.size() * 4 > most_slots_ ? most_slots_ : slots_.size() * 2;
  if (budget_.available() < size * sizeof(core::uint128) + core::page_bytes) return false;
  core::Array<core::uint128> old = std::exchange(slots_, {});
  try {
    slots_ = core::Array<core::uint128>(budget_, size, "labels");
  } catch (...) {
    slots_ = std::move(old);
    throw;
  }
  for (const core::uint128 entry : old.span()) {
    if (entry != 0) slots_[find_slot(entry >> number_bits)] = entry;
  }
  most_ = labels_in(size);
  return true;
}

}  // namespace emgraph::graph::relabel
