// SPDX-License-Identifier: MIT
// Rows of pairs as formats: headerless, and in NumPy arrays.
#pragma once

#include "graph/format/source/row_reader.hpp"
#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

/// The name of the format says what a row holds (raw_layout.hpp).
Opened open_raw(core::Environment& environment, core::InputFile input, const Format& format,
                const OpenOptions& options);
/// Rows of `format` behind options.skip_bytes, from a file or a pipe.
Opened open_rows(core::Environment& environment, core::InputFile input, const EdgeFacts& facts,
                 const RowFormat& format, const OpenOptions& options);
/// A format without weight drops weight and payload of edges with weights.
std::unique_ptr<EdgeWriter> create_raw(const Creation& creation, const Format& format);

bool is_npy_file(const FileStart& start);
Opened open_npy(core::Environment& environment, core::InputFile input, const Format& format,
                const OpenOptions& options);
std::unique_ptr<EdgeWriter> create_npy(const Creation& creation, const Format& format);

}  // namespace emgraph::graph::format
