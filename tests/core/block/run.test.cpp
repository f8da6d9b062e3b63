// SPDX-License-Identifier: MIT
// Runs: every size around a block, odd records, disks, both kinds of reader, and a fault at every request.
#include "core/block/run.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/state_bytes.hpp"

namespace {

using namespace emgraph;
using core::KiB;
constexpr std::size_t block_bytes = 4 * KiB;

struct Odd {
  std::uint8_t bytes[13];
  friend bool operator==(const Odd&, const Odd&) = default;
};
struct Wide {
  std::uint64_t words[375];  // 3,000 bytes: one record per block
  friend bool operator==(const Wide&, const Wide&) = default;
};

template <class T>
std::vector<T> make_records(std::size_t count) {
  std::vector<T> records(count);
  auto* bytes = reinterpret_cast<std::uint8_t*>(records.data());
  for (std::size_t i = 0; i < count * sizeof(T); ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 + i / 251);
  return records;
}

template <class T>
core::Run<T> write(core::Environment& environment, const std::vector<T>& records, std::size_t buffers,
                   std::size_t stretch_blocks = 1) {
  core::RunWriter<T> writer(environment, block_bytes, buffers, {}, stretch_blocks);
  std::span<const T> left(records);
  for (std::size_t step = 1; !left.empty(); step = step * 3 + 1) {
    if (step % 2 == 0) {
      writer.append(left.first(std::min(step, left.size())));
      left = left.subspan(std::min(step, left.size()));
    } else {
      writer.push(left.front());
      left = left.subspan(1);
    }
  }
  CHECK(writer.records() == records.size());
  return writer.finish();
}

template <class T, class Reader>
std::vector<T> read_all(Reader& reader) {
  std::vector<T> records;
  for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
    records.insert(records.end(), batch.begin(), batch.end());
  }
  CHECK(reader.next().empty());
  CHECK(reader.unread() == 0);
  return records;
}

template <class T>
void check_sizes() {
  const std::size_t per_block = block_bytes / sizeof(T);
  for (std::size_t disks = 1; disks <= 4; ++disks) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, per_block - 1, per_block, per_block + 1,
                                    5 * per_block, 23 * per_block + per_block / 2}) {
      const std::vector<T> records = make_records<T>(count);
      for (const std::size_t depth : {0, 1, 5}) {
        tests::TestEnvironment test{.memory_bytes = 128 * KiB, .disks = disks};
        {
          core::Run<T> run = write(test.environment, records, depth + 1);
          CHECK(run.records == count);
          CHECK(run.blocks.size() == core::divide_up(count, per_block));
          core::RunReader<T> keeping(test.environment, std::as_const(run), depth);
          CHECK(read_all<T>(keeping) == records);
          const std::uint64_t used = test.blocks.used_bytes();
          CHECK(used == core::round_up(used, block_bytes));
          core::RunReader<T> consuming(test.environment, std::move(run), depth);
          CHECK(read_all<T>(consuming) == records);
          CHECK(test.blocks.used_bytes() == 0);
        }
        CHECK(test.memory.used() == 0);
      }
    }
  }
}

}  // namespace

TEST_CASE("reading a run returns the written records", "[run]") {
  check_sizes<std::uint32_t>();
  check_sizes<std::uint64_t>();
  check_sizes<Odd>();
  check_sizes<Wide>();
}

TEST_CASE("a consuming reader frees block by block", "[run]") {
  tests::TestEnvironment test{.memory_bytes = 64 * KiB};
  const auto records = make_records<std::uint64_t>(8 * 512);
  core::RunReader<std::uint64_t> reader(test.environment, write(test.environment, records, 2), 2);
  for (std::uint64_t left = 8; left > 0; --left) {
    CHECK(test.blocks.used_bytes() == left * block_bytes);
    REQUIRE(reader.next().size() == 512);
  }
  CHECK(test.blocks.used_bytes() == 0);
}

TEST_CASE("a long run in stretches has a short list", "[run]") {
  for (const std::size_t stretch : {1, 2, 7, 64}) {
    for (const std::size_t count : {0, 1, 512 * 7, 512 * 7 + 1, 512 * 200 - 1}) {
      const auto records = make_records<std::uint64_t>(count);
      CAPTURE(stretch, count);
      tests::TestEnvironment test{.memory_bytes = 64 * KiB, .disks = 2};
      core::Run<std::uint64_t> run = write(test.environment, records, 2, stretch);
      // What the last stretch has left is given back.
      CHECK(test.blocks.used_bytes() == core::round_up(count * sizeof(std::uint64_t), block_bytes));
      const std::size_t blocks = run.blocks.size();
      CHECK(test.memory.used() <= 16 * std::max<std::size_t>(16, blocks / stretch + 1) +
                                      2 * sizeof(core::Seal) * std::max<std::size_t>(16, blocks));
      core::RunReader<std::uint64_t> reader(test.environment, std::move(run), 2);
      CHECK(read_all<std::uint64_t>(reader) == records);
      CHECK(test.blocks.used_bytes() == 0);
    }
  }
  tests::TestEnvironment test{.memory_bytes = 64 * KiB};
  const auto records = make_records<std::uint64_t>(512 * 10);
  write(test.environment, records, 2, 64);
  {
    core::RunWriter<std::uint64_t> dropped(test.environment, block_bytes, 2, {}, 64);
    dropped.append(records);
  }
  CHECK(test.blocks.used_bytes() == 0);
}

TEST_CASE("runs, writers and readers that are dropped half way leave nothing behind", "[run]") {
  tests::TestEnvironment test{.memory_bytes = 256 * KiB, .disks = 2};
  const auto records = make_records<Odd>(5000);
  {
    core::RunWriter<Odd> dropped(test.environment, block_bytes, 3);
    dropped.append(records);
    core::RunWriter<Odd> moved = std::move(dropped);
    moved.append(records);
    core::Run<Odd> kept = write(test.environment, records, 2);
    kept = write(test.environment, records, 2);
    core::RunReader<Odd> reader(test.environment, std::move(kept), 3);
    reader.next();
    core::RunReader<Odd> other = std::move(reader);
    other.next();
    other = core::RunReader<Odd>(test.environment, write(test.environment, records, 2), 1);
    CHECK(other.next().front() == records.front());
  }
  CHECK(test.memory.used() == 0);
  CHECK(test.blocks.used_bytes() == 0);
}

TEST_CASE("a run survives the failure of any transfer and reservation without a leak", "[run]") {
  const auto records = make_records<Odd>(6000);
  for (const tests::Fault fault : tests::all_faults) {
    const auto most = tests::fail_each(fault, {128 * KiB, 1, 3}, [&](tests::TestEnvironment& test) {
      core::RunReader<Odd> reader(test.environment, write(test.environment, records, 3), 2);
      const std::vector<Odd> result = read_all<Odd>(reader);
      CHECK(result == records);
    });
    CHECK(most >= (fault == tests::Fault::transfer ? 20U : 4U));
  }
}

TEST_CASE("a reader stays at the block that could not be read", "[run]") {
  tests::TestEnvironment test{.memory_bytes = 64 * KiB};
  core::Run<Odd> run = write(test.environment, make_records<Odd>(2000), 2);
  test.faults->fail_in(1);
  core::RunReader<Odd> reader(test.environment, std::move(run), 1);
  CHECK(!reader.next().empty());
  CHECK_THROWS_AS(reader.next(), core::EnvironmentError);
  CHECK_THROWS_AS(reader.next(), core::EnvironmentError);
}

TEST_CASE("a run that is described and given up is continued by another writer") {
  for (const std::size_t count : {0, 1, 511, 512, 513, 5000}) {
    for (const std::size_t stretch : {1, 3}) {
      const auto records = make_records<std::uint64_t>(count + 700);
      tests::TestEnvironment test{.memory_bytes = 256 * KiB, .disks = 2};
      tests::StateBytes bytes;
      core::StateWriter& to = bytes;
      core::StateReader& from = bytes;
      {
        core::RunWriter<std::uint64_t> writer(test.environment, block_bytes, 2, {}, stretch);
        writer.append(std::span(records).first(count));
        writer.save(to);
        writer.push(1);  // what comes later is not in the state
      }
      core::Run<std::uint64_t> run;
      {
        core::RunWriter<std::uint64_t> writer(test.environment, from);
        CHECK(writer.records() == count);
        writer.append(std::span(records).subspan(count));
        run = writer.finish();
      }
      run.save(to);
      run = {};
      run = core::Run<std::uint64_t>::restored(test.environment, from);
      CHECK(bytes.at_end());
      core::RunReader<std::uint64_t> reader(test.environment, std::move(run));
      CHECK(read_all<std::uint64_t>(reader) == records);
    }
  }
}
