// SPDX-License-Identifier: MIT
// What is sorted in place of the records of a bucket: their keys with the numbers of their places.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/base/integers.hpp"
#include "core/base/vector_sort.hpp"
#include "core/spill/packing.hpp"

namespace emgraph::core {

/// The entry of a key and a place that together need more than 128 bits.
struct PairEntry {
  uint128 key;
  std::uint32_t place;
  auto operator<=>(const PairEntry&) const = default;
};

/// Entries of integers have the key above the place. `place_bits` is 0 for keys alone.
template <class Entry>
struct EntryFormat {
  using Key = std::conditional_t<std::is_same_v<Entry, std::uint64_t>, std::uint64_t, uint128>;
  unsigned place_bits = 0;

  Entry make(Key key, std::size_t place) const {
    if constexpr (std::is_same_v<Entry, PairEntry>) {
      return {key, static_cast<std::uint32_t>(place)};
    } else {
      return key << place_bits | place;
    }
  }
  Key key(const Entry& entry) const {
    if constexpr (std::is_same_v<Entry, PairEntry>) {
      return entry.key;
    } else {
      return entry >> place_bits;
    }
  }
  std::size_t place(const Entry& entry) const {
    if constexpr (std::is_same_v<Entry, PairEntry>) {
      return entry.place;
    } else {
      return static_cast<std::size_t>(entry & low_mask<Entry>(place_bits));
    }
  }
};

/// Attachments by place, of `bytes` bytes each.
struct PlacedAttachments {
  const std::byte* data = nullptr;
  std::size_t bytes = 0;
  const std::byte* operator[](std::size_t place) const { return data + place * bytes; }
};

/// The first entry from `at` on whose successor has the same key; entries.size() if there is none.
template <class Entry>
[[gnu::noinline]] std::size_t next_equal(std::span<const Entry> entries, EntryFormat<Entry> format,
                                         std::size_t at) {
  const auto is_equal = [&](std::size_t i) { return format.key(entries[i]) == format.key(entries[i + 1]); };
  constexpr std::size_t step = 32;
  for (; at + step < entries.size(); at += step) {
    bool any = false;
    for (std::size_t i = at; i < at + step; ++i) any |= is_equal(i);
    if (any) break;
  }
  for (; at + 1 < entries.size(); ++at) {
    if (is_equal(at)) return at;
  }
  return entries.size();
}

/// Sorts entries by keys and places.
template <class Entry>
void sort_entries(std::span<Entry> entries) {
  if constexpr (std::is_same_v<Entry, PairEntry>) {
    std::sort(entries.begin(), entries.end());
  } else {
    vector_sort(entries);
  }
}

/// Puts sorted entries of equal keys in the order of their attachments, so that the order is a total one.
template <class Entry>
[[gnu::noinline]] void order_equal_keys(std::span<Entry> entries, EntryFormat<Entry> format,
                                        PlacedAttachments attachments, CompareAttachments compare) {
  for (std::size_t i = next_equal<Entry>(entries, format, 0); i < entries.size();) {
    std::size_t end = i + 2;
    while (end < entries.size() && format.key(entries[end]) == format.key(entries[i])) ++end;
    std::sort(entries.data() + i, entries.data() + end, [&](const Entry& a, const Entry& b) {
      return compare(attachments[format.place(a)], attachments[format.place(b)], attachments.bytes) < 0;
    });
    i = next_equal<Entry>(entries, format, end);
  }
}

}  // namespace emgraph::core
