// SPDX-License-Identifier: MIT
// The two targets of an output: a regular file that is renamed at the end, and a stream.
#include "core/io/output_target.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "core/io/disk_space.hpp"
namespace emgraph::core {
namespace {

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// If `path` is a symbolic link, the file it points to is replaced, not the link.
std::string resolved(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) return path;
  const std::unique_ptr<char, void (*)(void*)> real(realpath(path.c_str(), nullptr), std::free);
  return real != nullptr ? real.get() : path;
}

bool exists(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0;
}

/// A name that is registered in TemporaryNames before the file exists. So a signal never finds a file whose
/// name is not registered.
class RegisteredName {
 public:
  RegisteredName(TemporaryNames& names, const std::string& final_path) : names_(names) {
    const std::string stem = final_path + ".tmp." + std::to_string(getpid());
    path_ = stem;
    // The name exists if this process writes the output twice, or if a process with the same id was killed.
    for (unsigned i = 1; exists(path_); ++i) path_ = stem + "." + std::to_string(i);
    slot_ = names_.add(path_);
  }
  RegisteredName(const RegisteredName&) = delete;
  ~RegisteredName() { names_.remove(slot_); }
  const std::string& path() const { return path_; }

 private:
  TemporaryNames& names_;
  std::string path_;
  std::size_t slot_ = 0;
};

class RehearsedTarget final : public OutputTarget {
 public:
  explicit RehearsedTarget(bool rewritable) : rewritable_(rewritable) {}
  RequestPtr write(std::uint64_t, std::span<const std::byte>) override { return nullptr; }
  bool rewritable() const override { return rewritable_; }
  void publish(std::uint64_t) override {}

 private:
  const bool rewritable_;
};

/// Output to a regular file: written under a temporary name in the same directory, synchronised, renamed.
class RenamedTarget final : public OutputTarget {
 public:
  RenamedTarget(const std::string& path, Overwrite overwrite, IoStatistics& statistics, TemporaryNames& names,
                unsigned queue_depth)
      : path_(resolved(path)), overwrite_(overwrite), name_(names, path_) {
    if (!exists(directory_of(path_))) {
      throw EnvironmentError(path + ": the directory " + directory_of(path_) + " does not exist");
    }
    file_ = File::create_new(name_.path(), DirectIo::automatic);
    space_ = GrowingSpace(GrowingSpace::step_for(file_));
    try {
      disk_ = make_file_disk(file_.duplicate(), DiskBackend::automatic, statistics, queue_depth,
                             statistics.device("output " + path));
    } catch (...) {
      unlink(name_.path().c_str());
      throw;
    }
  }

  ~RenamedTarget() override {
    disk_.reset();  // waits for pending writes
    if (!published_) unlink(name_.path().c_str());
  }

  RequestPtr write(std::uint64_t offset, std::span<const std::byte> bytes) override {
    // An output of one request reserves exactly its space; a longer one reserves ahead.
    const std::uint64_t end = offset + bytes.size();
    space_.ensure(*disk_, end, offset == 0 ? end : ~std::uint64_t{0});
    return disk_->write(offset, bytes);
  }

  bool rewritable() const override { return true; }

  void publish(std::uint64_t size_bytes) override {
    disk_.reset();
    file_.truncate(size_bytes);
    file_.sync_data();
    file_.close();
    give_name();
    published_ = true;
    sync_directory();
  }

 private:
  void give_name() const {
    const char* from = name_.path().c_str();
    const char* to = path_.c_str();
    int result = 0;
    if (overwrite_ == Overwrite::force) {
      result = std::rename(from, to);
    } else {
      // A file created after this output was opened must not be replaced.
      result = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
      if (result != 0 && (errno == EINVAL || errno == ENOSYS)) {
        result = link(from, to);
        if (result == 0) {
          unlink(from);
        } else if (errno != EEXIST && !exists(path_)) {
          result = std::rename(from, to);  // no NOREPLACE and no links: the check above has to suffice
        }
      }
      if (result != 0 && errno == EEXIST) throw output_exists(path_);
    }
    if (result != 0) throw EnvironmentError::system(path_, "cannot be given its name", errno);
  }

  // Makes the name durable. Ignores directories that cannot be opened or synchronised.
  void sync_directory() const {
    const int descriptor = open(directory_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    const int result = fsync(descriptor);
    const int error_number = errno;
    close(descriptor);
    if (result != 0 && error_number == EIO)
      throw EnvironmentError::system(path_, "cannot write its name", EIO);
  }

  const std::string path_;
  const Overwrite overwrite_;
  RegisteredName name_;
  File file_;
  std::unique_ptr<Disk> disk_;
  GrowingSpace space_;
  bool published_ = false;
};

/// Output to a descriptor without random access: blocking writes, in order.
class StreamTarget final : public OutputTarget {
 public:
  StreamTarget(const std::string& path, IoStatistics& statistics)
      : name_(path == "-" ? "standard output" : path),
        statistics_(statistics),
        device_(statistics.device("output " + name_)) {
    // A duplicate: closing it reports late errors and does not close descriptor 1.
    do {
      descriptor_ =
          path == "-" ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0) : open(path.c_str(), O_WRONLY | O_CLOEXEC);
    } while (descriptor_ < 0 && errno == EINTR);
    if (descriptor_ < 0) throw EnvironmentError::system(name_, "cannot open for writing", errno);
  }
  StreamTarget(const StreamTarget&) = delete;
  ~StreamTarget() override {
    if (descriptor_ >= 0) close(descriptor_);
  }

  RequestPtr write(std::uint64_t offset, std::span<const std::byte> bytes) override {
    const IoWait waiting(statistics_, "wait for write");
    while (!bytes.empty()) {
      IoTransfer transfer(statistics_, Operation::write, offset, device_);
      const ssize_t result = ::write(descriptor_, bytes.data(), bytes.size());
      if (result >= 0) {
        transfer.complete(static_cast<std::uint64_t>(result));
        bytes = bytes.subspan(static_cast<std::size_t>(result));
        offset += static_cast<std::uint64_t>(result);
      } else if (errno == EAGAIN) {
        // The pipe is non-blocking (shells and ssh set that): wait until it has space.
        pollfd room{.fd = descriptor_, .events = POLLOUT, .revents = 0};
        poll(&room, 1, -1);
      } else if (errno != EINTR) {
        throw_error("cannot write at offset " + std::to_string(offset), errno);
      }
    }
    return nullptr;
  }

  bool rewritable() const override { return false; }

  void publish(std::uint64_t) override {
    if (close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) throw_error("cannot close", errno);
  }

 private:
  [[noreturn]] void throw_error(const std::string& what, int error_number) const {
    if (error_number == EPIPE) throw BrokenPipe(name_ + ": the reader has gone away");
    throw EnvironmentError::system(name_, what, error_number);
  }

  const std::string name_;
  IoStatistics& statistics_;
  const TraceDevice device_;
  int descriptor_ = -1;
};

}  // namespace

UsageError output_exists(const std::string& path) {
  return UsageError(path + ": exists already (--force replaces it)");
}

std::unique_ptr<OutputTarget> make_renamed_target(const std::string& path, Overwrite overwrite,
                                                  IoStatistics& statistics, TemporaryNames& names,
                                                  unsigned queue_depth) {
  return std::make_unique<RenamedTarget>(path, overwrite, statistics, names, queue_depth);
}

std::unique_ptr<OutputTarget> make_rehearsed_target(bool rewritable) {
  return std::make_unique<RehearsedTarget>(rewritable);
}

std::unique_ptr<OutputTarget> make_stream_target(const std::string& path, IoStatistics& statistics) {
  return std::make_unique<StreamTarget>(path, statistics);
}

}  // namespace emgraph::core
