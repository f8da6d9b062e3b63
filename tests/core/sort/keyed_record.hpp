// SPDX-License-Identifier: MIT
// Records of the distribution sort as values: what tests make, compare and keep.
#pragma once

#include <array>
#include <cstddef>
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
  std::vector<Key> keys;
  std::vector<std::byte> attachments;
  attachments.reserve(count * A + 1);
  for (std::size_t i = 0; i < count; ++i) {
    keys.push_back(records[i].key);
    if constexpr (A > 0) {
      attachments.insert(attachments.end(), records[i].attachment.begin(), records[i].attachment.end());
    }
  }
  packing.pack(keys.data(), attachments.data(), count, block, group);
}

}  // namespace emgraph::tests
