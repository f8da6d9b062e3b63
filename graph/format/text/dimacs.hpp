// SPDX-License-Identifier: MIT
// DIMACS graphs: .gr of the shortest path challenge, .col of the colouring challenge.
#pragma once

#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

bool is_dimacs(const FileStart& start);
/// `p sp`: directed arcs with i64 weights, including loops and parallel arcs. `p edge`, `p col`, `p N M`:
/// edges without weights. With OpenOptions::id_base the problem line may be missing.
Opened open_dimacs(core::Environment& environment, core::InputFile input, const Format& format,
                   const OpenOptions& options);
/// Writes `p sp`. Edges without weights get the weight 1, because the format requires weights. Output that
/// cannot be rewritten (a pipe) needs declared counts. Throws UsageError, also for weights that are not
/// integers.
std::unique_ptr<EdgeWriter> create_dimacs(const Creation& creation, const Format& format);

}  // namespace emgraph::graph::format
