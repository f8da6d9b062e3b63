// SPDX-License-Identifier: MIT
// One disk of a BlockManager. It is opened on first use and grows as blocks need space, until it is full.
// When nothing on it is in use any more, its file gives its space back.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "core/block/disk_spec.hpp"
#include "core/block/write_speed.hpp"
#include "core/io/disk_space.hpp"

namespace emgraph::core {

/// Not thread-safe, except transfers on `disk()` after it was opened.
class ManagedDisk {
 public:
  /// Checks that the directory is writable (EnvironmentError). Opens a block device if the spec has `raw`,
  /// else refuses it (UsageError).
  explicit ManagedDisk(DiskSpec spec);
  /// Takes over an existing disk.
  explicit ManagedDisk(std::unique_ptr<Disk> disk);

  /// Creates the file unless it exists. `number` is its name in a trace. Throws EnvironmentError.
  void open(std::size_t number, IoStatistics& statistics);
  Disk& disk() const { return *disk_; }
  /// Measures the write speed. The caller must report all writes to disk().
  WriteSpeed& speed() { return *speed_; }
  /// Bytes per second: the lesser of the declared limit and the measured speed; 0 if neither is known.
  double bytes_per_second() const;
  bool limited() const { return spec_.limit_bytes_per_second > 0; }

  /// Allocates `bytes` bytes and returns their offset; nullopt if the disk is full. After the medium has
  /// refused to grow, the disk uses only the space it has, including freed space.
  std::optional<std::uint64_t> take(std::uint64_t bytes);
  /// Takes just this range; false if a part of it is in use, or beyond the capacity. Throws EnvironmentError
  /// if the medium cannot be made that long.
  bool claim(std::uint64_t offset, std::uint64_t bytes);
  /// Frees a range. A file that keeps its data uses it again only if `unnamed`: no journal names it. After
  /// the last range, a thread truncates the file, and the next take() or claim() waits for it. Requires: no
  /// transfer of the range is in flight.
  void give(std::uint64_t offset, std::uint64_t bytes, bool unnamed = false) noexcept;
  /// Lets the next take() ask the medium again: other programs may have freed space.
  void retry_growth() {
    grows_ = true;
    full_ = false;
  }
  /// True if the last take() found no space and nothing has been freed since.
  bool full() const { return full_; }

  /// Bytes that take() can still allocate, as reported by the file system now. `unreserved` holds the free
  /// bytes of each file system after earlier calls for other disks; this call subtracts its own share.
  std::uint64_t free_bytes(std::map<dev_t, std::uint64_t>& unreserved) const;
  /// The fill level, and why the disk does not grow, for messages.
  std::string description() const;

 private:
  std::unique_ptr<Disk> make(IoStatistics& statistics, TraceDevice device);
  /// Reserves `bytes` more bytes after the space in use; false if there are none.
  bool grow(std::uint64_t bytes);
  void start_releasing() noexcept;
  void wait_for_release();

  DiskSpec spec_;
  std::unique_ptr<WriteSpeed> speed_ = std::make_unique<WriteSpeed>();  // outlives the requests of disk_
  File device_;                 // raw disk: until open() moves it to disk_
  std::unique_ptr<Disk> disk_;  // null until it is opened
  DiskSpace space_;
  GrowingSpace medium_;
  std::uint64_t used_bytes_ = 0;
  std::uint64_t most_used_bytes_ = 0;  // since the last release
  bool grows_ = true;
  bool full_ = false;
  std::string refusal_;     // the medium's last error when it did not grow
  std::jthread releasing_;  // truncates the file; uses disk_, and so is joined before that is destroyed
};

}  // namespace emgraph::core
