// SPDX-License-Identifier: MIT
// The order of edges by comparing them, slow on purpose: do not benchmark.
#pragma once

#include <vector>

#include "graph/edge_facts.hpp"
#include "tests/support/record.hpp"

namespace emgraph::tests {

/// Sorts edges, then the weights of equal ones, then all attached bytes. Floating weights come in the total
/// order of IEEE 754: -NaN < -inf < ... < -0 < +0 < ... < inf < NaN. Other types of records:
/// sorted_edges.cpp.
template <class R>
void sort_records(std::vector<R>& edges, graph::EdgeOrder order, graph::WeightType type);

/// Do the edges have every fact that is declared of them?
bool facts_hold(const graph::EdgeFacts& facts, std::vector<graph::Edge64> edges);

}  // namespace emgraph::tests
