// SPDX-License-Identifier: MIT
// Decodes the successor lists of a BVGraph, one after another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/memory/growing_array.hpp"
#include "graph/format/webgraph/bit_reader.hpp"
#include "graph/format/webgraph/webgraph.hpp"

namespace emgraph::graph::format {

/// Problem: decode the ascending successors of each node x. They are coded as: the outdegree; the distance to
/// an earlier node whose list is the reference (0: none); blocks of the reference that are alternately copied
/// and left out; intervals of consecutive numbers; the residuals, as gaps. Method: a ring keeps the last
/// lists, decoded. The three ascending parts of a list are merged. Invariant: every number is checked against
/// n, the declared number of arcs and the reference before it is used, so the memory and time for damaged
/// files are bounded by their size. Source: P. Boldi, S. Vigna, "The WebGraph framework I: compression
/// techniques", WWW 2004, doi:10.1145/988672.988752; it.unimi.dsi.webgraph.BVGraph (documentation).
///
/// I/O: that of `next_piece`.
/// Memory: 8 bytes per successor: for each slot of the ring its longest list so far, and four times the
/// longest list so far. Threads: one. Throws: DataError with file, byte and node; MemoryLimitError;
/// exceptions of `next_piece`.
class SuccessorDecoder {
 public:
  /// `file_bytes`: size of the file, for bounds.
  SuccessorDecoder(core::MemoryBudget& budget, std::string file, const WebgraphProperties& properties,
                   std::uint64_t file_bytes, BitReader::NextPiece next_piece);

  /// True if all lists were returned. Then it also checks the number of arcs and the length of the file.
  bool done();
  /// The successors of the next node. Valid until the next call. Requires: not done().
  std::span<const std::uint64_t> next();
  /// The node of the last list.
  std::uint64_t node() const { return next_node_ - 1; }
  void rewind();

 private:
  using List = core::GrowingArray<std::uint64_t>;
  struct Slot {
    std::unique_ptr<List> list;
    std::uint64_t size = 0;
    std::span<const std::uint64_t> successors() const {
      return {list->data(), static_cast<std::size_t>(size)};
    }
  };
  /// A part of a list, with its own array.
  struct Part {
    std::unique_ptr<List> list;
    std::size_t size = 0;
    std::span<const std::uint64_t> ids() const { return {list->data(), size}; }
  };

  Slot& slot(std::uint64_t node) { return slots_[node % slots_.size()]; }
  std::uint64_t number(BitCode code, const char* what);
  std::uint64_t relative(std::uint64_t number, const char* what) const;
  void copy_blocks(std::uint64_t degree);
  void read_intervals(std::uint64_t degree);
  void add_interval(std::uint64_t left, std::uint64_t length, std::uint64_t degree);
  void read_residuals(std::uint64_t count);
  void merge_parts(Slot& into, std::uint64_t degree);
  [[noreturn]] void refuse(const std::string& what) const;

  const std::string file_;
  const WebgraphProperties properties_;
  const std::uint64_t file_bytes_;
  BitReader bits_;
  std::vector<Slot> slots_;  // the list of node x is in slot x mod (windowsize + 1)
  Part copied_;
  Part intervals_;
  Part residuals_;
  Part merged_;  // merged intervals and residuals
  std::uint64_t next_node_ = 0;
  std::uint64_t arcs_ = 0;
};

}  // namespace emgraph::graph::format
