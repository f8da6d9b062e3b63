// SPDX-License-Identifier: MIT
// Requests by themselves: results, errors, statistics.
#include "core/io/request.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "core/base/error.hpp"

namespace emgraph::core {
namespace {

std::array<std::byte, 100> memory;

RequestPtr make(Operation operation, IoStatistics& statistics) {
  return std::make_shared<Request>(
      operation, 4096, std::vector<iovec>{{memory.data(), 60}, {memory.data() + 60, 40}}, statistics);
}

TEST_CASE("a completed request gives its bytes and counts", "[request]") {
  IoStatistics statistics;
  const RequestPtr read = make(Operation::read, statistics);
  CHECK(read->bytes() == 100);
  CHECK(read->offset() == 4096);
  CHECK_FALSE(read->done());
  const IoSnapshot before = statistics.snapshot();
  read->complete(70);
  CHECK(read->done());
  CHECK(read->wait() == 70);
  CHECK(read->wait() == 70);
  make(Operation::write, statistics)->complete(100);
  const IoSnapshot counted = statistics.snapshot() - before;
  CHECK(counted.reads == 1);
  CHECK(counted.read_bytes == 70);
  CHECK(counted.writes == 1);
  CHECK(counted.write_bytes == 100);
  CHECK(counted.wait_seconds == 0);
}

TEST_CASE("waiting for what is not done counts as I/O wait", "[request]") {
  IoStatistics statistics;
  // A thread that does not run for so long comes after the transfer.
  for (int trial = 0; trial < 100 && statistics.snapshot().wait_seconds == 0; ++trial) {
    const RequestPtr request = make(Operation::read, statistics);
    std::thread disk([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      request->complete(100);
    });
    CHECK(request->wait() == 100);
    disk.join();
  }
  CHECK(statistics.snapshot().wait_seconds > 0);
}

TEST_CASE("a failed request throws in every waiting thread and counts no bytes", "[request]") {
  IoStatistics statistics;
  const RequestPtr request = make(Operation::write, statistics);
  std::thread disk([&] { request->fail(std::make_exception_ptr(EnvironmentError("broken"))); });
  CHECK_THROWS_WITH(request->wait(), "broken");
  CHECK_THROWS_AS(request->wait(), EnvironmentError);
  CHECK_NOTHROW(request->wait_ignoring_error());
  disk.join();
  CHECK(statistics.snapshot().writes == 0);
}

TEST_CASE("a read can be required to be complete", "[request]") {
  IoStatistics statistics;
  const RequestPtr request = make(Operation::read, statistics);
  request->complete(99);
  CHECK(request->wait() == 99);
  request->require_full_read("a path");
  CHECK_THROWS_WITH(request->wait(),
                    Catch::Contains("a path: unexpected end: read 99 of 100 bytes at offset 4096"));
}

TEST_CASE("a callback is called when a request is done, also if it was done before or has failed",
          "[request]") {
  IoStatistics statistics;
  int told = 0;
  const RequestPtr later = make(Operation::read, statistics);
  later->when_done([&] { ++told; });
  CHECK(told == 0);
  later->complete(1);
  CHECK(told == 1);
  later->when_done([&] { ++told; });
  CHECK(told == 2);
  const RequestPtr failed = make(Operation::write, statistics);
  failed->when_done([&] { ++told; });
  failed->fail(std::make_exception_ptr(EnvironmentError("broken")));
  CHECK(told == 3);
}

}  // namespace
}  // namespace emgraph::core
