// SPDX-License-Identifier: MIT
// Ids of any size and with any gaps become 0 … n - 1, in the order of the ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/environment.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/source/record_source.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::relabel {

/// marked: a bit per possible id, one reading. sorted: an array of the distinct ids, one reading and a sort
/// of the ends. joined: the ids do not fit into memory; two sorts of the ends.
enum class Method { marked, sorted, joined };

constexpr std::string_view name(Method method) {
  switch (method) {
    case Method::marked:
      return "marked";
    case Method::sorted:
      return "sorted";
    case Method::joined:
      return "joined";
  }
  return "";
}

struct Options {
  /// Most lanes that will exist at the same time, as the source inside was opened for.
  unsigned max_lanes = 1;
  /// That one, or MemoryLimitError. Default: the first of them for which `table_bytes` suffice.
  std::optional<Method> method = std::nullopt;
  /// What the ids may keep of the memory while edges are read. 0: a quarter of what is free, so that those
  /// who read have at least 24 bytes per node: a solver that keeps something per node can still do so.
  std::size_t table_bytes = 0;
  /// Ids whose numbers are to be told.
  std::vector<std::uint64_t> asked = {};
};

struct Relabelled {
  /// The same edges in the same order, with numbers for ids. Declares their number and n; everything else
  /// that was declared still holds, because numbers grow with ids. Can be rewound.
  std::shared_ptr<format::RecordSource> source;
  Method method = Method::marked;
  std::string reason;
  /// Of the ids that were asked for; nothing where no edge has the id.
  std::vector<std::optional<std::uint64_t>> numbers = {};
};

/// n becomes the number of distinct ids: nodes without edges cannot be told from gaps and are no nodes any
/// more. `facts`: of `source`, which stands at its first edge. `map` (may be null) receives the original ids,
/// ascending: that of node 0 first.
/// I/O: an input that cannot be rewound is written to the temporary disks once and read from there. Then as
/// the method says, and the edges are read as they were before, or joined, from the temporary disks. Memory:
/// all that is free while it runs, `table_bytes` while the source lives (joined: none). Threads: all.
/// Throws: DataError, MemoryLimitError, EnvironmentError.
Relabelled relabel(core::Environment& environment, std::shared_ptr<format::RecordSource> source,
                   const EdgeFacts& facts, const Options& options, NodeSink<std::uint64_t>* map);

}  // namespace emgraph::graph::relabel
