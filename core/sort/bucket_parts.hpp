// SPDX-License-Identifier: MIT
// Divides the places of a bucket's records among parts of its range of keys.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/bytes.hpp"
#include "core/base/integers.hpp"

namespace emgraph::core {

/// The places of the records of a bucket while it is sorted: those of one part, from 0 on; or of several
/// parts for equal ranges of the keys, each with some room to spare, and so small that it stays in the
/// second-level cache while it is sorted. Keys are relative to the bucket's first one.
class BucketParts {
 public:
  struct Part {
    std::size_t begin = 0;
    std::size_t end = 0;   ///< behind its last record
    std::size_t full = 0;  ///< an `end` from which on fewer than `spare` further records fit
  };
  /// Finds the part of a key, if there are several.
  struct Lookup {
    int shift = 0;
    std::uint64_t scale = 0;
    std::size_t operator()(std::uint64_t key) const {
      return static_cast<std::size_t>((key >> shift) * scale >> 32);
    }
  };
  static constexpr std::size_t spare = 32;

  /// One part, empty.
  void join() { resize(1, 0); }
  /// Parts, empty, for `records` records with keys up to `last`: one if there are few records.
  void divide(std::size_t records, std::uint64_t last) {
    const std::size_t parts = std::min(most_parts, divide_up(records, part_records));
    if (parts < 2) return join();
    lookup_.shift = std::max(0, static_cast<int>(bit_width(last)) - 32);
    lookup_.scale = (std::uint64_t{parts} << 32) / ((last >> lookup_.shift) + 1);
    resize(parts, records / parts * 9 / 8 + spare);
  }

  bool several() const { return count_ > 1; }
  std::span<Part> parts() { return {parts_.data(), count_}; }
  const Lookup& lookup() const { return lookup_; }
  /// Places of each of several parts, else 0.
  std::size_t room() const { return room_; }
  /// Places of all parts, if there are several, else 0.
  std::size_t places() const { return count_ * room_; }

 private:
  static constexpr std::size_t most_parts = 64;
  // `mis --carry-payload` of 131 M random edges with parts of 2,048; 4,096; 8,192 records: 2.63, 2.53, 2.53 s
  // of user time; in one part 2.81 (EPYC 9004).
  static constexpr std::size_t part_records = 8 * 1024;

  void resize(std::size_t count, std::size_t room) {
    count_ = count;
    room_ = room;
    for (std::size_t i = 0; i < count; ++i) parts_[i] = {i * room, i * room, (i + 1) * room - spare + 1};
  }

  std::size_t count_ = 1;
  std::size_t room_ = 0;
  Lookup lookup_;
  std::array<Part, most_parts> parts_;
};

}  // namespace emgraph::core
