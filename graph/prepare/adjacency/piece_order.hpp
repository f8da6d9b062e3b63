// SPDX-License-Identifier: MIT
// Permutes the pieces of arrays where they lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/memory/budget.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::adjacency {

inline constexpr std::uint64_t most_pieces = (std::uint64_t{1} << 31) - 1;

/// An array of pieces of equal size.
struct PieceArray {
  std::byte* data = nullptr;
  std::size_t piece_bytes = 0;
};

/// Bytes that permute_pieces() needs beside `target`. `piece_bytes`: of all arrays together.
std::uint64_t permute_pieces_bytes(std::uint64_t pieces, std::size_t piece_bytes, unsigned threads);

/// Moves piece i of each array to place target[i]. Requires: target is a permutation; afterwards it is the
/// identity.
///
/// Method: along the cycles of the permutation, the last piece first. Where threads share a cycle, the first
/// piece of each share is saved before any is moved, because the last piece of the share before takes its
/// place. Each piece is read and written once.
/// Pieces: at most most_pieces. Memory: permute_pieces_bytes(). Threads: all. Throws MemoryLimitError.
void permute_pieces(core::MemoryBudget& memory, unsigned threads, std::span<std::uint32_t> target,
                    std::span<const PieceArray> arrays);

}  // namespace emgraph::graph::adjacency
