// SPDX-License-Identifier: MIT
// Blocks of keys coded by their gaps, for disks that are slower than sorting a block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/function_ref.hpp"
#include "core/base/integers.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::core {

/// The layout of records in a block, without the types of Packing: groups of keys relative to their bucket's
/// base, below 2^key_bits.
struct BlockLayout {
  unsigned key_bits = 0;
  std::size_t attachment_bytes = 0;

  std::size_t key_bytes() const { return key_bits == 0 ? 1 : (key_bits + 7) / 8; }
};

/// Problem: write fewer bytes of a block whose records may be in any order.
/// Method: the keys are sorted, and the gaps of each group of 32 keys get a Golomb-Rice code: the low k bits
/// of each gap, then the high bits in unary. k is the logarithm of the group's mean gap, so it adapts to
/// regions of different density. A key takes about 1.5 bits more than the logarithm of the mean gap,
/// where 1.44 is the minimum for random keys (Golomb 1966, doi 10.1109/TIT.1966.1053907; Rice, Plaunt 1971,
/// doi 10.1109/TCOM.1971.1090789), plus a byte per group. Attachments are not coded. The code begins with a
/// sample of the keys, which is used to split the bucket.
///
/// Encoding: first key (16 bytes), sample, attachments in the order of their keys, groups. A group is k (1
/// byte), 32 low parts (4 k bytes), 32 unary numbers (at most 12 bytes). Invariant: a block is coded only if
/// that saves at least a page. So there is a page after the code in its buffer, which loads and stores of
/// whole words may touch. Memory: `coding_scratch_bytes` from the caller. Threads: any number, each with its
/// own scratch space.

/// Measured (`bench_block_coding`, a virtual EPYC core, November 2026; blocks of 256 KiB of random keys):
/// 40-bit keys 5.00 -> 3.28 bytes, 4.4 ns a key coded and 1.5 decoded; with 8 bytes attached 13.00 -> 11.46,
/// 5.0 and 1.8 ns; 100-bit keys 13.00 -> 10.99, 13.6 and 3.7 ns.

/// Scratch space for encoding or decoding. Keys of one byte without attachments would need more space to be
/// sorted; such blocks are not coded.
constexpr std::size_t coding_scratch_bytes(std::size_t block_bytes) {
  return 2 * block_bytes;
}
/// Coding cannot save a page in smaller blocks.
inline constexpr std::size_t least_coded_block_bytes = 2 * page_bytes;

/// Codes the block in place. Returns the bytes of the code, at most `block.size()` less a page. Returns 0 if
/// the block was not coded; it then holds its records in the layout of Packing, perhaps in another order.
/// Requires: `scratch` has coding_scratch_bytes and is aligned to 16.
std::size_t encode_block(const BlockLayout& layout, std::span<std::byte> block, std::size_t records,
                         std::span<std::byte> scratch);

/// Decodes the block in place to the layout of Packing, with the records in the order of their keys.
/// `code_bytes`: at least the bytes of the code. Throws EnvironmentError if the code is invalid, because the
/// disk returned wrong data.
void decode_block(const BlockLayout& layout, std::span<std::byte> block, std::size_t code_bytes,
                  std::size_t records, std::span<std::byte> scratch);

/// A sample of the keys of a coded block, evenly distributed: one of 256 keys, at most 128. `head` is the
/// first page of the block.
void sample_coded_block(const BlockLayout& layout, const std::byte* head, std::size_t records,
                        FunctionRef<void(uint128)> take);

}  // namespace emgraph::core
