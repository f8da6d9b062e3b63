// SPDX-License-Identifier: MIT
// Transfers of a single buffer.
#include "core/io/disk.hpp"

namespace emgraph::core {

RequestPtr Disk::read(std::uint64_t offset, std::span<std::byte> buffer) {
  return submit(Operation::read, offset, {iovec{buffer.data(), buffer.size()}});
}

RequestPtr Disk::write(std::uint64_t offset, std::span<const std::byte> buffer) {
  return submit(Operation::write, offset, {iovec{const_cast<std::byte*>(buffer.data()), buffer.size()}});
}

}  // namespace emgraph::core
