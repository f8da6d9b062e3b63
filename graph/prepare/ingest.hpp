// SPDX-License-Identifier: MIT
// Reads a source on all threads, checks the ids and counts the edges.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/function_ref.hpp"
#include "core/base/progress.hpp"
#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/prepare/largest_id.hpp"

namespace emgraph::graph::prepare {

/// A bound of the ids: none, a declared n (larger ids are bad data), or a guess.
struct IdBound {
  std::optional<std::uint64_t> below;
  bool guessed = false;
  std::string_view what = "the number of nodes";  ///< that `below` is, for messages

  IdBound() = default;
  // Implicit, because most callers pass a declared n or none.
  IdBound(std::nullopt_t) {}
  IdBound(std::uint64_t declared) : below(declared) {}
  IdBound(const std::optional<std::uint64_t>& declared) : below(declared) {}
  static IdBound guess(std::uint64_t below) {
    IdBound bound(below);
    bound.guessed = true;
    return bound;
  }
};

/// Thrown for an id that is not below a guessed bound. with_id_bound catches it and starts again without the
/// guess.
class GuessFailed final : public std::exception {
 public:
  const char* what() const noexcept override { return "an id is above all that were seen in the sample"; }
};

/// Counted while reading.
struct IngestFacts {
  std::uint64_t edges = 0;
  std::uint64_t largest_id = 0;  ///< 0 when there are no edges
  std::string name = {};         ///< of the source, for messages

  void merge(const IngestFacts& other) {
    edges += other.edges;
    largest_id = std::max(largest_id, other.largest_id);
    if (name.empty()) name = other.name;
  }
  /// `declared`, else largest id + 1, else 0.
  /// Throws DataError if that is 2^64.
  std::uint64_t nodes(const std::optional<std::uint64_t>& declared) const;
};

/// The error of check_ids. Requires: an id is not below the bound.
template <class Id>
[[noreturn]] void refuse_ids(const EdgeBatch<Id>& batch, const IdBound& bound, const BatchPlace& place);

/// Throws DataError, naming the edge, if an id of the batch is not below the declared n; GuessFailed if it is
/// not below a guess. Returns the largest id.
template <class Id>
std::uint64_t check_ids(const EdgeBatch<Id>& batch, const IdBound& bound, const BatchPlace& place) {
  const std::uint64_t largest = largest_id(batch);
  if (bound.below && !batch.empty() && largest >= *bound.below) refuse_ids(batch, bound, place);
  return largest;
}

/// Throws the DataError of an input whose second reading does not fit the first.
[[noreturn]] void refuse_changed(const std::string& name);

/// Threads that read and sort: all, or fewer if memory for their buffers is short.
unsigned working_threads(const core::Environment& environment, std::size_t row_bytes);

/// One lane per thread. Open them before a sorter takes the remaining memory.
template <class Id>
using Lanes = std::vector<EdgeLane<Id>>;

template <class Id>
Lanes<Id> open_lanes(core::Environment& environment, EdgeSource<Id>& source);

/// The edges of a batch from edge `from` on; `first`: number of its first edge.
template <class Id>
EdgeBatch<Id> from_edge(const EdgeBatch<Id>& batch, std::uint64_t first, std::uint64_t from) {
  if (first >= from) return batch;
  const auto skip = static_cast<std::size_t>(std::min<std::uint64_t>(batch.size(), from - first));
  return batch.subspan(skip, batch.size() - skip);
}

/// Starts at an edge not above `edge`, if the source can find it. Requires: no lane is inside next().
template <class Id>
void seek_edge(EdgeSource<Id>& source, std::uint64_t edge) {
  if (edge > 0 && source.rewindable()) source.seek(edge - 1);
}

/// A reading that pauses when the checkpoint is due, so that its caller can seal a state.
struct SealedReading {
  core::Checkpoint* checkpoint = nullptr;  ///< null: no pauses
  IngestFacts from = {};  ///< of the edges that an earlier run has read; the source was sought to their end
  /// Seals a state. All edges before number read.edges have been taken, no others; no lane is being read.
  /// Empty: nothing can be sealed, and the reading does not pause; it stops if the run is asked to stop.
  std::function<void(const IngestFacts& read)> seal = {};
};

/// ingest() with a callable of one type.
template <class Id>
IngestFacts ingest_batches(
    const Lanes<Id>& lanes, const std::string& name, const IdBound& bound, core::Phase& phase,
    core::FunctionRef<void(unsigned thread, const EdgeBatch<Id>& batch, std::uint64_t first_edge)> take,
    const SealedReading& sealed);

/// Reads every lane on a thread of its own, checks ids against the bound and calls
/// `take(thread, EdgeBatch<Id>)` for every batch, or `take(thread, EdgeBatch<Id>, number of its first edge)`.
/// Stops all threads on the first exception and rethrows it. Pauses for a checkpoint: all lanes stop; where a
/// lane has not taken an edge before the last one that was read, the lanes read on. Throws also
/// core::Stopped.
template <class Id, class Take>
IngestFacts ingest(const Lanes<Id>& lanes, const std::string& name, const IdBound& bound, core::Phase& phase,
                   Take&& take, const SealedReading& sealed = {}) {
  return ingest_batches<Id>(
      lanes, name, bound, phase,
      [&](unsigned thread, const EdgeBatch<Id>& batch, std::uint64_t first_edge) {
        if constexpr (std::invocable<Take&, unsigned, const EdgeBatch<Id>&, std::uint64_t>) {
          take(thread, batch, first_edge);
        } else {
          take(thread, batch);
        }
      },
      sealed);
}

/// For people: "unite: 12,345 of 99,999 edges are read".
std::string edges_read(const std::string& phase, std::uint64_t edges,
                       const std::optional<std::uint64_t>& all);

}  // namespace emgraph::graph::prepare
