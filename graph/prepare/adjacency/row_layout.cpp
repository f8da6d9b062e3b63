// SPDX-License-Identifier: MIT
// The memory of rows: offsets, entries, scratch space.
#include "graph/prepare/adjacency/row_layout.hpp"

#include <algorithm>
#include <bit>

#include "core/base/bytes.hpp"
#include "graph/prepare/adjacency/piece_order.hpp"
#include "graph/prepare/adjacency/row_writer.hpp"

namespace emgraph::graph::adjacency {

unsigned row_shift(std::uint64_t nodes, std::uint64_t entries) {
  const auto bits = static_cast<unsigned>(std::bit_width(std::max<std::uint64_t>(nodes, 2) - 1));
  constexpr unsigned most = 16;  // of a node's number within its bucket
  constexpr unsigned buckets = 11;
  constexpr unsigned usual = 11;
  constexpr unsigned entries_in_cache = 17;
  // Nodes with many neighbours: fewer in a bucket.
  const auto degree = static_cast<unsigned>(std::bit_width(entries / std::max<std::uint64_t>(nodes, 1)));
  const unsigned least = std::min(usual, entries_in_cache - std::min(entries_in_cache, degree));
  return std::min(bits, std::clamp(bits - std::min(bits, buckets), least, most));
}

std::size_t row_buckets(std::uint64_t nodes, unsigned shift) {
  return static_cast<std::size_t>(((std::max<std::uint64_t>(nodes, 1) - 1) >> shift) + 1);
}

void cut_pieces(RowsShape& shape) {
  constexpr std::uint64_t most = 512;
  const std::uint64_t last_pieces = row_buckets(shape.nodes, shape.shift) * shape.threads;
  const std::uint64_t share = shape.entries / last_pieces / 16;
  shape.piece = core::round_up(std::clamp<std::uint64_t>(share, 1, most), row_group);
  shape.pieces = shape.entries / shape.piece + last_pieces;
}

std::uint64_t row_copies_bytes(std::uint64_t entries, std::size_t entry_bytes) {
  return core::size_product(entries / 8, entry_bytes) + core::MiB;
}

RowsBytes rows_bytes(const RowsShape& shape) {
  const std::uint64_t places = core::size_product(shape.pieces, shape.piece);
  RowsBytes bytes;
  bytes.rows = core::size_sum(core::size_product(places, shape.entry_bytes),
                              core::size_product(core::size_sum(shape.nodes, 1), shape.offset_bytes),
                              2 * core::page_bytes);
  const std::uint64_t tables =
      core::size_sum(core::size_product(row_buckets(shape.below, shape.shift),
                                        2 * sizeof(std::uint64_t) + sizeof(std::uint32_t) +
                                            shape.threads * sizeof(UnusedPlaces)),
                     core::size_product(shape.pieces, sizeof(std::uint32_t)));
  const std::uint64_t read = core::size_product(
      row_writer_bytes(row_buckets(shape.below, shape.shift), shape.entry_bytes), shape.threads);
  const std::uint64_t arranged = permute_pieces_bytes(
      shape.pieces, shape.piece * (shape.entry_bytes + sizeof(std::uint16_t)), shape.threads);
  const std::uint64_t made = core::size_sum(
      row_copies_bytes(shape.entries, shape.entry_bytes),
      shape.threads * (2 * sizeof(std::uint32_t) * (std::uint64_t{1} << shape.shift) + 3 * core::page_bytes));
  bytes.construction = core::size_sum(bytes.rows, core::size_product(places, sizeof(std::uint16_t)), tables,
                                      std::max({read, arranged, made}), 5 * core::page_bytes);
  return bytes;
}

bool rows_are_sparse(std::uint64_t nodes, std::uint64_t entries) {
  constexpr std::uint64_t few = std::uint64_t{1} << 20;
  return nodes > few && nodes / 4 > entries;
}

bool rows_fit(const RowsBytes& bytes, std::uint64_t nodes, const RowsOptions& options, std::uint64_t free) {
  return bytes.construction <= free &&
         core::size_sum(bytes.rows, core::size_product(nodes, options.beside_bytes_per_node),
                        options.beside_bytes) <= free;
}

}  // namespace emgraph::graph::adjacency
