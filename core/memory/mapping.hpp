// SPDX-License-Identifier: MIT
// Memory from mmap with the pages that the user chose; it returns to the system at once when it is released.
#pragma once

#include <cstddef>
#include <string_view>

#include "core/memory/huge_pages.hpp"

namespace emgraph::core {

/// Zero-filled private memory, aligned to a page; from large_array_bytes on aligned to a huge page. Not
/// charged: the owner does that. Movable. The policy must outlive it.
class Mapping {
 public:
  /// fixed: all bytes are charged from the start. growing: address space, of which the owner charges what it
  /// is about to touch; it has no pages of the pool, because they would have to be taken at once.
  enum class Kind { fixed, growing };

  Mapping() = default;
  /// `bytes`: a multiple of the page size. Throws EnvironmentError, which names `what`.
  Mapping(HugePagePolicy& policy, std::size_t bytes, Kind kind, std::string_view what);
  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) noexcept;
  ~Mapping() { release(); }

  std::byte* data() const { return data_; }
  std::size_t size() const { return bytes_; }
  void release() noexcept;

 private:
  HugePagePolicy* policy_ = nullptr;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t hugetlb_bytes_ = 0;  // of the pool, at the start; the rest has ordinary pages
};

}  // namespace emgraph::core
