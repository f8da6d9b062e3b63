// SPDX-License-Identifier: MIT
// The distribution sort against std::sort, with memory so small that most of it is on disk.
#include "core/sort/distribution_sorter.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/sort/key_batch.hpp"
#include "tests/core/sort/key_shapes.hpp"
#include "tests/core/sort/keyed_record.hpp"
#include "tests/oracle/ascending.hpp"
#include "tests/support/faults.hpp"

namespace emgraph::tests {
namespace {

template <class Key, std::size_t A>
using Records = std::vector<KeyedRecord<Key, A>>;

template <class Key, std::size_t A>
KeyedRecord<Key, A> make_record(std::uint64_t key, std::uint64_t number) {
  KeyedRecord<Key, A> record{};
  record.key = sizeof(Key) == 16 ? static_cast<Key>(key) << 50 | key : static_cast<Key>(key);
  if constexpr (A > 0) {
    const std::uint64_t value = number * 0x9e3779b97f4a7c15 >> 40;  // few values: equal records occur
    std::memcpy(record.attachment.data(), &value, std::min<std::size_t>(A, 8));
  }
  return record;
}

template <class Key, std::size_t A>
int compare(const KeyedRecord<Key, A>& a, const KeyedRecord<Key, A>& b) {
  if (a.key != b.key) return a.key < b.key ? -1 : 1;
  if constexpr (A > 0) return std::memcmp(a.attachment.data(), b.attachment.data(), A);
  return 0;
}

template <class Key, std::size_t A>
bool equal(const Records<Key, A>& a, const Records<Key, A>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& left, const auto& right) { return compare(left, right) == 0; });
}

struct Setting {
  std::size_t memory_bytes = core::MiB;
  std::size_t disks = 1;
  unsigned threads = 1;
  bool unique = false;
  bool sample = false;
  bool count_known = false;
  core::SpillCodec spill_codec = core::SpillCodec::none;
};

template <class Key, std::size_t A>
Records<Key, A> run_sorter(TestEnvironment& test, const Records<Key, A>& input, const Setting& setting) {
  using Sorter = core::DistributionSorter<Key>;
  typename Sorter::Options options;
  options.attachment_bytes = A;
  options.unique = setting.unique;
  if (setting.count_known) options.records = input.size();
  if (setting.sample) {
    for (std::size_t i = 0; i < input.size(); i += 17) options.sample.push_back(input[i].key);
  }
  Sorter sorter(test.environment, std::move(options));
  core::run_on_threads(setting.threads, [&](unsigned thread) {
    auto& lane = sorter.lane(thread);
    core::KeyBatch<std::remove_reference_t<decltype(lane)>, (A > 0)> batch(lane);
    [[maybe_unused]] std::array<std::byte, core::most_attachment_bytes> attachment;
    for (std::size_t i = thread; i < input.size(); i += setting.threads) {
      if constexpr (A > 0) {
        if (i % 3 == 0) {
          lane.push_with(input[i].key, input[i].attachment);
        } else if (i % 3 == 1) {
          batch.push(input[i].key, input[i].attachment.data());
        } else {
          std::memcpy(attachment.data(), input[i].attachment.data(), A);
          lane.push(input[i].key, attachment.data());
        }
      } else {
        i % 2 == 0 ? batch.push(input[i].key) : lane.push(input[i].key);
      }
    }
    batch.flush();
    lane.finish();
  });
  sorter.finish();
  CHECK(sorter.records() == input.size());
  Records<Key, A> output;
  for (auto batch = sorter.next(); !batch.empty(); batch = sorter.next()) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      KeyedRecord<Key, A>& record = output.emplace_back();
      record.key = batch[i];
      if constexpr (A > 0) std::memcpy(record.attachment.data(), sorter.attachments() + i * A, A);
    }
  }
  CHECK(sorter.next().empty());
  return output;
}

template <class Key, std::size_t A>
Records<Key, A> expected(Records<Key, A> records, bool unique) {
  // As std::memcmp does: attached bytes in words, the first one the most significant.
  constexpr std::size_t width = 2 + (A + 7) / 8;
  std::vector<std::uint64_t> words;
  words.reserve(records.size() * width);
  for (const KeyedRecord<Key, A>& record : records) {
    words.push_back(static_cast<std::uint64_t>(static_cast<core::uint128>(record.key) >> 64));
    words.push_back(static_cast<std::uint64_t>(record.key));
    if constexpr (A > 0) {
      for (std::size_t i = 0; i < A; i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, record.attachment.data() + i, std::min<std::size_t>(A - i, 8));
        words.push_back(__builtin_bswap64(word));
      }
    }
  }
  records = in_order_of(records, words, width);
  if (unique) {
    records.erase(std::unique(records.begin(), records.end(),
                              [](const auto& a, const auto& b) { return a.key == b.key; }),
                  records.end());
  }
  return records;
}

/// The shapes that each setting sorts: of all settings together, each shape.
Sample& sampled_shapes() {
  static Sample sample(3);
  return sample;
}

template <class Key, std::size_t A>
void check_shapes(std::size_t count, const Setting& setting) {
  for (std::size_t number = 0; number < key_shape_count; ++number) {
    if (!sampled_shapes().takes(setting.threads)) continue;
    const KeyShape shape = key_shape(number, count, std::uint64_t{1} << 44);
    CAPTURE(shape.name, setting.memory_bytes, setting.disks, setting.threads, setting.unique, setting.sample);
    Records<Key, A> input;
    for (std::size_t i = 0; i < count; ++i) input.push_back(make_record<Key, A>(shape.keys[i], i));
    TestEnvironment test{.memory_bytes = setting.memory_bytes,
                         .disks = setting.disks,
                         .threads = setting.threads,
                         .spill_codec = setting.spill_codec};
    const Records<Key, A> output = run_sorter(test, input, setting);
    CHECK(equal<Key, A>(output, expected(input, setting.unique)));
    CHECK(test.memory.used() == 0);
    CHECK(test.memory.peak() <= setting.memory_bytes);
    CHECK(test.blocks.used_bytes() == 0);
  }
}

TEST_CASE("distribution sort of 64-bit keys sorts every shape on every machine") {
  for (const unsigned threads : tried_threads({1u, 2u})) {
    for (const std::size_t disks : {std::size_t{1}, std::size_t{3}}) {
      for (const bool unique : {false, true}) {
        check_shapes<std::uint64_t, 0>(sized(150000, 100000),
                                       {512 * core::KiB, disks, threads, unique, threads == 2, disks == 3});
      }
    }
  }
  check_shapes<std::uint64_t, 0>(150000, {64 * core::MiB, 1, 2, false, false, false});
  check_shapes<std::uint64_t, 0>(10, {512 * core::KiB, 1, 1, true, false, false});
}

TEST_CASE("distribution sort carries attachments and orders equal keys by them") {
  check_shapes<std::uint64_t, 8>(100000, {2 * core::MiB, 1, 1, false, false, false});
  check_shapes<std::uint64_t, 8>(100000, {2 * core::MiB, 2, 2, true, true, true});
  check_shapes<std::uint64_t, 4>(60000, {2 * core::MiB, 4, 2, false, true, false});
  check_shapes<std::uint64_t, 7>(60000, {2 * core::MiB, 1, 2, false, false, false});
  check_shapes<std::uint64_t, 12>(60000, {2 * core::MiB, 1, 1, true, true, false});
  check_shapes<std::uint64_t, 64>(30000, {4 * core::MiB, 1, 2, false, false, true});
}

TEST_CASE("distribution sort takes keys of 128 bits") {
  check_shapes<core::uint128, 0>(100000, {core::MiB, 1, 2, false, false, false});
  check_shapes<core::uint128, 0>(100000, {core::MiB, 2, 1, true, true, true});
  check_shapes<core::uint128, 1>(40000, {3 * core::MiB, 1, 2, true, false, false});
  check_shapes<core::uint128, 16>(40000, {3 * core::MiB, 1, 2, false, false, false});
}

// Memory from that in which blocks are too small to be coded to that in which only some are written.
TEST_CASE("distribution sort of coded blocks sorts every shape on every machine") {
  const auto delta = core::SpillCodec::delta;
  for (const std::size_t disks : {1, 2, 4}) {
    const unsigned threads = disks == 1 ? 1 : 2;
    check_shapes<std::uint64_t, 0>(80000, {512 * core::KiB, disks, threads, false, true, true, delta});
    check_shapes<std::uint64_t, 0>(200000,
                                   {3 * core::MiB / 2, disks, threads, disks == 2, true, false, delta});
  }
  check_shapes<std::uint64_t, 0>(200000, {3 * core::MiB / 2, 1, 2, false, false, false, delta});
  check_shapes<std::uint64_t, 4>(60000, {2 * core::MiB, 1, 2, false, true, true, delta});
  check_shapes<std::uint64_t, 8>(60000, {2 * core::MiB, 2, 2, true, false, true, delta});
  check_shapes<std::uint64_t, 16>(60000, {2 * core::MiB, 1, 1, false, true, false, delta});
  check_shapes<core::uint128, 0>(80000, {2 * core::MiB, 2, 2, false, true, true, delta});
  check_shapes<core::uint128, 16>(40000, {3 * core::MiB, 1, 2, false, false, false, delta});
}

TEST_CASE("distribution sort moves fewer bytes where blocks are coded, and splits coded buckets") {
  for (const bool sample : {true, false}) {
    Records<std::uint64_t, 0> input;
    const KeyShape shape = key_shape(sample ? 0 : 4, sized(1000000, 800000), std::uint64_t{1} << 40);
    for (const std::uint64_t key : shape.keys) input.push_back({key});
    std::uint64_t written[2] = {};
    for (const core::SpillCodec codec : {core::SpillCodec::none, core::SpillCodec::delta}) {
      TestEnvironment test{.memory_bytes = 3 * core::MiB, .threads = 2, .spill_codec = codec};
      const auto output = run_sorter(test, input, {.threads = 2, .sample = sample, .count_known = sample});
      const bool same = equal<std::uint64_t, 0>(output, expected(input, false));
      CHECK(same);
      const core::SpillCoding::Figures figures = test.spill.figures();
      CAPTURE(sample, figures.coded_bytes, figures.code_bytes, figures.plain_bytes);
      CHECK((figures.coded_bytes > 0) == (codec == core::SpillCodec::delta));
      CHECK(figures.code_bytes + figures.plain_bytes == test.statistics.snapshot().write_bytes);
      written[codec == core::SpillCodec::delta] = test.statistics.snapshot().write_bytes;
    }
    CHECK(written[1] < written[0] * 4 / 5);
  }
}

TEST_CASE("distribution sort of nothing is empty") {
  TestEnvironment test;
  core::DistributionSorter<std::uint64_t> sorter(test.environment, {});
  sorter.lane(0).finish();
  sorter.finish();
  CHECK(sorter.next().empty());
}

TEST_CASE("distribution sort spills what does not fit and no more than once when the sample is good") {
  if (only_races) return;  // one thread
  Records<std::uint64_t, 0> input;
  const KeyShape shape = key_shape(0, 400000, std::uint64_t{1} << 44);
  for (const std::uint64_t key : shape.keys) input.push_back({key});
  TestEnvironment test{.memory_bytes = core::MiB};
  run_sorter(test, input, {.sample = true, .count_known = true});
  const core::IoSnapshot io = test.statistics.snapshot();
  CHECK(io.write_bytes > 1000000);
  CHECK(io.write_bytes < 400000 * 12);  // 6 bytes each, and blocks that are not full
  CHECK(io.read_bytes == io.write_bytes);
}

TEST_CASE("distribution sort splits buckets of few blocks evenly, also those of sorted input") {
  // All keys are in the first of the buckets that a sample of others gives.
  Records<std::uint64_t, 0> input(300000);
  for (std::size_t i = 0; i < input.size(); ++i) input[i].key = i;
  for (const core::SpillCodec codec : {core::SpillCodec::none, core::SpillCodec::delta}) {
    TestEnvironment test{.memory_bytes = core::MiB, .threads = 4, .spill_codec = codec};
    core::DistributionSorter<std::uint64_t>::Options options;
    options.range = {0, std::uint64_t{1} << 40};
    options.records = input.size();
    options.sample = {std::uint64_t{1} << 20, std::uint64_t{1} << 30};
    core::DistributionSorter<std::uint64_t> sorter(test.environment, std::move(options));
    for (const auto& record : input) sorter.lane(0).push(record.key);
    for (unsigned lane = 0; lane < sorter.lanes(); ++lane) sorter.lane(lane).finish();
    sorter.finish();
    std::uint64_t next = 0;
    for (auto batch = sorter.next(); !batch.empty(); batch = sorter.next()) {
      for (const std::uint64_t key : batch) REQUIRE(key == next++);
    }
    CHECK(next == input.size());
    CAPTURE(test.environment.blocks.peak_bytes());
    CHECK(test.environment.blocks.peak_bytes() <= 2 * input.size() * sizeof(std::uint64_t));
  }
}

TEST_CASE("distribution sort says how much memory would do") {
  TestEnvironment test{.memory_bytes = 64 * core::KiB};
  CHECK_THROWS_AS((core::DistributionSorter<std::uint64_t>(test.environment, {})), core::MemoryLimitError);
}

template <std::size_t A>
void check_faults(const KeyShape& shape, Fault fault, Machine machine = {5 * core::MiB / 4, 2, 1}) {
  CAPTURE(shape.name);
  Records<std::uint64_t, A> input;
  for (std::size_t i = 0; i < shape.keys.size(); ++i)
    input.push_back(make_record<std::uint64_t, A>(shape.keys[i], i));
  const Records<std::uint64_t, A> right = expected(input, false);
  fail_each(fault, machine, [&](TestEnvironment& test) {
    const bool same = equal<std::uint64_t, A>(run_sorter(test, input, {.threads = 2}), right);
    CHECK(same);
  });
}

TEST_CASE("distribution sort survives the failure of any transfer and reservation without a leak") {
  const auto shape = [](std::size_t number) { return key_shape(number, 60000, std::uint64_t{1} << 44); };
  for (const Fault fault : all_faults) {
    check_faults<0>(shape(0), fault);
    check_faults<8>(shape(1), fault);  // a hub: merge-sorted attachments
    check_faults<8>(shape(6), fault);
  }
}

TEST_CASE("distribution sort of coded blocks survives the failure of any transfer and reservation") {
  const auto shape = [](std::size_t number) { return key_shape(number, 100000, std::uint64_t{1} << 44); };
  const Machine machine{5 * core::MiB / 4, 2, 2, core::SpillCodec::delta};
  for (const Fault fault : all_faults) {
    check_faults<0>(shape(0), fault, machine);
    check_faults<8>(shape(6), fault, machine);
  }
}

}  // namespace
}  // namespace emgraph::tests
