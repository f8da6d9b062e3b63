// SPDX-License-Identifier: MIT
// Compares a result with the reference output of a data set, by the rules of the benchmark.
//
// Method: the lines of the reference are sorted by vertex and walk along with the ids of the vertices and
// the values, both in node order. Labels need one or two further sorts: a label is a number of emgraph on one
// side and any number on the other. Source of the rules: LDBC Graphalytics 1.0, arXiv 2011.15028,
// section 2.5.
//
// I/O: reads the reference and the values once; O(sort(n)). Memory: all that is free. Threads: one reads, all
// sort.
#pragma once

#include <string>

#include "core/environment.hpp"
#include "graph/node_words.hpp"

namespace emgraph::graph::graphalytics {

/// exact: equal integers. same_labels: a value is a vertex, and the reference has its id. equivalence: two
/// vertices have equal values where the reference has equal values, and only there. epsilon: doubles within
/// 1e-4, relative to the reference.
enum class Match { exact, same_labels, equivalence, epsilon };

/// Empty, or what is wrong first. Throws: DataError (a line of the reference, a vertex that it lacks),
/// MemoryLimitError, EnvironmentError.
std::string compare(core::Environment& environment, Match match, const std::string& reference,
                    const NodeWords& ids, const NodeWords& values);

}  // namespace emgraph::graph::graphalytics
