// SPDX-License-Identifier: MIT
// Disks that are not named by options: from $EMGRAPH_DISKS, or a configuration file of the user or the
// machine.
#pragma once

#include <string>
#include <vector>

#include "core/block/disk_spec.hpp"

namespace emgraph::apps {

/// Reads the specs of a file, one per line; skips empty lines and lines that begin with #.
/// Throws EnvironmentError if it cannot be read, UsageError with the line number, also for raw in a file that
/// neither the caller nor root owns or that others can write.
std::vector<core::DiskSpec> read_disk_specs(const std::string& path);

struct ConfiguredDisks {
  std::vector<core::DiskSpec> disks;
  std::string source;  ///< the file or variable that named them
};

/// Returns `named`, the disks of options, with an empty source, if there are any. Else the first of these
/// places that names a disk: $EMGRAPH_DISKS (a file of specs, or specs separated by ;),
/// $XDG_CONFIG_HOME/emgraph/disks
/// (~/.config/emgraph/disks without that variable), /etc/emgraph/disks, the directory $TMPDIR, /tmp. Unlike
/// STXXL, no file of the current directory is read: a file that comes with data must not choose the device
/// that is written to. A relative $XDG_CONFIG_HOME and a $HOME of somebody else do not count, and
/// $EMGRAPH_DISKS itself cannot say raw. Throws as read_disk_specs, but ignores files that do not exist.
ConfiguredDisks configured_disks(const std::vector<core::DiskSpec>& named);

}  // namespace emgraph::apps
