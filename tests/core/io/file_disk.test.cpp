// SPDX-License-Identifier: MIT
// Transfers against a kernel that plays by a script: partial results, interruptions, refusals.
#include "core/io/file_disk.hpp"

#include <catch2/catch.hpp>
#include <cerrno>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"
#include "tests/support/temporary_directory.hpp"

namespace emgraph::core {
namespace {

/// One system call as the kernel saw it.
struct Call {
  std::uint64_t offset;
  std::size_t buffers;
  std::size_t first_bytes;
  friend bool operator==(const Call&, const Call&) = default;
};

/// Answers the system calls of a request from a list.
class ScriptedDisk final : public FileDisk {
 public:
  using FileDisk::FileDisk;
  std::vector<std::int64_t> answers;
  std::vector<Call> calls;

 private:
  void start(IssuedRequest transfer) override {
    for (const std::int64_t answer : std::exchange(answers, {})) {
      calls.push_back({transfer.offset(), transfer.buffer_count(), transfer.buffers()->iov_len});
      if (take_result(transfer, answer)) return transfer.tell();
    }
    FAIL("the script is too short");
  }
};

struct FileFixture {
  explicit FileFixture(DirectIo direct)
      : disk(File::create_temporary(directory.path(), direct), statistics),
        buffer(budget, 3 * page_bytes, "buffer") {}
  RequestPtr run(Operation operation, std::vector<std::int64_t> answers, std::size_t skip_bytes = 0) {
    disk.calls.clear();
    disk.answers = std::move(answers);
    return disk.submit(operation, 8192 + skip_bytes,
                       {iovec{buffer.data() + skip_bytes, page_bytes - skip_bytes},
                        iovec{buffer.data() + page_bytes, 2 * page_bytes}});
  }
  tests::TemporaryDirectory directory;
  IoStatistics statistics;
  MemoryBudget budget{MiB};
  ScriptedDisk disk;
  Buffer buffer;
};

TEST_CASE("partial transfers are continued", "[file_disk]") {
  FileFixture f(DirectIo::off);
  for (const Operation operation : {Operation::read, Operation::write}) {
    CHECK(f.run(operation, {100, 3996, 4096, 1, 4095})->wait() == 12'288);
    CHECK(f.disk.calls ==
          std::vector<Call>{
              {8192, 2, 4096}, {8292, 2, 3996}, {12'288, 1, 8192}, {16'384, 1, 4096}, {16'385, 1, 4095}});
  }
  CHECK(f.statistics.snapshot().reads == 1);
  CHECK(f.statistics.snapshot().read_bytes == 12'288);
  CHECK(f.statistics.snapshot().write_bytes == 12'288);
}

TEST_CASE("interruptions are repeated", "[file_disk]") {
  FileFixture f(DirectIo::off);
  CHECK(f.run(Operation::write, {-EINTR, 4096, -EAGAIN, -ECANCELED, 8192})->wait() == 12'288);
}

TEST_CASE("the end of the file ends a read and breaks a write", "[file_disk]") {
  FileFixture f(DirectIo::off);
  CHECK(f.run(Operation::read, {0})->wait() == 0);
  CHECK(f.run(Operation::read, {5000, 0})->wait() == 5000);
  CHECK_THROWS_AS(f.run(Operation::write, {5000, 0})->wait(), EnvironmentError);
}

TEST_CASE("an error names operation, bytes left, offset and cause", "[file_disk]") {
  FileFixture f(DirectIo::off);
  CHECK_THROWS_WITH(f.run(Operation::read, {4096, -EIO})->wait(),
                    Catch::Contains(f.directory.path()) &&
                        Catch::Contains("cannot read 8192 bytes at offset 12288: Input/output error"));
  CHECK_THROWS_WITH(f.run(Operation::write, {-ENOSPC})->wait(), Catch::Contains("No space left"));
  CHECK_THROWS_WITH(f.run(Operation::write, {-EINVAL})->wait(), Catch::Contains("Invalid argument"));
}

TEST_CASE("a direct transfer that is refused is done through the page cache", "[file_disk]") {
  FileFixture f(DirectIo::automatic);
  if (!f.disk.direct()) return;
  SECTION("one inside a sector has met the end") {
    CHECK(f.run(Operation::read, {4096, 100})->wait() == 4196);
    CHECK(f.disk.direct());
  }
  SECTION("the first refusal switches, later ones of requests under way are repeated once") {
    CHECK(f.run(Operation::write, {-EINVAL, 12'288})->wait() == 12'288);
    CHECK_FALSE(f.disk.direct());
    CHECK(f.run(Operation::write, {-EINVAL, 12'288})->wait() == 12'288);
    CHECK_THROWS_AS(f.run(Operation::write, {-EINVAL, -EINVAL})->wait(), EnvironmentError);
  }
  SECTION("a request that is not aligned is at fault itself") {
    CHECK_THROWS_AS(f.run(Operation::write, {-EINVAL}, 512)->wait(), EnvironmentError);
    CHECK(f.disk.direct());
  }
}

TEST_CASE("direct I/O that was demanded is not given up", "[file_disk]") {
  const tests::TemporaryDirectory directory;
  if (!File::create_temporary(directory.path(), DirectIo::automatic).direct()) return;
  FileFixture f(DirectIo::on);
  CHECK_THROWS_AS(f.run(Operation::write, {-EINVAL})->wait(), EnvironmentError);
  CHECK(f.disk.direct());
}

}  // namespace
}  // namespace emgraph::core
