// SPDX-License-Identifier: MIT
// What a block device holds, as far as its magic numbers tell.
#pragma once

#include <optional>
#include <string>

#include "core/io/file.hpp"

namespace emgraph::core {

/// The name of the file system, swap space, volume, RAID member or partition table that `device` holds;
/// nullopt if no known one is found. `bytes`: size of the device. Reads less than 1 MiB.
std::optional<std::string> device_signature(const File& device, std::uint64_t bytes);

}  // namespace emgraph::core
