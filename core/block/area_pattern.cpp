// SPDX-License-Identifier: MIT
// Fills and checks a page in one pass over a page of the pool.
#include "core/block/area_pattern.hpp"

#include "core/base/random_word.hpp"

namespace emgraph::core {
namespace {

constexpr std::size_t page_words = page_bytes / sizeof(std::uint64_t);
constexpr std::size_t pool_pages = 16;  // fits into the first- or second-level cache

}  // namespace

AreaPattern::AreaPattern(MemoryBudget& budget, std::uint64_t seed)
    : pool_(budget, pool_pages * page_words, "the pattern of an area"), seed_(random_word(seed, ~seed)) {
  for (std::size_t i = 0; i < pool_.size(); ++i) pool_[i] = random_word(seed, i);
}

void AreaPattern::fill(std::uint64_t offset, std::span<std::byte> to) const {
  auto* out = reinterpret_cast<std::uint64_t*>(to.data());
  for (std::uint64_t page = offset / page_bytes; page < (offset + to.size()) / page_bytes; ++page) {
    const std::uint64_t* pool = pool_.data() + page % pool_pages * page_words;
    const std::uint64_t mask = random_word(seed_, page);
    for (std::size_t i = 0; i < page_words; ++i) out[i] = pool[i] ^ mask;
    out += page_words;
  }
}

std::optional<std::uint64_t> AreaPattern::first_difference(std::uint64_t offset,
                                                           std::span<const std::byte> bytes) const {
  const auto* in = reinterpret_cast<const std::uint64_t*>(bytes.data());
  for (std::uint64_t page = offset / page_bytes; page < (offset + bytes.size()) / page_bytes; ++page) {
    const std::uint64_t* pool = pool_.data() + page % pool_pages * page_words;
    const std::uint64_t mask = random_word(seed_, page);
    std::uint64_t wrong = 0;
    for (std::size_t i = 0; i < page_words; ++i) wrong |= in[i] ^ pool[i] ^ mask;
    for (std::size_t i = 0; wrong != 0; ++i) {
      if ((in[i] ^ pool[i]) != mask) return page * page_bytes + i * sizeof(std::uint64_t) - offset;
    }
    in += page_words;
  }
  return std::nullopt;
}

}  // namespace emgraph::core
