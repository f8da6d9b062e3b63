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

/// Light, dark, narrow and printed. In both colour schemes the contrast of text to its background is at least
/// 4.5 to 1, that of marks at least 3 to 1.
constexpr std::string_view page_style = R"(
:root {
  color-scheme: light dark;
  --ground: #ffffff; --panel: #f5f7f9; --text: #1b2026; --quiet: #56606b; --rule: #d5dbe1;
  --point: #2f6fbd; --line: #b0480f; --area: #f3d9c8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14181c; --panel: #1d2329; --text: #e7ebef; --quiet: #a3adb8; --rule: #39424c;
    --point: #6fb0ff; --line: #ff9d5c; --area: #4b3323;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.25rem 0 .75rem; padding-bottom: .25rem; border-bottom: 1px solid var(--rule); }
h3 { font-size: 1rem; margin: 0 0 .5rem; }
p { margin: .25rem 0; }
.quiet, figcaption, caption { color: var(--quiet); font-size: .875rem; overflow-wrap: anywhere; }
.facts { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0 0; }
.facts div { flex: 1 0 9rem; background: var(--panel); border: 1px solid var(--rule); border-radius: .5rem; padding: .6rem .8rem; }
.facts dt { color: var(--quiet); font-size: .875rem; }
.facts dd { margin: 0; font-size: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums;
  white-space: nowrap; }
.side { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 25rem), 1fr)); gap: 1.25rem 2rem;
  align-items: start; }
.wide + .side, .side + .side { margin-top: 1.5rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; margin: 0 0 .5rem; }
caption { text-align: left; padding-bottom: .25rem; }
th, td { padding: .25rem .5rem; border-bottom: 1px solid var(--rule); text-align: right; }
th:first-child { text-align: left; padding-left: 0; }
tbody th { font-weight: normal; }
td { white-space: nowrap; }
thead th { color: var(--quiet); font-size: .875rem; font-weight: 600; }
.wide { overflow-x: auto; }
figure { margin: 0; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--quiet); font-size: 13px; }
svg .label { fill: var(--text); }
.grid { stroke: var(--rule); stroke-width: 1; }
.axis { fill: none; stroke: var(--quiet); stroke-width: 1; }
.point { fill: var(--point); fill-opacity: .75; }
.mark { fill: var(--line); }
.line { fill: none; stroke: var(--line); stroke-width: 1.8; stroke-linejoin: round; }
.area { fill: var(--area); }
.bar { fill: var(--point); }
.point:hover, .mark:hover { stroke: var(--text); stroke-width: 2; fill-opacity: 1; }
.bar:hover { stroke: var(--text); stroke-width: 1.5; }
footer { margin-top: 2.5rem; }
@media (max-width: 30rem) {
  main { padding: 1rem .75rem 2rem; }
  .facts { gap: .5rem; }
  .facts dd { font-size: 1.05rem; }
  th, td { padding: .25rem .3rem; }
  table { font-size: .9rem; }
  svg text { font-size: 16px; }
}
@media print {
  :root { color-scheme: light; --ground: #fff; --panel: #fff; --text: #000; --quiet: #333; --rule: #bbb;
    --point: #2f6fbd; --line: #b0480f; --area: #f3d9c8; }
  body { font-size: 9.5pt; }
  main { max-width: none; padding: 0; }
  .side { grid-template-columns: 1fr 1fr; gap: 1rem 1.5rem; }
  .facts { gap: .5rem; }
  .facts div { flex-basis: 6rem; padding: .4rem .5rem; }
  figure, table, .facts { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
}
)";

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
  const std::string name = escaped(page.input == "-" ? "standard input" : page.input);
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{} - emgraph stats</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n"
      "<header>\n<h1>{}</h1>\n<p class=\"quiet\">Facts of a graph by a full scan, emgraph "
      "stats</p>\n</header>\n",
      name, page_style, name);
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
      "</footer>\n</main>\n</body>\n</html>\n";
  return text;
}

}  // namespace emgraph::apps
