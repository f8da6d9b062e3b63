// SPDX-License-Identifier: MIT
// Injects the failure.
#include "tests/support/faulty_disk.hpp"

#include <exception>
#include <utility>

#include "core/base/error.hpp"

namespace emgraph::tests {

FaultyDisk::FaultyDisk(std::unique_ptr<core::Disk> disk, std::shared_ptr<FaultPlan> plan,
                       core::IoStatistics& statistics)
    : disk_(std::move(disk)), plan_(std::move(plan)), statistics_(statistics) {}

core::RequestPtr FaultyDisk::submit(core::Operation operation, std::uint64_t offset,
                                    std::vector<iovec> buffers) {
  if (!plan_->next_fails()) return disk_->submit(operation, offset, std::move(buffers));
  auto request = std::make_shared<core::Request>(operation, offset, std::move(buffers), statistics_);
  request->fail(std::make_exception_ptr(
      core::EnvironmentError(path() + ": injected failure at offset " + std::to_string(offset))));
  return request;
}

}  // namespace emgraph::tests
