// SPDX-License-Identifier: MIT
// Coding of ascending neighbours as gaps of one to four (or eight) bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace emgraph::graph::adjacency {

/// Problem: store the ascending neighbours of a node in few bytes that are decoded fast.
/// Method: the first neighbour is stored as its signed distance to the node, every other one as its distance
/// to the previous one less 1. Two bits give the length of each value, four lengths to a control byte. All
/// control bytes precede the values. Decoding has no branches: four loads, masks and a table of the offsets.
/// Invariant: unused fields of the last control byte are 0.
/// Measured: one core, pages to rows in memory, without the kernel's clearing of new memory: kron22 960 M
/// neighbours/s, a grid (lists of four) 560 (2 virtual cores of an AMD EPYC, perf).
/// Source: the layout is Stream VByte's (Lemire, Kurz, Rupp 2018, doi 10.1016/j.ipl.2017.09.011).
/// Memory: none. Threads: any. Throws: nothing; PageCursor (page.hpp) checks the decoded values.
template <class Id>
class GapCodec {
  static_assert(std::is_same_v<Id, std::uint32_t> || std::is_same_v<Id, std::uint64_t>);

 public:
  /// Length of a value in bytes, by its two bits.
  static constexpr std::array<std::uint8_t, 4> lengths =
      sizeof(Id) == 4 ? std::array<std::uint8_t, 4>{1, 2, 3, 4} : std::array<std::uint8_t, 4>{1, 2, 4, 8};
  /// Bytes after the last value that a load may read.
  static constexpr std::size_t overrun_bytes = 4 * sizeof(Id);

  static constexpr std::size_t control_bytes(std::size_t count) { return (count + 3) / 4; }
  static constexpr std::size_t most_bytes(std::size_t count) {
    return control_bytes(count) + count * sizeof(Id);
  }

  static unsigned code(Id value) {
    if constexpr (sizeof(Id) == 4) {
      return static_cast<unsigned>(value > 0xff) + static_cast<unsigned>(value > 0xffff) +
             static_cast<unsigned>(value > 0xffffff);
    } else {
      return static_cast<unsigned>(value > 0xff) + static_cast<unsigned>(value > 0xffff) +
             static_cast<unsigned>(value > 0xffffffff);
    }
  }

  /// The stored value of neighbour i of the list.
  static Id stored(Id node, const Id* list, std::size_t i) {
    return i == 0 ? zigzag(list[0] - node) : list[i] - list[i - 1] - 1;
  }

  /// Writes control bytes and values; returns the bytes written. May overwrite up to sizeof(Id) - 1 bytes
  /// after them.
  static std::size_t encode(Id node, const Id* list, std::size_t count, std::byte* out) {
    std::byte* control = out;
    std::byte* to = out + control_bytes(count);
    Id value = zigzag(list[0] - node);
    for (std::size_t i = 0; i < count;) {
      unsigned codes = 0;
      const std::size_t end = i + 4 < count ? i + 4 : count;
      for (unsigned shift = 0; i < end; shift += 2) {
        const unsigned length = code(value);
        std::memcpy(to, &value, sizeof(Id));
        to += lengths[length];
        codes |= length << shift;
        if (++i < count) value = list[i] - list[i - 1] - 1;
      }
      *control++ = static_cast<std::byte>(codes);
    }
    return static_cast<std::size_t>(to - out);
  }

  /// Bytes of the values of these control bytes.
  static std::size_t value_bytes(const std::byte* control, std::size_t count) {
    std::size_t bytes = 0;
    for (; count > 4; count -= 4) bytes += ends[static_cast<std::size_t>(*control++)][3];
    return bytes + ends[static_cast<std::size_t>(*control)][count - 1];
  }

  /// Calls take(the four neighbours of a control byte, the number of valid ones) until it returns false or
  /// the list ends. Reads up to overrun_bytes after the values. Returns false if the values of a control byte
  /// would begin after `limit`; reads nothing after limit + overrun_bytes. Requires: the values of the first
  /// control byte begin at `limit` or before.
  template <class Take>
  static bool decode(Id node, const std::byte* control, std::size_t count, const std::byte* limit,
                     Take&& take) {
    const std::byte* from = control + control_bytes(count);
    // Chosen so that adding the first stored value and 1 gives the first neighbour.
    Id before = node + unzigzag(load(from) & masks[static_cast<std::size_t>(*control) & 3]) -
                (load(from) & masks[static_cast<std::size_t>(*control) & 3]) - 1;
    std::array<Id, 4> ids;
    for (;;) {
      const auto codes = static_cast<std::size_t>(*control++);
      const std::array<std::uint8_t, 4>& end = ends[codes];
      ids[0] = before + (load(from) & masks[codes & 3]) + 1;
      ids[1] = ids[0] + (load(from + end[0]) & masks[codes >> 2 & 3]) + 1;
      ids[2] = ids[1] + (load(from + end[1]) & masks[codes >> 4 & 3]) + 1;
      ids[3] = ids[2] + (load(from + end[2]) & masks[codes >> 6]) + 1;
      if (count <= 4) {
        take(ids, static_cast<unsigned>(count));
        return true;
      }
      if (!take(ids, 4U)) return true;
      before = ids[3];
      from += end[3];
      count -= 4;
      if (from > limit) return false;
    }
  }

 private:
  static constexpr Id zigzag(Id distance) {
    return static_cast<Id>(distance << 1) ^ (Id{0} - static_cast<Id>(distance >> (8 * sizeof(Id) - 1)));
  }
  static constexpr Id unzigzag(Id value) { return (value >> 1) ^ (Id{0} - (value & 1)); }

  static Id load(const std::byte* from) {
    Id value;
    std::memcpy(&value, from, sizeof(value));
    return value;
  }

  static constexpr std::array<Id, 4> make_masks() {
    std::array<Id, 4> made{};
    for (unsigned i = 0; i < 4; ++i) {
      made[i] = static_cast<Id>(static_cast<Id>(~Id{0}) >> (8 * (sizeof(Id) - lengths[i])));
    }
    return made;
  }
  static constexpr std::array<std::array<std::uint8_t, 4>, 256> make_ends() {
    std::array<std::array<std::uint8_t, 4>, 256> made{};
    for (unsigned codes = 0; codes < 256; ++codes) {
      unsigned end = 0;
      for (unsigned i = 0; i < 4; ++i) {
        end += lengths[codes >> (2 * i) & 3];
        made[codes][i] = static_cast<std::uint8_t>(end);
      }
    }
    return made;
  }
  static constexpr std::array<Id, 4> masks = make_masks();
  /// The ends of the four values of each control byte.
  static constexpr std::array<std::array<std::uint8_t, 4>, 256> ends = make_ends();
};

}  // namespace emgraph::graph::adjacency
