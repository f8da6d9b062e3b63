// SPDX-License-Identifier: MIT
// An open file: descriptor, path, direct I/O or not.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace emgraph::core {

enum class DirectIo { automatic, on, off };

/// Owns a descriptor. Movable. All functions throw EnvironmentError with the path.
class File {
 public:
  File() = default;
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();

  /// Opens for reading. Missing file, directory and no permission are told apart in the message.
  static File open_read(const std::string& path, DirectIo direct);
  /// Creates a file that has no name (O_TMPFILE, else created and unlinked) in `directory`, read and
  /// write: it is gone when the process is, however it ends.
  static File create_temporary(const std::string& directory, DirectIo direct);
  /// Creates `path`, which must not exist, for writing (and reading back).
  static File create_new(const std::string& path, DirectIo direct);

  /// Opens a block device for reading and writing, exclusively: EnvironmentError if it is mounted or in use
  /// otherwise, UsageError if `path` is something else.
  static File open_block_device(const std::string& path, DirectIo direct);
  static bool is_block_device(const std::string& path);

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  const std::string& path() const { return path_; }
  bool direct() const { return direct_; }
  /// For a direct transfer that the file system refused although it was aligned: switches to buffered I/O.
  /// False if the file is buffered already or direct I/O was asked for (`on`).
  bool fall_back_to_buffered() noexcept;
  /// A second descriptor of the same open file, sharing its mode.
  File duplicate() const;
  /// The same file opened for reading once more, with a mode of its own; a duplicate where that is
  /// impossible.
  File reopen_read(DirectIo direct) const;
  bool is_regular() const;
  /// On tmpfs.
  bool in_memory() const;
  std::uint64_t size() const;
  /// Bytes of it in the page cache; 0 where the system does not tell (before Linux 6.5, files of others).
  std::uint64_t cached_bytes() const noexcept;
  /// Of a block device.
  std::uint64_t device_bytes() const;
  void truncate(std::uint64_t bytes);
  /// fallocate; silently does nothing where the file system cannot, and on devices.
  /// Requires: nothing is written from `offset` on (cut off there if the space is not to be had).
  void allocate(std::uint64_t offset, std::uint64_t bytes);
  void sync_data();
  /// Closes; throws what close(2) reports (late write errors of network file systems).
  void close();

 private:
  File(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  void set_direct(DirectIo direct);
  int descriptor_ = -1;
  std::string path_;
  bool direct_ = false;
  bool direct_required_ = false;
};

}  // namespace emgraph::core
