// SPDX-License-Identifier: MIT
// Decides whether a run with a checkpoint keeps its edges or makes them again from the input.
#pragma once

#include <cstdint>
#include <optional>

#include "core/checkpoint/checkpoint.hpp"

namespace emgraph::graph::prepare {

/// The most entries of lists in memory that a resumed run makes again: raw edges of 2 GiB, which a slow disk
/// of 100 MB/s reads in less than half a minute. Keeping lists means to sort and to write them, which takes
/// longer. Measured: sssp --weights hash of the Kronecker graph of scale 20 (16.8 M edges):
/// 2.1 CPU s with lists that are kept, 0.73 s without (Intel Xeon, 2 cores); lists of 2^27 entries take 1.2
/// s.
inline constexpr std::uint64_t most_remade_entries = std::uint64_t{1} << 28;

/// True if the run keeps no edges: it has no checkpoint, or nothing is kept yet and lists of so many entries
/// are soon made again. `entries`: nullopt, not known, counts as too many.
inline bool edges_are_remade(const core::Checkpoint* checkpoint,
                             const std::optional<std::uint64_t>& entries) {
  if (checkpoint == nullptr) return true;
  return !checkpoint->has_state() && entries && *entries <= most_remade_entries;
}

}  // namespace emgraph::graph::prepare
