// SPDX-License-Identifier: MIT
// The interface of edge sources (file, pipe, generator), read by one or many threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/io/codec_pairs.hpp"
#include "graph/edge_facts.hpp"
#include "graph/types.hpp"

namespace emgraph::graph {

/// Edge records in memory: source, target, then `attachment_bytes`; rows start at multiples of an id.
inline core::PairShape record_shape(std::size_t id_bytes, std::size_t attachment_bytes) {
  return {.integer_bytes = id_bytes,
          .attachment_bytes = attachment_bytes,
          .row_bytes = core::round_up(2 * id_bytes + attachment_bytes, id_bytes)};
}

/// The shape for complete edges of this layout.
inline core::PairShape record_shape(const EdgeLayout& layout) {
  return record_shape(layout.id_bytes, layout.attachment_bytes());
}

/// Source (`end` 0) or target (1) of a record.
inline std::uint64_t id_at(const core::PairShape& shape, const std::byte* record, std::size_t end) {
  if (shape.integer_bytes == 4) {
    std::uint32_t id = 0;
    std::memcpy(&id, record + end * 4, 4);
    return id;
  }
  std::uint64_t id = 0;
  std::memcpy(&id, record + end * 8, 8);
  return id;
}

/// Requires: the id fits.
inline void set_id(const core::PairShape& shape, std::byte* record, std::size_t end, std::uint64_t id) {
  if (shape.integer_bytes == 4) {
    const auto narrow = static_cast<std::uint32_t>(id);
    std::memcpy(record + end * 4, &narrow, 4);
  } else {
    std::memcpy(record + end * 8, &id, 8);
  }
}

/// Records in the requested shape, aligned for their ids.
struct RecordBatch {
  const std::byte* records = nullptr;
  std::size_t count = 0;
};

/// Where the edges of a batch are, for messages.
struct BatchPlace {
  const std::string* file = nullptr;  ///< its name; null: that of the source
  std::uint64_t first_edge = 0;       ///< number in the file of the first edge
};

/// Reads a source in one thread. All lanes of a source share its cursor: a batch goes to exactly one lane. A
/// single lane returns the batches in input order.
class RecordLane {
 public:
  virtual ~RecordLane() = default;
  /// The next batch (valid until the next call on this lane), count 0 at the end. Decoding, checksums and
  /// generation run in the calling thread without the lock of the source, so lanes run in parallel.
  /// Throws DataError (corrupt input), EnvironmentError.
  virtual RecordBatch next() = 0;
  /// Number in the input (0-based) of the first edge of the latest batch.
  virtual std::uint64_t first_edge() const = 0;
  /// The place of the latest batch.
  virtual BatchPlace place() const { return {nullptr, first_edge()}; }
  /// True if other lanes return all edges, because memory is short.
  virtual bool idle() const { return false; }
  /// True if the latest batch is a piece of a larger one, and next() returns another piece of it. If no lane
  /// holds edges, and none is inside next(), then what the lanes have returned is a prefix of the input.
  virtual bool holds_edges() const { return false; }
};

/// A file, a pipe or a generator. The width of its records is chosen at run time. It must outlive its lanes.
class RecordSource {
 public:
  virtual ~RecordSource() = default;
  virtual const EdgeFacts& facts() const = 0;
  /// Makes a lane and reserves its memory. Requires: there are at most `max_lanes` lanes, the number given to
  /// the opener; all have the same shape; its ids are at least as wide as those of the source. If an edge has
  /// more bytes than the shape, the payload is dropped first, then the weight.
  virtual std::unique_ptr<RecordLane> lane(const core::PairShape& shape) = 0;
  /// The number of all edges. Requires: a lane has returned its end in this reading. Waits for lanes that are
  /// inside next(). nullopt: another lane has failed.
  virtual std::optional<std::uint64_t> edges_read() { return facts().edges; }
  /// True if lanes may hold edges after next() has returned. Then a thread must not wait, before it goes on,
  /// for edges that another lane may hold: that lane's thread may have stopped reading.
  virtual bool in_pieces() const { return false; }
  /// True if the edges can be read again.
  virtual bool rewindable() const = 0;
  /// True if reading again costs little beside a sort: the edges are generated, or in a file and not
  /// parsed from text.
  /// It does not depend on the machine, so that a plan and its run agree.
  virtual bool quick_to_reread() const { return false; }
  /// To be called before the first of two readings: a file on a slow disk is then read through the page
  /// cache. Requires: there are no lanes.
  virtual void expect_rereading() {}
  /// Starts again at the first edge. Requires: no lane is inside next().
  virtual void rewind() = 0;
  /// Frees what only reading takes. Batches and lanes stay valid. To be called when a lane has returned its
  /// end; no edge is read afterwards.
  virtual void let_go() {}
  /// Starts again at an edge not above `edge`, and returns its number. A source that cannot find edges by
  /// number starts at 0. Requires: rewindable(); no lane is inside next().
  virtual std::uint64_t seek(std::uint64_t /*edge*/) {
    rewind();
    return 0;
  }
  /// A sample of about `count` records, contiguous, from all parts of the input. It may have fewer, and none
  /// if the input can be read only once (pipes). Its use is to balance buckets, so a bias costs only time.
  virtual std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) = 0;
};

/// The edges of a batch. Each is at the start of a row of `row_bytes`; its attachment follows it in the row.
template <class Id>
class EdgeBatch {
 public:
  class Iterator {
   public:
    using value_type = Edge<Id>;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    Iterator(const std::byte* row, std::size_t row_bytes) : row_(row), row_bytes_(row_bytes) {}
    const Edge<Id>& operator*() const { return *reinterpret_cast<const Edge<Id>*>(row_); }
    Iterator& operator++() {
      row_ += row_bytes_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return row_ == other.row_; }

   private:
    const std::byte* row_ = nullptr;
    std::size_t row_bytes_ = 0;
  };

  EdgeBatch() = default;
  EdgeBatch(const std::byte* rows, std::size_t count, std::size_t row_bytes)
      : rows_(rows), count_(count), row_bytes_(row_bytes) {}
  explicit EdgeBatch(std::span<const Edge<Id>> edges)
      : EdgeBatch(std::as_bytes(edges).data(), edges.size(), sizeof(Edge<Id>)) {}

  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const Edge<Id>& operator[](std::size_t i) const {
    return *reinterpret_cast<const Edge<Id>*>(rows_ + i * row_bytes_);
  }
  const std::byte* rows() const { return rows_; }
  Iterator begin() const { return {rows_, row_bytes_}; }
  Iterator end() const { return {rows_ + count_ * row_bytes_, row_bytes_}; }
  EdgeBatch subspan(std::size_t first, std::size_t count) const {
    return {rows_ + first * row_bytes_, count, row_bytes_};
  }

  /// True if the edges are contiguous, without attachments.
  bool plain() const { return row_bytes_ == sizeof(Edge<Id>); }
  /// Throws std::logic_error unless plain().
  std::span<const Edge<Id>> edges() const {
    if (!plain() && count_ > 0) throw std::logic_error("edges with attachments taken as plain ones");
    return {reinterpret_cast<const Edge<Id>*>(rows_), count_};
  }
  /// Implicit, because solvers that do not need attachments request none and get plain edges.
  operator std::span<const Edge<Id>>() const { return edges(); }

 private:
  const std::byte* rows_ = nullptr;
  std::size_t count_ = 0;
  std::size_t row_bytes_ = sizeof(Edge<Id>);
};

/// The attachment of an edge. Requires: the edge is in an EdgeBatch with attachments, not a copy.
template <class Id>
const std::byte* attachment_of(const Edge<Id>& edge) {
  return reinterpret_cast<const std::byte*>(&edge) + sizeof(Edge<Id>);
}

/// A RecordLane whose ids are of one type.
template <class Id>
class EdgeLane {
 public:
  EdgeLane(std::unique_ptr<RecordLane> lane, std::size_t row_bytes)
      : lane_(std::move(lane)), row_bytes_(row_bytes) {}
  EdgeBatch<Id> next() const {
    const RecordBatch batch = lane_->next();
    return {batch.records, batch.count, row_bytes_};
  }
  std::uint64_t first_edge() const { return lane_->first_edge(); }
  bool holds_edges() const { return lane_->holds_edges(); }
  /// The place of the latest batch. `source`: the name of the source, which must outlive the result.
  BatchPlace place(const std::string& source) const {
    const BatchPlace place = lane_->place();
    return {place.file == nullptr ? &source : place.file, place.first_edge};
  }

 private:
  std::unique_ptr<RecordLane> lane_;
  std::size_t row_bytes_;
};

/// An adapter of a RecordSource to edges with ids of one type, std::uint32_t or std::uint64_t.
template <class Id>
class EdgeSource {
 public:
  /// `facts`: those of the records, or facts declared by the user instead. Each edge has `attachment_bytes`.
  /// Throws std::logic_error if the source has wider ids.
  EdgeSource(std::shared_ptr<RecordSource> records, EdgeFacts facts, std::size_t attachment_bytes);

  const EdgeFacts& facts() const { return facts_; }
  /// Bytes of an attachment: the weight (little-endian, its natural width), then payload, then zeros.
  std::size_t attachment_bytes() const { return shape_.attachment_bytes; }
  const core::PairShape& shape() const { return shape_; }
  /// For sources that change these edges.
  const std::shared_ptr<RecordSource>& records() const { return records_; }
  EdgeLane<Id> lane() { return {records_->lane(shape_), shape_.row_bytes}; }
  bool in_pieces() const { return records_->in_pieces(); }
  bool rewindable() const { return records_->rewindable(); }
  bool quick_to_reread() const { return records_->quick_to_reread(); }
  void expect_rereading() { records_->expect_rereading(); }
  void rewind() { records_->rewind(); }
  std::uint64_t seek(std::uint64_t edge) { return records_->seek(edge); }
  /// As RecordSource::sample, without attachments.
  std::vector<Edge<Id>> sample(std::size_t count);
  /// As RecordSource::sample. Calls `take(batch)`, which has attachments.
  template <class Take>
  void sample(std::size_t count, Take&& take) {
    const std::vector<std::byte> rows = records_->sample(shape_, count);
    take(EdgeBatch<Id>(rows.data(), rows.size() / shape_.row_bytes, shape_.row_bytes));
  }

 private:
  std::shared_ptr<RecordSource> records_;
  EdgeFacts facts_;
  core::PairShape shape_;
};

extern template class EdgeSource<std::uint32_t>;
extern template class EdgeSource<std::uint64_t>;

}  // namespace emgraph::graph
