// SPDX-License-Identifier: MIT
// An open file: its descriptor, its path, and whether it uses direct I/O.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace emgraph::core {

enum class DirectIo { automatic, on, off };

/// A system call that a signal interrupts so often in a row, without a byte, fails.
inline constexpr unsigned most_interruptions = 10000;

/// Owns a descriptor. Movable. All functions throw EnvironmentError with the path.
class File {
 public:
  File() = default;
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();

  /// Opens for reading. The message distinguishes a missing file, a directory, and a missing permission.
  static File open_read(const std::string& path, DirectIo direct);
  /// Creates a file without a name (O_TMPFILE, else created and unlinked) in `directory`, for reading and
  /// writing. It vanishes with the process, however the process ends.
  static File create_temporary(const std::string& directory, DirectIo direct);
  /// Creates a file without a name in `directory` that can be given the name `path` by linkat. A File that is
  /// not open if the file system has no O_TMPFILE.
  static File create_unnamed(const std::string& path, const std::string& directory, unsigned mode);
  /// Creates `path`, which must not exist, for reading and writing.
  static File create_new(const std::string& path, DirectIo direct, unsigned mode = 0666);

  /// Opens `path` for reading and writing, and creates it if it does not exist. An existing file must be a
  /// regular one of this user. Unless `direct` is off, the file is locked: transfers of a process that was
  /// killed may be in flight, so this waits up to 10 seconds until no other process has it.
  static File open_kept(const std::string& path, DirectIo direct, unsigned mode);

  /// Opens a block device exclusively, for reading and writing. Throws EnvironmentError if the device is
  /// mounted or in use, UsageError if `path` is not a block device.
  static File open_block_device(const std::string& path, DirectIo direct);
  static bool is_block_device(const std::string& path);

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  const std::string& path() const { return path_; }
  bool direct() const { return direct_; }
  /// Switches to buffered I/O, after the file system has refused an aligned direct transfer. False if the
  /// file is already buffered or direct I/O was requested (`on`).
  bool fall_back_to_buffered() noexcept;
  /// A second descriptor of the same open file; both share the mode.
  File duplicate() const;
  /// Opens the same file again for reading, with its own mode. Returns a duplicate if that is impossible.
  File reopen_read(DirectIo direct) const;
  bool is_regular() const;
  /// True if the file is on tmpfs.
  bool in_memory() const;
  std::uint64_t size() const;
  /// Bytes that the file system still has for files of this user; nullopt if it does not tell.
  std::optional<std::uint64_t> free_bytes() const noexcept;
  /// Bytes of the file in the page cache; 0 if the system does not tell (before Linux 6.5, files of other
  /// users).
  std::uint64_t cached_bytes() const noexcept;
  /// Size of a block device.
  std::uint64_t device_bytes() const;
  void truncate(std::uint64_t bytes);
  /// Calls fallocate. Does nothing on devices and on file systems that do not support it.
  /// Requires: nothing is written from `offset` on; if there is no space, the file is truncated there.
  void allocate(std::uint64_t offset, std::uint64_t bytes);
  void sync_data();
  /// Closes the file. Throws the error of close(2) (late write errors of network file systems).
  void close();

 private:
  File(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  void set_direct(DirectIo direct);
  int descriptor_ = -1;
  std::string path_;
  bool direct_ = false;
  bool direct_required_ = false;
};

/// True if there is a file, directory or link of this name, wherever the link leads.
bool name_exists(const std::string& path);

/// Locks an open file; waits for another process up to 10 ms times `tries`. False: it still has the lock.
/// True where the file system has no locks.
bool lock_within(int descriptor, unsigned tries);

}  // namespace emgraph::core
