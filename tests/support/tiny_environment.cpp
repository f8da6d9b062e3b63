// SPDX-License-Identifier: MIT
// The disks of the tiny environment.
#include "tests/support/tiny_environment.hpp"

#include <utility>

namespace emgraph::tests {

std::vector<std::unique_ptr<core::Disk>> make_test_disks(std::size_t disks, std::shared_ptr<FaultPlan> plan,
                                                         core::IoStatistics& statistics) {
  std::vector<std::unique_ptr<core::Disk>> made;
  for (std::size_t i = 0; i < disks; ++i) {
    made.push_back(std::make_unique<FaultyDisk>(core::make_memory_disk(statistics), plan, statistics));
  }
  return made;
}

}  // namespace emgraph::tests
