// SPDX-License-Identifier: MIT
// emgraph's container as one of the formats.
#pragma once

#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

bool is_container(const FileStart& start);
Opened open_container(core::Environment& environment, core::InputFile input, const Format& format,
                      const OpenOptions& options);
std::unique_ptr<EdgeWriter> create_container(const Creation& creation, const Format& format);

}  // namespace emgraph::graph::format
