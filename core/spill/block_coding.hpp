// SPDX-License-Identifier: MIT
// Blocks of keys coded by their gaps, for disks that are slower than sorting a block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "core/base/integers.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::core {

/// How records lie in a block, without the types of Packing: keys relative to their bucket's base, below
/// 2^key_bits, in groups.
struct BlockLayout {
  unsigned key_bits = 0;
  std::size_t attachment_bytes = 0;

  std::size_t key_bytes() const { return key_bits == 0 ? 1 : (key_bits + 7) / 8; }
};

/// Problem: to write fewer bytes of a block whose records may be in any order. Method: the keys are sorted
/// and each group of 32 is coded by its gaps, Golomb-Rice: the low k bits of each gap side by side, the rest
/// in unary; k is the logarithm of the group's mean gap, so that regions of different density each get their
/// own. About 1.5 bits a key above the logarithm of the mean gap, where 1.44 is the least for random keys
/// (Golomb 1966, doi 10.1109/TIT.1966.1053907; Rice, Plaunt 1971, doi 10.1109/TCOM.1971.1090789), and a byte
/// a group. Attachments follow their keys uncoded. A sample of the keys lies in front, for whoever wants to
/// split the bucket.
///
/// Invariants of the encoding: first key (16 bytes), sample, attachments in the order of their keys, groups;
/// a group is k (1 byte), 32 low parts (4 k bytes), 32 unary numbers (at most 12 bytes). A block is coded if
/// that saves a page at least, so that a page lies behind the code in its buffer: stores and loads are of
/// whole words.
/// Memory: `coding_scratch_bytes` from the caller. Threads: any, each with scratch space of its own.

/// Measured (`bench_block_coding`, a virtual EPYC core, November 2026; blocks of 256 KiB of random keys):
/// 40-bit keys 5.00 -> 3.28 bytes, 4.4 ns a key coded and 1.5 decoded; with 8 bytes attached 13.00 -> 11.46,
/// 5.0 and 1.8 ns; 100-bit keys 13.00 -> 10.99, 13.6 and 3.7 ns.

/// Scratch space for either direction. Blocks whose keys need more to be sorted in are not coded: those with
/// keys of one byte.
constexpr std::size_t coding_scratch_bytes(std::size_t block_bytes) {
  return 2 * block_bytes;
}
/// Smaller blocks cannot become a page smaller.
inline constexpr std::size_t least_coded_block_bytes = 2 * page_bytes;

/// Codes the block in place. Returns the bytes of the code, at most `block.size()` less a page, or 0: the
/// block still holds its records as Packing lays them out, perhaps in another order.
/// Requires: `scratch` of coding_scratch_bytes, aligned to 16.
std::size_t encode_block(const BlockLayout& layout, std::span<std::byte> block, std::size_t records,
                         std::span<std::byte> scratch);

/// Back to what Packing lays out, in place, the records in the order of their keys. `code_bytes`: of the
/// code, or more. Throws EnvironmentError where that is no code, which a disk may have changed.
void decode_block(const BlockLayout& layout, std::span<std::byte> block, std::size_t code_bytes,
                  std::size_t records, std::span<std::byte> scratch);

/// Keys spread over a coded block, of which `head` is the first page: one in 256, at most 128.
void sample_coded_block(const BlockLayout& layout, const std::byte* head, std::size_t records,
                        const std::function<void(uint128)>& take);

}  // namespace emgraph::core
