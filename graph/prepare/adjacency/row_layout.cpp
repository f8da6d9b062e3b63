// SPDX-License-Identifier: MIT
#include "graph/prepare/adjacency/row_layout.hpp"

#include <algorithm>
#include <bit>

#include "core/base/bytes.hpp"
#include "graph/prepare/adjacency/row_writer.hpp"

namespace emgraph::graph::adjacency {

unsigned row_shift(std::uint64_t nodes) {
  const auto bits = static_cast<unsigned>(std::bit_width(std::max<std::uint64_t>(nodes, 2) - 1));
  constexpr unsigned least = 11;
  constexpr unsigned most = 16;  // of a node's number within its bucket
  constexpr unsigned buckets = 11;
  return std::min(bits, std::clamp(bits > buckets ? bits - buckets : 0U, least, most));
}

std::size_t row_buckets(std::uint64_t nodes, unsigned shift) {
  return static_cast<std::size_t>(((std::max<std::uint64_t>(nodes, 1) - 1) >> shift) + 1);
}

std::uint64_t row_piece(std::uint64_t entries, std::size_t buckets, unsigned threads) {
  constexpr std::uint64_t most = 512;
  const std::uint64_t share = entries / buckets / 16 / std::max(1U, threads);
  return core::round_up(std::clamp<std::uint64_t>(share, 1, most), row_group);
}

namespace {

/// For the places of all threads' last pieces.
std::uint64_t further_places(std::uint64_t entries, std::size_t buckets, unsigned threads) {
  return buckets * (threads * row_piece(entries, buckets, threads) + row_group);
}

}  // namespace

std::uint64_t row_copies_bytes(std::uint64_t entries, std::size_t entry_bytes) {
  return core::size_product(entries / 8, entry_bytes) + core::MiB;
}

RowsBytes rows_bytes(std::uint64_t nodes, unsigned shift, std::uint64_t entries, std::size_t entry_bytes,
                     std::size_t offset_bytes, unsigned threads) {
  const std::size_t buckets = row_buckets(nodes, shift);
  const std::uint64_t places = core::size_sum(entries, further_places(entries, buckets, threads));
  RowsBytes bytes;
  bytes.rows =
      core::size_sum(core::size_product(places, entry_bytes),
                     core::size_product(core::size_sum(nodes, 1), offset_bytes), 2 * core::page_bytes);
  const std::uint64_t tables = core::size_product(
      buckets, 3 * sizeof(std::uint64_t) + threads * (sizeof(UnusedPlaces) + sizeof(std::uint64_t)));
  const std::uint64_t of_thread =
      std::max(row_writer_bytes(buckets, entry_bytes),
               row_copies_bytes(entries, entry_bytes) / threads +
                   2 * sizeof(std::uint32_t) * (std::uint64_t{1} << shift) + 3 * core::page_bytes);
  bytes.construction = core::size_sum(bytes.rows, core::size_product(places, sizeof(std::uint16_t)), tables,
                                      core::size_product(of_thread, threads), 4 * core::page_bytes);
  return bytes;
}

bool rows_are_sparse(std::uint64_t nodes, std::uint64_t entries) {
  constexpr std::uint64_t few = std::uint64_t{1} << 20;
  return nodes > few && nodes / 4 > entries;
}

bool rows_fit(const RowsBytes& bytes, std::uint64_t nodes, const RowsOptions& options, std::uint64_t free) {
  return bytes.construction <= free &&
         core::size_sum(bytes.rows, core::size_product(nodes, options.beside_bytes_per_node)) <= free;
}

}  // namespace emgraph::graph::adjacency
