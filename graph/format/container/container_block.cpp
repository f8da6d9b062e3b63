// SPDX-License-Identifier: MIT
// Verifies a block, then hands its bytes out as they are or decodes them.
#include "graph/format/container/container_block.hpp"

#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::graph::format {

BlockReader::BlockReader(core::Environment& environment, std::string file, const ContainerHeader& header,
                         const core::PairShape& shape, bool verify)
    : environment_(environment),
      file_(std::move(file)),
      layout_(pair_layout(header_facts(header, "").layout)),
      shape_(shape),
      block_edges_(header.block_edges),
      verify_(verify),
      decoder_(environment.memory, layout_, header.block_edges,
               core::uses_zstd(static_cast<core::Codec>(header.codec))) {
  if (header.codec != 0 || !core::same_bytes(layout_, shape_)) room();
}

std::size_t BlockReader::memory_bytes(const ContainerHeader& header) {
  if (header.codec == 0) return 0;
  constexpr std::size_t zstd_context_bytes = 160 * core::KiB;  // of libzstd 1.5: 94 KiB
  const std::size_t rows_bytes = largest_block_bytes(header);
  const bool zstd = core::uses_zstd(static_cast<core::Codec>(header.codec));
  return rows_bytes + (zstd ? rows_bytes + zstd_context_bytes : 0);
}

std::byte* BlockReader::room() {
  if (records_.size() == 0) {
    records_ = core::Buffer(environment_.memory, block_edges_ * shape_.row_bytes, "block being read");
  }
  return records_.data();
}

RecordBatch BlockReader::read(std::uint64_t offset, const BlockHead& head, std::span<const std::byte> block) {
  const std::span<const std::byte> content = block.subspan(sizeof(BlockHead));
  if (verify_) check_block_payload(file_, offset, head, content);
  const std::span<const std::byte> stored = content.first(head.stored_bytes);
  const bool aligned = reinterpret_cast<std::uintptr_t>(stored.data()) % shape_.integer_bytes == 0;
  if (head.codec == 0 && aligned && core::same_bytes(layout_, shape_)) return {stored.data(), head.edges};
  const std::string_view wrong = decoder_.decode(static_cast<core::Codec>(head.codec), stored,
                                                 head.plain_bytes, head.edges, shape_, room());
  if (!wrong.empty()) {
    throw core::DataError::at_offset(file_, offset,
                                     "the block with edges from " + std::to_string(head.first_edge) +
                                         " on cannot be decoded: " + std::string(wrong));
  }
  return {room(), head.edges};
}

}  // namespace emgraph::graph::format
