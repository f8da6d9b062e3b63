// SPDX-License-Identifier: MIT
// Constants of one Kronecker graph from its scale and seed, and one edge level by level.
#include "graph/generate/kronecker_plan.hpp"

namespace emgraph::graph::generate {

KroneckerPlan make_kronecker_plan(int scale, std::uint64_t seed) {
  KroneckerPlan plan;
  plan.scale = scale;
  plan.groups = (scale + 3) / 4;
  for (std::size_t g = 0; g < plan.level_keys.size(); ++g) {
    plan.level_keys[g] = stream_key(seed, Purpose::kronecker_level, g);
  }
  int offset = 0;
  for (int p = 0; p < 4; ++p) {
    const int levels = (scale - p + 3) / 4;
    const auto field = static_cast<std::size_t>(p);
    plan.field_offset[field] = offset;
    plan.field_mask[field] = ((std::uint64_t{1} << levels) - 1) << (16 * p);
    offset += levels;
  }
  plan.mask = (std::uint64_t{1} << scale) - 1;
  plan.add = stream_key(seed, Purpose::kronecker_scramble, 0) & plan.mask;
  for (std::size_t i = 0; i < plan.multipliers.size(); ++i) {
    plan.multipliers[i] = stream_key(seed, Purpose::kronecker_scramble, i + 1) | 1;
  }
  plan.xor_shift = (scale + 1) / 2;
  return plan;
}

KroneckerEdge unscrambled_kronecker_edge(const KroneckerPlan& plan, std::uint64_t index) {
  KroneckerEdge edge{0, 0};
  for (int group = 0; group < plan.groups; ++group) {
    std::uint64_t word = counter_word(plan.level_keys[static_cast<std::size_t>(group)], index);
    for (int field = 0; field < 4 && 4 * group + field < plan.scale; ++field, word >>= 16) {
      const auto draw = static_cast<std::int16_t>(word);
      const auto shifted = static_cast<std::int16_t>(draw + kronecker_target_shift);
      const int bit = plan.field_offset[static_cast<std::size_t>(field)] + group;
      edge.source |= std::uint64_t{draw > kronecker_source_above} << bit;
      edge.target |= std::uint64_t{shifted > kronecker_target_above} << bit;
    }
  }
  return edge;
}

}  // namespace emgraph::graph::generate
