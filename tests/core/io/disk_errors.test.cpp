// SPDX-License-Identifier: MIT
// Errors of requests arrive through wait(), with path and offset, and leave the disk usable.
#include <catch2/catch.hpp>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/disk.hpp"
#include "core/memory/buffer.hpp"
#include "tests/support/faulty_disk.hpp"
#include "tests/support/temporary_directory.hpp"

namespace emgraph::core {
namespace {

using tests::TemporaryDirectory;

std::vector<DiskBackend> file_backends() {
  std::vector<DiskBackend> backends = {DiskBackend::pread};
  if (uring_available()) backends.push_back(DiskBackend::uring);
  return backends;
}

TEST_CASE("writing to a file open for reading fails", "[disk]") {
  const TemporaryDirectory directory;
  const std::string path = directory.write("file", std::string(2 * page_bytes, 'x'));
  for (const DiskBackend backend : file_backends()) {
    IoStatistics statistics;
    MemoryBudget budget(MiB);
    const Buffer buffer(budget, page_bytes, "buffer");
    const std::unique_ptr<Disk> disk =
        make_file_disk(File::open_read(path, DirectIo::automatic), backend, statistics);
    const RequestPtr failed = disk->write(page_bytes, buffer.bytes());
    CHECK_THROWS_WITH(failed->wait(), Catch::Contains(path) && Catch::Contains("write") &&
                                          Catch::Contains("offset 4096") && Catch::Contains("descriptor"));
    CHECK_THROWS_AS(failed->wait(), EnvironmentError);  // again: waiting consumes nothing
    failed->wait_ignoring_error();
    CHECK(statistics.snapshot().write_bytes == 0);
    CHECK(disk->read(0, buffer.bytes())->wait() == page_bytes);
    CHECK(buffer.bytes()[0] == std::byte{'x'});
  }
}

TEST_CASE("an unaligned direct transfer is reported, not hidden", "[disk]") {
  const TemporaryDirectory directory;
  for (const DiskBackend backend : file_backends()) {
    IoStatistics statistics;
    MemoryBudget budget(MiB);
    const Buffer buffer(budget, 2 * page_bytes, "buffer");
    const std::unique_ptr<Disk> disk =
        make_file_disk(File::create_temporary(directory.path(), DirectIo::automatic), backend, statistics);
    if (!disk->direct()) return;
    CHECK_THROWS_AS(disk->write(7, buffer.bytes().first(page_bytes))->wait(), EnvironmentError);
    CHECK(disk->direct());
    CHECK(disk->write(0, buffer.bytes())->wait() == 2 * page_bytes);
  }
}

TEST_CASE("a memory disk is full at its capacity", "[disk]") {
  IoStatistics statistics;
  const std::unique_ptr<Disk> disk = make_memory_disk(statistics, 10'000);
  std::vector<std::byte> bytes(4000);
  CHECK(disk->write(6000, bytes)->wait() == 4000);
  CHECK_THROWS_WITH(disk->write(6001, bytes)->wait(), Catch::Contains("disk full"));
  CHECK_NOTHROW(disk->reserve_space(10'000));
  CHECK_THROWS_WITH(disk->reserve_space(10'001), Catch::Contains("disk full"));
}

TEST_CASE("backends that do not fit are refused", "[disk]") {
  const TemporaryDirectory directory;
  IoStatistics statistics;
  CHECK_THROWS_AS(make_file_disk(File::create_temporary(directory.path(), DirectIo::off), DiskBackend::memory,
                                 statistics),
                  UsageError);
  if (!uring_available()) {
    CHECK_THROWS_AS(make_file_disk(File::create_temporary(directory.path(), DirectIo::off),
                                   DiskBackend::uring, statistics),
                    EnvironmentError);
  }
}

TEST_CASE("the faulty disk fails the chosen request", "[disk]") {
  IoStatistics statistics;
  const auto plan = std::make_shared<tests::FaultPlan>(1);
  tests::FaultyDisk disk(make_memory_disk(statistics), plan, statistics);
  std::vector<std::byte> bytes(100);
  CHECK(disk.write(0, bytes)->wait() == 100);
  CHECK_FALSE(plan->triggered());
  const RequestPtr failed = disk.write(100, bytes);
  CHECK_THROWS_WITH(failed->wait(), Catch::Contains("injected"));
  CHECK(plan->triggered());
  CHECK(disk.write(200, bytes)->wait() == 100);
  CHECK(plan->submitted() == 3);
}

}  // namespace
}  // namespace emgraph::core
