// SPDX-License-Identifier: MIT
// Passes edges on that come in the requested order, without loops and repeated edges if these are not wanted.
//
// I/O: one reading. Memory: a batch of rows and an edge. Threads: one. Throws: DataError (id not below n),
// and what `consume` throws. With a checkpoint: the edges read and written so far, and the edge that waits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "core/checkpoint/checkpoint.hpp"
#include "core/environment.hpp"
#include "graph/prepare/attachment_order.hpp"
#include "graph/prepare/ingest.hpp"
#include "graph/prepare/kept_output.hpp"
#include "graph/prepare/sort.hpp"

namespace emgraph::graph::prepare {

/// What a checkpoint keeps of pass_on(), beside the edge that waits and the output.
struct SealedFilter {
  std::uint64_t edges_read = 0;
  std::uint64_t largest_id = 0;
  std::uint64_t edges_out = 0;
  std::uint64_t duplicates_removed = 0;
  std::uint64_t loops_removed = 0;
};

/// The checkpoint of pass_on().
struct FilterCheckpoint {
  core::Checkpoint& checkpoint;
  const KeptOutput& output;
  core::StateReader* state;  ///< null: from the start
};

/// Drops loops and repeated edges of a sorted sequence. Parallel edges of a foreign file have any order of
/// weights, so the lightest is searched for.
template <class Id>
class RepeatedEdges {
 public:
  RepeatedEdges(const EdgeSource<Id>& source, const SortOptions& options, const RecordConsumer& consume)
      : shape_(source.shape()),
        options_(options),
        consume_(consume),
        compare_(attachment_order(source.facts().layout.weight)),
        waiting_(shape_.row_bytes) {}

  /// Takes the next edges, and hands on those that are kept.
  void take(const EdgeBatch<Id>& batch) {
    rows_.resize(std::max(rows_.size(), (batch.size() + 1) * shape_.row_bytes));
    for (const Edge<Id>& edge : batch) take(edge);
    hand_on();
  }
  void end() {
    rows_.resize(std::max(rows_.size(), shape_.row_bytes));
    if (has_waiting_) keep(waiting());
    hand_on();
  }
  /// The counts of edges that were kept and dropped.
  const SortResult& counts() const { return counts_; }

  void save(core::StateWriter& to) const {
    to.value(has_waiting_);
    to.put(waiting_);
  }
  void restore(core::StateReader& from, const SealedFilter& sealed) {
    counts_.edges_out = sealed.edges_out;
    counts_.duplicates_removed = sealed.duplicates_removed;
    counts_.loops_removed = sealed.loops_removed;
    has_waiting_ = from.value<bool>();
    from.get(waiting_);
  }

 private:
  const Edge<Id>& waiting() const { return *reinterpret_cast<const Edge<Id>*>(waiting_.data()); }
  void take(const Edge<Id>& edge) {
    if (options_.no_loops && edge.source == edge.target) {
      ++counts_.loops_removed;
    } else if (!options_.unique) {
      keep(edge);
    } else if (has_waiting_ && waiting() == edge) {
      ++counts_.duplicates_removed;
      if (shape_.attachment_bytes > 0 &&
          compare_(attachment_of(edge), attachment_of(waiting()), shape_.attachment_bytes) < 0) {
        copy(edge, waiting_.data());
      }
    } else {
      if (has_waiting_) keep(waiting());
      copy(edge, waiting_.data());
      has_waiting_ = true;
    }
  }
  void keep(const Edge<Id>& edge) { copy(edge, rows_.data() + row_count_++ * shape_.row_bytes); }
  void copy(const Edge<Id>& edge, std::byte* to) const {
    std::memcpy(to, &edge, sizeof edge);
    core::copy_attachment(to + sizeof edge, attachment_of(edge), shape_.attachment_bytes);
  }
  void hand_on() {
    if (row_count_ > 0) consume_(shape_, {rows_.data(), row_count_});
    counts_.edges_out += row_count_;
    row_count_ = 0;
  }

  const core::PairShape& shape_;
  const SortOptions& options_;
  const RecordConsumer& consume_;
  const core::CompareAttachments compare_;
  SortResult counts_;
  std::vector<std::byte> rows_;
  std::size_t row_count_ = 0;
  // With `unique`: the least edge so far among those with its source and target.
  std::vector<std::byte> waiting_;
  bool has_waiting_ = false;
};

/// Passes a sorted input on, without what the options drop.
template <class Id>
SortResult pass_on(core::Environment& environment, EdgeSource<Id>& source, const SortOptions& options,
                   const std::optional<std::uint64_t>& nodes, const RecordConsumer& consume,
                   FilterCheckpoint* kept) {
  RepeatedEdges<Id> repeated(source, options, consume);
  SealedFilter sealed;
  if (kept != nullptr && kept->state != nullptr) sealed = kept->state->value<SealedFilter>();
  const std::uint64_t from = sealed.edges_read;
  seek_edge(source, from);
  const EdgeLane<Id> lane = source.lane();
  core::Phase phase(environment.progress, "filter and write", source.facts().edges.value_or(0), "edges");
  IngestFacts read;
  if (from > 0) {
    read = {from, sealed.largest_id, source.facts().name};
    repeated.restore(*kept->state, sealed);
    kept->output.restore(*kept->state);
    phase.advance(from);
  }
  const auto seal_if_due = [&] {
    if (kept == nullptr || !kept->checkpoint.due()) return;
    kept->checkpoint.seal(core::format_count(read.edges) + " edges are filtered", [&](core::StateWriter& to) {
      const SortResult& counts = repeated.counts();
      to.value(SealedFilter{.edges_read = read.edges,
                            .largest_id = read.largest_id,
                            .edges_out = counts.edges_out,
                            .duplicates_removed = counts.duplicates_removed,
                            .loops_removed = counts.loops_removed});
      repeated.save(to);
      kept->output.save(to);
    });
  };
  for (EdgeBatch<Id> batch; !(batch = lane.next()).empty();) {
    const std::uint64_t largest = check_ids(batch, nodes, lane.place(source.facts().name));
    batch = from_edge(batch, lane.first_edge(), from);
    read.merge({batch.size(), largest});
    repeated.take(batch);
    phase.advance(batch.size());
    seal_if_due();
  }
  repeated.end();
  SortResult result = repeated.counts();
  result.nodes = read.nodes(nodes);
  result.edges = read.edges;
  result.sorted_input_reused = true;
  return result;
}

}  // namespace emgraph::graph::prepare
