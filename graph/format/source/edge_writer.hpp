// SPDX-License-Identifier: MIT
// The interface of writers of edge files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/base/error.hpp"
#include "core/io/state_stream.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::format {

/// Encodes records as bytes of a file before they are appended in order. Not thread-safe; one per thread.
class RecordEncoder {
 public:
  virtual ~RecordEncoder() = default;
  /// Encodes as many of the records as fit, at least one; returns their number.
  virtual std::size_t encode(const core::PairShape& shape, const std::byte* records, std::size_t count) = 0;
  /// The bytes of the last encode(), and their number of records.
  std::span<const std::byte> encoded() const { return encoded_; }
  std::size_t records() const { return records_; }

 protected:
  std::span<const std::byte> encoded_;
  std::size_t records_ = 0;
};

// What writers refuse. `edge`: its number, from 0 on.

/// Throws DataError: this edge of the output `file` has an id that is not below the declared n.
[[noreturn]] void refuse_written_id(const std::string& file, std::uint64_t edge, std::uint64_t id,
                                    std::uint64_t bound);
/// Throws std::logic_error: this edge is a loop, or not above the one before.
[[noreturn]] void refuse_written_order(std::uint64_t edge);
/// Throws std::logic_error if the number of appended edges is not the declared one.
void check_declared_edges(const std::optional<std::uint64_t>& declared, std::uint64_t appended);

/// Not thread-safe. Destruction without finish() removes the output.
class EdgeWriter {
 public:
  virtual ~EdgeWriter() = default;

  /// Requires: shape.attachment_bytes is at least the layout's. Throws IdTooWide (an id does not fit the
  /// layout), DataError (an id is not below the declared n), EnvironmentError, BrokenPipe; possibly for
  /// earlier appends. A declared fact that does not hold (order, unique, …) is a bug of the caller:
  /// std::logic_error.
  virtual void append_records(const core::PairShape& shape, const std::byte* records, std::size_t count) = 0;

  /// Takes the memory that the first append_records() would take.
  virtual void reserve_buffers() {}

  /// For writers whose work on the records is worth sharing; nullptr: append_records() is all there is.
  /// Encoders may be used while other threads append. Their memory is reserved here.
  virtual std::unique_ptr<RecordEncoder> encoder() { return nullptr; }
  /// In place of append_records(), for what an encoder of this writer made. As append_records().
  virtual void append_encoded(const RecordEncoder& /*encoder*/) {}

  /// Ids must be below this, whatever n is; nullopt: 8 bytes are stored.
  virtual std::optional<std::uint64_t> id_limit() const { return std::nullopt; }

  /// Sets a lower bound of n: dropped loops may have had larger ids than all appended edges. For formats that
  /// store n. Requires: finish() was not called.
  virtual void at_least_nodes(std::uint64_t /*nodes*/) {}

  /// True if save() and restore() work.
  virtual bool resumable() const { return false; }
  /// Writes what is buffered to the file and describes the output so far. Requires: resumable().
  virtual void save(core::StateWriter& /*state*/) {}
  /// Continues an output that save() has described. Requires: nothing was appended; same facts and options.
  /// Throws EnvironmentError if the file is not as described.
  virtual void restore(core::StateReader& /*state*/) {}

  /// Completes the output. Without it there is no output.
  virtual void finish() = 0;

  /// Edges appended so far.
  virtual std::uint64_t edges() const = 0;
  /// Bytes of the output so far; after finish() its final size.
  virtual std::uint64_t bytes() const = 0;
};

/// True if the edges are stored in one direction only. They must be declared ascending by (source, target),
/// unique, without loops, and either symmetric or directed, else UsageError with `path`.
inline bool directed_adjacency(const EdgeFacts& facts, const std::string& path) {
  const bool directed = facts.directed && !facts.symmetric;
  if (facts.order != EdgeOrder::source_target || !facts.unique || !facts.no_loops ||
      !(facts.symmetric || directed)) {
    throw core::UsageError(
        path +
        ": an adjacency holds sorted edges without loops and duplicates, in both directions "
        "unless they are directed; emgraph convert makes it of any edges");
  }
  return directed;
}

}  // namespace emgraph::graph::format
