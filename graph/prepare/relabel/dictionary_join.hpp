// SPDX-License-Identifier: MIT
// Translates the ids of edges when the distinct ids do not fit into memory.
//
// Problem: replace the id of each end by its value in a dictionary that needs the ids in ascending order;
// keep the order of the edges. Method: two sorts. The ends are numbered 2 · edge and 2 · edge + 1 and sorted
// by (id, end). A scan looks every distinct id up once and makes a pair (end, value) for each end. These
// pairs are sorted by end, so the two ends of an edge become neighbours. They are merged with the weights and
// payload of the edges, for which the input is read a second time. Pairs are packed into an integer of 64
// bits if they fit, else of 128. No two keys are equal, so frequent ids need no special case. The join of a
// relation with a dictionary by two sorts is folklore; cf. Vitter 2001, "External memory algorithms and data
// structures", doi 10.1145/384192.384193.
//
// Invariant: the run has the edges in input order.
//
// I/O: two sorts of 2 m pairs; reads the input a second time if edges have weights or payload; writes m
// edges. Memory: all free memory; samples of at most 1 MiB are not charged. Threads: all read and sort; one
// uses the dictionary. Throws: DataError, MemoryLimitError, EnvironmentError, what the dictionary throws.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "graph/prepare/edge_keys.hpp"
#include "graph/prepare/ingest.hpp"
#include "graph/prepare/relabel/distinct_ids.hpp"
#include "graph/prepare/relabel/row_run.hpp"
#include "graph/prepare/sorted_edges.hpp"

namespace emgraph::graph::relabel {

/// Translates ids.
class Dictionary {
 public:
  virtual ~Dictionary() = default;
  /// The value of an id. Ids come in ascending order, each once.
  virtual std::uint64_t value(std::uint64_t id) = 0;
  /// Called after the last id.
  virtual void finish() {}
};

struct Joined {
  RowRun rows;
  EdgeLayout layout;  ///< of the rows: that of the input, with ids as wide as the values need
  std::uint64_t edges = 0;
};

/// Calls `body(EdgeKeys<Key>)` for pairs (first, second), Key the narrowest integer for so many bits.
template <class Body>
decltype(auto) with_pair_keys(unsigned first_bits, unsigned second_bits, Body&& body) {
  if (first_bits + second_bits <= 64) return body(prepare::EdgeKeys<std::uint64_t>{second_bits});
  return body(prepare::EdgeKeys<core::uint128>{second_bits});
}

/// Id: the id type of the input.
template <class Id>
class DictionaryJoin {
 public:
  /// `edges`: their number, if known. `value_bits`: bits of a value; default: those of the number of ends.
  DictionaryJoin(core::Environment& environment, std::shared_ptr<format::RecordSource> source,
                 const EdgeFacts& facts, const std::optional<std::uint64_t>& edges, Dictionary& dictionary,
                 const std::optional<unsigned>& value_bits = std::nullopt)
      : environment_(environment),
        source_(std::move(source)),
        facts_(facts),
        edges_(edges),
        dictionary_(dictionary),
        value_bits_(value_bits) {}

  /// Requires: the source is at its first edge; if edges have weights or payload, it can be rewound.
  Joined run() {
    constexpr unsigned unknown_end_bits = 63;
    const unsigned id_bits = facts_.nodes
                                 ? std::min<unsigned>(prepare::bits_for_nodes(*facts_.nodes), 8 * sizeof(Id))
                                 : 8 * sizeof(Id);
    const unsigned end_bits =
        edges_ ? std::min(prepare::bits_for_nodes(core::size_product(*edges_, 2)), unknown_end_bits)
               : unknown_end_bits;
    return with_pair_keys(id_bits, end_bits, [&](const auto& keys) { return sort_ends(keys, id_bits); });
  }

 private:
  template <class Key>
  using Sorter = core::DistributionSorter<Key>;

  /// Sorts the ends by (id, end).
  template <class Key>
  Joined sort_ends(const prepare::EdgeKeys<Key>& keys, unsigned id_bits) {
    EdgeSource<Id> edges(source_, facts_, 0);
    // Half of the memory is for this sorter, the rest for the sorter of its output.
    const std::size_t half = prepare::sorter_memory(environment_.memory) / 2;
    prepare::Lanes<Id> lanes = open_lanes(edges, sorting_threads(environment_, half));
    const std::uint64_t largest_id = core::low_mask<std::uint64_t>(id_bits);
    typename Sorter<Key>::Options options;
    options.range = {0, keys.make(largest_id, core::low_mask<std::uint64_t>(keys.id_bits))};
    if (edges_) options.records = core::size_product(*edges_, 2);
    std::uint64_t end = 0;
    for (const Edge<Id>& edge : edges.sample(prepare::splitter_sample / 2)) {
      if (edge.source > largest_id || edge.target > largest_id) continue;
      options.sample.push_back(keys.make(edge.source, end));
      options.sample.push_back(keys.make(edge.target, end));
    }
    options.memory_bytes = std::min(half, prepare::sorter_memory(environment_.memory));
    options.threads = static_cast<unsigned>(lanes.size());
    Sorter<Key> sorter(environment_, std::move(options));
    {
      core::Phase phase(environment_.progress, "distribute ends", facts_.edges.value_or(0), "edges");
      read_ = prepare::ingest(lanes, facts_.name, facts_.nodes, phase,
                              [&](unsigned thread, std::span<const Edge<Id>> batch) {
                                auto& to = sorter.lane(thread);
                                std::uint64_t number = 2 * lanes[thread].first_edge();
                                for (const Edge<Id>& edge : batch) {
                                  to.push(keys.make(edge.source, number++));
                                  to.push(keys.make(edge.target, number++));
                                }
                              });
      lanes.clear();
      finish(sorter);
    }
    if (edges_ && read_.edges != *edges_) throw changed();
    // A lane may need much memory, so it is opened before the next sorter takes the rest.
    std::unique_ptr<format::RecordLane> attachments;
    if (facts_.layout.attachment_bytes() > 0) {
      source_->rewind();
      attachments = source_->lane(record_shape(facts_.layout));
    }
    const unsigned end_bits = prepare::bits_for_nodes(2 * read_.edges);
    const unsigned value_bits = value_bits_.value_or(end_bits);
    return with_pair_keys(end_bits, value_bits, [&](const auto& values) {
      return sort_back(sorter, keys, values, value_bits, attachments.get());
    });
  }

  /// Gives ends their values and sorts them by end.
  template <class Key, class ValueKey>
  Joined sort_back(Sorter<Key>& by_id, const prepare::EdgeKeys<Key>& keys,
                   const prepare::EdgeKeys<ValueKey>& values, unsigned value_bits,
                   format::RecordLane* attachments) {
    const std::uint64_t ends = 2 * read_.edges;
    typename Sorter<ValueKey>::Options options;
    options.range = {0, values.make(ends == 0 ? 0 : ends - 1, core::low_mask<std::uint64_t>(value_bits))};
    options.records = ends;
    // All ends occur, so a sample of the keys can be computed.
    const std::uint64_t sampled = std::min<std::uint64_t>(ends, value_sample);
    for (std::uint64_t i = 0; i < sampled; ++i) {
      options.sample.push_back(values.make(static_cast<std::uint64_t>(core::uint128{ends} * i / sampled), 0));
    }
    options.memory_bytes = prepare::sorter_memory(environment_.memory);
    options.threads = sorting_threads(environment_, options.memory_bytes);
    Sorter<ValueKey> by_end(environment_, std::move(options));
    translate(by_id, keys, values, by_end);
    return write_rows(by_end, values, attachments);
  }

  template <class Key, class ValueKey>
  void translate(Sorter<Key>& by_id, const prepare::EdgeKeys<Key>& keys,
                 const prepare::EdgeKeys<ValueKey>& values, Sorter<ValueKey>& by_end) {
    auto& to = by_end.lane(0);
    core::Phase phase(environment_.progress, "translate ids", by_id.records(), "ends");
    bool first = true;
    std::uint64_t id = 0;
    std::uint64_t value = 0;
    for (auto batch = by_id.next(); !batch.empty(); batch = by_id.next()) {
      for (const Key key : batch) {
        const std::uint64_t here = keys.first(key);
        if (first || here != id) {
          first = false;
          id = here;
          value = dictionary_.value(id);
          largest_value_ = std::max(largest_value_, value);
        }
        to.push(values.make(keys.second(key), value));
      }
      phase.advance(batch.size());
    }
    dictionary_.finish();
    finish(by_end);
  }

  template <class Key>
  static void finish(Sorter<Key>& sorter) {
    core::run_on_threads(sorter.lanes(), [&](unsigned thread) { sorter.lane(thread).finish(); });
    sorter.finish();
  }

  /// Writes the edges; the two ends of each come one after the other.
  template <class ValueKey>
  Joined write_rows(Sorter<ValueKey>& by_end, const prepare::EdgeKeys<ValueKey>& values,
                    format::RecordLane* attachments) {
    EdgeLayout layout = facts_.layout;
    layout.id_bytes = largest_value_ < std::uint64_t{1} << 32 ? 4 : 8;
    const core::PairShape from = record_shape(facts_.layout);
    const core::PairShape to = record_shape(layout);
    core::Phase phase(environment_.progress, "join edges", read_.edges, "edges");
    RowRunWriter writer(environment_, layout);
    std::vector<std::byte> records(written_records * to.row_bytes);
    std::size_t filled = 0;
    format::RecordBatch carried;
    std::size_t at = 0;
    std::uint64_t source = 0;
    bool target_next = false;
    for (auto batch = by_end.next(); !batch.empty(); batch = by_end.next()) {
      for (const ValueKey end : batch) {
        const std::uint64_t value = values.second(end);
        target_next = !target_next;
        if (target_next) {
          source = value;
          continue;
        }
        std::byte* const record = records.data() + filled * to.row_bytes;
        set_id(to, record, 0, source);
        set_id(to, record, 1, value);
        if (attachments != nullptr) {
          if (at == carried.count) {
            carried = attachments->next();
            at = 0;
            if (carried.count == 0) throw changed();
          }
          std::memcpy(record + 2 * to.integer_bytes,
                      carried.records + at++ * from.row_bytes + 2 * from.integer_bytes, to.attachment_bytes);
        }
        if (++filled < written_records) continue;
        writer.append(to, records.data(), filled);
        phase.advance(std::exchange(filled, 0));
      }
    }
    writer.append(to, records.data(), filled);
    return {.rows = writer.finish(), .layout = layout, .edges = read_.edges};
  }

  core::DataError changed() const {
    return core::DataError::in_file(facts_.name,
                                    "does not have as many edges as when it was read before: the input has "
                                    "changed while it was read");
  }

  static constexpr std::size_t value_sample = 64 * 1024;
  static constexpr std::size_t written_records = 1024;

  core::Environment& environment_;
  std::shared_ptr<format::RecordSource> source_;
  const EdgeFacts& facts_;
  const std::optional<std::uint64_t> edges_;
  Dictionary& dictionary_;
  const std::optional<unsigned> value_bits_;
  prepare::IngestFacts read_;
  std::uint64_t largest_value_ = 0;
};

}  // namespace emgraph::graph::relabel
