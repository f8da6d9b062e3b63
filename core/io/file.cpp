// SPDX-License-Identifier: MIT
// Opens files with or without the page cache, and makes the system calls on whole files.
#include "core/io/file.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::core {
namespace {

// Repeats a call that a signal interrupted.
template <class Call>
auto uninterrupted(Call call) {
  auto result = call();
  for (unsigned calls = 1; result < 0 && errno == EINTR && calls < most_interruptions; ++calls) {
    result = call();
  }
  return result;
}

// Kernels and file systems without O_TMPFILE take it for an attempt to open the directory for writing.
bool no_unnamed_files(int error_number) {
  return error_number == EOPNOTSUPP || error_number == EISDIR || error_number == EINVAL ||
         error_number == ENOENT || error_number == ENOSYS;
}

// Waits until no other process has the file open.
void lock_alone(const File& file) {
  constexpr unsigned tries = 1000;
  if (!lock_within(file.descriptor(), tries)) {
    throw EnvironmentError(file.path() + ": another run has it open");
  }
}

struct stat status_of(const File& file) {
  struct stat status {};
  if (fstat(file.descriptor(), &status) != 0) {
    throw EnvironmentError::system(file.path(), "cannot examine", errno);
  }
  return status;
}

}  // namespace

bool name_exists(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0;
}

bool lock_within(int descriptor, unsigned tries) {
  for (; flock(descriptor, LOCK_EX | LOCK_NB) != 0; --tries) {
    if (errno != EWOULDBLOCK) return true;  // some network file systems have no locks
    if (tries == 0) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

File::File(File&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      direct_(other.direct_),
      direct_required_(other.direct_required_) {}

File& File::operator=(File&& other) noexcept {
  if (this != &other) {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = std::exchange(other.descriptor_, -1);
    path_ = std::move(other.path_);
    direct_ = other.direct_;
    direct_required_ = other.direct_required_;
  }
  return *this;
}

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

File File::open_read(const std::string& path, DirectIo direct) {
  const int descriptor = uninterrupted([&] { return open(path.c_str(), O_RDONLY | O_CLOEXEC); });
  if (descriptor < 0) throw EnvironmentError::system(path, "cannot open", errno);
  File file(descriptor, path);
  const struct stat status = status_of(file);
  if (S_ISDIR(status.st_mode)) throw EnvironmentError(path + ": is a directory, not a file");
  // On a pipe O_DIRECT has another meaning: packet mode.
  if (S_ISREG(status.st_mode)) file.set_direct(direct);
  return file;
}

File File::create_temporary(const std::string& directory, DirectIo direct) {
  const std::string name = directory + "/(temporary file)";
  int descriptor =
      uninterrupted([&] { return open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); });
  if (descriptor < 0 && no_unnamed_files(errno)) {
    std::string pattern = directory + "/emgraph-XXXXXX";
    descriptor = mkostemp(pattern.data(), O_CLOEXEC);
    if (descriptor >= 0 && unlink(pattern.c_str()) != 0) {
      const int error_number = errno;
      ::close(descriptor);
      throw EnvironmentError::system(pattern, "cannot be removed", error_number);
    }
  }
  if (descriptor < 0) throw EnvironmentError::system(directory, "cannot create a temporary file", errno);
  File file(descriptor, name);
  file.set_direct(direct);
  return file;
}

File File::create_unnamed(const std::string& path, const std::string& directory, unsigned mode) {
  const int descriptor =
      uninterrupted([&] { return open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode); });
  if (descriptor < 0 && no_unnamed_files(errno)) return {};
  if (descriptor < 0) throw EnvironmentError::system(path, "cannot create", errno);
  File file(descriptor, path);
  file.set_direct(DirectIo::automatic);
  return file;
}

File File::create_new(const std::string& path, DirectIo direct, unsigned mode) {
  const int descriptor =
      uninterrupted([&] { return open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode); });
  if (descriptor < 0) throw EnvironmentError::system(path, "cannot create", errno);
  File file(descriptor, path);
  try {
    file.set_direct(direct);
  } catch (...) {
    unlink(path.c_str());
    throw;
  }
  return file;
}

File File::open_kept(const std::string& path, DirectIo direct, unsigned mode) {
  const int descriptor =
      uninterrupted([&] { return open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode); });
  if (descriptor < 0) throw EnvironmentError::system(path, "cannot open", errno);
  File file(descriptor, path);
  const struct stat status = status_of(file);
  if (!S_ISREG(status.st_mode) || status.st_uid != geteuid()) {
    throw EnvironmentError(path + ": is not a regular file of this user");
  }
  if (direct != DirectIo::off) lock_alone(file);
  file.set_direct(direct);
  return file;
}

bool File::is_block_device(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISBLK(status.st_mode);
}

File File::open_block_device(const std::string& path, DirectIo direct) {
  // O_EXCL on a block device fails if the device or a part of it is mounted, or opened elsewhere with O_EXCL.
  const int descriptor = uninterrupted([&] { return open(path.c_str(), O_RDWR | O_EXCL | O_CLOEXEC); });
  if (descriptor < 0 && errno == EBUSY) {
    throw EnvironmentError(path + ": is in use: mounted, swap, or part of a RAID or a volume");
  }
  if (descriptor < 0) throw EnvironmentError::system(path, "cannot open", errno);
  File file(descriptor, path);
  if (!S_ISBLK(status_of(file).st_mode)) throw UsageError(path + ": is not a block device");
  file.set_direct(direct);
  return file;
}

void File::set_direct(DirectIo direct) {
  if (direct == DirectIo::off) return;
  const int flags = fcntl(descriptor_, F_GETFL);
  direct_ = flags >= 0 && fcntl(descriptor_, F_SETFL, flags | O_DIRECT) == 0;
  direct_required_ = direct == DirectIo::on;
  if (!direct_ && direct_required_) {
    throw EnvironmentError::system(path_, "cannot be opened for direct I/O", errno);
  }
}

bool File::fall_back_to_buffered() noexcept {
  if (!direct_ || direct_required_) return false;
  const int flags = fcntl(descriptor_, F_GETFL);
  if (flags < 0 || fcntl(descriptor_, F_SETFL, flags & ~O_DIRECT) != 0) return false;
  direct_ = false;
  return true;
}

File File::duplicate() const {
  const int descriptor = fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0) throw EnvironmentError::system(path_, "cannot duplicate the descriptor", errno);
  File file(descriptor, path_);
  file.direct_ = direct_;
  file.direct_required_ = direct_required_;
  return file;
}

File File::reopen_read(DirectIo direct) const {
  // Opens by descriptor, because the path may name another file by now.
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor_);
  const int descriptor = uninterrupted([&] { return open(link.c_str(), O_RDONLY | O_CLOEXEC); });
  if (descriptor < 0) return duplicate();
  File file(descriptor, path_);
  file.set_direct(direct);
  return file;
}

bool File::is_regular() const {
  return S_ISREG(status_of(*this).st_mode);
}

bool File::in_memory() const {
  struct statfs system {};
  return fstatfs(descriptor_, &system) == 0 && system.f_type == TMPFS_MAGIC;
}

std::uint64_t File::size() const {
  return static_cast<std::uint64_t>(status_of(*this).st_size);
}

std::optional<std::uint64_t> File::free_bytes() const noexcept {
  struct statvfs system {};
  if (fstatvfs(descriptor_, &system) != 0 || system.f_blocks == 0) return std::nullopt;
  return system.f_bavail * system.f_frsize;
}

std::uint64_t File::cached_bytes() const noexcept {
  // <linux/mman.h> declares these since Linux 6.5.
  constexpr long cachestat_call = 451;
  struct {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;  // 0: to the end of the file
  } range;
  struct {
    std::uint64_t cached, dirty, in_writeback, evicted, recently_evicted;
  } pages{};
  if (syscall(cachestat_call, descriptor_, &range, &pages, 0) != 0) return 0;
  return pages.cached * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t File::device_bytes() const {
  std::uint64_t bytes = 0;
  if (ioctl(descriptor_, BLKGETSIZE64, &bytes) != 0) {
    throw EnvironmentError::system(path_, "cannot tell its size", errno);
  }
  return bytes;
}

void File::truncate(std::uint64_t bytes) {
  if (uninterrupted([&] { return ftruncate(descriptor_, static_cast<off_t>(bytes)); }) != 0) {
    throw EnvironmentError::system(path_, "cannot set the size to " + std::to_string(bytes), errno);
  }
}

void File::allocate(std::uint64_t offset, std::uint64_t bytes) {
  if (bytes == 0 || !is_regular()) return;
  const int result = uninterrupted(
      [&] { return fallocate(descriptor_, 0, static_cast<off_t>(offset), static_cast<off_t>(bytes)); });
  if (result == 0 || errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL) return;
  const int error_number = errno;
  // ext4 keeps the space it allocated before the disk was full. Frees it, because other files may need it.
  if (size() > offset) truncate(offset);
  throw EnvironmentError::system(
      path_, "cannot allocate " + format_size(bytes) + " after the first " + format_size(offset),
      error_number);
}

void File::sync_data() {
  if (uninterrupted([&] { return fdatasync(descriptor_); }) != 0) {
    throw EnvironmentError::system(path_, "cannot write to the disk", errno);
  }
}

void File::close() {
  // Linux has released the descriptor even when close reports EINTR; repeating it could close another file.
  const int result = ::close(std::exchange(descriptor_, -1));
  if (result != 0 && errno != EINTR) throw EnvironmentError::system(path_, "cannot close", errno);
}

}  // namespace emgraph::core
