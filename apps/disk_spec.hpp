// SPDX-License-Identifier: MIT
// Disks as users write them: `path,size=…,grow=…,io=uring|pread|memory,direct=auto|on|off,raw=yes,limit=…`.
#pragma once

#include <string>

#include "core/block/disk_spec.hpp"

namespace emgraph::apps {

/// Throws UsageError naming the part that is wrong, and `source`, where the text comes from.
core::DiskSpec parse_disk_spec(const std::string& text, const std::string& source);

}  // namespace emgraph::apps
