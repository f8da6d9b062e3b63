// SPDX-License-Identifier: MIT
// The table of names that vanish with an interrupted run.
#include "core/io/temporary_names.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <cerrno>
#include <filesystem>
#include <thread>
#include <vector>

#include "core/base/error.hpp"
#include "core/io/output_place.hpp"
#include "tests/support/temporary_directory.hpp"

namespace emgraph::core {
namespace {

TEST_CASE("live names are unlinked, removed ones are not", "[names]") {
  const tests::TemporaryDirectory directory;
  const std::string kept = directory.write("kept", "x");
  const std::string gone = directory.write("gone", "x");
  TemporaryNames names;
  const std::size_t kept_slot = names.add(kept);
  names.add(gone);
  names.add(directory.file("never made"));
  names.remove(kept_slot);
  errno = 42;
  names.unlink_all();
  CHECK(errno == 42);
  CHECK(std::filesystem::exists(kept));
  CHECK_FALSE(std::filesystem::exists(gone));
  CHECK(directory.entries() == 1);
}

TEST_CASE("a slot is used again, without the rest of the longer name before", "[names]") {
  const tests::TemporaryDirectory directory;
  const std::string name = directory.write("a", "x");
  TemporaryNames names;
  names.remove(names.add(name + "-and-more"));
  CHECK(names.add(name) == 0);
  names.unlink_all();
  CHECK(directory.entries() == 0);
}

TEST_CASE("the only copy of an old file is no leftover", "[names]") {
  const tests::TemporaryDirectory directory;
  const std::string output = directory.file("out.bin");
  directory.write(std::filesystem::path(temporary_name(output)).filename(), "x");
  const std::string backup = backup_name(output);
  directory.write(std::filesystem::path(backup).filename(), "old");
  remove_leftovers(output);
  CHECK(directory.entries() == 1);
  CHECK(std::filesystem::exists(backup));
  CHECK(backup_name(output) == backup + ".1");
}

TEST_CASE("a full table and a long path are refused", "[names]") {
  TemporaryNames names;
  CHECK_THROWS_AS(names.add(std::string(TemporaryNames::max_path_bytes, 'x')), EnvironmentError);
  for (std::size_t i = 0; i < TemporaryNames::capacity; ++i) CHECK(names.add("/nonexistent/x") == i);
  CHECK_THROWS_AS(names.add("/nonexistent/x"), EnvironmentError);
  names.remove(5);
  CHECK(names.add("/nonexistent/y") == 5);
}

TEST_CASE("threads never share a slot", "[names]") {
  TemporaryNames names;
  std::vector<std::thread> threads;
  std::array<std::atomic<int>, TemporaryNames::capacity> holders{};
  std::atomic<int> shared{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        const std::size_t slot = names.add("/nonexistent/emgraph");
        if (holders[slot]++ != 0) ++shared;
        --holders[slot];
        names.remove(slot);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(shared == 0);
}

}  // namespace
}  // namespace emgraph::core
