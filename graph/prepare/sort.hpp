// SPDX-License-Identifier: MIT
// Sorting and simplifying an edge source: the `sort` and `dedup` commands.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/forecast.hpp"
#include "graph/memory_model.hpp"
#include "graph/prepare/kept_output.hpp"

namespace emgraph::graph::prepare {

enum class Orientation { as_stored, low, degree };

struct SortOptions {
  EdgeOrder order = EdgeOrder::source_target;
  bool unique = false;  ///< one edge per (source, target): the one with the least weight, then payload bytes
  /// Every edge in both directions. No effect if declared symmetric, unless edges with weights are made
  /// unique: both directions then get the lightest weight of either.
  bool symmetrize = false;
  bool no_loops = false;
  Orientation orientation =
      Orientation::as_stored;  ///< low: source <= target; degree: (degree, id) ascending
  std::optional<std::uint64_t> nodes = std::nullopt;  ///< ids must be below this
};

struct SortResult {
  std::uint64_t nodes = 0;  ///< declared, or largest id + 1
  std::uint64_t edges = 0;  ///< as read
  std::uint64_t edges_out = 0;
  std::uint64_t duplicates_removed = 0;
  std::uint64_t loops_removed = 0;
  bool sorted_input_reused = false;  ///< the input has the wanted order: nothing was sorted
  ModelChoice choice;                ///< external if anything was spilled
};

/// True if edges with `attachment_bytes` from a source with these facts are doubled.
inline bool doubles_edges(const SortOptions& options, const EdgeFacts& facts, std::size_t attachment_bytes) {
  const bool weighted = facts.layout.weight != WeightType::none && attachment_bytes > 0;
  return options.symmetrize && (!facts.symmetric || (options.unique && weighted));
}

/// The facts of the output (order, unique, …) that follow from the options and the facts of the input.
EdgeFacts sorted_facts(const EdgeFacts& input, const SortOptions& options);

/// Receives a batch of records of the given shape.
using RecordConsumer = std::function<void(const core::PairShape&, const RecordBatch&)>;

/// Sends the sorted edges, with the attachments of the source, to `consume` in batches, in order, from the
/// calling thread. Ties in the order are broken by the rest of the record, so the output does not depend on
/// threads, memory or disks. `kept`: with a checkpoint in the environment, the output that goes on with the
/// sort; not with order by weight or orientation by degree (std::logic_error). Throws core::Stopped.
template <class Id>
SortResult sort(core::Environment& environment, EdgeSource<Id>& edges, const SortOptions& options,
                const RecordConsumer& consume, const KeptOutput* kept = nullptr);

/// What sort() would do with a source of this size. The memory is that of environment.memory.peak()
/// (graph/forecast.hpp). I/O: a sample of the edges. Throws as sort() before its first edge.
template <class Id>
Forecast forecast_sort(core::Environment& environment, EdgeSource<Id>& edges, const SortOptions& options,
                       const InputSize& size);

}  // namespace emgraph::graph::prepare
