// SPDX-License-Identifier: MIT
// An environment small enough that a megabyte of data is a large problem.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/environment.hpp"
#include "tests/support/faulty_disk.hpp"

namespace emgraph::tests {

/// Memory disks that share a plan of faults.
std::vector<std::unique_ptr<core::Disk>> make_test_disks(std::size_t disks, std::shared_ptr<FaultPlan> plan,
                                                         core::IoStatistics& statistics);

/// Owns everything an algorithm may use, on disks in memory. An aggregate, so that a test names what it
/// needs: `TestEnvironment test{.memory_bytes = 64 * core::KiB, .disks = 4}; run(test.environment, …);` The
/// members below `fault` are made from those above and are not to be initialised.
struct TestEnvironment {
  std::size_t memory_bytes = core::MiB;
  std::size_t disks = 1;
  unsigned threads = 1;
  core::AllocationStrategy strategy = core::AllocationStrategy::randomized_cycling;
  std::uint64_t seed = 1;
  core::SpillCodec spill_codec = core::SpillCodec::none;  ///< what is written is the same in each run
  std::optional<std::uint64_t> fault = std::nullopt;  ///< number of the request that fails, over all disks

  core::MemoryBudget memory{memory_bytes};
  core::IoStatistics statistics{};
  core::SilentProgress progress{};
  core::TemporaryNames temporary_names{};
  core::SpillCoding spill{spill_codec};
  std::shared_ptr<FaultPlan> faults = std::make_shared<FaultPlan>(fault.value_or(FaultPlan::never));
  core::BlockManager blocks{make_test_disks(disks, faults, statistics), strategy, seed, statistics};
  core::Environment environment{.memory = memory,
                                .blocks = blocks,
                                .io = statistics,
                                .progress = progress,
                                .temporary_names = temporary_names,
                                .spill = spill,
                                .threads = threads,
                                .seed = seed};
};

}  // namespace emgraph::tests
