// SPDX-License-Identifier: MIT
// Output to descriptors without random access: blocking writes, in order.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/io/output_target.hpp"

namespace emgraph::core {
namespace {

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

std::unique_ptr<OutputTarget> make_stream_target(const std::string& path, IoStatistics& statistics) {
  return std::make_unique<StreamTarget>(path, statistics);
}

}  // namespace emgraph::core
