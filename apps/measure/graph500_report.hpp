// SPDX-License-Identifier: MIT
// The statistics of the command graph500 as text and in its summary, for one process and for many.
#pragma once

#include <string>
#include <vector>

#include "apps/run/report.hpp"
#include "graph/graph500/statistics.hpp"

namespace emgraph::apps {

/// The block as the reference code prints it: values begin in column 33, the mark stands in column 30.
std::string graph500_block(const graph::graph500::RunRecord& run);

/// Adds the searches of a kernel and their rates. Nothing if it was not run.
void report_graph500_kernel(Report& report, const std::string& kernel,
                            const std::vector<graph::graph500::SearchRecord>& searches, bool distances);

}  // namespace emgraph::apps
