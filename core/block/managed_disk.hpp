// SPDX-License-Identifier: MIT
// One disk of a BlockManager: opened when first used, grown as blocks need it, full at some point.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/block/disk_spec.hpp"
#include "core/block/write_speed.hpp"
#include "core/io/disk_space.hpp"
#include "core/io/growing_space.hpp"

namespace emgraph::core {

/// Not thread-safe, but for transfers on `disk()` once it is open.
class ManagedDisk {
 public:
  /// Checks that the directory can be written (EnvironmentError). A block device is opened, and refused
  /// unless the spec says that it is meant (UsageError).
  explicit ManagedDisk(DiskSpec spec);
  /// A ready-made disk.
  explicit ManagedDisk(std::unique_ptr<Disk> disk);

  /// Creates the file if there is none yet; `number` names it in a trace. Throws EnvironmentError.
  void open(std::size_t number, IoStatistics& statistics);
  Disk& disk() const { return *disk_; }
  /// Has to be told of the writes that are submitted to disk().
  WriteSpeed& speed() { return *speed_; }
  /// Bytes per second: the declared limit, unless the disk has been seen to be slower; else what was seen, 0
  /// if nothing was.
  double bytes_per_second() const;
  bool limited() const { return spec_.limit_bytes_per_second > 0; }

  /// Offset of `bytes` free bytes; nullopt if the disk is full. Once its medium has refused to grow, the disk
  /// lives on what it has and is given back.
  std::optional<std::uint64_t> take(std::uint64_t bytes);
  void give(std::uint64_t offset, std::uint64_t bytes) noexcept;
  /// Space may have become free that others held: the next take() asks the medium again.
  void retry_growth() {
    grows_ = true;
    full_ = false;
  }
  /// The last take() found no room, and nothing has been given back since.
  bool full() const { return full_; }

  /// What take() may still give, as far as the file system tells now. `unreserved` has what is left of the
  /// file systems that other disks have asked before; this one's share is taken from it.
  std::uint64_t free_bytes(std::map<dev_t, std::uint64_t>& unreserved) const;
  /// How full it is and why it does not grow, for messages.
  std::string description() const;

 private:
  std::unique_ptr<Disk> make(IoStatistics& statistics, TraceDevice device);
  /// True when there are `bytes` more behind all that is in use.
  bool grow(std::uint64_t bytes);

  DiskSpec spec_;
  std::unique_ptr<WriteSpeed> speed_ = std::make_unique<WriteSpeed>();  // outlives the requests of disk_
  File device_;                                                         // of a raw disk, until it is opened
  std::unique_ptr<Disk> disk_;                                          // null until it is opened
  DiskSpace space_;
  GrowingSpace medium_;
  std::uint64_t used_bytes_ = 0;
  bool grows_ = true;
  bool full_ = false;
  std::string refusal_;  // what the medium said when it last gave no space
};

}  // namespace emgraph::core
