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

/// Problem: the successors of node x, ascending, are written as an outdegree; how many nodes before x stands
/// the list that this one refers to (0: none); blocks of that list that are copied and left out by turns;
/// runs of successive numbers; and what is left, as gaps. Method: the last lists are kept in a ring, decoded.
/// A list is put together of its three ascending parts. Invariants: every number read is checked against n,
/// the arcs declared and the list it refers to before it is used, so that damage costs no more than the bits
/// that are there. Source: P. Boldi, S. Vigna, "The WebGraph framework I: compression techniques", WWW 2004,
/// doi:10.1145/988672.988752; it.unimi.dsi.webgraph.BVGraph (documentation).
///
/// I/O: none of its own, the bits come from `next_piece`.
/// Memory: 8 bytes for each successor of the longest lists among those that stand windowsize apart, and four
/// times the longest list; as much as has been met so far. Threads: one. Throws: DataError naming file, byte
/// and node; MemoryLimitError; what `next_piece` throws.
class SuccessorDecoder {
 public:
  /// `file_bytes`: of the file, for bounds.
  SuccessorDecoder(core::MemoryBudget& budget, std::string file, const WebgraphProperties& properties,
                   std::uint64_t file_bytes, BitReader::NextPiece next_piece);

  /// Have all nodes been handed out? Checks the number of arcs and the length of the file when they have.
  bool done();
  /// Of the next node. Requires: not done(). Valid until the next call.
  std::span<const std::uint64_t> next();
  /// Whose successors next() handed out last.
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
  /// Part of a list, in an array of its own.
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
  std::vector<Slot> slots_;  // the list of node x is in number x mod windowsize + 1
  Part copied_;
  Part intervals_;
  Part residuals_;
  Part merged_;  // of intervals and residuals
  std::uint64_t next_node_ = 0;
  std::uint64_t arcs_ = 0;
};

}  // namespace emgraph::graph::format
