// SPDX-License-Identifier: MIT
// Disks as users write them: `path,size=…,io=uring|pread|memory,direct=auto|on|off`.
#pragma once

#include <string>
#include <vector>

#include "core/block/manager.hpp"

namespace emgraph::apps {

/// Throws UsageError naming the part that is wrong.
core::DiskSpec parse_disk_spec(const std::string& text);

/// The specs of a file, one per line; empty lines and lines that begin with # are skipped.
/// Throws EnvironmentError when it cannot be read, UsageError with the line.
std::vector<core::DiskSpec> read_disk_specs(const std::string& path);

}  // namespace emgraph::apps
