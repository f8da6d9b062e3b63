// SPDX-License-Identifier: MIT
// A few bits of each node's distance, which tell most arcs that are not tight.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/random_word.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::sssp {

/// 8, 4, 2 or 1 bits of a hash of a node's distance, as many as fit. Arcs whose ways have other bits are not
/// tight. Of arcs that are not tight, 1/2^bits pass. Memory: bits() per node, charged. Throws:
/// MemoryLimitError.
class DistanceTags {
 public:
  /// Without bits if not even one per node fits into `most_bytes`.
  DistanceTags(core::Environment& environment, std::uint64_t nodes, std::size_t most_bytes) {
    bits_ = bits_for(nodes, most_bytes);
    if (bits_ == 0) return;
    words_ = core::Array<std::uint64_t>(environment.memory, static_cast<std::size_t>(words_for(nodes, bits_)),
                                        "bits of distances");
  }
  static unsigned bits_for(std::uint64_t nodes, std::size_t most_bytes) {
    unsigned bits = 8;
    while (bits > 0 && words_for(nodes, bits) > most_bytes / sizeof(std::uint64_t)) bits /= 2;
    return bits;
  }
  static std::uint64_t bytes_for(std::uint64_t nodes, unsigned bits) {
    return bits == 0 ? 0 : words_for(nodes, bits) * sizeof(std::uint64_t);
  }

  unsigned bits() const { return bits_; }
  /// The distances of the next nodes.
  void append(std::span<const std::uint64_t> distances) {
    if (bits_ == 0) return;
    for (const std::uint64_t distance : distances) {
      words_[word(nodes_)] |= tag(distance) << place(nodes_);
      ++nodes_;
    }
  }
  /// False if the node is not at this distance.
  bool may_be_at(std::uint64_t node, std::uint64_t distance) const {
    if (bits_ == 0) return true;
    const std::uint64_t mask = (std::uint64_t{1} << bits_) - 1;
    return (words_[word(node)] >> place(node) & mask) == tag(distance);
  }

 private:
  static std::uint64_t words_for(std::uint64_t nodes, unsigned bits) { return nodes / (64 / bits) + 1; }
  std::size_t word(std::uint64_t node) const { return static_cast<std::size_t>(node / (64 / bits_)); }
  unsigned place(std::uint64_t node) const { return static_cast<unsigned>(node % (64 / bits_)) * bits_; }
  std::uint64_t tag(std::uint64_t distance) const {
    return distance * core::golden_increment >> (64 - bits_);
  }

  unsigned bits_ = 0;
  core::Array<std::uint64_t> words_;
  std::uint64_t nodes_ = 0;
};

}  // namespace emgraph::graph::sssp
