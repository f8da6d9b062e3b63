// SPDX-License-Identifier: MIT
// The nodes and parents that an external search finds, and sorts that bring them into node order.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/block/run.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "graph/prepare/edge_keys.hpp"
#include "graph/sinks.hpp"
#include "graph/types.hpp"

namespace emgraph::graph::bfs {

/// Logs nodes level by level, in any order within a level, and pairs (child, possible parent). If a node has
/// several pairs, the smallest parent counts.
///
/// I/O: writes each id, each pair, and a number per level once. Memory: two blocks for each of the runs of
/// nodes and of pairs, two pages for that of levels, and their lists of blocks, charged; a sample of 64 KiB,
/// not charged. Threads: one. Throws: EnvironmentError, MemoryLimitError.
template <class Id>
class SearchLog {
 public:
  SearchLog(core::Environment& environment, std::size_t block_bytes, bool with_parents)
      : environment_(environment), block_bytes_(block_bytes) {
    nodes_.emplace(environment, block_bytes, 2);
    counts_.emplace(environment, core::page_bytes, 2);
    if (with_parents) pairs_.emplace(environment, block_bytes, 2);
  }

  /// The log that save() has described.
  SearchLog(core::Environment& environment, core::StateReader& state)
      : environment_(environment), block_bytes_(static_cast<std::size_t>(state.value<std::uint64_t>())) {
    nodes_.emplace(environment, state);
    counts_.emplace(environment, state);
    if (state.value<bool>()) pairs_.emplace(environment, state);
    node_runs_.resize(static_cast<std::size_t>(state.value<std::uint64_t>()));
    for (core::Run<Id>& run : node_runs_) run = core::Run<Id>::restored(environment, state);
    for (std::uint64_t* const count : {&levels_, &reached_, &stride_}) *count = state.value<std::uint64_t>();
    sampled_.resize(static_cast<std::size_t>(state.value<std::uint64_t>()));
    state.array(std::span(sampled_));
  }
  /// Requires: between two levels, before finish().
  void save(core::StateWriter& state) {
    state.value(static_cast<std::uint64_t>(block_bytes_));
    nodes_->save(state);
    counts_->save(state);
    state.value(pairs_.has_value());
    if (pairs_) pairs_->save(state);
    state.value(static_cast<std::uint64_t>(node_runs_.size()));
    for (const core::Run<Id>& run : node_runs_) run.save(state);
    for (const std::uint64_t count : {levels_, reached_, stride_}) state.value(count);
    state.value(static_cast<std::uint64_t>(sampled_.size()));
    state.array(std::span<const Id>(sampled_));
  }

  std::size_t block_bytes() const { return block_bytes_; }

  void add(Id node) {
    ++in_level_;
    nodes_->push(node);
    if (reached_++ % stride_ == 0) sample(node);
  }
  void add_parent(Id node, Id parent) {
    if (pairs_) pairs_->push({node, parent});
  }
  /// Ends the level and begins the next one.
  void end_level() {
    counts_->push(in_level_);
    ++levels_;
    in_level_ = 0;
  }

  std::uint64_t levels() const { return levels_; }
  std::uint64_t reached() const { return reached_; }
  /// Valid after finish() and before replay_parents().
  std::uint64_t parent_pairs() const { return pair_run_.records; }
  /// A sample of the reached nodes, at about regular distances.
  const std::vector<Id>& sampled() const { return sampled_; }

  /// Ends the log and frees the memory of the writers.
  void finish() {
    node_runs_.push_back(nodes_->finish());
    if (pairs_) pair_run_ = pairs_->finish();
    count_run_ = counts_->finish();
    nodes_.reset();
    pairs_.reset();
    counts_.reset();
  }
  /// Calls take(node) for all nodes so far.
  template <class Take>
  void for_each_node(Take&& take) {
    node_runs_.push_back(nodes_->finish());
    nodes_.reset();
    for (const core::Run<Id>& run : node_runs_) {
      core::RunReader<Id> reader(environment_, run);
      for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
        for (const Id node : batch) take(node);
      }
    }
    nodes_.emplace(environment_, block_bytes_, 2);
  }

  /// Number of nodes on each of the first `most` levels. Requires: finish() was called.
  std::vector<std::uint64_t> nodes_per_level(std::size_t most) const {
    std::vector<std::uint64_t> counts;
    counts.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(most, levels_)));
    core::RunReader<std::uint64_t> reader(environment_, count_run_);
    for (auto batch = reader.next(); !batch.empty() && counts.size() < most; batch = reader.next()) {
      const std::size_t here = std::min(batch.size(), most - counts.size());
      counts.insert(counts.end(), batch.begin(), batch.begin() + static_cast<std::ptrdiff_t>(here));
    }
    return counts;
  }
  /// Calls take(node, level), or take(node, parent), for all nodes. Requires: finish() was called; at most
  /// one call each.
  template <class Take>
  void replay_levels(Take&& take) {
    core::RunReader<std::uint64_t> count_reader(environment_, count_run_);
    auto counts = count_reader.next();
    std::uint64_t level = 0;
    std::uint64_t left = counts.front();
    const auto next_level = [&] {
      counts = counts.subspan(1);
      if (counts.empty()) counts = count_reader.next();
      left = counts.front();
      ++level;
    };
    for (core::Run<Id>& run : node_runs_) {
      core::RunReader<Id> reader(environment_, std::move(run));
      for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
        for (const Id node : batch) {
          while (left == 0) next_level();
          --left;
          take(node, level);
        }
      }
    }
  }
  template <class Take>
  void replay_parents(Take&& take) {
    core::RunReader<Edge<Id>> reader(environment_, std::move(pair_run_));
    for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
      for (const Edge<Id>& pair : batch) take(pair.source, pair.target);
    }
  }

 private:
  static constexpr std::size_t most_samples = 8192;

  // Every stride_-th node; when the sample is full, every other node of it is dropped.
  void sample(Id node) {
    sampled_.push_back(node);
    if (sampled_.size() < most_samples) return;
    for (std::size_t i = 0; i < most_samples / 2; ++i) sampled_[i] = sampled_[2 * i];
    sampled_.resize(most_samples / 2);
    stride_ *= 2;
  }

  core::Environment& environment_;
  const std::size_t block_bytes_;
  std::optional<core::RunWriter<Id>> nodes_;
  std::optional<core::RunWriter<Edge<Id>>> pairs_;
  std::optional<core::RunWriter<std::uint64_t>> counts_;  ///< nodes per level
  std::vector<core::Run<Id>> node_runs_;  ///< each call of for_each_node ends one and begins another
  core::Run<Edge<Id>> pair_run_;
  core::Run<std::uint64_t> count_run_;
  std::uint64_t levels_ = 0;
  std::uint64_t in_level_ = 0;
  std::uint64_t reached_ = 0;
  std::uint64_t stride_ = 1;
  std::vector<Id> sampled_;
};

/// Sends the values of some nodes, ascending, to a sink; all other nodes get all ones.
template <class T>
class DenseOutput {
 public:
  explicit DenseOutput(NodeSink<T>& sink) : sink_(sink) {}

  void add(std::uint64_t node, std::uint64_t value) {
    fill_below(node);
    put(static_cast<T>(value));
  }
  void finish(std::uint64_t nodes) {
    fill_below(nodes);
    sink_.append(std::span<const T>(batch_.data(), filled_));
    filled_ = 0;
  }

 private:
  void fill_below(std::uint64_t node) {
    while (next_ < node) put(static_cast<T>(~T{0}));
  }
  void put(T value) {
    batch_[filled_++] = value;
    ++next_;
    if (filled_ == batch_.size()) {
      sink_.append(batch_);
      filled_ = 0;
    }
  }

  NodeSink<T>& sink_;
  std::array<T, 4096> batch_;
  std::size_t filled_ = 0;
  std::uint64_t next_ = 0;
};

/// The part of `bytes` that a sorter may be given: its lists of blocks come on top, in steps of 32 KiB.
constexpr std::size_t within_sort(std::size_t bytes) {
  return bytes - std::min(bytes, bytes / 16 + 36 * core::KiB);
}

/// Sorts pairs (node, value) by node, then by value; both are in the key of the sort.
template <core::IntegerKey Key>
class PairSort {
 public:
  /// `sample`: a sample of the nodes; may be empty. Requires: nodes and values are below the bounds.
  template <class Id>
  PairSort(core::Environment& environment, std::uint64_t nodes, std::uint64_t values,
           std::uint64_t expected_pairs, const std::vector<Id>& sample, std::size_t memory_bytes)
      : keys_{prepare::bits_for_nodes(values)}, sorter_(environment, [&] {
          typename Sorter::Options options;
          options.range = {0, keys_.make(nodes == 0 ? 0 : nodes - 1, values == 0 ? 0 : values - 1)};
          options.records = expected_pairs;
          options.memory_bytes = within_sort(memory_bytes);
          for (const Id node : sample) options.sample.push_back(keys_.make(node, 0));
          return options;
        }()) {}

  void push(std::uint64_t node, std::uint64_t value) { sorter_.lane(0).push(keys_.make(node, value)); }

  /// Ends the input and calls take(node, smallest value) for every node, ascending.
  template <class Take>
  void drain(Take&& take) {
    finish();
    bool any = false;
    std::uint64_t last = 0;
    for (auto batch = sorter_.next(); !batch.empty(); batch = sorter_.next()) {
      for (const Key key : batch) {
        const std::uint64_t node = keys_.first(key);
        if (any && node == last) continue;
        any = true;
        last = node;
        take(node, keys_.second(key));
      }
    }
  }
  /// The same for all pairs, including duplicates.
  template <class Take>
  void drain_all(Take&& take) {
    finish();
    for (auto batch = sorter_.next(); !batch.empty(); batch = sorter_.next()) {
      for (const Key key : batch) take(keys_.first(key), keys_.second(key));
    }
  }

 private:
  using Sorter = core::DistributionSorter<Key>;
  void finish() {
    for (unsigned lane = 0; lane < sorter_.lanes(); ++lane) sorter_.lane(lane).finish();
    sorter_.finish();
  }
  const prepare::EdgeKeys<Key> keys_;
  Sorter sorter_;
};

}  // namespace emgraph::graph::bfs
