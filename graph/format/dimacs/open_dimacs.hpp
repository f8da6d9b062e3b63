// SPDX-License-Identifier: MIT
// DIMACS graphs: .gr of the shortest path challenge, .col of the colouring challenge.
#pragma once

#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

bool is_dimacs(const FileStart& start);
/// `p sp`: arcs with i64 weights, directed; loops and parallel arcs as they stand. `p edge`, `p col`, `p N
/// M`: edges without weights. With OpenOptions::id_base the problem line may be missing.
Opened open_dimacs(core::Environment& environment, core::InputFile input, const Format& format,
                   const OpenOptions& options);
/// `p sp`; edges without weights get the weight 1, which the format cannot do without. Output that cannot be
/// rewritten (a pipe) needs declared counts. Throws UsageError, also for weights that are no integers.
std::unique_ptr<EdgeWriter> create_dimacs(const Creation& creation, const Format& format);

}  // namespace emgraph::graph::format
