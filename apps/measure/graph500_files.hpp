// SPDX-License-Identifier: MIT
// The files of the command graph500: a row per search, and a page with plots.
#pragma once

#include <string>

#include "graph/graph500/statistics.hpp"

namespace emgraph::apps {

/// CSV: kernel, number, root, seconds, edges, loops, both TEPS, validation, reached nodes, levels, distance.
std::string graph500_csv(const graph::graph500::RunRecord& run);

/// An HTML page: TEPS over the roots, a plot for each kernel.
std::string graph500_page(const graph::graph500::RunRecord& run);

}  // namespace emgraph::apps
