// SPDX-License-Identifier: MIT
// Inputs: regular files of both sizes, pipes, and what is no input.
#include "core/io/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <thread>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"
#include "tests/core/io/pattern.hpp"
#include "tests/support/temporary_directory.hpp"

namespace emgraph::core {
namespace {

using tests::is_pattern;
using tests::TemporaryDirectory;

TEST_CASE("what is no input is refused", "[input]") {
  const TemporaryDirectory directory;
  IoStatistics statistics;
  CHECK_THROWS_WITH(InputFile(directory.file("none"), statistics), Catch::Contains("No such file"));
  CHECK_THROWS_WITH(InputFile(directory.path(), statistics), Catch::Contains("is a directory"));
}

/// As far as the file system has a cache that it can be taken from.
void take_from_page_cache(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(descriptor >= 0);
  CHECK(fdatasync(descriptor) == 0);
  CHECK(posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) == 0);
  close(descriptor);
}

TEST_CASE("regular files are read anywhere and in order, from the page cache and around it", "[input]") {
  struct Case {
    std::size_t bytes;
    bool from_cache;
  };
  for (const auto [bytes, from_cache] : {Case{0, true}, Case{5, true}, Case{100'000, true},
                                         Case{5 * MiB + 13, true}, Case{5 * MiB + 13, false}}) {
    const TemporaryDirectory directory;
    const std::string path = directory.write("data", tests::pattern_string(bytes));
    if (!from_cache) take_from_page_cache(path);
    IoStatistics statistics;
    InputFile input(path, statistics);
    CHECK(input.path() == path);
    CHECK(input.name() == path);
    REQUIRE(input.seekable());
    CHECK(input.size() == bytes);

    const std::span<const std::byte> head = input.peek(100);
    CHECK(head.size() == std::min<std::size_t>(100, bytes));
    CHECK(is_pattern(head, 0));
    CHECK(input.peek(10).size() == std::min<std::size_t>(10, bytes));
    CHECK(input.peek(10 * MiB).size() == std::min(MiB, bytes));

    // A page-aligned buffer takes the way around the page cache, the other one does not.
    MemoryBudget budget(16 * MiB);
    const Buffer aligned(budget, 256 * KiB, "aligned");
    for (const std::span<std::byte> buffer : {aligned.bytes(), aligned.bytes().subspan(1)}) {
      for (const std::uint64_t offset : {0UL, 4096UL, 77'777UL, 5 * MiB - 4096, 5 * MiB, 6 * MiB}) {
        const std::size_t expected =
            offset >= bytes ? 0 : std::min<std::uint64_t>(buffer.size(), bytes - offset);
        REQUIRE(input.read_at(offset, buffer) == expected);
        REQUIRE(is_pattern(buffer.first(expected), offset));
      }
    }
    std::uint64_t at = 0;
    for (std::size_t piece = 1; at < bytes; piece = std::min(piece * 3, aligned.size())) {
      const std::size_t got = input.read_next(aligned.bytes().first(piece));
      REQUIRE(got == std::min<std::uint64_t>(piece, bytes - at));
      REQUIRE(is_pattern(aligned.bytes().first(got), at));
      at += got;
    }
    CHECK(input.read_next(aligned.bytes()) == 0);
    if (bytes > 4096) {
      CHECK(input.disk().read(4096, aligned.bytes())->wait() > 0);
      CHECK(is_pattern(aligned.bytes().first(904), 4096));
    }
    InputFile moved = std::move(input);
    CHECK(moved.size() == bytes);
    CHECK(statistics.snapshot().read_bytes >= bytes);
  }
}

TEST_CASE("a file that will be read twice is the same through the page cache", "[input]") {
  // Large enough to be probed. All of it but its start is a hole.
  const TemporaryDirectory directory;
  const std::string path = directory.write("data", tests::pattern_string(8192));
  constexpr std::uint64_t size = 80 * MiB;
  std::filesystem::resize_file(path, size);
  take_from_page_cache(path);
  IoStatistics statistics;
  InputFile input(path, statistics);
  MemoryBudget budget(16 * MiB);
  const Buffer buffer(budget, 256 * KiB, "a part of the file");
  const auto starts_as_written = [&](Disk& disk) {
    return disk.read(0, buffer.bytes())->wait() == buffer.size() && is_pattern(buffer.bytes().first(8192), 0);
  };
  Disk& before = input.disk();
  CHECK(starts_as_written(before));
  SECTION("on a quick disk nothing changes") {
    input.expect_rereading(0);
    CHECK(&input.disk() == &before);
  }
  SECTION("on a slow disk there is another one, and the first stays valid") {
    input.expect_rereading(1e18);
    CHECK(&input.disk() != &before);
    CHECK(starts_as_written(input.disk()));
    CHECK(input.read_at(4096, buffer.bytes()) == buffer.size());
    CHECK(is_pattern(buffer.bytes().first(4096), 4096));
    CHECK(starts_as_written(before));
  }
}

// Feeds a FIFO in small pieces; the reader must put them together.
struct Fifo {
  Fifo() {
    path = directory.file("fifo");
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  }
  void feed(std::size_t bytes, std::size_t piece) {
    writer = std::thread([this, bytes, piece] {
      const std::string content = tests::pattern_string(bytes);
      const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
      for (std::size_t at = 0; at < bytes;) {
        const ssize_t written = ::write(descriptor, content.data() + at, std::min(piece, bytes - at));
        if (written <= 0) break;
        at += static_cast<std::size_t>(written);
      }
      close(descriptor);
    });
  }
  ~Fifo() {
    if (writer.joinable()) writer.join();
  }
  TemporaryDirectory directory;
  std::string path;
  std::thread writer;
};

TEST_CASE("a pipe is read once, after any number of peeks", "[input]") {
  constexpr std::size_t bytes = 300'001;
  for (const std::size_t peeked : {0, 1, 16, 4096, 65'536, 1'000'000}) {
    Fifo fifo;
    fifo.feed(bytes, 1000);
    IoStatistics statistics;
    InputFile input(fifo.path, statistics);
    CHECK_FALSE(input.seekable());
    CHECK(input.peek(peeked / 2).size() == std::min<std::size_t>(peeked / 2, bytes));
    CHECK(is_pattern(input.peek(peeked), 0));
    std::vector<std::byte> buffer(7'000);
    std::uint64_t at = 0;
    while (const std::size_t got = input.read_next(buffer)) {
      REQUIRE(is_pattern(std::span(buffer).first(got), at));
      at += got;
      if (at < bytes) REQUIRE(got == buffer.size());
    }
    CHECK(at == bytes);
    CHECK(input.read_next(buffer) == 0);
    CHECK(input.peek(peeked).size() <= MiB);
    CHECK(statistics.snapshot().read_bytes == bytes);
    CHECK(statistics.snapshot().wait_seconds > 0);
  }
}

TEST_CASE("repeated peeking continues at the position of the pipe", "[input]") {
  Fifo fifo;
  fifo.feed(1000, 10);
  IoStatistics statistics;
  InputFile input(fifo.path, statistics);
  std::vector<std::byte> buffer(100);
  CHECK(input.peek(50).size() == 50);
  CHECK(input.read_next(std::span(buffer).first(50)) == 50);
  const std::span<const std::byte> more = input.peek(80);
  CHECK(more.size() == 80);
  CHECK(is_pattern(more, 0));
  CHECK(input.read_next(buffer) == 100);
  CHECK(is_pattern(buffer, 50));
  CHECK(input.peek(200).size() == 80);  // the rest has been delivered and not kept
  buffer.resize(2000);
  CHECK(input.read_next(buffer) == 850);
}

TEST_CASE("standard input has a name of its own", "[input]") {
  IoStatistics statistics;
  const InputFile input("-", statistics);
  CHECK(input.name() == "standard input");
  CHECK(input.path() == "-");
  CHECK_FALSE(input.seekable());
  InputFile null("/dev/null", statistics);
  CHECK_FALSE(null.seekable());
  CHECK(null.peek(100).empty());
}

}  // namespace
}  // namespace emgraph::core
