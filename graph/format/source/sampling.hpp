// SPDX-License-Identifier: MIT
// Chooses the places of a sample in a file, and takes records there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/io/codec_pairs.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::format {

/// Blocks of a container read for a sample. Measured: 32 of 1 MiB, 65,536 records, codec none 30 ms, delta 53
/// ms (AMD EPYC, shared machine, one run). Other numbers were not tried.
inline constexpr std::uint64_t sample_blocks = 32;
/// Places of a text read for a sample, and the bytes of one.
inline constexpr std::uint64_t sample_text_places = 64;
inline constexpr std::size_t sample_text_bytes = 16384;

struct SamplePlan {
  std::vector<std::uint64_t> places;  ///< ascending, one in each of equal parts
  std::size_t records_per_place = 0;
};

/// Chooses at most `max_places` of `places` places for `count` records. Deterministic for a seed.
SamplePlan plan_sample(std::uint64_t places, std::uint64_t max_places, std::size_t count, std::uint64_t seed);

/// Appends about `count` records of the batch, at regular distances, to `out`.
void take_sample(const RecordBatch& batch, const core::PairShape& shape, std::size_t count,
                 std::vector<std::byte>& out);

}  // namespace emgraph::graph::format
