// SPDX-License-Identifier: MIT
// The page of stats: key figures, edges, degrees, hubs, levels, components, and their style.
#include <fmt/core.h>

#include <algorithm>

#include "apps/look/stats_parts.hpp"
#include "apps/page/html.hpp"
#include "apps/run/summary_value.hpp"
#include "core/base/bytes.hpp"
#include "graph/format/table/weight_names.hpp"
#include "graph/stats/value_histogram.hpp"

namespace emgraph::apps {

namespace {

using core::format_count;
using graph::stats::LevelSizes;
using graph::stats::Result;
using graph::stats::ValueHistogram;

/// A table with more rows is not read.
constexpr std::size_t most_level_rows = 60;

std::string section(const std::string& title, const std::string& body) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", escaped(title), body);
}

std::string side_by_side(const std::string& left, const std::string& right) {
  return fmt::format("<div class=\"side\">\n<div>\n{}</div>\n<div>\n{}</div>\n</div>\n", left, right);
}

std::string key_figures(const Result& result) {
  std::string text = "<dl class=\"facts\">\n";
  const auto add = [&text](const char* name, const std::string& value) {
    text += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, escaped(value));
  };
  add("Nodes", format_count(result.nodes));
  add("Edges as read", format_count(result.arcs.edges));
  add("Simple edges", format_count(result.arcs.simple_edges));
  add("Largest degree", format_count(result.degrees.degree().largest()));
  add("Isolated nodes", format_count(result.degrees.isolated_nodes()));
  add("Wedges", grouped(result.degrees.wedges()));
  return text + "</dl>\n";
}

std::string edge_table(const Result& result) {
  const auto& arcs = result.arcs;
  HtmlTable table("Edges; shares are of those read, of edges each way of the simple ones",
                  {"", "edges", "share"});
  const auto add = [&](const char* name, std::uint64_t count) {
    table.row(name, {format_count(count), percent(count, arcs.edges)});
  };
  add("Edges as read", arcs.edges);
  add("Loops", arcs.loops);
  add("Duplicates, same direction", arcs.duplicate_arcs);
  add("Duplicates, either direction, no loops", result.undirected_duplicates());
  add("Simple edges: pairs of different nodes", arcs.simple_edges);
  table.row("Of these, with an edge each way",
            {format_count(arcs.mutual_pairs), percent(arcs.mutual_pairs, arcs.simple_edges)});
  return table.text();
}

std::string node_table(const Result& result) {
  HtmlTable table("Nodes and weights", {"", "value"});
  table.row("Nodes", {format_count(result.nodes)});
  table.row("Isolated nodes, without a neighbour",
            {fmt::format("{} ({})", format_count(result.degrees.isolated_nodes()),
                         percent(result.degrees.isolated_nodes(), result.nodes))});
  if (result.arcs.edges > 0) {
    table.row("Smallest id at an edge", {std::to_string(result.smallest_id)});
    table.row("Largest id at an edge", {std::to_string(result.largest_id)});
  }
  table.row("Wedges: pairs of edges with a common end", {grouped(result.degrees.wedges())});
  const auto& weights = result.weights;
  if (weights.type() == graph::WeightType::none) return table.text();
  table.row("Weights, type", {std::string(graph::format::weight_name(weights.type()))});
  if (weights.count() > 0) {
    const WeightTexts texts = weight_texts(weights);
    table.row("Smallest weight", {texts.least});
    table.row("Largest weight", {texts.largest});
    table.row("Sum of all weights", {texts.sum});
  }
  if (weights.not_finite() > 0)
    table.row("Weights that are not finite", {format_count(weights.not_finite())});
  return table.text();
}

std::string degree_table(const Result& result) {
  const auto& degrees = result.degrees;
  HtmlTable table("Degrees over all nodes, in edges", {"", "smallest", "median", "mean", "largest"});
  const auto add = [&table](const char* name, const ValueHistogram& histogram) {
    table.row(name, {format_count(histogram.least()), decimal(histogram.median()), decimal(histogram.mean()),
                     format_count(histogram.largest())});
  };
  add("Degree", degrees.degree());
  if (degrees.directed()) {
    add("Out-degree", degrees.out_degree());
    add("In-degree", degrees.in_degree());
  }
  return "<div class=\"wide\">\n" + table.text() + "</div>\n";
}

/// Doubling ranges of values, how many there are in each.
std::string range_table(const ValueHistogram& histogram, const std::string& caption, const char* value,
                        const char* many) {
  HtmlTable table(caption, {value, many, "share"});
  for (const auto& bin : graph::stats::log_bins(histogram)) {
    table.row(range_text(bin.first, std::min(bin.last, histogram.largest())),
              {format_count(bin.count), percent(bin.count, histogram.total())});
  }
  return table.text();
}

std::string hub_table(const Result& result, std::size_t most, const std::vector<std::string>& names) {
  HtmlTable table("Nodes with the largest degrees", {"node", "degree", "of all other nodes"});
  const auto hubs = result.degrees.hubs();
  for (std::size_t i = 0; i < std::min(most, hubs.size()); ++i) {
    const auto& hub = hubs[i];
    table.row(i < names.size() ? names[i] : std::to_string(hub.node),
              {format_count(hub.degree), percent(hub.degree, result.nodes - 1)});
  }
  return table.text();
}

std::string degree_section(const StatsPage& page) {
  const ValueHistogram& degrees = page.result.degrees.degree();
  std::string text = degree_table(page.result);
  if (degrees.largest() > 0) text += side_by_side(degree_figure(degrees), tail_figure(degrees));
  const std::string ranges = range_table(degrees, "Nodes by degree", "degree", "nodes");
  const bool hubs = page.hubs > 0 && !page.result.degrees.hubs().empty();
  return text + (hubs ? side_by_side(ranges, hub_table(page.result, page.hubs, page.hub_names)) : ranges);
}

std::string level_section(const StatsPage& page, const LevelSizes& levels) {
  HtmlTable facts("The search, from " + page.levels_file);
  facts.row("Nodes reached", {format_count(levels.reached), percent(levels.reached, page.result.nodes)});
  facts.row("Nodes not reached",
            {format_count(levels.unreached), percent(levels.unreached, page.result.nodes)});
  facts.row("Levels", {format_count(levels.levels), ""});
  std::string text = facts.text();
  if (levels.sizes.size() <= most_level_rows && levels.width == 1) {
    HtmlTable table("Nodes on each level", {"level", "nodes", "of those reached"});
    for (std::size_t level = 0; level < levels.sizes.size(); ++level) {
      table.row(std::to_string(level),
                {format_count(levels.sizes[level]), percent(levels.sizes[level], levels.reached)});
    }
    text += table.text();
  }
  const std::string plot = level_figure(levels);
  return plot.empty() ? text : side_by_side(plot, text);
}

std::string component_section(const StatsPage& page, const ValueHistogram& sizes) {
  HtmlTable facts("Connected components, from " + page.components_file);
  facts.row("Components", {format_count(sizes.total())});
  facts.row("Nodes of the largest", {fmt::format("{} ({})", format_count(sizes.largest()),
                                                 percent(sizes.largest(), page.result.nodes))});
  facts.row("Median size, in nodes", {decimal(sizes.median())});
  const std::string text = facts.text() + range_table(sizes, "Components by size", "nodes", "components");
  const std::string plot = component_figure(sizes);
  return plot.empty() ? text : side_by_side(plot, text);
}

std::string rank_section(const StatsPage& page, const graph::stats::ValueSpread& ranks) {
  HtmlTable facts("Values of nodes, from " + page.ranks_file);
  facts.row("Sum", {decimal(ranks.sum)});
  facts.row("Mean", {decimal(ranks.mean)});
  facts.row("Median, in hundredths of the mean", {decimal(ranks.hundredths.median())});
  facts.row("Smallest", {decimal(ranks.least)});
  facts.row("Largest", {decimal(ranks.largest)});
  facts.row("Node of the largest", {std::to_string(ranks.largest_node)});
  const std::string plot = rank_figure(ranks);
  return plot.empty() ? facts.text() : side_by_side(plot, facts.text());
}

}  // namespace

std::string render(const StatsPage& page) {
  const std::string input = page.input == "-" ? "standard input" : page.input;
  std::string text = fmt::format(
      "<header>\n<h1>{}</h1>\n<p class=\"quiet\">Facts of a graph by a full scan, emgraph "
      "stats</p>\n</header>\n",
      escaped(input));
  text += key_figures(page.result);
  text += section("Edges and nodes", side_by_side(edge_table(page.result), node_table(page.result)));
  text += section("Degrees", degree_section(page));
  if (page.levels) text += section("Breadth-first search", level_section(page, *page.levels));
  if (page.components) text += section("Connected components", component_section(page, *page.components));
  if (page.ranks) text += section("Ranks", rank_section(page, *page.ranks));
  text +=
      "<footer class=\"quiet\">\n<p>Degrees and wedges are those of the simple graph: undirected, without "
      "loops, one "
      "edge between two nodes. Marks in figures tell their values when pointed at. All counts are "
      "exact.</p>\n"
      "</footer>\n";
  return html_page(input + " - emgraph stats", text);
}

}  // namespace emgraph::apps
