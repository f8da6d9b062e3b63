// SPDX-License-Identifier: MIT
// Draws scales, ticks and marks.
#include "apps/page/svg_plot.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "apps/page/html.hpp"

namespace emgraph::apps {

namespace {

// Pixels of the drawing; a page shows it in any size.
constexpr double width = 480;
constexpr double height = 330;
constexpr double margin_left = 68;
constexpr double margin_right = 26;
constexpr double margin_top = 12;
constexpr double margin_bottom = 52;
/// Of points closer than this only one is drawn.
constexpr double cell_pixels = 2;

/// Extends an axis to round values.
Axis rounded(Axis axis) {
  if (axis.scale == Scale::logarithmic) {
    axis.least = std::pow(10, std::floor(std::log10(axis.least)));
    axis.largest = std::pow(10, std::ceil(std::log10(axis.largest)));
    if (axis.largest <= axis.least) axis.largest = 10 * axis.least;
  } else if (axis.largest <= axis.least) {
    axis.largest = axis.least + 1;
  }
  return axis;
}

/// The position of a value on the axis: 0 for the least value, 1 for the largest.
double place(const Axis& axis, double value) {
  if (axis.scale == Scale::linear) return (value - axis.least) / (axis.largest - axis.least);
  return std::log(value / axis.least) / std::log(axis.largest / axis.least);
}

std::vector<double> ticks(const Axis& axis) {
  std::vector<double> values;
  if (axis.scale == Scale::logarithmic) {
    const int first = static_cast<int>(std::lround(std::log10(axis.least)));
    const int last = static_cast<int>(std::lround(std::log10(axis.largest)));
    const int step = (last - first + 5) / 6;  // at most seven
    // There is always a tick at 1.
    for (int power = first + (step - first % step) % step; power <= last; power += step) {
      const double value = std::pow(10, power);
      values.push_back(value);
      if (last - first > 2 || power == last) continue;
      values.push_back(2 * value);
      values.push_back(5 * value);
    }
    return values;
  }
  const double rough = (axis.largest - axis.least) / 6;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double parts = rough / power;
  const double nice = std::max(1.0, parts <= 1   ? power
                                    : parts <= 2 ? 2 * power
                                    : parts <= 5 ? 5 * power
                                                 : 10 * power);
  const double end = axis.largest + nice * 1e-6;
  for (double step = std::ceil(axis.least / nice); step * nice <= end; step += 1) {
    values.push_back(step * nice + 0.0);  // no -0
  }
  return values;
}

}  // namespace

std::string tick_text(double value) {
  if (value > 0 && value < 0.005) {
    constexpr std::array digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const auto power = static_cast<int>(std::floor(std::log10(value) + 1e-9));
    const double factor = value / std::pow(10, power);
    std::string text = factor < 1.5 ? "10⁻" : fmt::format("{:g}·10⁻", factor);
    for (const char digit : std::to_string(-power)) text += digits[static_cast<std::size_t>(digit - '0')];
    return text;
  }
  if (value > 0 && value < 1) return fmt::format("{:g}", value);
  constexpr std::pair<double, const char*> units[] = {{1e18, "E"}, {1e15, "P"}, {1e12, "T"},
                                                      {1e9, "G"},  {1e6, "M"},  {1e3, "k"}};
  for (const auto& [unit, name] : units) {
    if (value >= unit) return fmt::format("{:g} {}", value / unit, name);
  }
  return fmt::format("{:g}", value);
}

SvgPlot::SvgPlot(Axis x, Axis y, std::string description)
    : x_(rounded(std::move(x))), y_(rounded(std::move(y))), description_(std::move(description)) {}

double SvgPlot::left(double x) const {
  return margin_left + place(x_, x) * (width - margin_left - margin_right);
}

double SvgPlot::top(double y) const {
  return height - margin_bottom - place(y_, y) * (height - margin_top - margin_bottom);
}

void SvgPlot::dot(const Mark& mark, const char* kind, double radius) {
  body_ +=
      fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{}</title></circle>\n",
                  kind, left(mark.x), top(mark.y), radius, escaped(mark.title));
}

void SvgPlot::points(const std::vector<Mark>& marks) {
  std::set<std::pair<long, long>> taken;
  for (const Mark& mark : marks) {
    const auto cell =
        std::pair(std::lround(left(mark.x) / cell_pixels), std::lround(top(mark.y) / cell_pixels));
    if (taken.insert(cell).second) dot(mark, "point", 2.4);
  }
}

std::string SvgPlot::outline(const std::vector<Mark>& marks) const {
  std::string path;
  double drawn_left = 0;
  double drawn_top = 0;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const double to_left = left(marks[i].x);
    const double to_top = top(marks[i].y);
    const bool near = std::abs(to_left - drawn_left) < 0.5 && std::abs(to_top - drawn_top) < 0.5;
    if (near && i > 0 && i + 1 < marks.size()) continue;
    if (path.empty()) {
      path = fmt::format("M{:.1f} {:.1f}", to_left, to_top);
    } else {
      path += fmt::format("L{:.1f} {:.1f}", to_left, to_top);
    }
    drawn_left = to_left;
    drawn_top = to_top;
  }
  return path;
}

void SvgPlot::path(const std::vector<Mark>& marks) {
  if (!marks.empty()) body_ += fmt::format("<path class=\"line\" d=\"{}\"/>\n", outline(marks));
}

void SvgPlot::line(const std::vector<Mark>& marks) {
  path(marks);
  dots(marks);
}

void SvgPlot::dots(const std::vector<Mark>& marks) {
  for (const Mark& mark : marks) dot(mark, "mark", 3);
}

void SvgPlot::area(const std::vector<Mark>& marks) {
  if (marks.empty()) return;
  body_ += fmt::format("<path class=\"area\" d=\"{}V{:.1f}H{:.1f}Z\"/>\n", outline(marks),
                       height - margin_bottom, left(marks.front().x));
}

void SvgPlot::bars(const std::vector<Mark>& marks, double bar_width) {
  for (const Mark& mark : marks) {
    const double from = left(mark.x - bar_width / 2);
    const double to = left(mark.x + bar_width / 2);
    const double upper = top(mark.y);
    body_ += fmt::format(
        "<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{:.1f}\"><title>{}</title></rect>\n",
        from, upper, to - from, height - margin_bottom - upper, escaped(mark.title));
  }
}

std::string SvgPlot::frame() const {
  std::string text;
  const double right = width - margin_right;
  const double bottom = height - margin_bottom;
  for (const double value : ticks(x_)) {
    const double at = left(value);
    text +=
        fmt::format("<line class=\"grid\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>\n",
                    at, margin_top, bottom);
    text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", at, bottom + 18,
                        tick_text(value));
  }
  for (const double value : ticks(y_)) {
    const double at = top(value);
    text +=
        fmt::format("<line class=\"grid\" x1=\"{1:.1f}\" y1=\"{0:.1f}\" x2=\"{2:.1f}\" y2=\"{0:.1f}\"/>\n",
                    at, margin_left, right);
    text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", margin_left - 7,
                        at + 4.5, tick_text(value));
  }
  text += fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\"/>\n", margin_left, margin_top,
                      bottom, right);
  text += fmt::format("<text class=\"label\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                      (margin_left + right) / 2, height - 10, escaped(x_.label));
  text += fmt::format(
      "<text class=\"label\" transform=\"translate(16 {:.1f}) rotate(-90)\" "
      "text-anchor=\"middle\">{}</text>\n",
      (margin_top + bottom) / 2, escaped(y_.label));
  return text;
}

std::string SvgPlot::text() const {
  return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}{}</svg>\n", width,
                     height, escaped(description_), frame(), body_);
}

}  // namespace emgraph::apps
