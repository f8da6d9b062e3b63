// SPDX-License-Identifier: MIT
// The facts of `stats` as rows for people and keys for programs.
#pragma once

#include <string>

#include "apps/run/report.hpp"
#include "core/base/integers.hpp"
#include "graph/stats/stats.hpp"

namespace emgraph::apps {

/// Adds all facts; `hubs`: how many of the largest nodes to show.
void add_stats(Report& report, const graph::stats::Result& result, std::size_t hubs);

/// "131,072,000", of any size.
std::string grouped(core::uint128 value);
/// "12.3 %", "0.0042 %", "0 %".
std::string percent(std::uint64_t part, std::uint64_t whole);
/// Up to six digits: "3.14159", "12".
std::string decimal(double value);
/// "4-7", "1".
std::string range_text(std::uint64_t first, std::uint64_t last);
/// The sum, the least or the largest weight.
struct WeightTexts {
  std::string least;
  std::string largest;
  std::string sum;
};
WeightTexts weight_texts(const graph::stats::WeightFacts& weights);

}  // namespace emgraph::apps
