// SPDX-License-Identifier: MIT
// Buffers are allocated by mmap, so that freed memory returns to the system at once.
#include "core/memory/buffer.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

#ifdef EMGRAPH_GUARD_BUFFERS
#include <sanitizer/asan_interface.h>
#endif

namespace emgraph::core {
namespace {

constexpr std::size_t huge_page_bytes = 2 * MiB;

#ifdef EMGRAPH_GUARD_BUFFERS
// AddressSanitizer does not know the end of mapped memory. So the bytes added by rounding and one more page
// after the buffer are poisoned.
constexpr std::size_t guard_bytes = page_bytes;
void guard(std::byte* data, std::size_t bytes, std::size_t mapped) {
  __asan_poison_memory_region(data + bytes, mapped - bytes);
}
void unguard(std::byte* data, std::size_t mapped) {
  __asan_unpoison_memory_region(data, mapped);
}
#else
constexpr std::size_t guard_bytes = 0;
void guard(std::byte*, std::size_t, std::size_t) {}
void unguard(std::byte*, std::size_t) {}
#endif

std::size_t mapped_bytes(std::size_t bytes) {
  return round_up(bytes, page_bytes) + guard_bytes;
}

}  // namespace

Buffer::Buffer(MemoryBudget& budget, std::size_t bytes, std::string_view what) {
  if (bytes == 0) return;
  const std::size_t rounded = round_up(bytes, page_bytes);
  reservation_ = budget.reserve(rounded, what);
  void* data = mmap(nullptr, mapped_bytes(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) {
    throw EnvironmentError::system(std::string(what), "cannot allocate " + format_size(rounded), errno);
  }
  // Huge pages can add a page of resident memory at either end, so only large buffers use them.
  if (rounded >= 2 * huge_page_bytes) madvise(data, rounded, MADV_HUGEPAGE);
  data_ = static_cast<std::byte*>(data);
  bytes_ = bytes;
  guard(data_, bytes_, mapped_bytes(bytes_));
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
  if (data_ == nullptr) return;
  unguard(data_, mapped_bytes(bytes_));
  munmap(data_, mapped_bytes(bytes_));
}

}  // namespace emgraph::core
