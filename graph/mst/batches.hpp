// SPDX-License-Identifier: MIT
// The forest of edges that do not fit into memory, if a few forests fit.
//
// Problem: edges come in any order and do not fit into memory; 4 bytes per node and some forests fit.
// Method: edge codes are collected in a pool. When the pool is full, it is reduced to its forest
// (filter_kruskal.hpp), and the next edges follow. An edge that is not in the forest of some edges is not in
// the forest of all edges. Labels of the light parts of the current forest (light_labels.hpp) drop most edges
// on reading. Invariant: the forest of the edges in the pool and of all edges not yet read is the forest of
// all edges. Measured: kron22 with hash weights, 1 GiB, from the raw file: 1.3 CPU s on two cores, a quarter
// of it for labels. README.md has more. Source: as the two files; merging forests of parts of the edges as in
// Dementiev, Sanders, Schultes, Sibeyn (2004), doi 10.1007/1-4020-8141-3_17, section 2.
//
// I/O: reads each edge once. Memory: the pool, 4 bytes per node, 4 bytes per node and level of labels.
// Threads: all threads read and filter; no thread reads while the pool is reduced (threads:
// filter_kruskal.hpp). Throws: DataError, MemoryLimitError, EnvironmentError. With a checkpoint: the state is
// the pool and the bounds of the labels; it stands for the first edges of the input, whose number is known.
// All threads stop reading to seal it, and read on without a reduction, which can take longer than a period.
// A run that goes on makes the labels again, by a reduction.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/block/run.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/mst/choice.hpp"
#include "graph/mst/edge_feed.hpp"
#include "graph/mst/filter_kruskal.hpp"
#include "graph/mst/light_labels.hpp"

namespace emgraph::graph::mst {

template <class Code>
class Batches {
 public:
  using Node = std::uint32_t;

  /// Requires: the lanes of the feed are open.
  Batches(core::Environment& environment, EdgeFeed& feed, const EdgeCodes<Code>& codes, const BatchPlan& plan)
      : environment_(environment),
        feed_(feed),
        codes_(codes),
        plan_(plan),
        threads_(feed.threads()),
        pool_(environment.memory, plan.pool_codes, "edges of a batch"),
        readers_(threads_) {}

  /// Reads the whole input. codes_too_narrow: some edges are lost, and the feed must be rewound.
  /// too_many_nodes: another solver can continue with the edges of hand_over() and the rest of the feed.
  /// `saved`: what save() has written in an earlier process, or null. The feed goes on behind its edges.
  Outcome run(core::StateReader* saved) {
    limit_ = plan_.first_codes;
    if (saved != nullptr) {
      if (const Outcome outcome = restore(*saved); outcome != Outcome::done) return outcome;
    }
    for (;;) {
      feed_.on_threads([&](unsigned thread) { fill(thread); });
      if (narrow_) return Outcome::codes_too_narrow;
      const bool all_read =
          std::all_of(readers_.begin(), readers_.end(), [](const Reader& reader) { return reader.at_end; });
      // Not so if a thread stopped within its batch, because the pool is full.
      const bool paused = pause_.exchange(false) && at_batch_ends();
      const bool prefix = paused && feed_.at_prefix();
      if (all_read || count_ > limit_) {
        const Outcome outcome = reduce(all_read);
        if (outcome != Outcome::done || all_read) return outcome;
      }
      if (prefix) seal();
      if (paused) environment_.checkpoint->stop_if_asked();
    }
  }

  /// The forest, ascending. Requires: run() was done.
  std::span<Code> forest() { return pool_.span().first(count_); }

  /// After too_many_nodes: returns the relevant edges read so far, and frees the memory.
  core::Run<WideCode> hand_over() {
    constexpr std::size_t block_bytes = 64 * 1024;
    core::RunWriter<WideCode> writer(environment_, block_bytes, 2);
    for (const Code& code : pool_.span().first(count_)) {
      writer.push({codes_.weight(code), codes_.low(code), codes_.high(code)});
    }
    pool_ = {};
    sets_.reset();
    labels_.release();
    return writer.finish();
  }

 private:
  struct alignas(64) Reader {
    bool at_end = false;
    std::uint64_t largest_id = 0;
  };

  void seal() {
    const prepare::IngestFacts read = feed_.read();
    environment_.checkpoint->seal(prepare::edges_read("read and reduce", read.edges, feed_.facts().edges),
                                  [&](core::StateWriter& to) {
                                    to.value(SavedForest::batches);
                                    to.value(codes_.layout());
                                    to.value(read.edges);
                                    to.value(read.largest_id);
                                    std::uint64_t largest = 0;
                                    for (const Reader& reader : readers_)
                                      largest = std::max(largest, reader.largest_id);
                                    to.value(largest);
                                    const std::vector<Code>& aims = labels_.aims();
                                    to.value(static_cast<std::uint64_t>(aims.size()));
                                    to.array(std::span(aims));
                                    to.value(static_cast<std::uint64_t>(count_));
                                    to.array(pool_.span().first(count_));
                                  });
  }
  /// The pool can be smaller than that of the earlier run: it is reduced as often as it is full.
  Outcome restore(core::StateReader& state) {
    readers_[0].largest_id = state.value<std::uint64_t>();
    std::vector<Code> aims(
        std::min<std::uint64_t>(state.value<std::uint64_t>(), LightLabels<Code>::most_levels));
    state.array(std::span(aims));
    const bool labelled = !aims.empty();
    if (labelled) labels_.aim_at(std::move(aims));
    for (auto left = state.value<std::uint64_t>(); left > 0;) {
      const auto here = static_cast<std::size_t>(std::min<std::uint64_t>(left, room() - count_));
      state.array(pool_.span().subspan(count_, here));
      count_ += here;
      left -= here;
      if (left == 0 && !labelled) break;
      if (const Outcome outcome = reduce(false); outcome != Outcome::done) return outcome;
    }
    return Outcome::done;
  }
  /// Codes in the pool at which it is reduced at the latest.
  std::size_t room() const { return pool_.size() - threads_ * FeedStep::most_edges; }

  bool at_batch_ends() const {
    bool all = true;
    for (unsigned thread = 0; thread < threads_; ++thread) all = all && feed_.at_batch_end(thread);
    return all;
  }

  void fill(unsigned thread) {
    Reader& reader = readers_[thread];
    const CodeLayout& layout = codes_.layout();
    FeedStep step;
    typename LightLabels<Code>::StepCodes codes;
    // A thread may add most_edges to a pool of limit_ edges. If these are all, it sees the end of the input.
    while (count_.load(std::memory_order_relaxed) <= limit_ && !narrow_.load(std::memory_order_relaxed)) {
      if (feed_.pauses(thread, pause_)) return;
      if (!feed_.next(thread, step)) {
        reader.at_end = true;
        return;
      }
      std::uint64_t weights = 0;
      std::uint64_t ids = 0;
      std::uint64_t largest = 0;
#pragma omp simd reduction(| : weights, ids) reduction(max : largest)
      for (std::size_t i = 0; i < step.count; ++i) {
        weights |= step.weight[i] - layout.weight_base;
        ids |= step.high[i];
        largest = std::max(largest, step.high[i]);
      }
      if (!layout.holds(weights, ids)) {
        narrow_.store(true);
        return;
      }
      reader.largest_id = std::max(reader.largest_id, largest);
#pragma omp simd
      for (std::size_t i = 0; i < step.count; ++i) {
        codes[i] = codes_.make(step.weight[i], step.low[i], step.high[i]);
      }
      const std::size_t kept = labels_.filter(step, codes);
      std::copy_n(codes.begin(), kept, pool_.data() + count_.fetch_add(kept));
    }
  }

  Outcome reduce(bool last) {
    std::uint64_t nodes = 1;
    for (const Reader& reader : readers_) {
      if (reader.largest_id == ~std::uint64_t{0}) return Outcome::too_many_nodes;
      nodes = std::max(nodes, reader.largest_id + 1);
    }
    if (feed_.nodes()) nodes = std::max(nodes, *feed_.nodes());
    sets_.reset();
    if (last) labels_.release();
    if (nodes > std::uint64_t{1} << 32 ||
        UnionFind<Node>::bytes_for(nodes) + core::page_bytes > environment_.memory.available()) {
      return Outcome::too_many_nodes;
    }
    sets_.emplace(environment_.memory, nodes, "4 bytes per node");
    if (!last && count_ > 0) aim_labels(nodes);
    core::ThreadTeam team(threads_);
    FilterKruskal<Code> kruskal(codes_, *sets_, team);
    count_ = kruskal.run(pool_.span().first(count_), [&](const Code& next) {
      if (!last) labels_.reached(next, *sets_, team);
    });
    if (last) return Outcome::done;
    if (count_ > 0) labels_.finish(pool_[count_ - 1], *sets_, team);
    if (count_ + pool_.size() / 8 > room()) return Outcome::too_many_nodes;
    limit_ = std::min(room(), count_ + plan_.next_codes);
    return Outcome::done;
  }

  void aim_labels(std::uint64_t nodes) {
    if (!labels_.aimed()) {
      std::vector<Code> sample;
      constexpr std::size_t wished = 4096;
      for (std::size_t i = 0; i < count_; i += count_ / wished + 1) sample.push_back(pool_[i]);
      labels_.aim(std::move(sample), plan_.levels);
    }
    labels_.start(environment_.memory, nodes);
  }

  core::Environment& environment_;
  EdgeFeed& feed_;
  const EdgeCodes<Code> codes_;
  const BatchPlan plan_;
  const unsigned threads_;
  core::Array<Code> pool_;
  std::vector<Reader> readers_;
  std::atomic<std::size_t> count_{0};
  std::atomic<bool> narrow_{false};
  std::atomic<bool> pause_{false};  ///< all threads stop at the end of their batch
  std::size_t limit_ = 0;
  std::optional<UnionFind<Node>> sets_;
  LightLabels<Code> labels_;
};

}  // namespace emgraph::graph::mst
