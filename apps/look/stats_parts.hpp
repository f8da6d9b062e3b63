// SPDX-License-Identifier: MIT
// The parts of the command stats: rows of the summary, a page, its figures, and numbers as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/run/summary_value.hpp"
#include "core/base/integers.hpp"
#include "graph/stats/node_results.hpp"
#include "graph/stats/stats.hpp"
#include "graph/stats/value_histogram.hpp"

namespace emgraph::apps {

class Report;

/// Labels or original ids of the hubs, for people (`names`) and programs (`values`); empty: they have none.
/// `key`: of a value in the summary of a hub.
struct HubNames {
  std::string key = {};
  std::vector<std::string> names = {};
  std::vector<SummaryValue> values = {};
};
/// Adds all facts to the summary. `hubs`: number of nodes of largest degree to list.
void add_stats(Report& report, const graph::stats::Result& result, std::size_t hubs, const HubNames& names);

/// The data of the page of `stats --html`.
struct StatsPage {
  std::string input;
  const graph::stats::Result& result;
  std::size_t hubs = 10;                    ///< number of nodes of largest degree to list
  std::vector<std::string> hub_names = {};  ///< their labels or original ids; empty: they have none
  std::string levels_file = {};
  std::optional<graph::stats::LevelSizes> levels = std::nullopt;
  std::string components_file = {};
  std::optional<graph::stats::ValueHistogram> components = std::nullopt;
  std::string ranks_file = {};
  std::optional<graph::stats::ValueSpread> ranks = std::nullopt;
};

/// One HTML file that needs no network and no script. It depends only on the graph, not on threads, memory or
/// model. With 10,000 hubs it has 0.7 MB, and a few copies exist while it is made, which are not charged.
std::string render(const StatsPage& page);

/// Nodes of each degree, both axes logarithmic. Empty if no node has a neighbour.
std::string degree_figure(const graph::stats::ValueHistogram& degrees);
/// For each degree the share of nodes with at least this degree, both axes logarithmic. Empty if no node has
/// a neighbour.
std::string tail_figure(const graph::stats::ValueHistogram& degrees);
/// Components of each size, both axes logarithmic. Empty if there is none.
std::string component_figure(const graph::stats::ValueHistogram& sizes);
/// Nodes of each value, both axes logarithmic. Empty if all values are 0.
std::string rank_figure(const graph::stats::ValueSpread& ranks);
/// Nodes on each level. Empty if none was reached.
std::string level_figure(const graph::stats::LevelSizes& levels);

/// "12.3 %", "0.0042 %", "0 %".
std::string percent(std::uint64_t part, std::uint64_t whole);
/// Up to six digits: "3.14159", "12".
std::string decimal(double value);
/// "4-7", "1".
std::string range_text(std::uint64_t first, std::uint64_t last);
/// The smallest and the largest weight and the sum of all.
struct WeightTexts {
  std::string least;
  std::string largest;
  std::string sum;
};
WeightTexts weight_texts(const graph::stats::WeightFacts& weights);

}  // namespace emgraph::apps
