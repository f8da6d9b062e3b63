// SPDX-License-Identifier: MIT
// Buffers come straight from mmap so that freed memory really leaves the process.
#include "core/memory/buffer.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::core {
namespace {

constexpr std::size_t huge_page_bytes = 2 * MiB;

}  // namespace

Buffer::Buffer(MemoryBudget& budget, std::size_t bytes, std::string_view what) {
  if (bytes == 0) return;
  const std::size_t rounded = round_up(bytes, page_bytes);
  reservation_ = budget.reserve(rounded, what);
  void* data = mmap(nullptr, rounded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) {
    throw EnvironmentError::system(std::string(what), "cannot allocate " + format_size(rounded), errno);
  }
  // Huge pages can round resident memory up by one page at either end; only large buffers are worth it.
  if (rounded >= 2 * huge_page_bytes) madvise(data, rounded, MADV_HUGEPAGE);
  data_ = static_cast<std::byte*>(data);
  bytes_ = bytes;
}

Buffer::Buffer(Buffer&& other) noexcept
    : reservation_(std::move(other.reservation_)),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  if (this != &other) {
    unmap();
    reservation_ = std::move(other.reservation_);
    data_ = std::exchange(other.data_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
  }
  return *this;
}

Buffer::~Buffer() {
  unmap();
}

void Buffer::unmap() noexcept {
  if (data_ != nullptr) munmap(data_, round_up(bytes_, page_bytes));
}

}  // namespace emgraph::core
