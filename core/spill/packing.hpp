// SPDX-License-Identifier: MIT
// The layout of records in a block of a bucket: keys without the bits that the bucket implies.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "core/base/integers.hpp"

namespace emgraph::core {

/// Upper bound of the width of attachments.
inline constexpr std::size_t most_attachment_bytes = 64;

/// Copies the attachment of one record. Widths of 4 and 8 bytes are copied by a single instruction.
inline void copy_attachment(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes == 8) {
    std::memcpy(to, from, 8);
  } else if (bytes == 4) {
    std::memcpy(to, from, 4);
  } else if (bytes > 0) {
    std::memcpy(to, from, bytes);
  }
}

/// Order of attachments of records with equal keys: negative, 0, positive as memcmp.
using CompareAttachments = int (*)(const std::byte* a, const std::byte* b, std::size_t bytes);

inline int compare_bytes(const std::byte* a, const std::byte* b, std::size_t bytes) {
  return std::memcmp(a, b, bytes);
}

/// A record is a key and `attachment_bytes` opaque bytes. Records go to a block in groups of `group_records`:
/// first the low `key_bytes` bytes of (key - base) of each record, then the attachments. The last group may
/// be partly filled, but has the same size. Stores and loads use whole words that overlap, so blocks have
/// `slack_bytes` after the last group.
template <IntegerKey Key>
struct Packing {
  /// 32 keys are 256 bytes of staging space per bucket and thread. With some hundred
  /// buckets that stays in the second-level cache. The value was not tuned by measurement.
  static constexpr std::size_t group_records = 32;
  static constexpr std::size_t slack_bytes = sizeof(Key);

  Key base = 0;
  std::size_t key_bytes = sizeof(Key);
  std::size_t attachment_bytes = 0;

  static constexpr std::size_t key_bytes_for(Key range_width) {
    const unsigned bits = bit_width<Key>(range_width);
    return bits == 0 ? 1 : (bits + 7) / 8;
  }
  std::size_t group_bytes() const { return group_records * (key_bytes + attachment_bytes); }
  /// Records that a block of `block_bytes` holds.
  std::size_t capacity(std::size_t block_bytes) const {
    return (block_bytes - slack_bytes) / group_bytes() * group_records;
  }

  /// Writes up to `group_records` records to group number `group` of `block`. `rows`: per record the key and
  /// its attachment, without padding.
  void pack(const std::byte* rows, std::size_t count, std::byte* block, std::size_t group) const {
    std::byte* const to = block + group * group_bytes();
    if (attachment_bytes == 0) {
      pack_rows(rows, count, to, std::integral_constant<std::size_t, 0>());
    } else if (attachment_bytes == 8) {
      pack_rows(rows, count, to, std::integral_constant<std::size_t, 8>());
    } else {
      pack_rows(rows, count, to, attachment_bytes);
    }
  }

  /// Calls `take(index, key - base)` for the first `count` records of a block, in order of storing.
  template <class Take>
  void unpack_keys(const std::byte* block, std::size_t count, Take&& take) const {
    unpack(block, count, nullptr, take);
  }
  /// The same, and copies the attachments to `attachments`, contiguously (null: does not).
  template <class Take>
  void unpack(const std::byte* block, std::size_t count, std::byte* attachments, Take&& take) const {
    const Key mask = low_mask<Key>(static_cast<unsigned>(8 * key_bytes));
    std::size_t index = 0;
    for (const std::byte* group = block; index < count; group += group_bytes()) {
      const std::size_t here = count - index < group_records ? count - index : group_records;
      for (std::size_t i = 0; i < here; ++i) {
        Key relative;
        std::memcpy(&relative, group + i * key_bytes, sizeof(Key));
        take(index + i, static_cast<Key>(relative & mask));
      }
      if (attachments != nullptr) {
        std::memcpy(attachments + index * attachment_bytes, attachments_of(group), here * attachment_bytes);
      }
      index += here;
    }
  }

  /// The attachments of a group, contiguous.
  const std::byte* attachments_of(const std::byte* group) const { return group + group_records * key_bytes; }

 private:
  /// `attached`: the width of attachments, as a constant where loops gain from it.
  template <class Width>
  void pack_rows(const std::byte* rows, std::size_t count, std::byte* keys_to, Width attached) const {
    const Key first = base;  // in registers; stores to the block might change members
    const std::size_t width = key_bytes;
    std::byte* const attachments_to = keys_to + group_records * width;
    for (std::size_t i = 0; i < count; ++i) {
      Key key;
      std::memcpy(&key, rows + i * (sizeof(Key) + attached), sizeof(Key));
      const Key relative = key - first;
      std::memcpy(keys_to + i * width, &relative, sizeof(Key));
    }
    if (attached == 0) return;
    for (std::size_t i = 0; i < count; ++i) {
      copy_attachment(attachments_to + i * attached, rows + i * (sizeof(Key) + attached) + sizeof(Key),
                      attached);
    }
  }
};

}  // namespace emgraph::core
