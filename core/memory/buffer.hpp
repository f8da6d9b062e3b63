// SPDX-License-Identifier: MIT
// Page-aligned memory that is charged to the budget and returned to the system on release.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/base/bytes.hpp"
#include "core/memory/budget.hpp"
#include "core/memory/mapping.hpp"

namespace emgraph::core {

/// Alignment of all buffers and of all direct I/O, bytes.
inline constexpr std::size_t page_bytes = 4096;

/// Zero-filled memory, aligned to a page; from large_array_bytes on aligned to 2 MiB and in the pages that
/// the policy of the budget gives. Movable. Memory: `bytes` in whole pages of 4 KiB, whatever the policy.
/// Throws MemoryLimitError and, if the system has no memory, EnvironmentError.
class Buffer {
 public:
  Buffer() = default;
  Buffer(MemoryBudget& budget, std::size_t bytes, std::string_view what);
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  ~Buffer();

  std::byte* data() const { return mapping_.data(); }
  std::size_t size() const { return bytes_; }
  std::span<std::byte> bytes() const { return {data(), bytes_}; }

 private:
  void unmap() noexcept;
  Reservation reservation_;
  Mapping mapping_;
  std::size_t bytes_ = 0;
};

/// A Buffer seen as `size` zero-initialised trivially copyable elements.
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() = default;
  Array(MemoryBudget& budget, std::size_t size, std::string_view what)
      : buffer_(budget, size_product(size, sizeof(T)), what), size_(size) {}

  T* data() const { return reinterpret_cast<T*>(buffer_.data()); }
  std::size_t size() const { return size_; }
  std::span<T> span() const { return {data(), size_}; }
  T& operator[](std::size_t i) const { return data()[i]; }

 private:
  Buffer buffer_;
  std::size_t size_ = 0;
};

}  // namespace emgraph::core
