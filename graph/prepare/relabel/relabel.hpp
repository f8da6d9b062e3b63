// SPDX-License-Identifier: MIT
// Numbers the ids of edges 0 … n - 1 in ascending order; ids may be large and have gaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/environment.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/source/record_source.hpp"
#include "graph/prepare/relabel/method.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::relabel {

/// What a run is about to do.
struct Outlook {
  std::vector<std::string> phases;     ///< that are still to come
  std::uint64_t nodes = 0;             ///< n, estimated from a sample; 0: not known
  std::optional<std::uint64_t> edges;  ///< m, if it is known
};

struct Options {
  /// Upper bound of the lanes that exist at the same time; that for which the source was opened.
  unsigned max_lanes = 1;
  /// The number of edges where the source does not declare it, estimated; 0: not known.
  std::uint64_t likely_edges = 0;
  /// The method to use; MemoryLimitError if its table does not fit. Default: the first of the three whose
  /// table fits into `table_bytes`.
  std::optional<Method> method = std::nullopt;
  /// Memory for the table of ids while edges are read. 0: a quarter of the free memory. The reader of the
  /// edges then has at least 24 bytes per node, enough for a solver that keeps data per node.
  std::size_t table_bytes = 0;
  /// Ids whose numbers the caller needs.
  std::vector<std::uint64_t> asked = {};
  /// If set: called before the edges are read, and once more when a pipe has been.
  std::function<void(const Outlook&)> foresee = {};
};

struct Relabelled {
  /// The edges in the same order, with numbers for ids. Declares m and n. All other declared facts still
  /// hold, because the order of numbers is that of ids. Can be rewound.
  std::shared_ptr<format::RecordSource> source;
  Method method = Method::marked;
  std::string reason;
  /// The numbers of the ids in `asked`; nullopt if no edge has the id.
  std::vector<std::optional<std::uint64_t>> numbers = {};
};

/// n becomes the number of distinct ids: ids without edges get no number. `facts`: of `source`, which is at
/// its first edge. `map` (may be null) receives the original ids in ascending order. I/O: an input that
/// cannot be rewound is written to the temporary disks once and read from there. The rest depends on the
/// method. The resulting source reads the input again, or with `joined` the temporary disks. Memory: all free
/// memory during the call; `table_bytes` while the resulting source exists (joined: none). Threads: all.
/// Throws: DataError, MemoryLimitError, EnvironmentError.
Relabelled relabel(core::Environment& environment, std::shared_ptr<format::RecordSource> source,
                   const EdgeFacts& facts, const Options& options, NodeSink<std::uint64_t>* map);

}  // namespace emgraph::graph::relabel
