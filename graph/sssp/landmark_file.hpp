// SPDX-License-Identifier: MIT
// A file that keeps the distances of landmarks: a header of 128 bytes, the largest distances, then the
// rounded distances from landmarks and to them. Byte by byte: LANDMARKS.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "graph/edge_facts.hpp"
#include "graph/sssp/sssp.hpp"

namespace emgraph::graph::sssp {

/// The graph and the landmarks that a file must fit.
struct LandmarkKey {
  std::uint64_t nodes = 0;
  std::uint64_t graph_checksum = 0;  ///< of the rows, which have the wanted order of the nodes
  WeightType weight = WeightType::none;
  std::uint32_t id_bytes = 4;
  unsigned count = 0;
  bool both = false;  ///< distances from landmarks and to them
};

/// The arrays of Landmarks, in their order.
struct LandmarkArrays {
  std::span<std::uint32_t> from;
  std::span<std::uint32_t> to;
};

/// Fills the arrays and returns the largest distances if there is a file and it fits; nullopt if not, and
/// `use` says why. I/O: the file once, in order. Memory: that of the arrays. Threads: one. Throws: UsageError
/// for a file that holds no landmarks, unless it may be replaced; EnvironmentError.
std::optional<std::vector<std::uint64_t>> read_landmarks(core::Environment& environment,
                                                         const LandmarkFile& file, const LandmarkKey& key,
                                                         const LandmarkArrays& arrays, LandmarkUse& use);

/// Writes the file, or replaces it. It gets its name with the other outputs. Throws: EnvironmentError,
/// MemoryLimitError.
void write_landmarks(core::Environment& environment, const LandmarkFile& file, const LandmarkKey& key,
                     const LandmarkArrays& arrays, const std::vector<std::uint64_t>& largest);

}  // namespace emgraph::graph::sssp
