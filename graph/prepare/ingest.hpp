// SPDX-License-Identifier: MIT
// Reads a source on all threads, checks the ids and counts the edges.
#pragma once

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/base/progress.hpp"
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

/// Reads every lane on a thread of its own, checks ids against the bound and calls
/// `take(thread, EdgeBatch<Id>)` for every batch, or `take(thread, EdgeBatch<Id>, number of its first edge)`.
/// Stops all threads on the first exception and rethrows it.
template <class Id, class Take>
IngestFacts ingest(const Lanes<Id>& lanes, const std::string& name, const IdBound& bound, core::Phase& phase,
                   Take&& take) {
  const auto threads = static_cast<unsigned>(lanes.size());
  std::vector<IngestFacts> facts(threads);
  std::atomic<bool> stop{false};
  core::run_on_threads(threads, [&](unsigned thread) {
    try {
      const EdgeLane<Id>& lane = lanes[thread];
      while (!stop.load(std::memory_order_relaxed)) {
        const EdgeBatch<Id> batch = lane.next();
        if (batch.empty()) break;
        facts[thread].merge({batch.size(), check_ids(batch, bound, lane.place(name))});
        if constexpr (std::invocable<Take&, unsigned, const EdgeBatch<Id>&, std::uint64_t>) {
          take(thread, batch, lane.first_edge());
        } else {
          take(thread, batch);
        }
        phase.advance(batch.size());
      }
    } catch (...) {
      stop.store(true);
      throw;
    }
  });
  IngestFacts all;
  all.name = name;
  for (const IngestFacts& part : facts) all.merge(part);
  return all;
}

}  // namespace emgraph::graph::prepare
