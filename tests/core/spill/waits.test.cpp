// SPDX-License-Identifier: MIT
// Reading ahead never waits for a write: other threads would wait for the lock meanwhile.
#include <catch2/catch.hpp>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/spill/block_store.hpp"
#include "tests/support/machine.hpp"

namespace emgraph::tests {
namespace {

/// Holds writes back while it is shut. It opens by itself after ten seconds, so that no test hangs.
class Gate {
 public:
  void shut() {
    const std::lock_guard lock(mutex_);
    shut_ = true;
    timer_ = std::jthread([this](const std::stop_token& stop) {
      std::unique_lock held(mutex_);
      if (!opened_.wait_for(held, stop, std::chrono::seconds(10), [this] { return !shut_; })) {
        forced_ = !stop.stop_requested();
        open_locked();
      }
    });
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_locked();
  }
  /// True: something has waited for a write.
  bool forced() {
    const std::lock_guard lock(mutex_);
    return forced_;
  }
  void complete(core::RequestPtr request) {
    const std::lock_guard lock(mutex_);
    if (!shut_) return request->complete(request->bytes());
    held_.push_back(std::move(request));
  }
  std::size_t held() {
    const std::lock_guard lock(mutex_);
    return held_.size();
  }

 private:
  void open_locked() {
    shut_ = false;
    for (const core::RequestPtr& request : held_) request->complete(request->bytes());
    held_.clear();
    opened_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable_any opened_;
  bool shut_ = false;
  bool forced_ = false;
  std::vector<core::RequestPtr> held_;
  std::jthread timer_;
};

class GatedDisk final : public core::Disk {
 public:
  GatedDisk(core::IoStatistics& statistics, Gate& gate)
      : disk_(core::make_memory_disk(statistics)), statistics_(statistics), gate_(gate) {}
  core::RequestPtr submit(core::Operation operation, std::uint64_t offset,
                          std::vector<iovec> buffers) override {
    if (operation == core::Operation::read) return disk_->submit(operation, offset, std::move(buffers));
    auto request = std::make_shared<core::Request>(operation, offset, buffers, statistics_);
    disk_->submit(operation, offset, std::move(buffers))->wait();
    gate_.complete(request);
    return request;
  }
  void reserve_space(std::uint64_t bytes) override { disk_->reserve_space(bytes); }
  const std::string& path() const override { return disk_->path(); }
  bool direct() const override { return false; }

 private:
  std::unique_ptr<core::Disk> disk_;
  core::IoStatistics& statistics_;
  Gate& gate_;
};

TEST_CASE("block store starts to read, and reads ahead on release, without waiting for writes in flight") {
  TestEnvironment test{.memory_bytes = 2 * core::MiB};
  Gate gate;
  std::vector<std::unique_ptr<core::Disk>> disks;
  disks.push_back(std::make_unique<GatedDisk>(test.statistics, gate));
  core::BlockManager blocks(std::move(disks), test.strategy, 1, test.statistics);
  core::Environment environment = test.on(blocks);
  core::BlockStore store(environment, core::page_bytes, 64 * core::page_bytes);
  store.chains.insert(0, 2);
  const auto put = [&](std::size_t chain) { store.writer.put(chain, store.writer.take(), 1); };
  // Chain 0 is in memory up to its last blocks, whose write is in flight.
  for (int i = 0; i < 8; ++i) put(0);
  gate.shut();
  while (gate.held() == 0) put(0);
  store.reader.start_reading(0, 2);
  for (std::size_t number = 0; number < 8; ++number) {
    CHECK(store.reader.load(0, number).records == 1);
    store.reader.release(0, number);
  }
  CHECK(gate.held() > 0);
  CHECK_FALSE(gate.forced());
  gate.open();
  for (std::size_t number = 8; number < store.chains.view(0).blocks; ++number) {
    CHECK(store.reader.load(0, number).records == 1);
    store.reader.release(0, number);
  }
}

}  // namespace
}  // namespace emgraph::tests
