// SPDX-License-Identifier: MIT
// Text edge lists as formats.
#pragma once

#include "graph/format/format.hpp"

namespace emgraph::graph::format {

/// The name of the format says what the third column holds.
Opened open_text(core::Environment& environment, core::InputFile input, const Format& format,
                 const OpenOptions& options);
/// Tabs between columns, commas in .csv.
std::unique_ptr<EdgeWriter> create_text(const Creation& creation, const Format& format);

}  // namespace emgraph::graph::format
