// SPDX-License-Identifier: MIT
// Reads a source in steps of some hundred edges: smaller id first, without loops, with ranks of weights.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/block/run.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/environment.hpp"
#include "graph/edge_weights.hpp"
#include "graph/mst/edge_code.hpp"
#include "graph/mst/step_kernel.hpp"
#include "graph/prepare/ingest.hpp"
#include "graph/weighting.hpp"

namespace emgraph::graph::mst {

/// What the solver reads, whatever the width of ids. Reading can pause at any step and go on later.
///
/// Threads: `next(i, …)` from thread i; everything else from one thread while none is inside next().
class EdgeFeed {
 public:
  EdgeFeed(core::Environment& environment, const EdgeFacts& facts, std::optional<std::uint64_t> nodes)
      : environment_(environment), facts_(facts), nodes_(nodes) {}
  virtual ~EdgeFeed() = default;
  EdgeFeed(const EdgeFeed&) = delete;

  const EdgeFacts& facts() const { return facts_; }
  /// n as declared or requested.
  const std::optional<std::uint64_t>& nodes() const { return nodes_; }

  /// Opens one lane per thread, which takes memory; closing the lanes frees it.
  virtual void open_lanes() = 0;
  virtual void close_lanes() = 0;
  virtual unsigned threads() const = 0;
  /// Reads the next step of this thread; false at the end, and if reading was stopped. A step may be empty.
  virtual bool next(unsigned thread, FeedStep& step) = 0;
  virtual bool rewindable() const = 0;
  /// As EdgeSource.
  virtual bool quick_to_reread() const = 0;
  /// As EdgeSource; opens the lanes again.
  virtual void expect_rereading() = 0;
  /// Starts again, and resets the counts.
  virtual void rewind() = 0;
  /// Goes on behind the edges that an earlier process has read. Requires: no lane is open.
  virtual void skip(const prepare::IngestFacts& read) = 0;
  /// True if this thread has returned all edges that its lane has taken from the source.
  virtual bool at_batch_end(unsigned thread) const = 0;
  /// True if the edges of all steps so far are the first ones of the input.
  virtual bool at_prefix() const = 0;
  /// True if this thread has to stop before its next step, because the checkpoint is due. Sets `pause`, for
  /// the other threads. In each call of on_threads() a thread takes a batch before it pauses: while what was
  /// read is no prefix, nothing is sealed, and the checkpoint stays due.
  bool pauses(unsigned thread, std::atomic<bool>& pause) {
    core::Checkpoint* const checkpoint = environment_.checkpoint;
    if (checkpoint == nullptr || !at_batch_end(thread)) return false;
    if (!std::exchange(may_pause_[thread], char{1})) return false;
    if (!pause.load(std::memory_order_relaxed) && checkpoint->due()) pause.store(true);
    return pause.load(std::memory_order_relaxed);
  }
  /// A sample of the edges from the whole input, or empty.
  virtual std::vector<WideCode> sample(std::size_t count) = 0;
  /// Counted since the start or the last rewind.
  virtual prepare::IngestFacts read() const = 0;

  /// Edges of an earlier attempt, to be read first. Not counted again.
  void carry_over(core::Run<WideCode> run) { carried_ = std::move(run); }

  /// Calls `work(thread)` on every thread. If one throws, the others stop at their next step.
  template <class Work>
  void on_threads(Work&& work) {
    stop_.store(false);
    may_pause_.assign(threads(), 0);
    core::run_on_threads(threads(), [&](unsigned thread) {
      try {
        work(thread);
      } catch (...) {
        stop_.store(true);
        throw;
      }
    });
  }
  /// The first reading has found this many nodes: an id above them shows that the input was changed.
  void expect_nodes(std::uint64_t nodes) { known_nodes_ = nodes; }
  /// Receives the progress, if not null.
  void show(core::Phase* phase) { phase_ = phase; }

 protected:
  /// Throws DataError for an id that the first reading has not found.
  void require_known(std::uint64_t largest_id) const {
    if (known_nodes_ && largest_id >= *known_nodes_) prepare::refuse_changed(facts_.name);
  }
  bool stopped() const { return stop_.load(std::memory_order_relaxed); }
  void advance(std::size_t edges) {
    if (phase_ != nullptr) phase_->advance(edges);
  }
  /// Reads the next carried edges; false if there are none. Threads: 0 only.
  bool next_carried(FeedStep& step) {
    if (carried_) {
      reader_.emplace(environment_, std::move(*carried_), 1);
      carried_.reset();
    }
    if (!reader_) return false;
    if (block_.empty()) block_ = reader_->next();
    if (block_.empty()) {
      reader_.reset();
      return false;
    }
    step.count = std::min(block_.size(), FeedStep::most_edges);
    for (std::size_t i = 0; i < step.count; ++i) {
      step.weight[i] = block_[i].weight;
      step.low[i] = block_[i].low;
      step.high[i] = block_[i].high;
    }
    block_ = block_.subspan(step.count);
    return true;
  }

  core::Environment& environment_;

 private:
  const EdgeFacts facts_;
  const std::optional<std::uint64_t> nodes_;
  std::optional<std::uint64_t> known_nodes_;
  std::atomic<bool> stop_{false};
  std::vector<char> may_pause_;  ///< by thread
  core::Phase* phase_ = nullptr;
  std::optional<core::Run<WideCode>> carried_;
  std::optional<core::RunReader<WideCode>> reader_;
  std::span<const WideCode> block_;
};

/// The feed of a source, whose edges come with their weights where these are stored ones. Throws DataError
/// (id not below n, weight NaN), naming the edge.
template <class Id>
class SourceFeed final : public EdgeFeed {
 public:
  SourceFeed(core::Environment& environment, EdgeSource<Id>& source, const Weighting& weighting, bool maximum,
             std::optional<std::uint64_t> nodes)
      : EdgeFeed(environment, source.facts(), nodes),
        source_(source),
        weights_(weighting, source.facts().layout.weight),
        order_(maximum, weighting, weights_.type()) {}

  void open_lanes() override {
    close_lanes();
    for (auto& lane : prepare::open_lanes(environment_, source_)) places_.push_back({std::move(lane)});
  }
  void close_lanes() override {
    for (const Place& place : places_) {
      closed_.merge(place.read);
      closed_end_ = std::max(closed_end_, place.end);
    }
    places_.clear();
  }
  unsigned threads() const override { return static_cast<unsigned>(places_.size()); }
  bool rewindable() const override { return source_.rewindable(); }
  bool quick_to_reread() const override { return source_.quick_to_reread(); }
  void expect_rereading() override {
    close_lanes();
    source_.expect_rereading();
    open_lanes();
  }
  void rewind() override {
    close_lanes();
    closed_ = {};
    closed_end_ = from_ = 0;
    source_.rewind();
  }
  void skip(const prepare::IngestFacts& read) override {
    closed_ = read;
    closed_end_ = from_ = read.edges;
    if (from_ > 0) source_.seek(from_ - 1);
  }
  bool at_batch_end(unsigned thread) const override {
    const Place& place = places_[thread];
    return place.at == place.batch.size() && !place.lane.holds_edges();
  }
  bool at_prefix() const override {
    std::uint64_t end = closed_end_;
    for (const Place& place : places_) {
      if (place.at < place.batch.size()) return false;
      end = std::max(end, place.end);
    }
    return read().edges == end;
  }
  prepare::IngestFacts read() const override {
    prepare::IngestFacts all = closed_;
    all.name = source_.facts().name;
    for (const Place& place : places_) all.merge(place.read);
    return all;
  }

  bool next(unsigned thread, FeedStep& step) override {
    step.count = 0;
    if (stopped()) return false;
    if (thread == 0 && next_carried(step)) return true;
    Place& place = places_[thread];
    if (place.at == place.batch.size()) {
      const EdgeBatch<Id> all = place.lane.next();
      place.batch = {};
      place.at = 0;
      if (all.empty()) return false;
      const std::uint64_t first = place.lane.first_edge();
      place.batch = prepare::from_edge(all, first, from_);
      place.end = std::max(place.end, first + all.size());
      const std::uint64_t largest = prepare::check_ids(all, nodes(), place.lane.place(facts().name));
      require_known(largest);
      place.read.merge({place.batch.size(), largest});
      advance(place.batch.size());
    }
    const std::size_t here = std::min(place.batch.size() - place.at, FeedStep::most_edges);
    const EdgeBatch<Id> edges = place.batch.subspan(place.at, here);
    place.at += here;
    if (convert(edges, step)) return true;
    std::size_t bad = 0;
    while (edges[bad].source == edges[bad].target || convert(edges.subspan(bad, 1), step)) ++bad;
    const std::uint64_t batch_begin = place.end - place.batch.size();
    refuse_weight(facts().name, batch_begin + place.at - here + bad, edges[bad].source, edges[bad].target,
                  weights_.type(), step.weight[0], "a number");
  }

  std::vector<WideCode> sample(std::size_t count) override {
    std::vector<WideCode> edges;
    edges.reserve(count);
    FeedStep step;
    source_.sample(count, [&](const EdgeBatch<Id>& sample) {
      for (std::size_t i = 0; i < sample.size(); ++i) {
        if (!convert(sample.subspan(i, 1), step) || step.count == 0) continue;
        if (nodes() && step.high[0] >= *nodes()) continue;
        edges.push_back({step.weight[0], step.low[0], step.high[0]});
      }
    });
    return edges;
  }

 private:
  struct alignas(64) Place {
    EdgeLane<Id> lane;
    EdgeBatch<Id> batch{};
    std::size_t at = 0;
    std::uint64_t end = 0;  ///< number of the edge behind the last batch
    prepare::IngestFacts read{};
  };

  void make_step(const EdgeBatch<Id>& edges, FeedStep& step) const {
    if constexpr (sizeof(Id) == sizeof(std::uint32_t)) {
      if (weights_.hash() != nullptr && edges.plain()) {
        return make_hashed_step(edges.edges(), weights_.hash()->modulus(), step);
      }
    }
    weights_.with_ranks([&](const auto& rank_of) {
      std::size_t count = 0;
      for (const Edge<Id>& edge : edges) {
        const auto [low, high] = low_high(edge.source, edge.target);
        step.low[count] = low;
        step.high[count] = high;
        step.weight[count] = rank_of(edge);
        count += low != high ? 1 : 0;
      }
      step.count = count;
    });
  }

  /// False if a weight is NaN.
  bool convert(const EdgeBatch<Id>& edges, FeedStep& step) const {
    make_step(edges, step);
    bool all = true;
    if (weights_.type() == WeightType::f32 || weights_.type() == WeightType::f64) {
      const WeightRanks numbers = number_ranks(weights_.type());
      for (std::size_t i = 0; i < step.count; ++i) all &= numbers.contains(step.weight[i]);
    }
    if (all && order_.reversed) {
      for (std::size_t i = 0; i < step.count; ++i) step.weight[i] = order_(step.weight[i]);
    }
    return all;
  }

  EdgeSource<Id>& source_;
  const EdgeWeights weights_;
  const RankOrder order_;
  std::vector<Place> places_;
  prepare::IngestFacts closed_;
  std::uint64_t closed_end_ = 0;
  std::uint64_t from_ = 0;  ///< edges below were read by an earlier process
};

}  // namespace emgraph::graph::mst
