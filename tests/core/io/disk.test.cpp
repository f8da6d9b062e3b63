// SPDX-License-Identifier: MIT
// The same properties for every kind of disk: what is written is read back, in any order, by any thread.
#include "core/io/disk.hpp"
#include "core/base/function_ref.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <random>
#include <thread>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"
#include "tests/core/io/pattern.hpp"
#include "tests/support/temporary_directory.hpp"

namespace emgraph::core {
namespace {

using tests::fill_pattern;
using tests::is_pattern;
using tests::TemporaryDirectory;

struct DiskKind {
  const char* name;
  DiskBackend backend;
  DirectIo direct;
  const char* parent;
};

std::vector<DiskKind> kinds() {
  std::vector<DiskKind> all = {{"memory", DiskBackend::memory, DirectIo::off, "/tmp"}};
  for (const char* parent : {"/tmp", "/dev/shm"}) {
    for (const DirectIo direct : {DirectIo::automatic, DirectIo::off}) {
      all.push_back({"pread", DiskBackend::pread, direct, parent});
      if (uring_available()) all.push_back({"uring", DiskBackend::uring, direct, parent});
      all.push_back({"automatic", DiskBackend::automatic, direct, parent});
    }
  }
  return all;
}

std::unique_ptr<Disk> make(const DiskKind& kind, const std::string& directory, IoStatistics& statistics,
                           unsigned queue_depth = 4) {
  if (kind.backend == DiskBackend::memory) return make_memory_disk(statistics);
  return make_file_disk(File::create_temporary(directory, kind.direct), kind.backend, statistics,
                        queue_depth);
}

// Runs a property on a fresh disk of every kind.
void on_every_disk(core::FunctionRef<void(Disk&, IoStatistics&)> property) {
  for (const DiskKind& kind : kinds()) {
    INFO(kind.name << " in " << kind.parent << ", direct " << (kind.direct != DirectIo::off));
    const TemporaryDirectory directory(kind.parent);
    IoStatistics statistics;
    const std::unique_ptr<Disk> disk = make(kind, directory.path(), statistics);
    property(*disk, statistics);
  }
}

TEST_CASE("blocks written in any order are read back", "[disk]") {
  on_every_disk([](Disk& disk, IoStatistics& statistics) {
    MemoryBudget budget(16 * MiB);
    constexpr std::size_t block = 16 * KiB;
    constexpr std::size_t blocks = 64;
    const Buffer out(budget, blocks * block, "out");
    const Buffer in(budget, blocks * block, "in");
    fill_pattern(out.bytes(), 0);
    std::vector<std::size_t> order(blocks);
    for (std::size_t i = 0; i < blocks; ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), std::mt19937(7));
    disk.reserve_space(blocks * block);
    for (const auto& [operation, buffer] :
         {std::pair{Operation::write, &out}, std::pair{Operation::read, &in}}) {
      std::vector<RequestPtr> requests;
      for (const std::size_t i : order) {
        requests.push_back(disk.submit(operation, i * block, {iovec{buffer->data() + i * block, block}}));
      }
      for (const RequestPtr& request : requests) REQUIRE(request->wait() == block);
    }
    CHECK(is_pattern(in.bytes(), 0));
    const IoSnapshot counted = statistics.snapshot();
    CHECK(counted.read_bytes == blocks * block);
    CHECK(counted.write_bytes == blocks * block);
    CHECK(counted.reads == blocks);
    CHECK(counted.writes == blocks);
  });
}

TEST_CASE("a disk that has released its space is written again", "[disk]") {
  on_every_disk([](Disk& disk, IoStatistics& statistics) {
    MemoryBudget budget(MiB);
    Buffer buffer(budget, 64 * KiB, "test");
    for (int round = 0; round < 2; ++round) {
      disk.reserve_space(256 * KiB);
      fill_pattern(buffer.bytes(), 128 * KiB);
      disk.write(128 * KiB, buffer.bytes())->wait();
      std::memset(buffer.data(), 0, buffer.size());
      CHECK(disk.read(128 * KiB, buffer.bytes())->wait() == buffer.size());
      CHECK(is_pattern(buffer.bytes(), 128 * KiB));
      disk.release_space();
    }
    CHECK(statistics.snapshot().write_bytes == 128 * KiB);
  });
  const TemporaryDirectory directory("/tmp");
  IoStatistics statistics;
  const std::string path = directory.path() + "/file";
  const auto disk = make_file_disk(File::create_new(path, DirectIo::off), DiskBackend::pread, statistics);
  disk->reserve_space(256 * KiB);
  CHECK(std::filesystem::file_size(path) == 256 * KiB);
  disk->release_space();
  CHECK(std::filesystem::file_size(path) == 0);
}

TEST_CASE("buffers are gathered and scattered in order", "[disk]") {
  on_every_disk([](Disk& disk, IoStatistics&) {
    MemoryBudget budget(16 * MiB);
    // More buffers than one system call takes (IOV_MAX is 1024).
    constexpr std::size_t count = 1500;
    const Buffer memory(budget, count * page_bytes, "memory");
    fill_pattern(memory.bytes(), 0);
    std::vector<iovec> pieces;
    for (std::size_t i = 0; i < count; ++i) pieces.push_back({memory.data() + i * page_bytes, page_bytes});
    CHECK(disk.submit(Operation::write, page_bytes, pieces)->wait() == count * page_bytes);
    std::fill(memory.bytes().begin(), memory.bytes().end(), std::byte{0});
    CHECK(disk.submit(Operation::read, page_bytes, pieces)->wait() == count * page_bytes);
    CHECK(is_pattern(memory.bytes(), 0));
  });
}

TEST_CASE("a read at the end is short, beyond it empty", "[disk]") {
  on_every_disk([](Disk& disk, IoStatistics&) {
    MemoryBudget budget(MiB);
    const Buffer buffer(budget, 8 * page_bytes, "buffer");
    disk.write(0, buffer.bytes().first(3 * page_bytes))->wait();
    CHECK(disk.read(page_bytes, buffer.bytes())->wait() == 2 * page_bytes);
    CHECK(disk.read(3 * page_bytes, buffer.bytes())->wait() == 0);
    CHECK(disk.read(100 * page_bytes, buffer.bytes())->wait() == 0);
    CHECK(disk.submit(Operation::read, 0, {})->wait() == 0);
    const RequestPtr whole = disk.read(2 * page_bytes, buffer.bytes());
    whole->require_full_read("the disk");
    CHECK_THROWS_WITH(whole->wait(), Catch::Contains("the disk") && Catch::Contains("unexpected end"));
  });
}

TEST_CASE("threads share a disk", "[disk]") {
  on_every_disk([](Disk& disk, IoStatistics&) {
    MemoryBudget budget(16 * MiB);
    constexpr std::size_t share = 64 * page_bytes;
    constexpr std::size_t lanes = 4;
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      threads.emplace_back([&, lane] {
        const Buffer buffer(budget, share, "buffer");
        for (std::uint64_t round = 0; round < 4; ++round) {
          std::vector<RequestPtr> requests;
          fill_pattern(buffer.bytes(), 0, lane + 10 * round);
          for (std::size_t at = 0; at < share; at += page_bytes) {
            requests.push_back(disk.write(lane * share + at, buffer.bytes().subspan(at, page_bytes)));
          }
          for (const RequestPtr& request : requests) request->wait();
          std::fill(buffer.bytes().begin(), buffer.bytes().end(), std::byte{0});
          if (disk.read(lane * share, buffer.bytes())->wait() != share) ++wrong;
          if (!is_pattern(buffer.bytes(), 0, lane + 10 * round)) ++wrong;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
  });
}

TEST_CASE("requests outlive the thread that submitted them", "[disk]") {
  on_every_disk([](Disk& disk, IoStatistics&) {
    MemoryBudget budget(64 * MiB);
    const Buffer buffer(budget, 16 * MiB, "buffer");
    fill_pattern(buffer.bytes(), 0);
    std::vector<RequestPtr> requests;
    const auto submit_all = [&](Operation operation) {
      requests.clear();
      std::thread([&] {
        for (std::size_t at = 0; at < buffer.size(); at += 256 * KiB) {
          requests.push_back(disk.submit(operation, at, {iovec{buffer.data() + at, 256 * KiB}}));
        }
      }).join();
      for (const RequestPtr& request : requests) REQUIRE(request->wait() == 256 * KiB);
    };
    submit_all(Operation::write);
    std::fill(buffer.bytes().begin(), buffer.bytes().end(), std::byte{0});
    submit_all(Operation::read);
    CHECK(is_pattern(buffer.bytes(), 0));
  });
}

TEST_CASE("destruction waits for all requests", "[disk]") {
  for (const DiskKind& kind : kinds()) {
    const TemporaryDirectory directory(kind.parent);
    IoStatistics statistics;
    MemoryBudget budget(16 * MiB);
    const Buffer buffer(budget, 4 * MiB, "buffer");
    std::vector<RequestPtr> requests;
    {
      const std::unique_ptr<Disk> disk = make(kind, directory.path(), statistics, 2);
      for (std::size_t at = 0; at < buffer.size(); at += 64 * KiB) {
        requests.push_back(disk->write(at, buffer.bytes().subspan(at, 64 * KiB)));
      }
    }
    for (const RequestPtr& request : requests) {
      CHECK(request->done());
      CHECK(request->wait() == 64 * KiB);
    }
  }
}

TEST_CASE("unaligned transfers work without direct I/O", "[disk]") {
  on_every_disk([](Disk& disk, IoStatistics&) {
    if (disk.direct()) return;
    std::vector<std::byte> out(10'001);
    std::vector<std::byte> in(10'001);
    fill_pattern(out, 0);
    CHECK(disk.write(777, out)->wait() == out.size());
    CHECK(disk.read(777, in)->wait() == in.size());
    CHECK(in == out);
    CHECK(disk.read(777, std::span(in).first(0))->wait() == 0);
  });
}

}  // namespace
}  // namespace emgraph::core
