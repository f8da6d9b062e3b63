// SPDX-License-Identifier: MIT
// The environment of an algorithm: memory budget, disks, statistics, progress, threads. `apps` builds it
// once.
#pragma once

#include <cstdint>

#include "core/base/progress.hpp"
#include "core/block/manager.hpp"
#include "core/block/spill_coding.hpp"
#include "core/io/output_set.hpp"
#include "core/io/statistics.hpp"
#include "core/memory/budget.hpp"

namespace emgraph::core {

class Checkpoint;

/// Passed by reference to all code that does I/O or reserves memory. Outlives all its users. Threads: as the
/// header of each member says.
struct Environment {
  MemoryBudget& memory;
  BlockManager& blocks;
  IoStatistics& io;
  ProgressSink& progress;
  OutputSet& outputs;  ///< where outputs get their names
  SpillCoding& spill;
  unsigned threads = 1;    ///< compute threads, at least 1
  std::uint64_t seed = 1;  ///< of samples and of the places of blocks; answers of solvers do not depend on it
  Checkpoint* checkpoint = nullptr;  ///< where finished work is kept; null: nowhere
};

}  // namespace emgraph::core
