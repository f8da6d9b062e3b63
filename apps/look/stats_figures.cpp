// SPDX-License-Identifier: MIT
// The figures of the page of stats: histograms as points, lines and bars, each with a caption.
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "apps/look/stats_parts.hpp"
#include "apps/page/html.hpp"
#include "apps/page/svg_plot.hpp"
#include "core/base/bytes.hpp"
#include "graph/stats/value_histogram.hpp"

namespace emgraph::apps {

namespace {

using core::format_count;
using graph::stats::LevelSizes;
using graph::stats::LogBin;
using graph::stats::ValueCount;
using graph::stats::ValueHistogram;
using Marks = std::vector<SvgPlot::Mark>;

/// With more levels bars would be too thin to point at, so an area is drawn.
constexpr std::size_t most_bars = 60;

std::string figure(const SvgPlot& plot, const std::string& title, const std::string& caption) {
  return fmt::format("<figure>\n<h3>{}</h3>\n{}<figcaption>{}</figcaption>\n</figure>\n", escaped(title),
                     plot.text(), escaped(caption));
}

std::string counted(std::uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", format_count(count), count == 1 ? one : many);
}

/// The words for a value and for what is counted by it.
struct Words {
  const char* value;       ///< "degree"
  const char* one;         ///< "node"
  const char* many;        ///< "nodes"
  const char* value_axis;  ///< "degree (neighbours)"
};

/// Draws counts of values above 0 as points, and their mean in doubling ranges as a line.
SvgPlot frequency_plot(const ValueHistogram& histogram, const Words& words, const std::string& description) {
  Marks points;
  std::vector<Marks> means(1);  // lines, broken where a range is empty
  double least = 1;
  double largest = 1;
  histogram.for_each([&](const ValueCount& entry) {
    if (entry.value == 0) return;
    points.push_back({static_cast<double>(entry.value), static_cast<double>(entry.count),
                      fmt::format("{} {}: {}", words.value, format_count(entry.value),
                                  counted(entry.count, words.one, words.many))});
    largest = std::max(largest, static_cast<double>(entry.count));
  });
  for (const LogBin& bin : graph::stats::log_bins(histogram)) {
    if (bin.first == 0) continue;
    if (bin.count == 0) {
      if (!means.back().empty()) means.emplace_back();
      continue;
    }
    const std::uint64_t last = std::min(bin.last, histogram.largest());
    const double mean = static_cast<double>(bin.count) / (static_cast<double>(last - bin.first) + 1);
    means.back().push_back(
        {std::sqrt(static_cast<double>(bin.first) * static_cast<double>(last)), mean,
         fmt::format("{} {}: {} {} each on average, {} in all", words.value, range_text(bin.first, last),
                     decimal(mean), words.many, format_count(bin.count))});
    least = std::min(least, mean);
  }
  SvgPlot plot({words.value_axis, Scale::logarithmic, 1, static_cast<double>(histogram.largest())},
               {words.many, Scale::logarithmic, least, largest}, description);
  plot.points(points);
  for (const Marks& line : means) plot.line(line);
  return plot;
}

}  // namespace

std::string degree_figure(const ValueHistogram& degrees) {
  if (degrees.largest() == 0) return {};
  const std::string description = fmt::format(
      "Nodes of each degree, on two logarithmic axes. Degrees go up to {}; the table of degrees has the "
      "figures.",
      format_count(degrees.largest()));
  return figure(
      frequency_plot(degrees, {"degree", "node", "nodes", "degree (neighbours)"}, description),
      "Nodes of each degree",
      "Points: nodes of a degree. Line: their mean over degrees 1, 2-3, 4-7, …, which is below 1 where most "
      "of these degrees have no node. Isolated nodes are not drawn.");
}

std::string tail_figure(const ValueHistogram& degrees) {
  if (degrees.largest() == 0) return {};
  Marks path;
  Marks marks;
  std::uint64_t left = degrees.total();
  const auto total = static_cast<double>(degrees.total());
  std::uint64_t next_mark = 1;
  degrees.for_each([&](const ValueCount& entry) {
    if (entry.value > 0) {
      const double share = static_cast<double>(left) / total;
      path.push_back({static_cast<double>(entry.value), share, ""});
      if (entry.value >= next_mark || entry.value == degrees.largest()) {
        marks.push_back({static_cast<double>(entry.value), share,
                         fmt::format("degree {} or more: {}, {}", format_count(entry.value),
                                     counted(left, "node", "nodes"), percent(left, degrees.total()))});
        next_mark = std::bit_floor(entry.value) * 2;
      }
    }
    left -= entry.count;
  });
  SvgPlot plot(
      {"degree (neighbours)", Scale::logarithmic, 1, static_cast<double>(degrees.largest())},
      {"share of nodes", Scale::logarithmic, path.back().y, 1},
      fmt::format("Share of nodes with at least so many neighbours, on two logarithmic axes, from {} at "
                  "degree {} down to {} at {}.",
                  percent(static_cast<std::uint64_t>(std::llround(path.front().y * total)), degrees.total()),
                  format_count(static_cast<std::uint64_t>(path.front().x)), decimal(path.back().y),
                  format_count(degrees.largest())));
  plot.path(path);
  plot.dots(marks);
  return figure(
      plot, "Nodes of at least a degree",
      "Share of all nodes with so many neighbours or more (complementary cumulative distribution).");
}

std::string component_figure(const ValueHistogram& sizes) {
  if (sizes.total() == 0) return {};
  const std::string description = fmt::format(
      "Components of each size, on two logarithmic axes. The largest has {} nodes; the table of components "
      "has the "
      "figures.",
      format_count(sizes.largest()));
  return figure(
      frequency_plot(sizes, {"size", "component", "components", "size (nodes)"}, description),
      "Components of each size",
      "Points: components of a size. Line: their mean over sizes 1, 2-3, 4-7, …, which is below 1 where "
      "most of these sizes have no component.");
}

std::string rank_figure(const graph::stats::ValueSpread& ranks) {
  if (ranks.hundredths.largest() == 0) return {};
  const std::string description =
      fmt::format("Nodes of each rank, on two logarithmic axes. The mean is 100, and the largest is {}.",
                  format_count(ranks.hundredths.largest()));
  return figure(
      frequency_plot(ranks.hundredths, {"rank", "node", "nodes", "rank (the mean is 100)"}, description),
      "Nodes of each rank",
      "Points: nodes of a rank, in hundredths of the mean. Line: their mean over ranks 1, 2-3, 4-7, …");
}

std::string level_figure(const LevelSizes& levels) {
  if (levels.sizes.empty()) return {};
  const auto width = static_cast<double>(levels.width);
  Marks marks;
  double largest = 0;
  for (std::size_t i = 0; i < levels.sizes.size(); ++i) {
    const std::uint64_t first = i * levels.width;
    const std::uint64_t last = std::min(first + levels.width, levels.levels) - 1;
    const double size = static_cast<double>(levels.sizes[i]) / (static_cast<double>(last - first) + 1);
    marks.push_back(
        {(static_cast<double>(i) + 0.5) * width - 0.5, size,
         fmt::format("level {}: {}", range_text(first, last), counted(levels.sizes[i], "node", "nodes"))});
    largest = std::max(largest, size);
  }
  const double end = static_cast<double>(levels.sizes.size()) * width - 0.5;
  SvgPlot plot({"level (edges from the root)", Scale::linear, -0.5, end},
               {"nodes per level", Scale::linear, 0, largest * 1.04},
               fmt::format("Nodes on each of {} levels of a breadth-first search, at most {} on one.",
                           format_count(levels.levels), decimal(largest)));
  if (marks.size() <= most_bars) {
    plot.bars(marks, 0.8 * width);
    return figure(plot, "Nodes on each level", "Levels of the breadth-first search from its root, level 0.");
  }
  plot.area(marks);
  plot.path(marks);
  return figure(plot, "Nodes on each level",
                levels.width == 1
                    ? std::string("Levels of the breadth-first search from its root, level 0.")
                    : fmt::format("Levels of the breadth-first search from its root, level 0; the mean of {} "
                                  "levels at a time.",
                                  format_count(levels.width)));
}

}  // namespace emgraph::apps
