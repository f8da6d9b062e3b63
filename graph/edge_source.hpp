// SPDX-License-Identifier: MIT
// Where edges come from: file, pipe or generator, read by one or many threads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/edge_facts.hpp"
#include "graph/types.hpp"

namespace emgraph::graph {

/// One thread's view of a source. All lanes of a source share its cursor: a batch goes to exactly one lane.
/// With a single lane the batches come in input order.
template <class R>
class EdgeLane {
 public:
  virtual ~EdgeLane() = default;
  /// Next batch (valid until the next call on this lane), empty at the end. Heavy work (decoding, checksums,
  /// generating) runs in the calling thread outside the source's lock. Lanes run in parallel.
  /// Throws DataError (corrupt input), EnvironmentError.
  virtual std::span<const R> next() = 0;
  /// Number in the input (0-based) of the first edge of the latest batch.
  virtual std::uint64_t first_edge() const = 0;
};

/// R is a Record<Id, A>. A source with more bytes per edge than A drops payload first, then weight.
template <class R>
class EdgeSource {
 public:
  virtual ~EdgeSource() = default;
  virtual const EdgeFacts& facts() const = 0;
  /// Memory for the lane is reserved here. At most `max_lanes` given to the opener may exist.
  virtual std::unique_ptr<EdgeLane<R>> lane() = 0;
  /// Can the edges be read again?
  virtual bool rewindable() const = 0;
  /// Starts again at the first edge. No lane may be inside next().
  virtual void rewind() = 0;
  /// About `count` edges spread over the whole input, or fewer, or none where that would consume the input
  /// (pipes). Used to balance buckets, so any bias costs time only.
  virtual std::vector<R> sample(std::size_t count) = 0;
};

}  // namespace emgraph::graph
