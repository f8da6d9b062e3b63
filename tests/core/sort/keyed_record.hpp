// SPDX-License-Identifier: MIT
// Records of the distribution sort as values: what tests make, compare and keep.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "core/spill/packing.hpp"

namespace emgraph::tests {

/// A key with `A` opaque bytes.
template <class Key, std::size_t A>
struct KeyedRecord {
  Key key;
  std::array<std::byte, A> attachment;
};
template <class Key>
struct KeyedRecord<Key, 0> {
  Key key;
};

/// Packs a group of records.
template <class Key, std::size_t A>
void pack(const core::Packing<Key>& packing, const KeyedRecord<Key, A>* records, std::size_t count,
          std::byte* block, std::size_t group) {
  std::vector<std::byte> rows(count * (sizeof(Key) + A));
  for (std::size_t i = 0; i < count; ++i) {
    std::byte* const row = rows.data() + i * (sizeof(Key) + A);
    std::memcpy(row, &records[i].key, sizeof(Key));
    if constexpr (A > 0) std::memcpy(row + sizeof(Key), records[i].attachment.data(), A);
  }
  packing.pack(rows.data(), count, block, group);
}

}  // namespace emgraph::tests
