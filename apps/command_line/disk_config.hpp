// SPDX-License-Identifier: MIT
// Disks that no option names: from $EMGRAPH_DISKS or a file of the user or of the machine.
#pragma once

#include <string>
#include <vector>

#include "core/block/disk_spec.hpp"

namespace emgraph::apps {

/// The specs of a file, one per line; empty lines and lines that begin with # are skipped.
/// Throws EnvironmentError when it cannot be read, UsageError with the line.
std::vector<core::DiskSpec> read_disk_specs(const std::string& path);

struct ConfiguredDisks {
  std::vector<core::DiskSpec> disks;
  std::string source;  ///< who says so
};

/// `named`, by options, if there are any, with an empty source; else the first of these that names a disk:
/// $EMGRAPH_DISKS (a file of specs, or specs with ; between them),
/// $XDG_CONFIG_HOME/emgraph/disks (~/.config without that variable), /etc/emgraph/disks, then the directory
/// $TMPDIR, then /tmp. No file of the current directory counts, unlike STXXL's ./.stxxl: what comes with
/// somebody's data must not say which device is written to. Throws as read_disk_specs, but files that do not
/// exist are passed over.
ConfiguredDisks configured_disks(const std::vector<core::DiskSpec>& named);

}  // namespace emgraph::apps
