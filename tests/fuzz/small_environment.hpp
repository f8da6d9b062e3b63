// SPDX-License-Identifier: MIT
// The environment of one reading. It is cheap to construct: it has no thread and no disk.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/environment.hpp"
#include "tests/fuzz/finding.hpp"

namespace emgraph::fuzz {

/// Temporary space in memory, shared by all readings of the process.
inline core::BlockManager& memory_blocks(core::IoStatistics& statistics) {
  static core::BlockManager blocks = [&] {
    std::vector<std::unique_ptr<core::Disk>> disks;
    disks.push_back(core::make_memory_disk(statistics));
    return core::BlockManager(std::move(disks), core::AllocationStrategy::striping, 1, statistics);
  }();
  return blocks;
}

/// Memory for one reading; the destructor requires that all of it was freed.
class SmallEnvironment {
 public:
  static constexpr std::size_t memory_bytes = 4 * core::MiB;

  ~SmallEnvironment() {
    if (memory_.used() != 0) finding(std::to_string(memory_.used()) + " bytes of memory are still reserved");
    if (environment_.blocks.used_bytes() != 0) finding("temporary space has not been given back");
  }
  core::Environment& get() { return environment_; }

 private:
  static core::IoStatistics& statistics() {
    static core::IoStatistics counters;
    return counters;
  }
  core::MemoryBudget memory_{memory_bytes};
  core::SilentProgress progress_;
  core::TemporaryNames temporary_names_;
  core::OutputSet outputs_{temporary_names_};
  core::SpillCoding spill_{core::SpillCodec::none};
  core::Environment environment_{.memory = memory_,
                                 .blocks = memory_blocks(statistics()),
                                 .io = statistics(),
                                 .progress = progress_,
                                 .outputs = outputs_,
                                 .spill = spill_};
};

}  // namespace emgraph::fuzz
