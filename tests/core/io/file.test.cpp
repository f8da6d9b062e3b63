// SPDX-License-Identifier: MIT
// Opening and creating files: modes, messages, names.
#include "core/io/file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <utility>

#include "core/base/error.hpp"
#include "tests/support/refused_call.hpp"
#include "tests/support/temporary_directory.hpp"

namespace emgraph::core {
namespace {

using tests::TemporaryDirectory;

TEST_CASE("errors of opening are distinguished", "[file]") {
  const TemporaryDirectory directory;
  CHECK_THROWS_WITH(File::open_read(directory.file("none"), DirectIo::off),
                    Catch::Contains(directory.file("none")) && Catch::Contains("No such file"));
  CHECK_THROWS_WITH(File::open_read(directory.path(), DirectIo::automatic),
                    Catch::Contains("is a directory"));
  CHECK_THROWS_AS(File::create_temporary(directory.file("none"), DirectIo::off), EnvironmentError);
  CHECK_THROWS_AS(File::create_new(directory.file("none/file"), DirectIo::off), EnvironmentError);
  const std::string there = directory.write("there", "x");
  CHECK_THROWS_WITH(File::create_new(there, DirectIo::off), Catch::Contains("exists"));
  if (geteuid() != 0) {
    std::filesystem::permissions(there, std::filesystem::perms::none);
    CHECK_THROWS_WITH(File::open_read(there, DirectIo::off), Catch::Contains("Permission denied"));
  }
}

TEST_CASE("temporary files have no name", "[file]") {
  for (const std::string parent : {"/tmp", "/dev/shm"}) {
    const TemporaryDirectory directory(parent);
    File file = File::create_temporary(directory.path(), DirectIo::automatic);
    CHECK(file.is_open());
    CHECK(file.is_regular());
    CHECK(directory.entries() == 0);
    file.truncate(12345);
    CHECK(file.size() == 12345);
    file.allocate(0, 1 << 20);
    CHECK(file.size() >= 12345);
    file.sync_data();
  }
}

TEST_CASE("without unnamed files a temporary file loses its name at once, or is refused", "[file]") {
  const TemporaryDirectory directory;
  tests::with_refused_call(tests::unnamed_files(), [&] {
    CHECK(File::create_temporary(directory.path(), DirectIo::off).is_open());
    CHECK(directory.entries() == 0);
    tests::with_refused_call({.number = SYS_unlink, .error = EPERM}, [&] {
      CHECK_THROWS_WITH(File::create_temporary(directory.path(), DirectIo::off),
                        Catch::Contains(directory.path()) && Catch::Contains("Operation not permitted"));
    });
  });
}

TEST_CASE("direct I/O is on only where it is wanted", "[file]") {
  const TemporaryDirectory directory;
  CHECK_FALSE(File::create_temporary(directory.path(), DirectIo::off).direct());
  const std::string path = directory.write("file", "content");
  File file = File::open_read(path, DirectIo::automatic);
  CHECK(file.direct() == ((fcntl(file.descriptor(), F_GETFL) & O_DIRECT) != 0));
  if (file.direct()) {
    CHECK(file.fall_back_to_buffered());
    CHECK_FALSE(file.direct());
    CHECK((fcntl(file.descriptor(), F_GETFL) & O_DIRECT) == 0);
    File demanded = File::open_read(path, DirectIo::on);
    CHECK(demanded.direct());
    CHECK_FALSE(demanded.fall_back_to_buffered());
  }
  CHECK_FALSE(file.fall_back_to_buffered());
}

TEST_CASE("direct I/O is never put on a pipe", "[file]") {
  CHECK_FALSE(File::open_read("/dev/null", DirectIo::automatic).direct());
  CHECK_FALSE(File::open_read("/dev/null", DirectIo::automatic).is_regular());
}

TEST_CASE("files move, duplicate, reopen and close", "[file]") {
  const TemporaryDirectory directory;
  const std::string path = directory.write("file", "content");
  File first = File::open_read(path, DirectIo::off);
  const int descriptor = first.descriptor();
  File second = std::move(first);
  CHECK_FALSE(first.is_open());
  CHECK(second.descriptor() == descriptor);
  const File third = second.duplicate();
  CHECK(third.descriptor() != descriptor);
  CHECK(third.size() == 7);
  // The name may go or change hands; the file stays the same.
  std::filesystem::remove(path);
  directory.write("file", "another file");
  const File fourth = second.reopen_read(DirectIo::automatic);
  CHECK(fourth.size() == 7);
  CHECK_FALSE(second.direct());
  second.close();
  CHECK_FALSE(second.is_open());
  CHECK(third.size() == 7);
  second = File::open_read(path, DirectIo::off);
  CHECK(second.size() == 12);
}

}  // namespace
}  // namespace emgraph::core
