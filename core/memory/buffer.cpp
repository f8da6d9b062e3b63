// SPDX-License-Identifier: MIT
// Buffers charge their memory, and guard their end in sanitizer builds.
#include "core/memory/buffer.hpp"

#include <utility>

#include "core/base/bytes.hpp"

#ifdef EMGRAPH_GUARD_BUFFERS
#include <sanitizer/asan_interface.h>
#endif

namespace emgraph::core {
namespace {

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
  reservation_ = budget.reserve(round_up(bytes, page_bytes), what);
  mapping_ = Mapping(budget.huge_pages(), mapped_bytes(bytes), Mapping::Kind::fixed, what);
  bytes_ = bytes;
  guard(data(), bytes_, mapping_.size());
}

Buffer::Buffer(Buffer&& other) noexcept
    : reservation_(std::move(other.reservation_)),
      mapping_(std::move(other.mapping_)),
      bytes_(std::exchange(other.bytes_, 0)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  if (this != &other) {
    unmap();
    reservation_ = std::move(other.reservation_);
    mapping_ = std::move(other.mapping_);
    bytes_ = std::exchange(other.bytes_, 0);
  }
  return *this;
}

Buffer::~Buffer() {
  unmap();
}

void Buffer::unmap() noexcept {
  if (data() == nullptr) return;
  unguard(data(), mapping_.size());
  mapping_.release();
}

}  // namespace emgraph::core
