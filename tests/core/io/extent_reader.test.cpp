// SPDX-License-Identifier: MIT
// Extents arrive once each, in order, whole; whatever their alignment, the lanes and the disk.
#include "core/io/extent_reader.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "tests/core/io/pattern.hpp"
#include "tests/support/faulty_disk.hpp"
#include "tests/support/temporary_directory.hpp"

namespace emgraph::core {
namespace {

using tests::is_pattern;

constexpr std::size_t max_extent_bytes = 20'000;

// Extents of random sizes, one after the other, up to the end of a file of `bytes` bytes.
std::vector<FileExtent> random_extents(std::uint64_t bytes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<FileExtent> extents;
  for (std::uint64_t at = 0; at < bytes;) {
    const std::uint64_t size = std::min<std::uint64_t>(random() % (max_extent_bytes + 1), bytes - at);
    extents.push_back({at, size});
    at += size;
  }
  return extents;
}

auto sequence_of(const std::vector<FileExtent>& extents) {
  return [&extents](std::uint64_t i) -> std::optional<FileExtent> {
    if (i >= extents.size()) return std::nullopt;
    return extents[i];
  };
}

struct Fixture {
  explicit Fixture(DirectIo direct, std::size_t bytes = 1'000'003) : size(bytes) {
    path = directory.write("data", tests::pattern_string(bytes));
    disk = make_file_disk(File::open_read(path, direct), DiskBackend::automatic, statistics);
  }
  tests::TemporaryDirectory directory;
  std::string path;
  std::size_t size;
  IoStatistics statistics;
  MemoryBudget budget{MiB};
  std::unique_ptr<Disk> disk;
};

TEST_CASE("unaligned extents come in order", "[extent_reader]") {
  for (const DirectIo direct : {DirectIo::automatic, DirectIo::off}) {
    Fixture f(direct);
    const std::vector<FileExtent> extents = random_extents(f.size, 3);
    ExtentReader reader(*f.disk, f.budget, sequence_of(extents), max_extent_bytes, 4, 1);
    CHECK(f.budget.used() <= 5 * (round_up(max_extent_bytes, page_bytes) + 2 * page_bytes));
    for (int pass = 0; pass < 2; ++pass) {
      for (std::uint64_t i = 0; i < extents.size(); ++i) {
        const auto loaded = reader.next();
        REQUIRE(loaded);
        REQUIRE(loaded->index == i);
        REQUIRE(loaded->offset == extents[i].offset);
        REQUIRE(loaded->bytes.size() == extents[i].bytes);
        REQUIRE(is_pattern(loaded->bytes, loaded->offset));
        reader.release(*loaded);
        if (pass == 0 && i == 7) break;  // rewind with reads in flight
      }
      if (pass == 0) reader.rewind();
    }
    CHECK_FALSE(reader.next());
    CHECK_FALSE(reader.next());
    reader.rewind();
    CHECK(reader.next()->index == 0);
  }
}

TEST_CASE("extents that reach beyond the end are short", "[extent_reader]") {
  for (const DirectIo direct : {DirectIo::automatic, DirectIo::off}) {
    Fixture f(direct, 10'000);
    const std::vector<FileExtent> extents = {{9'990, 100}, {0, 20'000}, {20'000, 5}, {10'000, 1}, {1, 9'999}};
    ExtentReader reader(*f.disk, f.budget, sequence_of(extents), max_extent_bytes, 2, 1);
    for (const std::size_t expected : {10, 10'000, 0, 0, 9'999}) {
      const auto loaded = reader.next();
      REQUIRE(loaded);
      CHECK(loaded->bytes.size() == expected);
      CHECK(is_pattern(loaded->bytes, loaded->offset));
      reader.release(*loaded);
    }
    CHECK_FALSE(reader.next());
  }
}

TEST_CASE("lanes share the extents, and a slow lane does not delay the others", "[extent_reader]") {
  for (const unsigned lanes : {1U, 2U, 4U}) {
    Fixture f(DirectIo::automatic);
    const std::vector<FileExtent> extents = random_extents(f.size, lanes);
    ExtentReader reader(*f.disk, f.budget, sequence_of(extents), max_extent_bytes, 3, lanes);
    // All lanes but one hold an extent for the whole of the time.
    std::vector<ExtentReader::Loaded> held;
    for (unsigned i = 1; i < lanes; ++i) held.push_back(*reader.next());
    std::uint64_t seen = held.size();
    while (const auto loaded = reader.next()) {
      ++seen;
      reader.release(*loaded);
    }
    CHECK(seen == extents.size());
    for (const auto& loaded : held) {
      CHECK(is_pattern(loaded.bytes, loaded.offset));
      reader.release(loaded);
    }
    reader.rewind();

    std::mutex mutex;
    std::multiset<std::uint64_t> indices;
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      threads.emplace_back([&] {
        while (const auto loaded = reader.next()) {
          if (!is_pattern(loaded->bytes, loaded->offset)) ++wrong;
          {
            const std::lock_guard lock(mutex);
            indices.insert(loaded->index);
          }
          reader.release(*loaded);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
    REQUIRE(indices.size() == extents.size());
    CHECK(std::set(indices.begin(), indices.end()).size() == extents.size());
  }
}

TEST_CASE("any failing read is reported at its extent, the others arrive", "[extent_reader]") {
  constexpr std::size_t count = 6;
  for (std::uint64_t k = 0; k < count; ++k) {
    IoStatistics statistics;
    MemoryBudget budget(MiB);
    const auto plan = std::make_shared<tests::FaultPlan>(k);
    std::unique_ptr<Disk> memory = make_memory_disk(statistics);
    std::vector<std::byte> content(count * 100);
    tests::fill_pattern(content, 0);
    memory->write(0, content)->wait();
    tests::FaultyDisk disk(std::move(memory), plan, statistics);
    const auto sequence = [](std::uint64_t i) -> std::optional<FileExtent> {
      if (i >= count) return std::nullopt;
      return FileExtent{i * 100, 100};
    };
    ExtentReader reader(disk, budget, sequence, 100, 2, 1);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (i == k) {
        CHECK_THROWS_WITH(reader.next(), Catch::Contains("injected"));
        continue;
      }
      const auto loaded = reader.next();
      REQUIRE(loaded);
      CHECK(loaded->index == i);
      CHECK(is_pattern(loaded->bytes, i * 100));
      reader.release(*loaded);
    }
    CHECK_FALSE(reader.next());
  }
}

TEST_CASE("memory that is not there and promises that are not kept", "[extent_reader]") {
  Fixture f(DirectIo::off);
  const std::vector<FileExtent> extents = {{0, 10}, {10, 30'000}};
  CHECK_THROWS_AS(ExtentReader(*f.disk, f.budget, sequence_of(extents), MiB, 2, 1), MemoryLimitError);
  CHECK(f.budget.used() == 0);
  ExtentReader reader(*f.disk, f.budget, sequence_of(extents), max_extent_bytes, 1, 1);
  CHECK_THROWS_AS(reader.next(), std::length_error);
  const std::vector<FileExtent> many(10, FileExtent{0, 1});
  ExtentReader crowded(*f.disk, f.budget, sequence_of(many), 1, 1, 1);
  const auto first = crowded.next();
  const auto second = crowded.next();  // one more than declared: the slot of the read-ahead
  CHECK_THROWS_AS(crowded.next(), std::logic_error);
  crowded.release(*first);
  crowded.release(*second);
  CHECK(crowded.next()->index == 2);
}

}  // namespace
}  // namespace emgraph::core
