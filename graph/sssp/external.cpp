// SPDX-License-Identifier: MIT
// The search, bucket by bucket, and its results.
#include "graph/sssp/external.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/block/run.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/memory/buffer.hpp"
#include "core/queue/sequence_heap.hpp"
#include "graph/adjacency/list_access.hpp"
#include "graph/node_values.hpp"
#include "graph/sssp/bucket_width.hpp"
#include "graph/sssp/candidate_bounds.hpp"
#include "graph/sssp/distance_tags.hpp"
#include "graph/sssp/distances.hpp"
#include "graph/sssp/external_bucket.hpp"
#include "graph/sssp/external_parents.hpp"
#include "graph/sssp/external_shares.hpp"
#include "graph/sssp/overflow.hpp"
#include "graph/sssp/settled_nodes.hpp"

namespace emgraph::graph::sssp {
namespace {

/// Tells the values of missing nodes as the result has them, and keeps a copy for the parents.
template <class Distances>
class DistanceSink final : public NodeSink<std::uint64_t> {
 public:
  using Writer = core::RunWriter<std::uint64_t>;
  /// All may be null.
  DistanceSink(NodeSink<std::uint64_t>* result, Writer* by_source, Writer* by_target, DistanceTags* tags)
      : result_(result), by_source_(by_source), by_target_(by_target), tags_(tags) {}

  void append(std::span<const std::uint64_t> values) override {
    batch_.assign(values.begin(), values.end());
    std::replace(batch_.begin(), batch_.end(), ~std::uint64_t{0}, Distances::unreached);
    if (result_ != nullptr) result_->append(batch_);
    if (by_source_ != nullptr) by_source_->append(batch_);
    if (by_target_ != nullptr) by_target_->append(batch_);
    if (tags_ != nullptr) tags_->append(batch_);
  }

 private:
  NodeSink<std::uint64_t>* const result_;
  Writer* const by_source_;
  Writer* const by_target_;
  DistanceTags* const tags_;
  std::vector<std::uint64_t> batch_;
};

template <class Id, class Distances>
class ExternalSearch {
 public:
  using Pages = adjacency::PagedAdjacency<Id>;
  using Values = NodeValues<std::uint64_t>;
  using Entry = typename ExternalBucket<Id>::Entry;
  using Queue = core::SequenceHeap<Candidate<Id>>;

  ExternalSearch(core::Environment& environment, Pages& graph, Values* found, std::size_t free_bytes)
      : environment_(environment),
        graph_(graph),
        weight_(graph.facts().weight),
        shortest_(graph.facts().entries == 0
                      ? 0
                      : length_of(weight_, weight_of_rank(weight_, graph.facts().weights.least))),
        found_(found),
        demand_{.nodes = graph.facts().nodes,
                .entries = graph.facts().entries,
                .absent_bytes = graph.absent_pages() * graph.context().page_bytes,
                .chunk_bytes = graph.store().chunk_bytes(),
                .threads = environment.threads,
                .free_bytes = free_bytes},
        shares_(ExternalShares::of<Id, Distances>(demand_)),
        settled_(environment, graph.facts().nodes, shares_.settled_in_memory, free_bytes / 4),
        filter_(environment.memory, length_facts(graph.facts()), free_bytes),
        weed_memory_(environment.memory.reserve(shares_.weed_bytes, "blocks of candidates")),
        queue_(std::make_unique<Queue>(environment, queue_options(shares_.queue_bytes))),
        bucket_(environment.memory, shares_.bucket_bytes),
        queue_is_large_(shares_.pages_fit),
        bucket_is_large_(shares_.pages_fit),
        width_(length_facts(graph.facts()), std::nullopt),
        access_(environment, graph, shares_.spare_bytes) {}

  ExternalResult run(Id root) {
    core::Phase phase(environment_.progress, "search", graph_.facts().nodes, "nodes");
    queue_->push({0, root});
    while (!queue_->empty()) {
      if (environment_.checkpoint != nullptr) environment_.checkpoint->stop_if_asked();
      empty_bucket();
      phase.advance(bucket_.size());
    }
    access_.close_cache();
    if (overflow_) find_overflow();
    result_.method = core::format_count(buckets_) + " buckets, " + core::format_count(rounds_) + " rounds, " +
                     core::format_count(scans_) + " by scans" +
                     (settled_.in_memory() ? " (one bit per node in memory)" : "");
    return result_;
  }

 private:
  static core::SequenceHeapOptions queue_options(std::size_t bytes) { return {.memory_bytes = bytes}; }

  // Settles all nodes of the next bucket. They stay in bucket_.
  void empty_bucket() {
    const std::uint64_t nearest = queue_->top().distance;
    // A path through a node that is not settled is at least this long. So nodes that are nearer have their
    // final distances. Nodes at the distance `nearest` have them, too.
    const std::uint64_t final_end = std::max(Distances::add(nearest, shortest_), nearest + 1);
    std::uint64_t end = std::max(final_end, width_.end(nearest));
    ++buckets_;
    bucket_.clear();
    filter_.advance(nearest);
    const auto cut = [&](std::uint64_t at) {
      end = std::max(final_end, std::min(end, at));
      bucket_.cut(end, [this](const Candidate<Id>& candidate) { queue_->push(candidate); });
    };
    const auto left = [&] { return !queue_->empty() && queue_->top().distance < end; };
    // Once all its nodes are final, the bucket takes no more of them than fit: the next one does the rest.
    const auto room = [&] { return end > final_end || bucket_.size() <= bucket_.capacity() / 2; };
    do {
      std::size_t again = 0;
      do {
        collect(end);
        again += bucket_.merge([this](Id node) { return !settled_.test(node); });
        if (bucket_.size() > bucket_.capacity() || !room()) enlarge_bucket();
        while (bucket_.size() > bucket_.capacity() && end > final_end) cut(bucket_.cut_distance());
      } while (left() && room());
      const std::span<const Id> pending = bucket_.pending();
      if (!pending.empty()) expand(pending);
      bucket_.clear_pending();
      if (queue_->external_runs() > 0) enlarge_queue();
      if (width_.count(pending.size(), again)) cut(width_.end(nearest));
    } while (end > final_end && left());
    width_.end_bucket();
    for (const auto& entry : bucket_.entries()) {
      settled_.settle(entry.node);
      if (found_ != nullptr) found_->put(0, entry.node, entry.distance);
      result_.max_distance = std::max(result_.max_distance, entry.distance);
    }
    result_.reached += bucket_.size();
    most_waiting_ = shares_.most_waiting<Id>(demand_, demand_.nodes - result_.reached);
  }

  // Unless all pages have moved into that memory.
  void enlarge_bucket() {
    if (std::exchange(bucket_is_large_, true)) return;
    access_.close_cache();
    if (is_free(shares_.large_bucket_bytes)) bucket_.grow(environment_.memory, shares_.large_bucket_bytes);
  }
  void enlarge_queue() {
    if (std::exchange(queue_is_large_, true)) return;
    access_.close_cache();
    if (!is_free(shares_.large_queue_bytes)) return;
    auto larger = std::make_unique<Queue>(environment_, queue_options(shares_.large_queue_bytes));
    for (; !queue_->empty(); queue_->pop()) larger->push(queue_->top());
    queue_ = std::move(larger);
  }

  bool is_free(std::size_t bytes) const {
    return environment_.memory.available() >= bytes + 64 * core::KiB;  // with whole pages for each array
  }

  // Drops the candidates that are settled or not the nearest of their nodes. The others are on disk for a
  // while, instead of those that were read.
  void weed_queue() {
    weed_memory_ = {};
    std::optional<core::RunWriter<Candidate<Id>>> nearest;
    nearest.emplace(environment_, ExternalShares::weed_block_bytes, 2);
    for (; !queue_->empty(); queue_->pop()) {
      const Candidate<Id> next = queue_->top();
      if (!settled_.known(next.node) && filter_.may_be_nearest(next.node, next.distance)) nearest->push(next);
    }
    auto run = nearest->finish();
    nearest.reset();
    {
      core::RunReader<Candidate<Id>> reader(environment_, std::move(run));
      for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) queue_->push_batch(batch);
    }
    weed_memory_ = environment_.memory.reserve(shares_.weed_bytes, "blocks of candidates");
    // Candidates within the precision of the filter are left.
    most_waiting_ = std::max(most_waiting_, queue_->size() + demand_.nodes / 8);
  }

  // Takes candidates nearer than `end` from the queue into the bucket, the nearest first.
  void collect(std::uint64_t end) {
    while (!queue_->empty() && queue_->top().distance < end && !bucket_.full()) {
      const Candidate<Id> next = queue_->top();
      queue_->pop();
      if (settled_.known(next.node) || !filter_.may_be_nearest(next.node, next.distance)) continue;
      bucket_.collect(next);
    }
  }

  // Reads the lists of the pending nodes.
  void expand(std::span<const Id> nodes) {
    ++rounds_;
    using Way = typename adjacency::ListAccess<Id>::Way;
    const Entry* entry = bucket_.entries().data();
    const auto visit = [&](Id node, std::span<const Id> neighbours, std::span<const std::uint64_t> weights) {
      while (entry->node < node) ++entry;
      relax(entry->distance, neighbours, weights);
    };
    switch (access_.choose(nodes)) {
      case Way::resident:
        return graph_.select_resident(nodes, visit);
      case Way::select:
        return access_.select(nodes, visit);
      case Way::scan:
        return scan(nodes);
    }
  }

  void scan(std::span<const Id> nodes) {
    ++scans_;
    const std::uint64_t pages = graph_.pages();
    adjacency::PageWalk<Id> walk(graph_.index(), nodes);
    typename Pages::Need need;
    std::vector<bool> wanted(static_cast<std::size_t>(pages));
    while (walk.next(need)) wanted[static_cast<std::size_t>(need.page)] = true;
    access_.close_cache();
    std::span<const Entry> ahead = bucket_.entries();
    graph_.scan(
        1, 0,
        [&](unsigned, adjacency::PageCursor<Id>& cursor) {
          std::array<Id, adjacency::fragment_neighbours + 3> list;
          std::array<std::uint64_t, adjacency::fragment_neighbours> weights;
          while (cursor.next()) {
            while (!ahead.empty() && ahead.front().node < cursor.node()) ahead = ahead.subspan(1);
            if (ahead.empty()) return;
            if (ahead.front().node != cursor.node() || !ahead.front().pending) continue;
            cursor.decode(list.data());
            cursor.decode_weights(weights.data());
            relax(ahead.front().distance, {list.data(), cursor.count()}, {weights.data(), cursor.count()});
          }
        },
        [&](std::uint64_t page) { return wanted[static_cast<std::size_t>(page)]; });
  }

  void relax(std::uint64_t distance, std::span<const Id> neighbours, std::span<const std::uint64_t> weights) {
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const std::uint64_t sum = Distances::add(distance, length_of(weight_, weights[i]));
      if (settled_.known(neighbours[i])) continue;
      if (sum == Distances::unreached) {
        overflow_ = true;
      } else if (filter_.push(neighbours[i], sum)) {
        queue_->push({sum, neighbours[i]});
      }
    }
    if (queue_->size() > most_waiting_ && shares_.weeds && queue_->external_runs() > 0) weed_queue();
  }

  // A node behind an arc that overflows may be reached in another way. If not, some arc leads from a settled
  // node to one that is not.
  void find_overflow() {
    graph_.scan(1, 0, [&](unsigned, adjacency::PageCursor<Id>& cursor) {
      std::array<Id, adjacency::fragment_neighbours + 3> list;
      while (cursor.next()) {
        if (result_.overflow || !settled_.test(cursor.node())) continue;
        cursor.decode(list.data());
        for (unsigned i = 0; i < cursor.count(); ++i) {
          if (settled_.test(list[i])) continue;
          result_.overflow.emplace(
              "edge (" + std::to_string(cursor.node()) + ", " + std::to_string(list[i]) +
              ") leads on to a distance that does not fit: " + expected_distances<Distances>());
          break;
        }
      }
    });
  }

  core::Environment& environment_;
  Pages& graph_;
  const WeightType weight_;
  const std::uint64_t shortest_;  ///< word of the shortest arc
  Values* const found_;
  const ExternalDemand demand_;
  const ExternalShares shares_;
  SettledNodes settled_;
  CandidateFilter<Id, Distances> filter_;
  core::Reservation weed_memory_;  ///< for weed_queue()
  std::unique_ptr<Queue> queue_;
  ExternalBucket<Id> bucket_;
  bool queue_is_large_;
  bool bucket_is_large_;
  BucketWidth<Distances> width_;
  adjacency::ListAccess<Id> access_;
  ExternalResult result_;
  std::uint64_t buckets_ = 0;
  std::uint64_t rounds_ = 0;
  std::uint64_t scans_ = 0;
  bool overflow_ = false;
  std::uint64_t most_waiting_ = shares_.most_waiting<Id>(demand_, demand_.nodes);  ///< in the queue
};

/// Searches, then sends the distances, in node order, to the sink and to the pass for the parents.
template <class Id, class Distances>
ExternalResult search_with(core::Environment& environment, adjacency::PagedAdjacency<Id>& graph, Id root,
                           NodeSink<std::uint64_t>* distances, NodeSink<Id>* parents) {
  using Values = NodeValues<std::uint64_t>;
  const std::size_t free = environment.memory.available();
  std::optional<Values> found;
  if (distances != nullptr || parents != nullptr) {
    found.emplace(environment, graph.facts().nodes, 1, false, values_bytes<std::uint64_t>(free),
                  "a distance per node");
  }
  ExternalResult result = ExternalSearch<Id, Distances>(environment, graph, found ? &*found : nullptr,
                                                        environment.memory.available())
                              .run(root);
  if (!found) return result;
  using Copy = core::RunWriter<std::uint64_t>;
  std::optional<Copy> by_source;
  std::optional<Copy> by_target;
  std::optional<DistanceTags> tags;
  if (parents != nullptr) {
    tags.emplace(environment, graph.facts().nodes, free / 4);
    by_source.emplace(environment, copy_block_bytes, 2);
    by_target.emplace(environment, copy_block_bytes, 2);
  }
  {
    const core::Phase phase(environment.progress, "write", graph.facts().nodes, "nodes");
    DistanceSink<Distances> sink(distances, by_source ? &*by_source : nullptr,
                                 by_target ? &*by_target : nullptr, tags ? &*tags : nullptr);
    found->finish(sink);
    found.reset();
  }
  if (parents == nullptr) return result;
  auto sources = by_source->finish();
  auto targets = by_target->finish();
  by_source.reset();
  by_target.reset();
  ExternalParents<Id>(environment, graph, root).run(std::move(sources), std::move(targets), *tags, *parents);
  return result;
}

}  // namespace

template <class Id>
ExternalResult search_external(core::Environment& environment, adjacency::PagedAdjacency<Id>& graph, Id root,
                               NodeSink<std::uint64_t>* distances, NodeSink<Id>* parents) {
  return with_distances(graph.facts().weight, [&]<class Distances>(Distances) {
    return search_with<Id, Distances>(environment, graph, root, distances, parents);
  });
}

template ExternalResult search_external(core::Environment&, adjacency::PagedAdjacency<std::uint32_t>&,
                                        std::uint32_t, NodeSink<std::uint64_t>*, NodeSink<std::uint32_t>*);
template ExternalResult search_external(core::Environment&, adjacency::PagedAdjacency<std::uint64_t>&,
                                        std::uint64_t, NodeSink<std::uint64_t>*, NodeSink<std::uint64_t>*);

}  // namespace emgraph::graph::sssp
