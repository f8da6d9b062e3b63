// SPDX-License-Identifier: MIT
// What a sample of the edges tells of all ids, and the method that relabel() tries first by it.
//
// The number of nodes is known only after the edges have been read. It is estimated from a sample of the
// ends, as the greater of two estimates. Chao1 (Chao 1984, Scandinavian Journal of Statistics 11, 265-270) is
// a lower bound, and good if all nodes have about the same degree. GEE (Charikar, Chaudhuri, Motwani,
// Narasayya 2000, doi 10.1145/335168.335230) is off by sqrt(ends / sample) at most, whatever the degrees.
// The run and its plan use the same sample, so they choose the same method.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/memory/budget.hpp"
#include "graph/edge_source.hpp"
#include "graph/prepare/relabel/method.hpp"

namespace emgraph::graph::relabel {

/// How many of the ends of all edges are different.
struct DistinctEnds {
  std::uint64_t likely = 0;  ///< by the sample
  std::uint64_t most = 0;    ///< if nodes that the sample has once have no other end
};

/// `sample`: ids or hashes of some ends, from all parts of the input, or of all ends. `ends`: of all edges.
DistinctEnds estimate_distinct(std::vector<std::uint64_t> sample, std::uint64_t ends);

/// Of this many edges in a row one is taken: edges that are neighbours in a file often have the same source.
inline constexpr std::size_t edges_per_sampled = 8;

struct IdEstimate {
  std::uint64_t largest = 0;  ///< of the sample
  DistinctEnds distinct;
};

/// `source`: at its first edge. `edges`: of the input, perhaps estimated; 0: not known. A source that gives
/// no sample, and can be rewound, is looked at by its first edges. I/O: a sample of the edges. Memory: that
/// of the sample, up to an eighth of the free memory.
IdEstimate estimate_ids(core::MemoryBudget& memory, RecordSource& source, std::size_t id_bytes,
                        std::uint64_t edges);

/// The first method whose table of `table_bytes` may suffice. A wrong estimate costs only time.
Method first_method(const IdEstimate& ids, std::size_t table_bytes);
/// The same if the ids are too large to be marked.
Method method_of_large(const IdEstimate& ids, std::size_t table_bytes);

}  // namespace emgraph::graph::relabel
