// SPDX-License-Identifier: MIT
// An SVG plot for an HTML page: axes, points, lines, bars. Each mark has a tooltip that needs no script.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace emgraph::apps {

enum class Scale { linear, logarithmic };

struct Axis {
  std::string label;  ///< quantity and unit
  Scale scale = Scale::linear;
  double least = 0;    ///< least value; positive for a logarithmic axis
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
  /// Draws larger dots, for a line.
  void dots(const std::vector<Mark>& marks);
  /// Draws a line with a dot at each mark.
  void line(const std::vector<Mark>& marks);
  /// Draws a line without dots. Points closer than half a pixel are left out.
  void path(const std::vector<Mark>& marks);
  /// The area below a line.
  void area(const std::vector<Mark>& marks);
  /// Draws bars from the x axis upwards, each `width` wide around its x. Requires: marks are in the order of
  /// x.
  void bars(const std::vector<Mark>& marks, double width);

  std::string text() const;

 private:
  /// Position of a value in pixels, from the left and from the top.
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

/// Short text for ticks: "0", "250", "1 k", "2.5 M", "0.01", "10⁻⁶".
std::string tick_text(double value);

}  // namespace emgraph::apps
