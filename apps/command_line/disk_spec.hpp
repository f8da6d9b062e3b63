// SPDX-License-Identifier: MIT
// Disks as users write them: `path,size=…,grow=…,io=uring|pread|memory,direct=auto|on|off,raw=yes,limit=…`.
#pragma once

#include <string>
#include <vector>

#include "apps/command_line/option_set.hpp"
#include "core/block/disk_spec.hpp"

namespace emgraph::apps {

/// auto, uring, pread, memory.
std::vector<Word<core::DiskBackend>> disk_backends();

/// Throws UsageError, which names the wrong part, and `source`, the origin of the text.
core::DiskSpec parse_disk_spec(const std::string& text, const std::string& source);

}  // namespace emgraph::apps
