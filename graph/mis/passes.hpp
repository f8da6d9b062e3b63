// SPDX-License-Identifier: MIT
// Maximal independent set with one bit per node, the input read as often as that saves time.
//
// Problem: sorting all edges costs most of the time, and most edges turn out not to matter. Method: PassPlan
// chooses up to which node this pass takes edges. Edges with the smaller end in that range and neither end
// excluded are sorted and scanned (scans.hpp); the others wait for the next pass. Edges that are excluded
// while the pass is scanned are dropped before their bucket is sorted.
// Invariant: before a pass the nodes before begin_ are decided, and their messages have arrived. An edge with
// an excluded end can be left out: an excluded source sends no message, an excluded target needs none.
// Measured: paper's job (131 M random edges), 448 MiB, one pass 1.8 CPU s and 0.88 GB of I/O: see README.md.
//
// I/O: the input once per pass; what a pass sorts is spilled only as far as it does not fit.
// Memory: n / 8 bytes and the sorter's. Threads: all. Throws: DataError, MemoryLimitError, EnvironmentError.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/random_word.hpp"
#include "graph/mis/edge_filter.hpp"
#include "graph/mis/kept.hpp"
#include "graph/mis/pass_plan.hpp"
#include "graph/mis/scans.hpp"
#include "graph/prepare/sorted_edges.hpp"

namespace emgraph::graph::mis {

template <class Id, core::IntegerKey Key>
class Passes {
 public:
  /// `state`: of an earlier run, after its Place; null: from the start.
  Passes(core::Environment& environment, EdgeSource<Id>& source, std::uint64_t nodes,
         const prepare::EdgeKeys<Key>& keys, core::StateReader* state = nullptr)
      : environment_(environment),
        source_(source),
        nodes_(nodes),
        keys_(keys),
        scan_(environment.memory, nodes),
        state_(state) {
    if (state != nullptr) restore(*state);
    for (const Edge<Id>& edge : source.sample(prepare::splitter_sample)) {
      const auto [low, high] = std::minmax(edge.source, edge.target);
      if (high < nodes) sample_.emplace_back(low, high);
    }
    set_sample();
  }

  bool done() const { return done_; }
  unsigned count() const { return count_; }
  /// True if some pass took fewer edges than would have paid, because of the temporary space.
  bool cut_for_space() const { return cut_for_space_; }
  const prepare::IngestFacts& read() const { return read_; }
  const BitmapScan& scan() const { return scan_; }

  void next() {
    const std::string suffix = count_ == 0 ? "" : ", pass " + std::to_string(count_ + 1);
    if (count_ > 0) source_.rewind();
    drop_decided();
    std::optional<prepare::SortKeeper> keeper;
    core::StateReader* const state = std::exchange(state_, nullptr);
    if (environment_.checkpoint != nullptr) keeper.emplace(*environment_.checkpoint, keeping(suffix, state));
    if (keeper) keeper->seek(source_);
    prepare::Lanes<Id> lanes = prepare::open_lanes(environment_, source_);
    if (state == nullptr) end_ = choose_end();
    const std::uint64_t end = end_;
    auto options = sorter_options(end);
    options.threads = static_cast<unsigned>(lanes.size());
    options.resumable = keeper.has_value();
    options.state = state;
    core::DistributionSorter<Key> sorter(environment_, std::move(options));
    const auto take = [&](unsigned, auto& lane, std::span<const Edge<Id>> batch) {
      take_batch(lane, batch, end);
    };
    const prepare::IngestFacts read =
        prepare::fill_sorter(environment_, source_.facts(), "distribute" + suffix, std::move(lanes), nodes_,
                             sorter, take, keeper ? &*keeper : nullptr);
    if (count_ == 0) read_ = read;

    scan_pass(sorter, suffix, keeper ? &*keeper : nullptr);
    ++count_;
    begin_ = end;
    done_ = begin_ >= nodes_;
  }

  /// For a forecast: reserves the memory of all passes, as if no edge was excluded, and returns the largest
  /// space on disk. Afterwards count() is an upper bound.
  core::SpillForecast rehearse() {
    if (sample_.empty()) take_random_sample();
    core::SpillForecast spill;
    for (; !done(); ++count_) {
      prepare::Lanes<Id> lanes = prepare::open_lanes(environment_, source_);
      const std::uint64_t end = choose_end();
      auto options = sorter_options(end);
      options.threads = static_cast<unsigned>(lanes.size());
      options.rehearse = true;
      const std::uint64_t records = options.records.value_or(0);
      core::DistributionSorter<Key> sorter(environment_, std::move(options));
      const core::SpillForecast pass = sorter.rehearse_distribution(records);
      lanes.clear();
      sorter.rehearse_sorting(records);
      spill.most_bytes = std::max(spill.most_bytes, pass.most_bytes);
      spill.expected_bytes = std::max(spill.expected_bytes, pass.expected_bytes);
      first_records_ = count_ == 0 ? records : first_records_;
      begin_ = end;
      done_ = begin_ >= nodes_;
      std::erase_if(sample_, [&](const Ends& edge) { return edge.first < begin_; });
    }
    return spill;
  }
  /// After rehearse(): the edges that the first pass sorts.
  std::uint64_t first_records() const { return first_records_; }

 private:
  using Ends = std::pair<std::uint64_t, std::uint64_t>;
  /// Temporary space for a few blocks of up to 1 MiB that are not full.
  static constexpr std::uint64_t partly_filled_bytes = 4 * core::MiB;

  /// What a state holds before the place of the sort of the pass.
  struct PassPlace {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t count;
    std::uint64_t edges;
    std::uint64_t largest_id;
    bool cut_for_space;
  };

  prepare::SortKeeper::Options keeping(const std::string& suffix, core::StateReader* state) {
    return {.head =
                [this](core::StateWriter& to) {
                  to.value(Place{.method = Method::passes, .queue = Queue::bitmap});
                  to.value(PassPlace{begin_, end_, count_, read_.edges, read_.largest_id, cut_for_space_});
                  scan_.save(to);
                },
            .state = state,
            .phase = "sort" + suffix};
  }
  void restore(core::StateReader& from) {
    const auto place = from.value<PassPlace>();
    begin_ = place.begin;
    end_ = place.end;
    count_ = static_cast<unsigned>(place.count);
    read_.edges = place.edges;
    read_.largest_id = place.largest_id;
    cut_for_space_ = place.cut_for_space;
    scan_.restore(from);
  }

  void scan_pass(core::DistributionSorter<Key>& sorter, const std::string& suffix,
                 prepare::SortKeeper* keeper) {
    core::Phase phase(environment_.progress, "scan" + suffix, sorter.records(), "edges");
    if (keeper != nullptr) {
      phase.advance(keeper->records());
    } else {
      sorter.keep_before_sorting(undecided_keys(scan_, keys_));
    }
    for (auto batch = sorter.next(); !batch.empty(); batch = sorter.next()) {
      const auto fresh = keeper != nullptr ? keeper->fresh(batch) : batch;
      if (fresh.empty()) continue;
      scan_.edges(fresh.size(),
                  [&](std::size_t i) { return std::pair(keys_.first(fresh[i]), keys_.second(fresh[i])); });
      phase.advance(fresh.size() + sorter.take_dropped());
      if (keeper != nullptr) keeper->consumed(sorter, fresh, "scanned", {});
    }
    phase.advance(sorter.take_dropped());
    if (keeper != nullptr) keeper->finish();
  }

  bool matters(std::uint64_t low, std::uint64_t high) const {
    return low != high && !scan_.excluded().test(low) && !scan_.excluded().test(high);
  }

  /// Drops from the sample the edges that no longer matter.
  void drop_decided() {
    std::erase_if(sample_,
                  [&](const Ends& edge) { return edge.first < begin_ || !matters(edge.first, edge.second); });
  }

  /// In place of the sample of an input that only the run opens.
  void take_random_sample() {
    const auto edges = std::min<std::uint64_t>(source_.facts().edges.value_or(0), prepare::splitter_sample);
    for (std::uint64_t i = 0; i < edges && nodes_ > 0; ++i) {
      const auto [low, high] =
          std::minmax({core::random_word(0, 2 * i) % nodes_, core::random_word(0, 2 * i + 1) % nodes_});
      sample_.emplace_back(low, high);
    }
    set_sample();
  }
  void set_sample() {
    std::sort(sample_.begin(), sample_.end());
    const std::uint64_t edges = source_.facts().edges.value_or(0);
    edges_per_sample_ =
        static_cast<double>(edges) / static_cast<double>(std::max<std::size_t>(1, sample_.size()));
  }

  std::uint64_t choose_end() {
    if (nodes_ == 0) return 0;
    // Packed keys of a bucket lack some 8 bits.
    const std::size_t key_bytes = (2 * keys_.id_bits - std::min(8u, keys_.id_bits) + 7) / 8;
    const auto memory_records =
        static_cast<std::uint64_t>(static_cast<double>(prepare::sorter_memory(environment_.memory)) * 0.7 /
                                   static_cast<double>(key_bytes));
    const EdgeFacts& facts = source_.facts();
    const std::uint64_t free = environment_.blocks.free_bytes();
    const PassPlan plan(
        pass_costs(facts.generated, facts.layout.record_bytes(), key_bytes, environment_.threads),
        facts.edges.value_or(0), memory_records, (free - std::min(free, partly_filled_bytes)) / key_bytes);
    std::vector<std::uint64_t> lows;
    for (const Ends& edge : sample_) lows.push_back(edge.first);
    const PassPlan::End end = plan.next_end(lows, edges_per_sample_, nodes_);
    cut_for_space_ |= end.cut_for_space;
    return end.node;
  }

  typename core::DistributionSorter<Key>::Options sorter_options(std::uint64_t end) const {
    typename core::DistributionSorter<Key>::Options options;
    options.memory_bytes = prepare::sorter_memory(environment_.memory);
    if (end > begin_) options.range = {keys_.make(begin_, 0), keys_.make(end - 1, nodes_ - 1)};
    for (const Ends& edge : sample_) {
      if (edge.first < end) options.sample.push_back(keys_.make(edge.first, edge.second));
    }
    // Some more than the sample suggests: smaller buckets do no harm.
    if (source_.facts().edges) {
      options.records =
          static_cast<std::uint64_t>(1.05 * edges_per_sample_ * static_cast<double>(options.sample.size())) +
          1024;
    }
    return options;
  }

  template <class Lane>
  void take_batch(Lane& lane, std::span<const Edge<Id>> batch, std::uint64_t end) const {
    const SmallerEnds<Id> range{static_cast<Id>(begin_), static_cast<Id>(end - begin_ - 1)};
    // Before the first scan no node is excluded. Measured: 537 M edges of 34 M nodes, whose bits miss the
    // second-level cache: 84 CPU seconds with the test, 39 without (EPYC, two threads).
    const NodeBits* const excluded = begin_ == 0 ? nullptr : &scan_.excluded();
    FilteredEdges<Id> kept;
    core::KeyBatch<Lane> records(lane);
    for (; !batch.empty(); batch = batch.subspan(std::min(filter_step, batch.size()))) {
      const std::size_t count =
          filter_edges(batch.first(std::min(filter_step, batch.size())), range, excluded, kept);
      for (std::size_t i = 0; i < count; ++i) {
        records.push(keys_.make(kept[i].source, kept[i].target));
      }
    }
    records.flush();
  }

  core::Environment& environment_;
  EdgeSource<Id>& source_;
  const std::uint64_t nodes_;
  const prepare::EdgeKeys<Key> keys_;
  BitmapScan scan_;
  core::StateReader* state_;  ///< of an earlier run, for the next pass
  std::vector<Ends> sample_;  ///< ascending
  double edges_per_sample_ = 0;
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;  ///< of the pass
  unsigned count_ = 0;
  bool done_ = false;
  bool cut_for_space_ = false;
  std::uint64_t first_records_ = 0;
  prepare::IngestFacts read_;
};

}  // namespace emgraph::graph::mis
