// SPDX-License-Identifier: MIT
// Splitting and sorting codes in place on several threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/thread_team.hpp"
#include "core/base/vector_split.hpp"
#include "graph/mst/edge_code.hpp"

namespace emgraph::graph::mst {

/// Moves codes below `pivot` to the front, without a branch on a comparison. Returns their number.
template <class Code>
std::size_t partition_codes(std::span<Code> codes, const Code& pivot) {
  if constexpr (std::is_same_v<Code, std::uint64_t>) return core::vector_split(codes, pivot);
  // Lomuto's scheme: every code is swapped to the front; it stays there if it is below the pivot.
  std::size_t below = 0;
  Code* const data = codes.data();
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const Code code = data[i];
    data[i] = data[below];
    data[below] = code;
    below += code < pivot ? 1 : 0;
  }
  return below;
}

/// Ranges of codes, seen as one sequence.
template <class Code>
class CodeRanges {
 public:
  void add(std::span<Code> range) {
    if (!range.empty()) ranges_.push_back(range);
  }
  std::size_t size() const {
    std::size_t sum = 0;
    for (const std::span<Code> range : ranges_) sum += range.size();
    return sum;
  }
  /// Exchanges `count` codes from number `first` on with those of the same numbers in another sequence.
  void exchange(const CodeRanges& other, std::size_t first, std::size_t count) const {
    while (count > 0) {
      const std::span<Code> here = from(first);
      const std::span<Code> there = other.from(first);
      const std::size_t step = std::min({here.size(), there.size(), count});
      std::swap_ranges(here.data(), here.data() + step, there.data());
      first += step;
      count -= step;
    }
  }

 private:
  /// The rest of the range of code number `first`.
  std::span<Code> from(std::size_t first) const {
    std::size_t range = 0;
    while (first >= ranges_[range].size()) first -= ranges_[range++].size();
    return ranges_[range].subspan(first);
  }

  std::vector<std::span<Code>> ranges_;
};

/// The same on a thread team: each thread splits its share, then codes on the wrong side are exchanged.
template <class Code>
std::size_t partition_codes(std::span<Code> codes, const Code& pivot, core::ThreadTeam& team) {
  const unsigned threads = team.size();
  constexpr std::size_t small = 64 * 1024;
  if (threads <= 1 || codes.size() < small) return partition_codes(codes, pivot);
  std::vector<std::size_t> below(threads);
  const auto share = [&](unsigned thread) { return codes.size() * thread / threads; };
  team.all([&](unsigned thread) {
    below[thread] = partition_codes(codes.subspan(share(thread), share(thread + 1) - share(thread)), pivot);
  });
  std::size_t total = 0;
  for (const std::size_t part : below) total += part;
  // The ranges on the wrong side of `total`: codes not below the pivot before it, codes below the pivot after
  // it. Both sides have the same number of codes.
  CodeRanges<Code> front;
  CodeRanges<Code> back;
  for (unsigned thread = 0; thread < threads; ++thread) {
    const std::size_t begin = share(thread);
    const std::size_t middle = begin + below[thread];
    const std::size_t end = share(thread + 1);
    if (middle < total) front.add(codes.subspan(middle, std::min(end, total) - middle));
    if (middle > total) back.add(codes.subspan(std::max(begin, total), middle - std::max(begin, total)));
  }
  const std::size_t wrong = front.size();
  const auto share_of_wrong = [&](unsigned thread) { return wrong * thread / threads; };
  team.all([&](unsigned thread) {
    front.exchange(back, share_of_wrong(thread), share_of_wrong(thread + 1) - share_of_wrong(thread));
  });
  return total;
}

/// The median of a sample of codes at regular distances. Requires: not empty.
template <class Code>
Code median_of_sample(std::span<const Code> codes) {
  constexpr std::size_t most = 255;
  std::vector<Code> sample;
  const std::size_t step = codes.size() / most + 1;
  for (std::size_t i = step / 2; i < codes.size(); i += step) sample.push_back(codes[i]);
  const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2);
  std::nth_element(sample.begin(), middle, sample.end());
  return *middle;
}

/// Sorts ascending: splits the codes into a part per thread, then every thread sorts its part.
template <class Code>
void sort_codes(std::span<Code> codes, core::ThreadTeam& team) {
  constexpr std::size_t small = 64 * 1024;
  std::vector<std::span<Code>> parts{codes};
  while (parts.size() < team.size()) {
    const auto largest = std::max_element(parts.begin(), parts.end(),
                                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
    if (largest->size() < small) break;
    const std::span<Code> part = *largest;
    const std::size_t below = partition_codes(part, median_of_sample(std::span<const Code>(part)), team);
    if (below == 0) break;  // many equal ones
    *largest = part.first(below);
    parts.push_back(part.subspan(below));
  }
  team.all([&](unsigned part) {
    if (part < parts.size()) sort_codes(parts[part]);
  });
}

}  // namespace emgraph::graph::mst
