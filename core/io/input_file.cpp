// SPDX-License-Identifier: MIT
// A regular file has two descriptors, one with and one without the page cache. A stream has one descriptor
// and a buffer for peek().
#include "core/io/input_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::core {
namespace {

constexpr std::uint64_t direct_from_bytes = 4 * MiB;
/// Aligned blocking reads of at least this size use direct I/O; smaller ones profit from the kernel's
/// read-ahead.
constexpr std::size_t direct_read_bytes = 64 * KiB;
constexpr std::size_t probe_request_bytes = MiB;
constexpr std::size_t probe_bytes = 16 * MiB;
constexpr std::uint64_t probed_from_bytes = 64 * MiB;

// Reads until the buffer is full or the input ends; `read_once(data, bytes, done)` is one system call.
template <class ReadOnce>
std::size_t read_fully(std::span<std::byte> buffer, const std::string& name, std::uint64_t offset,
                       IoStatistics& statistics, TraceDevice device, ReadOnce read_once) {
  const IoWait waiting(statistics, "wait for read");
  std::size_t done = 0;
  unsigned interrupted = 0;
  while (done < buffer.size()) {
    IoTransfer transfer(statistics, Operation::read, offset + done, device);
    const ssize_t result = read_once(buffer.data() + done, buffer.size() - done, done);
    if (result == 0) break;
    if (result > 0) {
      transfer.complete(static_cast<std::uint64_t>(result));
      done += static_cast<std::size_t>(result);
      interrupted = 0;
    } else if (errno != EINTR || ++interrupted == most_interruptions) {
      throw EnvironmentError::system(name, "cannot read at offset " + std::to_string(offset + done), errno);
    }
  }
  return done;
}

}  // namespace

struct InputFile::State {
  State(std::string path_, std::string name_, IoStatistics& statistics_)
      : path(std::move(path_)),
        name(std::move(name_)),
        statistics(statistics_),
        device(statistics_.device("input " + name)) {}

  std::string path;
  std::string name;
  IoStatistics& statistics;
  const TraceDevice device;
  File file;  // buffered; closed for standard input
  bool seekable = false;
  std::uint64_t size = 0;
  bool cached = false;          // most of the file is in the page cache
  bool through_cache = false;   // it is to be read twice, from a slow disk
  std::uint64_t position = 0;   // of read_next
  std::vector<std::byte> head;  // the first bytes, read by peek
  std::mutex mutex;             // guards the creation of the disks
  std::unique_ptr<Disk> direct_disk;
  std::unique_ptr<Disk> cached_disk;

  // Measured: cc of a text of 1.04 GB in the page cache takes 1.06 s from the cache, 1.49 s with direct I/O;
  // of 537 MB of raw pairs 0.69 s and 0.98 s (2 cores with other work on them, medians of 5 and of 3).
  bool is_read_around_cache() const { return size >= direct_from_bytes && !cached && !through_cache; }
  int descriptor() const { return file.is_open() ? file.descriptor() : STDIN_FILENO; }

  /// Reads probe_bytes from the middle, four requests at a time.
  double bytes_per_second(Disk& on) const {
    constexpr std::size_t requests = 4;
    std::vector<std::byte> memory(requests * probe_request_bytes + page_bytes);
    void* begin = memory.data();
    std::size_t room = memory.size();
    auto* const aligned =
        static_cast<std::byte*>(std::align(page_bytes, requests * probe_request_bytes, begin, room));
    const auto start = std::chrono::steady_clock::now();
    std::uint64_t at = size / 2 / page_bytes * page_bytes;
    struct Reads : std::array<RequestPtr, requests> {
      ~Reads() {  // none may write to `memory` any more
        for (const RequestPtr& read : *this) {
          if (read) read->wait_ignoring_error();
        }
      }
    } reads;
    for (std::uint64_t done = 0; done < probe_bytes; done += requests * probe_request_bytes) {
      for (std::size_t i = 0; i < requests; ++i, at += probe_request_bytes) {
        reads[i] = on.read(at, {aligned + i * probe_request_bytes, probe_request_bytes});
      }
      for (const RequestPtr& read : reads) read->wait();
    }
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    return static_cast<double>(probe_bytes) / passed.count();
  }

  std::size_t read_stream(std::span<std::byte> buffer, std::uint64_t offset) {
    return read_fully(
        buffer, name, offset, statistics, device,
        [&](std::byte* data, std::size_t bytes, std::size_t) { return read_some(data, bytes); });
  }
  // The pipe may be non-blocking (shells and ssh set that): waits until it has bytes.
  ssize_t read_some(std::byte* data, std::size_t bytes) const {
    for (;;) {
      const ssize_t result = ::read(descriptor(), data, bytes);
      if (result >= 0 || errno != EAGAIN) return result;
      pollfd input{.fd = descriptor(), .events = POLLIN, .revents = 0};
      if (poll(&input, 1, -1) < 0) return -1;
    }
  }
};

InputFile::InputFile(const std::string& path, IoStatistics& statistics)
    : state_(std::make_unique<State>(path, path == "-" ? "standard input" : path, statistics)) {
  if (path == "-") return;
  State& state = *state_;
  state.file = File::open_read(path, DirectIo::off);
  state.seekable = state.file.is_regular();
  if (!state.seekable) return;
  state.size = state.file.size();
  state.cached = state.size != 0 && state.file.cached_bytes() >= state.size - state.size / 8;
}

InputFile::~InputFile() = default;
InputFile::InputFile(InputFile&&) noexcept = default;

const std::string& InputFile::path() const {
  return state_->path;
}
const std::string& InputFile::name() const {
  return state_->name;
}
bool InputFile::seekable() const {
  return state_->seekable;
}
std::uint64_t InputFile::size() const {
  return state_->size;
}
bool InputFile::cached() const {
  return state_->cached;
}

void InputFile::expect_rereading(double quick) {
  State& state = *state_;
  if (!state.seekable || !state.is_read_around_cache() || state.size < probed_from_bytes) return;
  state.through_cache = state.bytes_per_second(disk()) < quick;
}

Disk& InputFile::disk() {
  State& state = *state_;
  const std::lock_guard lock(state.mutex);
  const bool direct = state.is_read_around_cache();
  std::unique_ptr<Disk>& disk = direct ? state.direct_disk : state.cached_disk;
  if (disk == nullptr) {
    File file = direct ? state.file.reopen_read(DirectIo::automatic) : state.file.duplicate();
    disk = make_file_disk(std::move(file), DiskBackend::automatic, state.statistics, default_queue_depth,
                          state.device);
  }
  return *disk;
}

std::size_t InputFile::read_at(std::uint64_t offset, std::span<std::byte> buffer) {
  State& state = *state_;
  const bool aligned = offset % page_bytes == 0 && buffer.size() % page_bytes == 0 &&
                       reinterpret_cast<std::uintptr_t>(buffer.data()) % page_bytes == 0;
  if (aligned && buffer.size() >= direct_read_bytes && state.is_read_around_cache()) {
    return disk().read(offset, buffer)->wait();
  }
  return read_fully(buffer, state.name, offset, state.statistics, state.device,
                    [&](std::byte* data, std::size_t bytes, std::size_t done) {
                      return pread(state.descriptor(), data, bytes, static_cast<off_t>(offset + done));
                    });
}

std::size_t InputFile::read_next(std::span<std::byte> buffer) {
  State& state = *state_;
  if (buffer.empty()) return 0;  // memcpy requires a valid pointer even for 0 bytes
  std::size_t done = 0;
  if (state.seekable) {
    done = read_at(state.position, buffer);
  } else {
    if (state.position < state.head.size()) {
      done = std::min<std::size_t>(buffer.size(), state.head.size() - state.position);
      std::memcpy(buffer.data(), state.head.data() + state.position, done);
    }
    done += state.read_stream(buffer.subspan(done), state.position + done);
  }
  state.position += done;
  return done;
}

std::span<const std::byte> InputFile::peek(std::size_t bytes) {
  State& state = *state_;
  const std::size_t wanted = std::min(bytes, max_peek_bytes);
  const std::size_t known = state.head.size();
  // A stream cannot be read again beyond the head, so the caller gets the bytes that were kept.
  if (known < wanted && (state.seekable || state.position <= known)) {
    std::vector<std::byte> more(wanted - known);
    more.resize(state.seekable ? read_at(known, more) : state.read_stream(more, known));
    state.head.insert(state.head.end(), more.begin(), more.end());
  }
  return std::span<const std::byte>(state.head).first(std::min(wanted, state.head.size()));
}

}  // namespace emgraph::core
