// SPDX-License-Identifier: MIT
// Reads a source on all threads, checks the ids and counts the edges.
#pragma once

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/base/progress.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/prepare/largest_id.hpp"

namespace emgraph::graph::prepare {

/// A bound of the ids: none, a declared n (larger ids are bad data), or a guess.
struct IdBound {
  std::optional<std::uint64_t> below;
  bool guessed = false;

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
  std::uint64_t nodes(const std::optional<std::uint64_t>& declared) const {
    if (!declared && largest_id == ~std::uint64_t{0}) {
      throw core::DataError((name.empty() ? name : name + ": ") +
                            "id 18446744073709551615 found, expected ids below it: n would not fit 64 bits");
    }
    return declared ? *declared : edges == 0 ? 0 : largest_id + 1;
  }
};

/// Throws DataError, naming the edge, if an id of the batch is not below the declared n; GuessFailed if it is
/// not below a guess. Returns the largest id.
template <class Id>
std::uint64_t check_ids(const EdgeBatch<Id>& batch, const IdBound& bound, const BatchPlace& place) {
  const std::uint64_t largest = largest_id(batch);
  if (!bound.below || batch.empty() || largest < *bound.below) return largest;
  if (bound.guessed) throw GuessFailed();
  const std::uint64_t nodes = *bound.below;
  std::size_t bad = 0;
  while (std::max<std::uint64_t>(batch[bad].source, batch[bad].target) < nodes) ++bad;
  throw core::DataError(*place.file + ": edge " + std::to_string(place.first_edge + bad) + ": id " +
                        std::to_string(std::max<std::uint64_t>(batch[bad].source, batch[bad].target)) +
                        " found, expected ids below the number of nodes, " + std::to_string(nodes));
}

/// Threads that read and sort: all, or fewer if memory for their buffers is short.
inline unsigned working_threads(const core::Environment& environment, std::size_t row_bytes) {
  const std::size_t least_share_bytes = 32 * 1024 * row_bytes;
  const std::size_t affordable = std::max<std::size_t>(1, environment.memory.available() / least_share_bytes);
  return static_cast<unsigned>(std::min<std::size_t>(environment.threads, affordable));
}

/// One lane per thread. Open them before a sorter takes the remaining memory.
template <class Id>
using Lanes = std::vector<EdgeLane<Id>>;

template <class Id>
Lanes<Id> open_lanes(core::Environment& environment, EdgeSource<Id>& source) {
  Lanes<Id> lanes;
  const unsigned threads = working_threads(environment, source.shape().row_bytes);
  for (unsigned thread = 0; thread < threads; ++thread) lanes.push_back(source.lane());
  return lanes;
}

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
  std::function<void(const IngestFacts& read)> seal = {};
};

/// Reads on all lanes until the checkpoint is due or the end, and notes lanes that have ended. Edges before
/// `from` were taken by an earlier run. `end`: behind the last edge that any lane has given so far. Returns
/// true if what was read is a prefix of the input: lanes that give a batch in pieces may hold earlier edges.
template <class Id, class Take>
bool read_until_due(const Lanes<Id>& lanes, const std::string& name, const IdBound& bound, core::Phase& phase,
                    const core::Checkpoint* checkpoint, std::uint64_t from, IngestFacts& read,
                    std::uint64_t& end, std::vector<char>& ended, Take& take) {
  std::vector<IngestFacts> facts(lanes.size());
  std::vector<std::uint64_t> ends(lanes.size(), end);
  std::atomic<bool> pause{false};
  core::run_on_threads(static_cast<unsigned>(lanes.size()), [&](unsigned thread) {
    try {
      const EdgeLane<Id>& lane = lanes[thread];
      while (!ended[thread] && !pause.load(std::memory_order_relaxed)) {
        const EdgeBatch<Id> all = lane.next();
        if (all.empty()) {
          ended[thread] = 1;
          return;
        }
        const std::uint64_t first = lane.first_edge();
        const EdgeBatch<Id> batch = from_edge(all, first, from);
        ends[thread] = std::max(ends[thread], first + all.size());
        facts[thread].merge({batch.size(), check_ids(all, bound, lane.place(name))});
        if constexpr (std::invocable<Take&, unsigned, const EdgeBatch<Id>&, std::uint64_t>) {
          take(thread, batch, std::max(first, from));
        } else {
          take(thread, batch);
        }
        phase.advance(batch.size());
        if (checkpoint != nullptr && checkpoint->due()) pause = true;
      }
    } catch (...) {
      pause = true;
      throw;
    }
  });
  for (const IngestFacts& part : facts) read.merge(part);
  end = *std::max_element(ends.begin(), ends.end());
  return read.edges == end;
}

/// Reads every lane on a thread of its own, checks ids against the bound and calls
/// `take(thread, EdgeBatch<Id>)` for every batch, or `take(thread, EdgeBatch<Id>, number of its first edge)`.
/// Stops all threads on the first exception and rethrows it. Pauses for a checkpoint: all lanes stop; where a
/// lane has not taken an edge before the last one that was read, the lanes read on. Throws also
/// core::Stopped.
template <class Id, class Take>
IngestFacts ingest(const Lanes<Id>& lanes, const std::string& name, const IdBound& bound, core::Phase& phase,
                   Take&& take, const SealedReading& sealed = {}) {
  IngestFacts read = sealed.from;
  read.name = name;
  phase.advance(read.edges);
  std::vector<char> ended(lanes.size(), 0);
  std::uint64_t end = sealed.from.edges;
  for (;;) {
    const bool prefix = read_until_due(lanes, name, bound, phase, sealed.checkpoint, sealed.from.edges, read,
                                       end, ended, take);
    if (std::all_of(ended.begin(), ended.end(), [](char lane) { return lane != 0; })) return read;
    if (prefix) {
      sealed.seal(read);
    } else {
      sealed.checkpoint->stop_if_asked();
    }
  }
}

/// For people: "unite: 12,345 of 99,999 edges are read".
inline std::string edges_read(const std::string& phase, std::uint64_t edges,
                              const std::optional<std::uint64_t>& all) {
  return phase + ": " + core::format_count(edges) + (all ? " of " + core::format_count(*all) : "") +
         " edges are read";
}

}  // namespace emgraph::graph::prepare
