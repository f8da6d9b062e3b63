// SPDX-License-Identifier: MIT
// A disk that fails on request: request number k of a run ends with an error.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/io/disk.hpp"

namespace emgraph::tests {

/// Counts the requests of all disks that share the plan, and chooses the one that fails. Thread-safe.
class FaultPlan {
 public:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  explicit FaultPlan(std::uint64_t fail_at = never) : fail_at_(fail_at) {}
  /// Lets request number k from now (0 = the next) fail, once.
  void fail_in(std::uint64_t k) { fail_at_ = submitted_ + k; }
  std::uint64_t submitted() const { return submitted_; }
  /// True after the chosen request was submitted.
  bool triggered() const { return submitted_ > fail_at_; }
  /// Counts a request; true if it is the one to fail.
  bool next_fails() { return submitted_++ == fail_at_; }

 private:
  std::atomic<std::uint64_t> submitted_{0};
  std::atomic<std::uint64_t> fail_at_;
};

/// Passes all requests to another disk, except the request chosen by the plan. That one transfers nothing and
/// fails with an EnvironmentError that contains the word "injected".
class FaultyDisk final : public core::Disk {
 public:
  FaultyDisk(std::unique_ptr<core::Disk> disk, std::shared_ptr<FaultPlan> plan,
             core::IoStatistics& statistics);
  core::RequestPtr submit(core::Operation operation, std::uint64_t offset,
                          std::vector<iovec> buffers) override;
  void reserve_space(std::uint64_t bytes) override { disk_->reserve_space(bytes); }
  const std::string& path() const override { return disk_->path(); }
  bool direct() const override { return disk_->direct(); }

 private:
  std::unique_ptr<core::Disk> disk_;
  std::shared_ptr<FaultPlan> plan_;
  core::IoStatistics& statistics_;
};

}  // namespace emgraph::tests
