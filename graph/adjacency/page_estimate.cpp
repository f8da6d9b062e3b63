// SPDX-License-Identifier: MIT
// Lengths of gaps: their concave bound, and their mean for gaps at random.
#include "graph/adjacency/page_estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/base/bytes.hpp"

namespace emgraph::graph::adjacency {
namespace {

/// Values from `from` on take `bytes` bytes.
struct CodeLength {
  double from;
  double bytes;
};
constexpr std::array<CodeLength, 4> short_lengths = {{{0, 1}, {0x1p8, 2}, {0x1p16, 3}, {0x1p24, 4}}};
constexpr std::array<CodeLength, 4> long_lengths = {{{0, 1}, {0x1p8, 2}, {0x1p16, 4}, {0x1p32, 8}}};

/// The least concave function that is not below the length: linear between the first values of each length.
double most_length(std::span<const CodeLength> lengths, double gap) {
  for (std::size_t i = 1; i < lengths.size(); ++i) {
    const CodeLength& low = lengths[i - 1];
    const CodeLength& high = lengths[i];
    if (gap < high.from)
      return low.bytes + (high.bytes - low.bytes) * (gap - low.from) / (high.from - low.from);
  }
  return lengths.back().bytes;
}

/// The mean length of gaps with an exponential distribution.
double mean_length(std::span<const CodeLength> lengths, double mean_gap) {
  double bytes = lengths.front().bytes;
  for (std::size_t i = 1; i < lengths.size(); ++i) {
    bytes += (lengths[i].bytes - lengths[i - 1].bytes) * std::exp(-lengths[i].from / std::max(mean_gap, 1.0));
  }
  return bytes;
}

constexpr double control_bytes = 0.25;         // per neighbour
constexpr double rounded_control = 0.75;       // at most this much per list
constexpr double head_bytes = 2.5;             // per list: gap and length, and its share of the directory
constexpr double long_list_bytes = 6.0 / 256;  // per neighbour: heads of further fragments

}  // namespace

core::SpillForecast expected_page_bytes(const ListFacts& lists) {
  if (lists.entries == 0 || lists.nodes == 0) return {};
  const std::span<const CodeLength> lengths = lists.id_bytes == 8 ? long_lengths : short_lengths;
  const auto nodes = static_cast<double>(lists.nodes);
  const auto entries = static_cast<double>(lists.entries);
  const auto bytes = [&](double all, double count, double first, const auto& length, double weight_bytes) {
    const double gaps = std::max(all - count, 1.0);
    return count * (first + head_bytes) + gaps * length(nodes * count / gaps) +
           all * (control_bytes + long_list_bytes + weight_bytes);
  };
  const bool weighted = lists.weight != WeightType::none;
  const double wide =
      weighted ? static_cast<double>(lists.most_weight_width.value_or(weight_bytes(lists.weight))) : 0;
  const double width = weighted ? static_cast<double>(lists.weight_width) : 0;
  const double most = bytes(
      entries, std::min(nodes, entries),
      most_length(lengths, 2 * nodes) + rounded_control + (weighted ? 1 : 0),
      [&](double gap) { return most_length(lengths, gap); }, wide);
  const auto likely =
      static_cast<double>(std::min(lists.likely_entries.value_or(lists.entries), lists.entries));
  const double likely_lists = lists.likely_lists
                                  ? std::min({static_cast<double>(*lists.likely_lists), nodes, likely})
                                  : nodes * (1 - std::exp(-likely / nodes));
  const auto likely_length = [&](double gap) {
    const double length = mean_length(lengths, gap);
    return lists.likely_gap_bytes ? std::min(length, *lists.likely_gap_bytes) : length;
  };
  const double expected =
      bytes(likely, likely_lists, likely_length(nodes / 2) + rounded_control / 2 + (weighted ? 1 : 0),
            likely_length, width);
  constexpr double most_empty = 1.0 + 1.0 / 16;
  constexpr double mean_empty = 1.0 + 1.0 / 64;
  constexpr std::uint64_t last_page = 4096;
  const auto whole = [](double value) {
    return value < 0x1p64 ? static_cast<std::uint64_t>(value) : ~std::uint64_t{0};
  };
  return {.most_bytes = core::size_sum(whole(most * most_empty), last_page),
          .expected_bytes = core::size_sum(whole(expected * mean_empty), last_page)};
}

}  // namespace emgraph::graph::adjacency
