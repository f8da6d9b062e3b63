// SPDX-License-Identifier: MIT
// The facts of stats in the summary: complete histograms for programs, doubling ranges for people.
#include <fmt/core.h>

#include <algorithm>

#include "apps/look/stats_parts.hpp"
#include "apps/run/report.hpp"
#include "core/base/bytes.hpp"
#include "graph/format/table/weight_names.hpp"
#include "graph/stats/value_histogram.hpp"

namespace emgraph::apps {

namespace {

using graph::stats::Hub;
using graph::stats::Result;
using graph::stats::ValueHistogram;
using graph::stats::WeightFacts;

/// Continues a value on the next line of the table.
constexpr std::string_view next_line = "\n                    ";

/// Pairs of a value and the number of nodes that have it.
SummaryList entries(const ValueHistogram& histogram) {
  SummaryList list;
  histogram.for_each([&](const auto& entry) { list.push_back(SummaryList{entry.value, entry.count}); });
  return list;
}

std::string shape(const ValueHistogram& histogram) {
  return fmt::format("{} to {}, median {}, mean {}", core::format_count(histogram.least()),
                     core::format_count(histogram.largest()), decimal(histogram.median()),
                     decimal(histogram.mean()));
}

void add_degrees(Report& report, const std::string& direction, const ValueHistogram& histogram) {
  report.hidden("min_" + direction + "degree", histogram.least());
  report.hidden("max_" + direction + "degree", histogram.largest());
  report.hidden("mean_" + direction + "degree", histogram.mean());
  report.hidden("median_" + direction + "degree", histogram.median());
  report.hidden(direction + "degree_histogram", entries(histogram));
  report.shown(direction + "degree", shape(histogram));
}

/// Nodes in ranges of degrees, a line each.
std::string degree_lines(const ValueHistogram& histogram) {
  std::string text;
  for (const auto& bin : graph::stats::log_bins(histogram)) {
    if (bin.count == 0) continue;
    text += fmt::format("{}{:<21}{:>15}{:>12}", text.empty() ? "" : next_line,
                        range_text(bin.first, std::min(bin.last, histogram.largest())),
                        core::format_count(bin.count), percent(bin.count, histogram.total()));
  }
  return text;
}

void add_hubs(Report& report, std::span<const Hub> hubs, const HubNames& names) {
  SummaryList list;
  std::string text;
  for (std::size_t i = 0; i < hubs.size(); ++i) {
    const Hub& hub = hubs[i];
    const bool named = i < names.names.size();
    SummaryObject row{{"node", hub.node}, {"degree", hub.degree}};
    if (named) row.set(names.key, names.values[i]);
    list.push_back(std::move(row));
    text += fmt::format("{}{}, degree {}", text.empty() ? "" : next_line,
                        named ? names.names[i] : fmt::format("node {}", hub.node),
                        core::format_count(hub.degree));
  }
  if (text.empty()) {
    report.hidden("hubs", list);
  } else {
    report.value("hubs", list, text);
  }
}

void add_weights(Report& report, const WeightFacts& weights) {
  if (weights.type() == graph::WeightType::none) return;
  SummaryObject about{{"type", graph::format::weight_name(weights.type())}, {"count", weights.count()}};
  std::string text(graph::format::weight_name(weights.type()));
  if (weights.count() > 0) {
    if (weights.is_integer()) {
      about.set("min", weights.least_integer());
      about.set("max", weights.largest_integer());
      about.set("sum", weights.integer_sum());
    } else {
      about.set("min", weights.least());
      about.set("max", weights.largest());
      about.set("sum", number_or_name(weights.sum()));
    }
    const WeightTexts texts = weight_texts(weights);
    text += fmt::format(", {} to {}, sum {}", texts.least, texts.largest, texts.sum);
  }
  about.set("not_finite", weights.not_finite());
  if (weights.not_finite() > 0) {
    text += fmt::format("; {} not finite, left out", core::format_count(weights.not_finite()));
  }
  report.value("weights", about, text);
}

}  // namespace

std::string percent(std::uint64_t part, std::uint64_t whole) {
  const double share = whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
  return fmt::format("{:.3g} %", share);
}

std::string decimal(double value) {
  return fmt::format("{:.6g}", value);
}

std::string range_text(std::uint64_t first, std::uint64_t last) {
  return first == last ? std::to_string(first) : fmt::format("{}-{}", first, last);
}

WeightTexts weight_texts(const WeightFacts& weights) {
  if (weights.is_integer()) {
    return {std::to_string(weights.least_integer()), std::to_string(weights.largest_integer()),
            digits(weights.integer_sum())};
  }
  return {fmt::format("{}", weights.least()), fmt::format("{}", weights.largest()),
          fmt::format("{}", weights.sum())};
}

void add_stats(Report& report, const Result& result, std::size_t hubs, const HubNames& names) {
  const auto& arcs = result.arcs;
  report.graph(result.nodes, arcs.edges);
  report.count("loops", arcs.loops);
  report.count("duplicate_arcs", arcs.duplicate_arcs);
  report.hidden("undirected_duplicates", result.undirected_duplicates());
  report.shown("duplicate edges", core::format_count(result.undirected_duplicates()));
  report.count("simple_edges", arcs.simple_edges);
  report.count("mutual_pairs", arcs.mutual_pairs);
  if (arcs.edges > 0) {
    report.value("smallest_id", result.smallest_id, std::to_string(result.smallest_id));
    report.value("largest_id", result.largest_id, std::to_string(result.largest_id));
  }
  const auto& degrees = result.degrees;
  report.value("isolated_nodes", degrees.isolated_nodes(),
               fmt::format("{} ({})", core::format_count(degrees.isolated_nodes()),
                           percent(degrees.isolated_nodes(), result.nodes)));
  report.value("wedges", degrees.wedges(), grouped(degrees.wedges()));
  add_weights(report, result.weights);
  add_degrees(report, "", degrees.degree());
  if (degrees.directed()) {
    add_degrees(report, "out_", degrees.out_degree());
    add_degrees(report, "in_", degrees.in_degree());
  }
  if (result.nodes > 0) {  // without hubs all degrees are 0
    report.hidden("max_degree_node", degrees.hubs().empty() ? 0 : degrees.hubs().front().node);
  }
  add_hubs(report, degrees.hubs().first(std::min(hubs, degrees.hubs().size())), names);
  if (result.nodes > 0) report.shown("nodes by degree", degree_lines(degrees.degree()));
}

}  // namespace emgraph::apps
