// SPDX-License-Identifier: MIT
// Computes the ranges of the passes.
#include "graph/mis/pass_plan.hpp"

#include <algorithm>

namespace emgraph::graph::mis {
namespace {

// Nanoseconds, one core and one disk: estimates from earlier measurements of the parts, not fitted to whole
// runs.
constexpr double sort_nanoseconds = 14;       // partition, vectorised sort, scan
constexpr double regenerate_nanoseconds = 2;  // generate and compare ends
constexpr double nanoseconds_per_byte = 0.8;  // 1.25 GB/s, one way

// Estimated fraction of the remaining edges that are still relevant after a pass. (By the formula in the
// header, the fraction is 0.31 for random edges of average degree 12.5 after the first sixteenth of the
// nodes.)
constexpr double left_fraction = 0.25;
// A pass takes at least one least_share-th of the remaining edges, which bounds the number of passes.
constexpr double least_share = 8;
// Part of the space for edges that a pass uses. The rest is a margin: the sample may be wrong, blocks may not
// be full, and other programs may write to the same disk.
constexpr double space_share = 0.75;
// Smaller samples are not used to choose the end of a pass.
constexpr std::size_t least_sample = 1024;

}  // namespace

PassCosts pass_costs(bool generated, std::size_t record_bytes, std::size_t sorted_bytes, unsigned threads) {
  const double compute = regenerate_nanoseconds / threads;
  return {.reread = generated ? compute
                              : std::max(compute, nanoseconds_per_byte * static_cast<double>(record_bytes)),
          .sort = sort_nanoseconds / threads,
          .spill = 2 * nanoseconds_per_byte * static_cast<double>(sorted_bytes)};
}

double PassPlan::cost(double records) const {
  const double spilled = std::max(0.0, records - static_cast<double>(memory_records_));
  // I/O and computation overlap, so the time is the longer of the two.
  return std::max(records * costs_.sort, spilled * costs_.spill);
}

PassPlan::End PassPlan::next_end(const std::vector<std::uint64_t>& smaller_ends, double edges_per_sample,
                                 std::uint64_t nodes) const {
  const double left = static_cast<double>(smaller_ends.size()) * edges_per_sample;
  const double paying =
      std::max(left / least_share, std::min(static_cast<double>(memory_records_) * 0.9, left / 4));
  const double room =
      space_share * (static_cast<double>(memory_records_) + static_cast<double>(space_records_));
  if (smaller_ends.empty() || (smaller_ends.size() < least_sample && left <= room)) return {nodes};
  const double part = std::min(paying, room);
  const double in_one = cost(left);
  const double in_two =
      cost(part) + static_cast<double>(edges_) * costs_.reread + cost(left_fraction * (left - part));
  if (in_two >= in_one && left <= room) return {nodes};
  const auto place = static_cast<std::size_t>(static_cast<double>(smaller_ends.size()) * part / left);
  return {.node = smaller_ends[std::min(place, smaller_ends.size() - 1)] + 1,
          .cut_for_space = part < paying || in_two >= in_one};
}

}  // namespace emgraph::graph::mis
