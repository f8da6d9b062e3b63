// SPDX-License-Identifier: MIT
// Requests end when a disk of the limit's bandwidth would end them, whatever their size and depth.
#include "core/io/limited_disk.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "tests/core/io/pattern.hpp"

namespace emgraph::core {
namespace {

using std::chrono::nanoseconds;
using Time = DiskClock::Time;

constexpr Time start{std::chrono::hours(1)};

double seconds_since_start(Time time) {
  return std::chrono::duration<double>(time - start).count();
}

/// A clock that advances only by sleep_until().
class TestClock final : public DiskClock {
 public:
  Time now() override { return Time(nanoseconds(now_.load())); }
  void sleep_until(Time time) override {
    const std::int64_t wanted = time.time_since_epoch() / nanoseconds(1);
    if (wanted > now_) now_ = wanted;
  }
  void advance(nanoseconds time) { now_ += time.count(); }

 private:
  std::atomic<std::int64_t> now_{start.time_since_epoch() / nanoseconds(1)};
};

std::unique_ptr<Disk> limited_memory(std::uint64_t rate, IoStatistics& statistics, DiskClock& clock,
                                     std::uint64_t capacity = ~std::uint64_t{0}) {
  return make_limited_disk([&](IoStatistics& below) { return make_memory_disk(below, capacity); }, rate,
                           statistics, TraceDevice::unnamed, clock);
}

TEST_CASE("a schedule starts each request at its submission or at the end before", "[limit]") {
  RateSchedule schedule(1000);
  const auto milliseconds = [](int count) { return start + std::chrono::milliseconds(count); };
  CHECK(schedule.end_of(milliseconds(0), 100) == milliseconds(100));
  CHECK(schedule.end_of(milliseconds(0), 50) == milliseconds(150));
  CHECK(schedule.end_of(milliseconds(149), 1) == milliseconds(151));
  CHECK(schedule.end_of(milliseconds(500), 10) == milliseconds(510));
  CHECK(schedule.end_of(milliseconds(505), 0) == milliseconds(510));
}

TEST_CASE("late notices of completion lose no bandwidth, pauses between requests do", "[limit]") {
  RateSchedule schedule(1000);
  Time now = start;
  for (int i = 1; i <= 1000; ++i) {
    const Time end = schedule.end_of(now, 2);
    CHECK(end == start + std::chrono::milliseconds(2 * i));
    now = end + RateSchedule::forgiven;
  }
  now += nanoseconds(1);
  CHECK(schedule.end_of(now, 2) == now + std::chrono::milliseconds(2));
}

TEST_CASE("rounding errors do not accumulate, for all sizes of requests", "[limit]") {
  for (const std::uint64_t rate :
       {std::uint64_t{MiB}, 48 * MiB, std::uint64_t{10 * GiB}, std::uint64_t{999'999'999'989}}) {
    for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{512}, 4 * KiB, 3 * MiB + 1, GiB}) {
      RateSchedule schedule(rate);
      Time end = start;
      for (int i = 0; i < 10000; ++i) end = schedule.end_of(start, bytes);
      const double asked = 10000.0 * static_cast<double>(bytes) / static_cast<double>(rate);
      if (asked > 1e-6 && asked < 1e9) CHECK(seconds_since_start(end) == Approx(asked).epsilon(0.001));
    }
  }
}

TEST_CASE("reads and writes share the limit at any depth; statistics count them once", "[limit]") {
  constexpr std::uint64_t rate = 48 * MiB;
  for (const std::size_t bytes : {4 * KiB, 64 * KiB, MiB}) {
    for (const std::size_t depth : {1, 2, 16}) {
      IoStatistics statistics;
      TestClock clock;
      const std::size_t requests = 64;
      {
        const auto disk = limited_memory(rate, statistics, clock);
        std::vector<std::byte> buffer(bytes);
        std::vector<RequestPtr> in_flight;
        for (std::size_t i = 0; i < requests; ++i) {
          if (i >= depth) CHECK(in_flight[i - depth]->wait() == bytes);
          in_flight.push_back(i % 4 == 3 ? disk->read((i - 1) * bytes, buffer)
                                         : disk->write(i * bytes, buffer));
        }
        for (const RequestPtr& request : in_flight) CHECK(request->wait() == bytes);
      }
      CHECK(seconds_since_start(clock.now()) ==
            Approx(static_cast<double>(requests * bytes) / static_cast<double>(rate)).epsilon(1e-6));
      const IoSnapshot counted = statistics.snapshot();
      CHECK(counted.reads == requests / 4);
      CHECK(counted.writes == requests - requests / 4);
      CHECK(counted.read_bytes + counted.write_bytes == requests * bytes);
    }
  }
}

TEST_CASE("a pause of the submitter is not made up for", "[limit]") {
  IoStatistics statistics;
  TestClock clock;
  const auto disk = limited_memory(MiB, statistics, clock);
  std::vector<std::byte> buffer(MiB / 2);
  disk->write(0, buffer)->wait();
  clock.advance(std::chrono::seconds(10));
  disk->write(0, buffer)->wait();
  disk->write(0, buffer)->wait();
  CHECK(seconds_since_start(clock.now()) == Approx(11.5));
}

TEST_CASE("what was written is read back through a limit, errors come through too", "[limit]") {
  IoStatistics statistics;
  TestClock clock;
  const auto disk = limited_memory(GiB, statistics, clock, 8 * KiB);
  std::vector<std::byte> buffer(8 * KiB);
  tests::fill_pattern(buffer, 0, 7);
  CHECK(disk->write(0, buffer)->wait() == buffer.size());
  std::vector<std::byte> back(16 * KiB);
  CHECK(disk->read(0, back)->wait() == 8 * KiB);
  CHECK(tests::is_pattern(std::span(back).first(8 * KiB), 0, 7));
  CHECK_THROWS_WITH(disk->write(4 * KiB, buffer)->wait(), Catch::Contains("disk full"));
  CHECK_THROWS_AS(disk->reserve_space(9 * KiB), EnvironmentError);
  CHECK(disk->path() == "(memory disk)");
  CHECK(statistics.snapshot().writes == 1);
  CHECK(statistics.snapshot().reads == 1);
}

TEST_CASE("destruction waits for the requests of a limited disk", "[limit]") {
  IoStatistics statistics;
  TestClock clock;
  std::vector<std::byte> buffer(MiB);
  std::vector<RequestPtr> requests;
  {
    const auto disk = limited_memory(MiB, statistics, clock);
    for (std::uint64_t i = 0; i < 20; ++i) requests.push_back(disk->write(i * MiB, buffer));
  }
  for (const RequestPtr& request : requests) CHECK(request->done());
  CHECK(seconds_since_start(clock.now()) == Approx(20));
}

TEST_CASE("the clock of the machine is not outrun", "[limit]") {
  IoStatistics statistics;
  const auto disk = limited_memory(100 * MiB, statistics, machine_clock());
  std::vector<std::byte> buffer(MiB);
  const Time before = machine_clock().now();
  disk->write(0, buffer)->wait();
  CHECK(std::chrono::duration<double>(machine_clock().now() - before).count() >= 0.01);
}

}  // namespace
}  // namespace emgraph::core
