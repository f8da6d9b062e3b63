// SPDX-License-Identifier: MIT
// Stratified sampling: one random place in each of equal parts.
#include "graph/format/source/sampling.hpp"

#include <algorithm>
#include <random>

namespace emgraph::graph::format {

SamplePlan plan_sample(std::uint64_t places, std::uint64_t max_places, std::size_t count,
                       std::uint64_t seed) {
  SamplePlan plan;
  const std::uint64_t parts = std::min({places, max_places, std::uint64_t{count}});
  if (parts == 0) return plan;
  std::mt19937_64 random(seed);
  for (std::uint64_t i = 0; i < parts; ++i) {
    const auto part_start = [&](std::uint64_t part) {
      return static_cast<std::uint64_t>(static_cast<unsigned __int128>(places) * part / parts);
    };
    plan.places.push_back(part_start(i) + random() % (part_start(i + 1) - part_start(i)));
  }
  plan.records_per_place = static_cast<std::size_t>((count + parts - 1) / parts);
  return plan;
}

void take_sample(const RecordBatch& batch, const core::PairShape& shape, std::size_t count,
                 std::vector<std::byte>& out) {
  const std::size_t take = std::min(count, batch.count);
  for (std::size_t i = 0; i < take; ++i) {
    const auto at = static_cast<std::size_t>(static_cast<unsigned __int128>(batch.count) * i / take);
    const std::byte* record = batch.records + at * shape.row_bytes;
    out.insert(out.end(), record, record + shape.row_bytes);
  }
}

}  // namespace emgraph::graph::format
