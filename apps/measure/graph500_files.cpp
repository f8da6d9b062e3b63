// SPDX-License-Identifier: MIT
// Rows and plots of the searches of a Graph500 run.
#include "apps/measure/graph500_files.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "apps/files/output_check.hpp"
#include "apps/page/html.hpp"
#include "apps/page/svg_plot.hpp"
#include "core/io/output_file.hpp"

namespace emgraph::apps {

namespace {

namespace graph500 = graph::graph500;
using Searches = std::vector<graph500::SearchRecord>;

constexpr std::string_view plot_page_style = R"(
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #222; background: #fff; }
svg { width: 100%; height: auto; }
svg text { font-size: 12px; fill: #555; }
.grid { stroke: #e2e2e2; }
.axis { stroke: #888; }
.point, .mark { fill: #1f6fb4; }
.line { fill: none; stroke: #1f6fb4; stroke-width: 1.5; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #161616; } svg text { fill: #aaa; } .grid { stroke: #333; } }
)";

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
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>\n"
      "<style>{}</style>\n</head>\n<body>\n<h1>{}</h1>\n",
      title, plot_page_style, title);
  if (!run.bfs.empty()) text += kernel_plot("Breadth-first search", run.bfs);
  if (!run.sssp.empty()) text += kernel_plot("Shortest paths", run.sssp);
  return text + "</body>\n</html>\n";
}

void write_text_output(Session& session, const std::string& path, const std::string& text) {
  if (path.empty()) return;
  core::Environment& environment = session.environment();
  core::OutputFile file(path, overwrite(session.options()), environment.memory, environment.io,
                        environment.outputs);
  file.append(std::as_bytes(std::span(text)));
  file.finish();
}

}  // namespace emgraph::apps
