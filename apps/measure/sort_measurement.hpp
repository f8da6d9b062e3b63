// SPDX-License-Identifier: MIT
// The jobs of bench sort: sorts three kinds of random records, in a pipeline or from file to file, and checks
// the result.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "apps/measure/bench.hpp"
#include "core/base/error.hpp"
#include "core/base/integers.hpp"
#include "core/base/random_word.hpp"
#include "core/base/thread_team.hpp"
#include "core/block/run.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "core/sort/merge_sorter.hpp"
#include "core/spill/packing.hpp"

namespace emgraph::apps {

/// Sums that do not depend on the order of the records. They differ if a record is lost, repeated or changed.
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
  using Record = Key;
  static constexpr const char* name = "u32-pair";
  static constexpr bool has_integer_key = true;

  static Record make(std::uint64_t seed, std::uint64_t i) { return core::random_word(seed, i); }
  static std::uint64_t word(Record record) { return record; }
  static bool less(Record a, Record b) { return a < b; }
};

/// Two 64-bit numbers: one 128-bit key.
struct U64Pair {
  using Key = core::uint128;
  using Record = Key;
  static constexpr const char* name = "u64-pair";
  static constexpr bool has_integer_key = true;

  static Record make(std::uint64_t seed, std::uint64_t i) {
    return static_cast<Key>(core::random_word(seed, 2 * i)) << 64 | core::random_word(seed, 2 * i + 1);
  }
  static std::uint64_t word(Record record) {
    return static_cast<std::uint64_t>(record >> 64) * 3 + static_cast<std::uint64_t>(record);
  }
  static bool less(Record a, Record b) { return a < b; }
};

/// 64 bytes with a key of 16 bytes, sorted by comparison with a merge sort.
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

/// Checks that batches ascend and that their sums are those of the input.
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

/// One sort of `records` records of a kind.
template <class Kind>
class SortJob {
 public:
  using Record = typename Kind::Record;

  SortJob(core::Environment& environment, std::uint64_t records, std::size_t memory_bytes)
      : environment_(environment), records_(records), memory_bytes_(memory_bytes) {}

  /// Makes, sorts and checks records. They are written to disk only by the sorter, if they do not fit in
  /// memory.
  JobCost pipeline() {
    SortedCheck<Kind> check;
    const JobWatch watch(environment_);
    const Checksum checksum = sort(
        "make", [this](auto&& lane, unsigned, unsigned) { return make_all(lane); },
        [&](std::span<const Record> batch) { check.take(batch); });
    check.finish(records_, checksum);
    return watch.cost();
  }

  /// Reads a file of records, sorts them and writes another file. Making the first file is not measured.
  JobCost from_file_to_file(std::size_t block_bytes) {
    std::vector<core::Run<Record>> input = make_input(block_bytes);
    SortedCheck<Kind> check;
    core::RunWriter<Record> writer(environment_, block_bytes, writer_blocks, {}, stretch_blocks);
    const JobWatch watch(environment_);
    const Checksum checksum = sort(
        "read", [&](auto&& lane, unsigned first, unsigned lanes) { return read(input, first, lanes, lane); },
        [&](std::span<const Record> batch) {
          check.take(batch);
          writer.append(batch);
        });
    const core::Run<Record> output = writer.finish();
    const JobCost cost = watch.cost();
    check.finish(records_, checksum);
    return cost;
  }

  /// Number of blocks that from_file_to_file() needs besides the sorter.
  static std::uint64_t blocks(unsigned threads) { return 2 * std::uint64_t{threads} + writer_blocks; }

 private:
  static constexpr std::size_t writer_blocks = 4;
  static constexpr std::size_t stretch_blocks = 8;
  static constexpr std::uint64_t piece_records = std::uint64_t{1} << 14;

  /// `fill(push, lane number, lanes)` pushes records to a lane and returns their sums.
  template <class Fill, class Take>
  Checksum sort(const std::string& how, Fill&& fill, Take&& take) {
    if constexpr (Kind::has_integer_key) {
      return distribute(how, fill, take);
    } else {
      return merge(how, fill, take);
    }
  }

  template <class Fill, class Take>
  Checksum distribute(const std::string& how, Fill& fill, Take& take) {
    using Sorter = core::DistributionSorter<typename Kind::Key>;
    typename Sorter::Options options;
    options.records = records_;
    options.memory_bytes = memory_bytes_;
    Sorter sorter(environment_, std::move(options));
    std::vector<Checksum> sums(sorter.lanes());
    {
      const core::Phase phase(environment_.progress, how + ", distribute", 0, "records");
      core::ThreadTeam team(sorter.lanes());
      team.all([&](unsigned number) {
        auto& lane = sorter.lane(number);
        sums[number] = fill(
            [&](std::span<const Record> batch) {
              for (const Record& record : batch) lane.push(record);
            },
            number, sorter.lanes());
        lane.finish();
      });
    }
    sorter.finish();
    drain("sort", sorter, take);
    return total(sums);
  }

  template <class Fill, class Take>
  Checksum merge(const std::string& how, Fill& fill, Take& take) {
    core::MergeSorter<Record, typename Kind::Less> sorter(environment_, {.memory_bytes = memory_bytes_});
    Checksum sum;
    {
      const core::Phase phase(environment_.progress, how + ", form runs", 0, "records");
      sum = fill([&](std::span<const Record> batch) { sorter.push(batch); }, 0, 1);
    }
    auto sorted = sorter.finish();
    drain("merge", sorted, take);
    return sum;
  }

  template <class Sorted, class Take>
  void drain(const std::string& name, Sorted& sorted, Take& take) {
    core::Phase phase(environment_.progress, name, records_, "records");
    for (auto batch = sorted.next(); !batch.empty(); batch = sorted.next()) {
      take(batch);
      phase.advance(batch.size());
    }
  }

  static Checksum total(const std::vector<Checksum>& sums) {
    Checksum total;
    for (const Checksum& sum : sums) total.merge(sum);
    return total;
  }

  /// Makes pieces of the input until none is left; all threads call it.
  template <class Push>
  Checksum make_all(Push& push) {
    std::array<Record, 256> batch;
    Checksum sum;
    for (;;) {
      const std::uint64_t first = next_.fetch_add(piece_records);
      if (first >= records_) return sum;
      const std::uint64_t end = std::min(records_, first + piece_records);
      for (std::uint64_t i = first; i < end;) {
        std::size_t filled = 0;
        for (; i < end && filled < batch.size(); ++i) {
          batch[filled] = Kind::make(environment_.seed, i);
          sum.add(Kind::word(batch[filled++]));
        }
        push(std::span<const Record>(batch).first(filled));
      }
    }
  }

  /// A run for each thread to read.
  std::vector<core::Run<Record>> make_input(std::size_t block_bytes) {
    const core::Phase phase(environment_.progress, "make the input", 0, "records");
    std::vector<core::Run<Record>> runs(environment_.threads);
    core::ThreadTeam team(environment_.threads);
    team.all([&](unsigned number) {
      core::RunWriter<Record> writer(environment_, block_bytes, 2, {}, stretch_blocks);
      const auto append = [&](std::span<const Record> batch) { writer.append(batch); };
      make_all(append);
      runs[number] = writer.finish();
    });
    return runs;
  }

  /// Reads runs first, first + step, … Their blocks are freed one by one.
  template <class Push>
  Checksum read(std::vector<core::Run<Record>>& runs, unsigned first, unsigned step, Push& push) {
    Checksum sum;
    for (std::size_t number = first; number < runs.size(); number += step) {
      core::RunReader<Record> reader(environment_, std::move(runs[number]));
      for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
        for (const Record& record : batch) sum.add(Kind::word(record));
        push(batch);
      }
    }
    return sum;
  }

  core::Environment& environment_;
  const std::uint64_t records_;
  const std::size_t memory_bytes_;
  std::atomic<std::uint64_t> next_{0};
};

}  // namespace emgraph::apps
