// SPDX-License-Identifier: MIT
// A disk whose medium refuses to grow uses the space it has. It asks the medium again only after
// retry_growth().
#include "core/block/managed_disk.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/block/manager.hpp"
#include "tests/support/temporary_directory.hpp"

namespace emgraph::core {
namespace {

constexpr std::uint64_t file_unit = BlockManager::granularity_bytes;

// A medium that others fill and empty.
struct Medium {
  std::uint64_t room_bytes = 0;
  int asked = 0;
};

class SharedMedium final : public Disk {
 public:
  SharedMedium(IoStatistics& statistics, Medium& medium)
      : disk_(make_memory_disk(statistics)), medium_(medium) {}
  RequestPtr submit(Operation operation, std::uint64_t offset, std::vector<iovec> buffers) override {
    return disk_->submit(operation, offset, std::move(buffers));
  }
  void reserve_space(std::uint64_t bytes) override {
    ++medium_.asked;
    if (bytes > medium_.room_bytes) throw EnvironmentError("shared medium: No space left");
  }
  const std::string& path() const override { return disk_->path(); }
  bool direct() const override { return false; }

 private:
  std::unique_ptr<Disk> disk_;
  Medium& medium_;
};

TEST_CASE("a full medium is not asked again for every block", "[blocks]") {
  IoStatistics statistics;
  Medium medium{.room_bytes = 3 * file_unit};
  ManagedDisk disk(std::make_unique<SharedMedium>(statistics, medium));
  for (std::uint64_t i = 0; i < 3; ++i) CHECK(disk.take(file_unit) == i * file_unit);
  CHECK(!disk.take(file_unit));
  const int asked = medium.asked;
  medium.room_bytes = 1000 * file_unit;
  for (int i = 0; i < 10; ++i) CHECK(!disk.take(file_unit));
  CHECK(medium.asked == asked);
  disk.give(file_unit, file_unit);
  CHECK(disk.take(file_unit) == file_unit);
  disk.retry_growth();
  CHECK(disk.take(file_unit) == 3 * file_unit);
  CHECK_THAT(disk.description(), Catch::Contains("16.0 KiB in use") && Catch::Contains("No space left"));
}

TEST_CASE("freed space at the end is used again after an allocation has failed", "[blocks]") {
  IoStatistics statistics;
  Medium medium{.room_bytes = 2 * file_unit};
  ManagedDisk disk(std::make_unique<SharedMedium>(statistics, medium));
  CHECK(disk.take(file_unit) == 0);
  CHECK(disk.take(file_unit) == file_unit);
  CHECK(!disk.take(file_unit));
  disk.give(file_unit, file_unit);
  CHECK(disk.take(file_unit) == file_unit);
}

TEST_CASE("when all disks are full, each is tried once more before the run fails", "[blocks]") {
  IoStatistics statistics;
  Medium media[2] = {{.room_bytes = 2 * file_unit}, {.room_bytes = 5 * file_unit}};
  std::vector<std::unique_ptr<Disk>> disks;
  for (Medium& medium : media) disks.push_back(std::make_unique<SharedMedium>(statistics, medium));
  BlockManager blocks(std::move(disks), AllocationStrategy::striping, 1, statistics);
  int on_first = 0;
  for (int i = 0; i < 7; ++i) on_first += blocks.allocate(file_unit).disk == 0 ? 1 : 0;
  CHECK(on_first == 2);
  CHECK_THROWS_WITH(blocks.allocate(file_unit),
                    Catch::Contains("8.00 KiB in use") && Catch::Contains("20.0 KiB in use"));
  media[0].room_bytes = 3 * file_unit;
  CHECK(blocks.allocate(file_unit).disk == 0);
  CHECK_THROWS_AS(blocks.allocate(file_unit), EnvironmentError);
}

TEST_CASE("files grow in the requested steps, up to their size", "[blocks]") {
  IoStatistics statistics;
  std::vector<std::uint64_t> asked;
  class Asked final : public Disk {
   public:
    explicit Asked(std::vector<std::uint64_t>& asked) : asked_(asked) {}
    RequestPtr submit(Operation, std::uint64_t, std::vector<iovec>) override { return nullptr; }
    void reserve_space(std::uint64_t bytes) override { asked_.push_back(bytes); }
    const std::string& path() const override { return path_; }
    bool direct() const override { return false; }

   private:
    std::vector<std::uint64_t>& asked_;
    const std::string path_ = "asked";
  } disk(asked);
  GrowingSpace fixed(10 * file_unit);
  for (std::uint64_t end = file_unit; end <= 25 * file_unit; end += file_unit)
    fixed.ensure(disk, end, 25 * file_unit);
  CHECK(asked == std::vector<std::uint64_t>{10 * file_unit, 20 * file_unit, 25 * file_unit});
  asked.clear();
  GrowingSpace doubling;
  for (std::uint64_t end = 32 * MiB; end <= 4 * GiB; end += 32 * MiB) doubling.ensure(disk, end);
  CHECK(asked == std::vector<std::uint64_t>{64 * MiB, 128 * MiB, 256 * MiB, 512 * MiB, GiB, 2 * GiB, 3 * GiB,
                                            4 * GiB});
}

TEST_CASE("a disk on which nothing is in use any more gives its space back, and can be used again",
          "[blocks]") {
  struct Calls {
    std::atomic<int> released{0};
    std::vector<std::uint64_t> reserved;
  };
  class Counting final : public Disk {
   public:
    explicit Counting(Calls& calls) : calls_(calls) {}
    RequestPtr submit(Operation, std::uint64_t, std::vector<iovec>) override { return nullptr; }
    void reserve_space(std::uint64_t bytes) override { calls_.reserved.push_back(bytes); }
    void release_space() override {
      ++calls_.released;
      throw EnvironmentError("refused, which is no fault");
    }
    const std::string& path() const override { return path_; }
    bool direct() const override { return false; }

   private:
    Calls& calls_;
    const std::string path_ = "counting";
  };
  Calls calls;
  {
    ManagedDisk disk(std::make_unique<Counting>(calls));
    CHECK(disk.take(file_unit) == 0);
    disk.give(0, file_unit);  // too little for a thread
    for (int round = 0; round < 2; ++round) {
      CHECK(disk.take(64 * MiB) == 0);  // waits for the release of the round before
      CHECK(calls.released == round);
      CHECK(disk.take(file_unit) == 64 * MiB);
      disk.give(0, 64 * MiB);
      disk.give(64 * MiB, file_unit);
    }
  }
  CHECK(calls.released == 2);
  CHECK(calls.reserved == std::vector<std::uint64_t>{64 * MiB, 128 * MiB, 64 * MiB, 128 * MiB});
}

TEST_CASE("space in memory is taken bit by bit", "[blocks]") {
  if (!std::filesystem::is_directory("/dev/shm")) return;
  IoStatistics statistics;
  const tests::TemporaryDirectory directory("/dev/shm");
  const File file = File::create_temporary(directory.path(), DirectIo::off);
  if (!file.in_memory()) return;
  CHECK(GrowingSpace::step_for(file) == 4 * MiB);
  BlockManager blocks({{.path = directory.path()}}, AllocationStrategy::striping, 1, statistics);
  CHECK(blocks.allocate(file_unit).bytes == file_unit);
}

}  // namespace
}  // namespace emgraph::core
