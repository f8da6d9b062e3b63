// SPDX-License-Identifier: MIT
// An environment so small that a megabyte of data does not fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/environment.hpp"
#include "tests/support/faulty_disk.hpp"
#include "tests/support/tried_threads.hpp"

namespace emgraph::tests {

/// Disks in memory that share a fault plan.
std::vector<std::unique_ptr<core::Disk>> make_test_disks(std::size_t disks, std::shared_ptr<FaultPlan> plan,
                                                         core::IoStatistics& statistics);

/// Owns a complete core::Environment with disks in memory. An aggregate, so that a test can name parameters:
/// `TestEnvironment test{.memory_bytes = 64 * core::KiB, .disks = 4}; run(test.environment, …);` The members
/// after `fault` are constructed from the parameters; tests must not initialise them.
struct TestEnvironment {
  std::size_t memory_bytes = core::MiB;
  std::size_t disks = 1;
  unsigned threads = 1;
  core::AllocationStrategy strategy = core::AllocationStrategy::randomized_cycling;
  std::uint64_t seed = 1;
  core::SpillCodec spill_codec =
      core::SpillCodec::none;                         ///< none: the written bytes are the same in each run
  std::optional<std::uint64_t> fault = std::nullopt;  ///< number of the request that fails, over all disks

  core::MemoryBudget memory{memory_bytes};
  core::IoStatistics statistics{};
  core::SilentProgress progress{};
  core::TemporaryNames temporary_names{};
  core::OutputSet outputs{temporary_names};
  core::SpillCoding spill{spill_codec};
  std::shared_ptr<FaultPlan> faults = std::make_shared<FaultPlan>(fault.value_or(FaultPlan::never));
  core::BlockManager blocks{make_test_disks(disks, faults, statistics), strategy, seed, statistics};
  core::Environment environment = on(blocks);

  /// The environment with these disks.
  core::Environment on(core::BlockManager& manager) {
    return {.memory = memory,
            .blocks = manager,
            .io = statistics,
            .progress = progress,
            .outputs = outputs,
            .spill = spill,
            .threads = threads,
            .seed = seed};
  }
};

}  // namespace emgraph::tests
