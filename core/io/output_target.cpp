// SPDX-License-Identifier: MIT
// The two targets of an output: a regular file that gets its name at the end, and a stream.
#include "core/io/output_target.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/io/disk_space.hpp"
namespace emgraph::core {
namespace {

class RehearsedTarget final : public OutputTarget {
 public:
  explicit RehearsedTarget(bool rewritable) : rewritable_(rewritable) {}
  RequestPtr write(std::uint64_t, std::span<const std::byte>) override { return nullptr; }
  bool rewritable() const override { return rewritable_; }
  void complete(std::uint64_t) override {}

 private:
  const bool rewritable_;
};

/// Output to a regular file, which gets its name from the set of outputs.
class RenamedTarget final : public OutputTarget {
 public:
  RenamedTarget(const std::string& path, Overwrite overwrite, IoStatistics& statistics, OutputSet& outputs,
                unsigned queue_depth)
      : outputs_(outputs),
        file_(std::make_unique<UnpublishedFile>(path, overwrite, outputs.names(), outputs.part_of(path))) {
    space_ = GrowingSpace(GrowingSpace::step_for(file_->file()));
    disk_ = make_file_disk(file_->file().duplicate(), DiskBackend::automatic, statistics, queue_depth,
                           statistics.device("output " + path));
  }

  ~RenamedTarget() override { disk_.reset(); }  // waits for pending writes

  RequestPtr write(std::uint64_t offset, std::span<const std::byte> bytes) override {
    // An output of one request reserves exactly its space; a longer one reserves ahead.
    const std::uint64_t end = offset + bytes.size();
    space_.ensure(*disk_, end, offset == 0 ? end : ~std::uint64_t{0});
    return disk_->write(offset, bytes);
  }
  RequestPtr read(std::uint64_t offset, std::span<std::byte> bytes) override {
    return prepared(disk_->read(offset, bytes),
                    [&](Request& request) { request.require_full_read(disk_->path()); });
  }

  std::uint64_t held_bytes() const override { return file_->file().size(); }
  bool rewritable() const override { return true; }
  std::optional<std::uint64_t> free_bytes() const override { return file_->file().free_bytes(); }

  void complete(std::uint64_t size_bytes) override {
    disk_.reset();
    file_->complete(size_bytes);
    outputs_.add(std::move(file_));
  }

 private:
  OutputSet& outputs_;
  std::unique_ptr<UnpublishedFile> file_;
  std::unique_ptr<Disk> disk_;
  GrowingSpace space_;
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

  void complete(std::uint64_t) override {
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
                                                  IoStatistics& statistics, OutputSet& outputs,
                                                  unsigned queue_depth) {
  return std::make_unique<RenamedTarget>(path, overwrite, statistics, outputs, queue_depth);
}

std::unique_ptr<OutputTarget> make_rehearsed_target(bool rewritable) {
  return std::make_unique<RehearsedTarget>(rewritable);
}

std::unique_ptr<OutputTarget> make_stream_target(const std::string& path, IoStatistics& statistics) {
  return std::make_unique<StreamTarget>(path, statistics);
}

}  // namespace emgraph::core
