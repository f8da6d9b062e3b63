// SPDX-License-Identifier: MIT
// How records of a bucket are laid out in a block: keys without the bits that the bucket implies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/base/integers.hpp"

namespace emgraph::core {

/// A key with `A` opaque bytes; just the key when there are none.
template <IntegerKey Key, std::size_t A>
struct KeyedRecord {
  Key key;
  std::array<std::byte, A> attachment;
};
template <IntegerKey Key>
struct KeyedRecord<Key, 0> {
  Key key;
};

/// Records go to a block in groups of `group_records`: first the low `key_bytes` bytes of (key - base) of
/// each record, then the attachments. A last group may be filled partly, its space is whole. Stores and loads
/// are of whole words and overlap: blocks have `slack_bytes` behind the last group.
template <IntegerKey Key, std::size_t A>
struct Packing {
  /// 32 keys are 256 bytes of staging space per bucket and thread. With some hundred
  /// buckets that stays in the second-level cache. The value was not tuned by measurement.
  static constexpr std::size_t group_records = 32;
  static constexpr std::size_t slack_bytes = sizeof(Key);

  Key base = 0;
  std::size_t key_bytes = sizeof(Key);

  static constexpr std::size_t key_bytes_for(Key range_width) {
    const unsigned bits = bit_width<Key>(range_width);
    return bits == 0 ? 1 : (bits + 7) / 8;
  }
  std::size_t group_bytes() const { return group_records * (key_bytes + A); }
  /// Records that a block of `block_bytes` holds.
  std::size_t capacity(std::size_t block_bytes) const {
    return (block_bytes - slack_bytes) / group_bytes() * group_records;
  }

  /// Writes up to `group_records` records to group number `group` of `block`.
  void pack(const KeyedRecord<Key, A>* records, std::size_t count, std::byte* block,
            std::size_t group) const {
    std::byte* to = block + group * group_bytes();
    const Key first =
        base;  // in registers: as far as the compiler sees, stores to the block may change members
    const std::size_t width = key_bytes;
    for (std::size_t i = 0; i < count; ++i) {
      const Key relative = records[i].key - first;
      std::memcpy(to + i * width, &relative, sizeof(Key));
    }
    if constexpr (A > 0) {
      to += group_records * width;
      for (std::size_t i = 0; i < count; ++i) std::memcpy(to + i * A, records[i].attachment.data(), A);
    }
  }

  /// Calls `take(index, key - base)` for the first `count` records of a block, in order of storing.
  template <class Take>
  void unpack_keys(const std::byte* block, std::size_t count, Take&& take) const {
    const Key mask = low_mask<Key>(static_cast<unsigned>(8 * key_bytes));
    std::size_t index = 0;
    for (const std::byte* group = block; index < count; group += group_bytes()) {
      const std::size_t here = count - index < group_records ? count - index : group_records;
      for (std::size_t i = 0; i < here; ++i) {
        Key relative;
        std::memcpy(&relative, group + i * key_bytes, sizeof(Key));
        take(index + i, static_cast<Key>(relative & mask));
      }
      index += here;
    }
  }

  /// Copies the attachments of the first `count` records to `to`, `A` bytes each.
  void unpack_attachments(const std::byte* block, std::size_t count, std::byte* to) const {
    std::size_t index = 0;
    for (const std::byte* group = block; index < count; group += group_bytes()) {
      const std::size_t here = count - index < group_records ? count - index : group_records;
      std::memcpy(to + index * A, group + group_records * key_bytes, here * A);
      index += here;
    }
  }
};

}  // namespace emgraph::core
