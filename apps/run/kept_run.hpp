// SPDX-License-Identifier: MIT
// Runs whose work is kept by --checkpoint: what makes two runs the same, and what a killed run has left.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "apps/command_line/options.hpp"
#include "apps/run/signals.hpp"
#include "core/checkpoint/checkpoint.hpp"

namespace emgraph::apps {

/// The checkpoint that the options ask for, and from then on a soft stop; null if they ask for none, or in a
/// rehearsal. `left_out`: edges that a filter leaves out; kept with the state. Throws as core::Checkpoint;
/// UsageError for inputs and outputs that cannot be continued (pipes).
std::unique_ptr<core::Checkpoint> open_checkpoint(const CommonOptions& options,
                                                  std::optional<SoftStop>& soft_stop,
                                                  std::atomic<std::uint64_t>& left_out);

/// With --resume, if the run before was killed after its result got its name: removes the checkpoint, says
/// so (with --json in an object, too), and returns true.
bool finish_published_run(std::string_view command, const OptionSet& options);

}  // namespace emgraph::apps
