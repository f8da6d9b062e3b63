// SPDX-License-Identifier: MIT
// The order in which a merge asks for blocks is the one that was predicted.
#include "core/sort/prediction_sequence.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "core/sort/merge_batch.hpp"

namespace emgraph::tests {
namespace {

constexpr std::size_t block_records = 16;
using RecordList = std::vector<std::uint32_t>;

/// Hands out a run of blocks and notes when.
class NotedReader {
 public:
  NotedReader(RecordList records, std::size_t number, std::vector<std::size_t>& notes)
      : records_(std::move(records)), number_(number), notes_(notes) {}
  std::span<const std::uint32_t> next() {
    const std::size_t count = std::min(block_records, records_.size() - read_);
    if (read_ > 0) notes_.push_back(number_);
    read_ += count;
    return std::span(records_).subspan(read_ - count, count);
  }
  std::uint64_t unread() const { return records_.size() - read_; }
  const RecordList& records() const { return records_; }

 private:
  RecordList records_;
  std::size_t number_;
  std::size_t read_ = 0;
  std::vector<std::size_t>& notes_;
};

std::vector<std::size_t> predicted(const std::vector<RecordList>& runs) {
  std::vector<std::vector<std::uint32_t>> rooms(runs.size());
  core::PredictionSequence<std::uint32_t, std::less<>> sequence({});
  for (std::size_t run = 0; run < runs.size(); ++run) {
    rooms[run].resize(runs[run].size() / block_records + 1);
    core::BlockEnds<std::uint32_t> ends(rooms[run], block_records);
    ends.append(runs[run]);
    sequence.add(ends.close(), (runs[run].size() + block_records - 1) / block_records);
  }
  std::vector<std::size_t> order;
  for (auto run = sequence.next(); run; run = sequence.next()) order.push_back(*run);
  return order;
}

std::vector<std::size_t> observed(const std::vector<RecordList>& runs, std::size_t batch_records) {
  std::vector<std::size_t> notes;
  std::vector<NotedReader> readers;
  for (std::size_t run = 0; run < runs.size(); ++run) readers.emplace_back(runs[run], run, notes);
  std::vector<core::MergeSource<std::uint32_t, NotedReader>> sources;
  for (NotedReader& reader : readers) sources.push_back({{}, &reader});
  std::vector<core::MergeSource<std::uint32_t, NotedReader>*> pointers;
  for (auto& source : sources) pointers.push_back(&source);
  core::BatchMerger<std::uint32_t, std::less<>, NotedReader> merger({});
  RecordList out(std::max(batch_records, 2 * runs.size()));
  RecordList spare(out.size());
  while (merger.merge(pointers, out, spare) > 0) {
  }
  return notes;
}

TEST_CASE("a merge requests blocks in the predicted order") {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::vector<RecordList> runs(1 + random() % 9);
    // Distinct records, evenly mixed or in stretches of one run.
    const std::size_t stretch = round % 3 == 0 ? 1 + random() % 200 : 1;
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < 2000; i += stretch) {
      RecordList& run = runs[random() % runs.size()];
      for (std::size_t j = 0; j < stretch; ++j) run.push_back(next++);
    }
    for (RecordList& run : runs) {
      if (run.empty()) run.push_back(next++);
    }
    for (const std::size_t batch : {std::size_t{8}, std::size_t{100}, std::size_t{5000}}) {
      CHECK(observed(runs, batch) == predicted(runs));
    }
  }
}

TEST_CASE("a merge requests blocks of equal records in the predicted order") {
  std::vector<RecordList> equal(5, RecordList(10 * block_records, 7));
  CHECK(observed(equal, 40) == predicted(equal));
  equal[2].resize(3 * block_records + 1);
  CHECK(observed(equal, 40) == predicted(equal));
  // Blocks end in the same record here and there.
  std::vector<RecordList> some(4);
  for (std::size_t run = 0; run < some.size(); ++run) {
    for (std::uint32_t i = 0; i < 40 * block_records; ++i) some[run].push_back(i / 4);
  }
  CHECK(observed(some, 64) == predicted(some));
}

TEST_CASE("ends of blocks share their space in order; runs without space have no ends") {
  std::vector<std::uint32_t> room(10);
  core::BlockEnds<std::uint32_t> ends(room, block_records);
  const auto write = [&](std::size_t blocks, std::uint32_t from) {
    RecordList records(blocks * block_records + 3);
    for (std::size_t i = 0; i < records.size(); ++i) records[i] = from + static_cast<std::uint32_t>(i);
    for (std::size_t at = 0; at < records.size();) {
      const std::size_t count = std::min(records.size() - at, at % 37 + 1);
      ends.append(std::span(records).subspan(at, count));
      at += count;
    }
    return ends.close();
  };
  const auto check = [&](const core::RunEnds<std::uint32_t>& of, std::size_t blocks, std::uint32_t from) {
    CHECK(of.known());
    REQUIRE(of.size() == blocks);
    for (std::size_t i = 0; i < blocks; ++i) CHECK(of[i] == from + (i + 1) * block_records - 1);
  };
  const auto first = write(4, 100);
  const auto second = write(5, 1000);
  const auto none = write(2, 5000);
  CHECK(!none.known());
  const auto third = write(1, 7000);
  check(first, 4, 100);
  check(second, 5, 1000);
  check(third, 1, 7000);
  ends.drop(first);
  const auto fourth = write(4, 9000);  // round the end of the room
  check(second, 5, 1000);
  check(fourth, 4, 9000);
  ends.drop(second);
  ends.drop(none);
  ends.drop(third);
  const auto fifth = write(6, 20000);
  check(fourth, 4, 9000);
  check(fifth, 6, 20000);
  CHECK(!write(1, 1).known());
  core::BlockEnds<std::uint32_t> nowhere({}, block_records);
  nowhere.append(RecordList(3));
  CHECK(nowhere.close().known());
  nowhere.append(RecordList(block_records));
  CHECK(!nowhere.close().known());
}

}  // namespace
}  // namespace emgraph::tests
