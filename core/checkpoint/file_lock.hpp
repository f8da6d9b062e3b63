// SPDX-License-Identifier: MIT
// Locks of files, by which runs tell that another one uses a checkpoint or an output.
#pragma once

#include <string>

#include "core/io/file.hpp"

namespace emgraph::core {

// Both functions wait up to half a second for a lock: after a process was killed, the kernel may keep its
// files open, and locked, for some milliseconds.

/// The file, created if there is none, and locked as long as it is open. A file that is not open if another
/// process has locked it, or has removed its directory meanwhile. Throws EnvironmentError.
File locked(const std::string& path);

/// True if another process has the file open and locked.
bool in_use_elsewhere(const std::string& path);

}  // namespace emgraph::core
