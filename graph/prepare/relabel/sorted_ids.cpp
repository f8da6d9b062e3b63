// SPDX-License-Identifier: MIT
// Searches many ids at once.
#include "graph/prepare/relabel/sorted_ids.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "core/base/bytes.hpp"
#include "core/base/prefetch.hpp"

namespace emgraph::graph::relabel {
namespace {

constexpr std::size_t group_ids = 32;
constexpr std::uint64_t ids_per_cell = 4;
constexpr std::size_t written_ids = 64 * 1024;
// An id and its share of the index.
constexpr std::size_t bytes_per_id = sizeof(std::uint64_t) + sizeof(std::uint64_t) / ids_per_cell;

}  // namespace

std::uint64_t SortedIds::most(std::size_t bytes) {
  // Both arrays may be rounded up by a page, and the index has one more entry.
  return (bytes - std::min(bytes, 3 * core::page_bytes)) / bytes_per_id;
}

std::uint64_t SortedIds::bytes_for(std::uint64_t ids) {
  return core::size_sum(core::size_product(ids, bytes_per_id), 3 * core::page_bytes);
}

SortedIds::SortedIds(core::MemoryBudget& budget, std::uint64_t most)
    : budget_(budget), ids_(budget, most, "sorted ids") {}

void SortedIds::finish() {
  if (size() == 0) return;
  first_ = ids_[0];
  last_ = ids_.back();
  const std::uint64_t cells = std::bit_floor(std::max<std::uint64_t>(1, size() / ids_per_cell));
  const auto range_bits = static_cast<unsigned>(std::bit_width(last_ - first_));
  const auto cell_bits = static_cast<unsigned>(std::countr_zero(cells));
  shift_ = range_bits > cell_bits ? range_bits - cell_bits : 0;
  // A range of 64 bits with one cell would need a shift by 64, which is undefined.
  if (shift_ == 64) shift_ = 63;
  const auto used = static_cast<std::size_t>(((last_ - first_) >> shift_) + 1);
  cells_ = core::Array<std::uint64_t>(budget_, used + 1, "index of ids");
  std::size_t cell = 0;
  for (std::uint64_t i = 0; i < size(); ++i) {
    const auto here = static_cast<std::size_t>((ids_[i] - first_) >> shift_);
    while (cell < here) cells_[++cell] = i;
  }
  while (cell < used) cells_[++cell] = size();
}

std::optional<std::uint64_t> SortedIds::replace(std::span<std::uint64_t> ids) const {
  const std::uint64_t* const sorted = ids_.data();
  std::array<const std::uint64_t*, group_ids> begin;
  std::array<std::uint64_t, group_ids> length;
  for (std::size_t at = 0; at < ids.size(); at += group_ids) {
    const std::span<std::uint64_t> group = ids.subspan(at, std::min(group_ids, ids.size() - at));
    for (const std::uint64_t id : group) {
      if (size() == 0 || id < first_ || id > last_) return id;
      core::prefetch(cells_.data() + ((id - first_) >> shift_));
    }
    std::uint64_t longest = 0;
    for (std::size_t i = 0; i < group.size(); ++i) {
      const auto cell = static_cast<std::size_t>((group[i] - first_) >> shift_);
      begin[i] = sorted + cells_[cell];
      length[i] = cells_[cell + 1] - cells_[cell];
      if (length[i] == 0) return group[i];
      longest = std::max(longest, length[i]);
      core::prefetch(begin[i]);
    }
    for (; longest > 1; longest -= longest / 2) {
      for (std::size_t i = 0; i < group.size(); ++i) {
        const std::uint64_t half = length[i] / 2;
        begin[i] += begin[i][half] <= group[i] ? half : 0;
        length[i] -= half;
      }
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (*begin[i] != group[i]) return group[i];
      group[i] = static_cast<std::uint64_t>(begin[i] - sorted);
    }
  }
  return std::nullopt;
}

void SortedIds::write(NodeSink<std::uint64_t>& sink) const {
  for (std::uint64_t done = 0; done < size(); done += written_ids) {
    sink.append(
        {ids_.data() + done, static_cast<std::size_t>(std::min<std::uint64_t>(written_ids, size() - done))});
  }
}

}  // namespace emgraph::graph::relabel
