// SPDX-License-Identifier: MIT
// The user's description of one disk for temporary data.
#pragma once

#include <cstdint>
#include <string>

#include "core/io/disk.hpp"

namespace emgraph::core {

/// `--disk path,size=…,grow=…,io=…,direct=…,raw=yes|force,limit=…`
struct DiskSpec {
  std::string path;                                  ///< a directory; with `raw` a block device
  std::uint64_t capacity_bytes = ~std::uint64_t{0};  ///< greatest amount to use
  std::uint64_t growth_bytes =
      0;  ///< taken from the file system at a time; 0: 64 MiB, then ever more up to 1 GiB
  DiskBackend backend = DiskBackend::automatic;
  DirectIo direct = DirectIo::automatic;
  unsigned queue_depth = 8;    ///< requests in flight
  bool raw = false;            ///< `path` is a block device, whose contents are lost
  bool raw_force = false;      ///< even if they look like a file system or the like
  std::string kept_file = {};  ///< keeps the data after the run; freed space is not used again; empty: none
  std::uint64_t limit_bytes_per_second = 0;  ///< of reads and writes together; 0: none
};

}  // namespace emgraph::core
