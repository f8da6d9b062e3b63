// SPDX-License-Identifier: MIT
// Counts bits, and looks up bits in groups so that memory latencies overlap.
#include "graph/prepare/relabel/marked_ids.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "core/base/prefetch.hpp"

namespace emgraph::graph::relabel {
namespace {

constexpr std::size_t group_ids = 64;
constexpr std::size_t written_ids = 4096;
constexpr std::size_t bytes_per_word = sizeof(std::uint64_t) + sizeof(std::uint32_t);

}  // namespace

std::uint64_t MarkedIds::bound(std::size_t bytes) {
  // Each array may be rounded up by a page.
  const std::size_t usable = bytes - std::min(bytes, 2 * core::page_bytes);
  return std::min<std::uint64_t>(std::uint64_t{1} << 32, usable / bytes_per_word * std::uint64_t{64});
}

std::uint64_t MarkedIds::bytes_for(std::uint64_t largest) {
  return (largest / 64 + 1) * bytes_per_word + 2 * core::page_bytes;
}

MarkedIds::MarkedIds(core::MemoryBudget& budget, std::uint64_t bound)
    : budget_(budget), bound_(bound), words_(budget, (bound + 63) / 64, "a bit per id") {}

void MarkedIds::finish() {
  before_ = core::Array<std::uint32_t>(budget_, static_cast<std::size_t>(words_.size()), "counts of ids");
  for (std::size_t w = 0; w < before_.size(); ++w) {
    // There can be 2^32 ids in total, but fewer before the last word.
    before_[w] = static_cast<std::uint32_t>(size_);
    size_ += static_cast<std::uint64_t>(std::popcount(words_[w]));
  }
}

std::optional<std::uint64_t> MarkedIds::replace(std::span<std::uint64_t> ids) const {
  for (std::size_t first = 0; first < ids.size(); first += group_ids) {
    const std::span<std::uint64_t> group = ids.subspan(first, std::min(group_ids, ids.size() - first));
    for (const std::uint64_t id : group) {
      if (id >> 6 >= before_.size()) return id;
      core::prefetch(words_.data() + (id >> 6));
      core::prefetch(before_.data() + (id >> 6));
    }
    for (std::uint64_t& id : group) {
      const std::uint64_t word = words_[id >> 6];
      const std::uint64_t bit = std::uint64_t{1} << (id & 63);
      if ((word & bit) == 0) return id;
      id = before_[static_cast<std::size_t>(id >> 6)] +
           static_cast<std::uint64_t>(std::popcount(word & (bit - 1)));
    }
  }
  return std::nullopt;
}

void MarkedIds::write(NodeSink<std::uint64_t>& sink) const {
  std::array<std::uint64_t, written_ids> batch;
  std::size_t count = 0;
  for (std::size_t w = 0; w < before_.size(); ++w) {
    if (count + 64 > batch.size()) {
      sink.append(std::span(batch).first(count));
      count = 0;
    }
    for (std::uint64_t ones = words_[w]; ones != 0; ones &= ones - 1) {
      batch[count++] = std::uint64_t{w} * 64 + static_cast<std::uint64_t>(std::countr_zero(ones));
    }
  }
  if (count > 0) sink.append(std::span(batch).first(count));
}

}  // namespace emgraph::graph::relabel
