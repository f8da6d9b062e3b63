// SPDX-License-Identifier: MIT
// A plot as SVG for an HTML page: axes, points, lines, bars, each mark with a tooltip that needs no script.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace emgraph::apps {

enum class Scale { linear, logarithmic };

struct Axis {
  std::string label;  ///< quantity and unit
  Scale scale = Scale::linear;
  double least = 0;    ///< of the values; of a logarithmic axis above 0
  double largest = 1;  ///< at least `least`
};

/// Colours and fonts come from the classes of the page's style: grid, axis, point, mark, line, area, bar.
class SvgPlot {
 public:
  /// `description`: what is drawn, for readers who cannot see it. All texts are plain; they are escaped here.
  SvgPlot(Axis x, Axis y, std::string description);

  struct Mark {
    double x = 0;
    double y = 0;
    std::string title;  ///< the tooltip
  };
  /// Dots. Of those within two pixels only the first is drawn: at most 26,000, of some 100 bytes each.
  void points(const std::vector<Mark>& marks);
  /// Larger dots, for a line.
  void dots(const std::vector<Mark>& marks);
  /// A line with a dot at each mark.
  void line(const std::vector<Mark>& marks);
  /// A line alone. Points closer than half a pixel are left out.
  void path(const std::vector<Mark>& marks);
  /// The area below a line.
  void area(const std::vector<Mark>& marks);
  /// Bars from the x axis up, each `width` wide around its x; marks in the order of x.
  void bars(const std::vector<Mark>& marks, double width);

  std::string text() const;

 private:
  /// Pixels of a value, from the left and from the top.
  double left(double x) const;
  double top(double y) const;
  void dot(const Mark& mark, const char* kind, double radius);
  std::string outline(const std::vector<Mark>& marks) const;
  std::string frame() const;

  Axis x_;
  Axis y_;
  std::string description_;
  std::string body_;
};

/// "0", "250", "1 k", "2.5 M", "0.01", "10⁻⁶": short, for ticks.
std::string tick_text(double value);

}  // namespace emgraph::apps
