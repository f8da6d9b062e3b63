// SPDX-License-Identifier: MIT
// The arithmetic of passes.
#include "graph/mis/pass_plan.hpp"

#include <algorithm>

namespace emgraph::graph::mis {
namespace {

// Nanoseconds, one core and one disk: estimates from earlier measurements of the parts, not fitted to whole
// runs.
constexpr double sort_nanoseconds = 14;       // partition, vectorised sort, scan
constexpr double regenerate_nanoseconds = 2;  // generate and compare ends
constexpr double nanoseconds_per_byte = 0.8;  // 1.25 GB/s, one way

// Of the edges that a pass leaves, what is still there in the next one: a guess. (By the formula
// in the header, random edges of average degree 12.5 leave 0.31 behind the first sixteenth of the nodes.)
constexpr double left_fraction = 0.25;
// A pass takes at least one part in this many of what is left, so that there are few of them.
constexpr double least_share = 8;
// Of the room for edges, what a pass plans with: the sample may mislead, blocks are not full to the end, and
// others may write to the same disk.
constexpr double space_share = 0.75;
// Samples this small say too little to cut by.
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
  // I/O runs beside computing; the longer of the two is what takes time.
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
