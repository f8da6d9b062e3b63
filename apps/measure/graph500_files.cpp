// SPDX-License-Identifier: MIT
// Rows and plots of the searches of a Graph500 run.
#include "apps/measure/graph500_files.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "apps/page/html.hpp"
#include "apps/page/svg_plot.hpp"

namespace emgraph::apps {

namespace {

namespace graph500 = graph::graph500;
using Searches = std::vector<graph500::SearchRecord>;

double rate(const graph500::SearchRecord& search, bool with_loops) {
  return static_cast<double>(search.edges + (with_loops ? search.loops : 0)) / search.seconds;
}

std::string kernel_plot(const std::string& name, const Searches& searches) {
  double most = 0;
  std::vector<SvgPlot::Mark> marks;
  for (std::size_t i = 0; i < searches.size(); ++i) {
    const double teps = rate(searches[i], false);
    most = std::max(most, teps);
    marks.push_back({.x = static_cast<double>(i + 1),
                     .y = teps,
                     .title = fmt::format("root {}: {:.4g} TEPS in {:.4g} s", searches[i].root, teps,
                                          searches[i].seconds)});
  }
  SvgPlot plot({.label = "search", .least = 0, .largest = static_cast<double>(searches.size() + 1)},
               {.label = "traversed edges per second", .least = 0, .largest = most * 1.05},
               name + ": traversed edges per second of each search");
  plot.line(marks);
  const auto teps = graph500::teps(searches, false);
  return fmt::format(
      "<section>\n<h2>{}</h2>\n<p>Harmonic mean {:.4g} TEPS, standard error {:.2g}; loops are not "
      "counted.</p>\n{}</section>\n",
      escaped(name), teps.harmonic_mean, teps.harmonic_stddev, plot.text());
}

}  // namespace

std::string graph500_csv(const graph500::RunRecord& run) {
  std::string text =
      "kernel,search,root,seconds,edges_without_loops,loops,teps,teps_without_loops,validation_seconds,"
      "reached,"
      "levels,max_distance\n";
  const auto rows = [&](const char* kernel, const Searches& searches, bool distances) {
    for (std::size_t i = 0; i < searches.size(); ++i) {
      const graph500::SearchRecord& s = searches[i];
      text += fmt::format("{},{},{},{:.9g},{},{},{:.9g},{:.9g},{:.9g},{},{},{}\n", kernel, i, s.root,
                          s.seconds, s.edges, s.loops, rate(s, true), rate(s, false), s.validation_seconds,
                          s.reached, s.levels > 0 ? fmt::format("{}", s.levels) : std::string(),
                          distances ? fmt::format("{:.17g}", s.max_distance) : std::string());
    }
  };
  rows("bfs", run.bfs, false);
  rows("sssp", run.sssp, true);
  return text;
}

std::string graph500_page(const graph500::RunRecord& run) {
  const std::string title = fmt::format("Graph500, scale {}, edge factor {}", run.scale, run.edge_factor);
  std::string text = fmt::format("<h1>{}</h1>\n", title);
  if (!run.bfs.empty()) text += kernel_plot("Breadth-first search", run.bfs);
  if (!run.sssp.empty()) text += kernel_plot("Shortest paths", run.sssp);
  return html_page(title, text);
}

}  // namespace emgraph::apps
