// SPDX-License-Identifier: MIT
// The figures of `stats --html`: a plot each, with a caption that says what is drawn.
#pragma once

#include <string>

#include "graph/stats/node_results.hpp"
#include "graph/stats/value_histogram.hpp"

namespace emgraph::apps {

/// Nodes of each degree, both axes logarithmic. Empty if no node has a neighbour.
std::string degree_figure(const graph::stats::ValueHistogram& degrees);
/// The share of nodes with at least so many neighbours, both axes logarithmic. Empty as above.
std::string tail_figure(const graph::stats::ValueHistogram& degrees);
/// Components of each size, both axes logarithmic. Empty if there is none.
std::string component_figure(const graph::stats::ValueHistogram& sizes);
/// Nodes on each level. Empty if none was reached.
std::string level_figure(const graph::stats::LevelSizes& levels);

}  // namespace emgraph::apps
