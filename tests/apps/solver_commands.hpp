// SPDX-License-Identifier: MIT
// One command line for each thing that works in parallel.
#pragma once

#include <string>
#include <vector>

namespace emgraph::tests {

/// Read edges.bin and write solver_output.
inline const std::vector<std::string> solver_commands = {"sort edges.bin -u --no-loops -o out.npy",
                                                         "mis edges.bin -o out.npy",
                                                         "cc edges.bin -o out.npy",
                                                         "bfs edges.bin --root 0 -o out.npy",
                                                         "sssp edges.bin --root 0 --weights hash -o out.npy",
                                                         "mst edges.bin -o out.npy",
                                                         "triangles edges.bin --per-node out.npy",
                                                         "pagerank edges.bin --iterations 3 -o out.npy",
                                                         "cdlp edges.bin --iterations 3 -o out.npy",
                                                         "kcore edges.bin -o out.npy",
                                                         "scc edges.bin -o out.npy",
                                                         "convert edges.bin -o out.npy"};
inline const std::string solver_output = "out.npy";

}  // namespace emgraph::tests
