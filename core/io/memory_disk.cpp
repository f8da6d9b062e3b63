// SPDX-License-Identifier: MIT
// A disk in memory: requests are complete when submit returns.
#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/disk.hpp"

namespace emgraph::core {
namespace {

/// A chunk is allocated by the first write to it. Bytes never written read as zero.
class MemoryDisk final : public Disk {
 public:
  MemoryDisk(IoStatistics& statistics, std::uint64_t capacity_bytes, TraceDevice device)
      : statistics_(statistics), device_(device), capacity_bytes_(capacity_bytes) {}

  RequestPtr submit(Operation operation, std::uint64_t offset, std::vector<iovec> buffers) override {
    auto request = std::make_shared<Request>(operation, offset, std::move(buffers), statistics_, device_);
    const std::lock_guard lock(mutex_);
    const std::uint64_t end = offset + request->bytes();
    if (operation == Operation::read) {
      const std::uint64_t last = std::clamp(size_bytes_, offset, end);
      transfer_locked(*request, last, [](std::byte* buffer, std::byte* chunk, std::size_t bytes) {
        if (chunk == nullptr) {
          std::memset(buffer, 0, bytes);
        } else {
          std::memcpy(buffer, chunk, bytes);
        }
      });
      request->complete(last - offset);
    } else if (end > capacity_bytes_) {
      request->fail(std::make_exception_ptr(disk_full(end)));
    } else {
      size_bytes_ = std::max(size_bytes_, end);
      make_chunks_locked(offset, end);
      transfer_locked(*request, end, [](const std::byte* buffer, std::byte* chunk, std::size_t bytes) {
        std::memcpy(chunk, buffer, bytes);
      });
      request->complete(request->bytes());
    }
    return request;
  }

  void reserve_space(std::uint64_t bytes) override {
    const std::lock_guard lock(mutex_);
    if (bytes > capacity_bytes_) throw disk_full(bytes);
    size_bytes_ = std::max(size_bytes_, bytes);
  }

  const std::string& path() const override { return path_; }
  bool direct() const override { return false; }

 private:
  static constexpr std::size_t chunk_bytes = 64 * KiB;
  using Chunk = std::array<std::byte, chunk_bytes>;

  EnvironmentError disk_full(std::uint64_t end) const {
    return EnvironmentError(path_ + ": disk full: capacity " + std::to_string(capacity_bytes_) + " bytes, " +
                            std::to_string(end) + " needed");
  }

  void make_chunks_locked(std::uint64_t offset, std::uint64_t end) {
    chunks_.resize(std::max<std::size_t>(chunks_.size(), divide_up(end, chunk_bytes)));
    for (std::uint64_t i = offset / chunk_bytes; i < divide_up(end, chunk_bytes); ++i) {
      if (chunks_[i] == nullptr) chunks_[i] = std::make_unique<Chunk>();
    }
  }

  // Calls copy(buffer, chunk or nullptr, bytes) for all pieces from the offset of the request to `last`.
  template <class Copy>
  void transfer_locked(Request& request, std::uint64_t last, Copy copy) {
    std::uint64_t at = request.offset();
    for (const iovec& buffer : request.buffers()) {
      auto* data = static_cast<std::byte*>(buffer.iov_base);
      std::size_t left = std::min<std::uint64_t>(buffer.iov_len, last - at);
      while (left > 0) {
        const std::size_t within = at % chunk_bytes;
        const std::size_t piece = std::min(left, chunk_bytes - within);
        const std::uint64_t index = at / chunk_bytes;
        const bool there = index < chunks_.size() && chunks_[index] != nullptr;
        copy(data, there ? chunks_[index]->data() + within : nullptr, piece);
        data += piece;
        at += piece;
        left -= piece;
      }
    }
  }

  IoStatistics& statistics_;
  const TraceDevice device_;
  const std::uint64_t capacity_bytes_;
  const std::string path_ = "(memory disk)";
  std::mutex mutex_;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::uint64_t size_bytes_ = 0;
};

}  // namespace

std::unique_ptr<Disk> make_memory_disk(IoStatistics& statistics, std::uint64_t capacity_bytes,
                                       TraceDevice device) {
  return std::make_unique<MemoryDisk>(statistics, capacity_bytes, device);
}

}  // namespace emgraph::core
