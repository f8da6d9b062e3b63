// SPDX-License-Identifier: MIT
// Reserves address space by mmap; the kernel adds pages when they are touched.
#include "core/memory/growing_array.hpp"

#include <sys/mman.h>

#include <cerrno>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::core {

AddressSpace::AddressSpace(std::size_t bytes, std::string_view what) : bytes_(round_up(bytes, page_bytes)) {
  if (bytes_ == 0) return;
  void* data =
      mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) {
    throw EnvironmentError::system(std::string(what), "cannot get address space of " + format_size(bytes_),
                                   errno);
  }
  if (bytes_ >= 4 * MiB) madvise(data, bytes_, MADV_HUGEPAGE);
  data_ = static_cast<std::byte*>(data);
}

AddressSpace::~AddressSpace() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

}  // namespace emgraph::core
