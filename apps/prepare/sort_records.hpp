// SPDX-License-Identifier: MIT
// What `bench sort` sorts: three kinds of random records, and the check of what comes out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/error.hpp"
#include "core/base/integers.hpp"
#include "core/base/random_word.hpp"
#include "core/block/area_pattern.hpp"
#include "core/spill/packing.hpp"

namespace emgraph::apps {

/// Sums that do not depend on the order of what is added: records that are lost, doubled or changed show.
struct Checksum {
  std::uint64_t sum = 0;
  std::uint64_t squares = 0;

  void add(std::uint64_t word) {
    sum += word;
    squares += word * word;
  }
  void merge(const Checksum& other) {
    sum += other.sum;
    squares += other.squares;
  }
  bool operator==(const Checksum&) const = default;
};

/// Two 32-bit numbers: one 64-bit key.
struct U32Pair {
  using Key = std::uint64_t;
  using Record = core::KeyedRecord<Key, 0>;
  static constexpr const char* name = "u32-pair";
  static constexpr bool has_integer_key = true;

  static Record make(std::uint64_t seed, std::uint64_t i) { return {core::random_word(seed, i)}; }
  static std::uint64_t word(const Record& record) { return record.key; }
  static bool less(const Record& a, const Record& b) { return a.key < b.key; }
};

/// Two 64-bit numbers: one 128-bit key.
struct U64Pair {
  using Key = core::uint128;
  using Record = core::KeyedRecord<Key, 0>;
  static constexpr const char* name = "u64-pair";
  static constexpr bool has_integer_key = true;

  static Record make(std::uint64_t seed, std::uint64_t i) {
    return {static_cast<Key>(core::random_word(seed, 2 * i)) << 64 | core::random_word(seed, 2 * i + 1)};
  }
  static std::uint64_t word(const Record& record) {
    return static_cast<std::uint64_t>(record.key >> 64) * 3 + static_cast<std::uint64_t>(record.key);
  }
  static bool less(const Record& a, const Record& b) { return a.key < b.key; }
};

/// 64 bytes with a key of 16 that is compared, for the sorter that merges.
struct Wide {
  struct Record {
    std::array<std::uint64_t, 8> words;
  };
  static constexpr const char* name = "64B";
  static constexpr bool has_integer_key = false;

  static Record make(std::uint64_t seed, std::uint64_t i) {
    Record record;
    for (std::size_t k = 0; k < 8; ++k) record.words[k] = core::random_word(seed, 8 * i + k);
    return record;
  }
  static std::uint64_t word(const Record& record) {
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < 8; ++k) word += record.words[k] * (2 * k + 3);
    return word;
  }
  static bool less(const Record& a, const Record& b) {
    return a.words[0] != b.words[0] ? a.words[0] < b.words[0] : a.words[1] < b.words[1];
  }
  struct Less {
    bool operator()(const Record& a, const Record& b) const { return less(a, b); }
  };
};

/// Checks that batches ascend, and sums them up.
template <class Kind>
class SortedCheck {
 public:
  using Record = typename Kind::Record;

  void take(std::span<const Record> batch) {
    if (batch.empty()) return;
    bool ascending = records_ == 0 || !Kind::less(batch.front(), last_);
    for (std::size_t i = 1; i < batch.size(); ++i) ascending &= !Kind::less(batch[i], batch[i - 1]);
    for (const Record& record : batch) checksum_.add(Kind::word(record));
    if (!ascending) fail();
    last_ = batch.back();
    records_ += batch.size();
  }
  void finish(std::uint64_t records, const Checksum& checksum) const {
    if (records != records_ || !(checksum == checksum_)) fail();
  }

 private:
  [[noreturn]] static void fail() {
    throw core::EnvironmentError(
        "what comes out of the sort is not what went in, sorted: memory or a disk of this machine is at "
        "fault");
  }
  Record last_{};
  std::uint64_t records_ = 0;
  Checksum checksum_;
};

}  // namespace emgraph::apps
