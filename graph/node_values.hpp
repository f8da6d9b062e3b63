// SPDX-License-Identifier: MIT
// Collects one value per node, in any order and from many threads, and emits them in the order of the nodes.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/environment.hpp"
#include "core/io/state_stream.hpp"
#include "core/memory/buffer.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph {

/// If a node gets several values, the smallest counts. A node without a value gets all ones.
///
/// Method: an array indexed by node, or an external sort of (node, value).
/// I/O: array: none. Sort: each pair is written and read at most once. Memory: array: sizeof(T) per node;
/// sort: `sort_bytes`. Threads: up to `threads` threads call `put`, each with its own number. Throws:
/// MemoryLimitError, EnvironmentError, exceptions of the sink.
template <class T>
class NodeValues {
 public:
  static constexpr T missing = static_cast<T>(~T{0});

  /// `in_memory`: uses an array, else the sort.
  NodeValues(core::Environment& environment, std::uint64_t nodes, unsigned threads, bool in_memory,
             std::size_t sort_bytes, std::string_view what)
      : nodes_(nodes) {
    if (in_memory) {
      make_array(environment, what);
    } else {
      make_sorter(environment, threads, sort_bytes, nullptr);
    }
  }
  /// With the values that save() has written. Values that were sorted are sorted again.
  NodeValues(core::Environment& environment, std::uint64_t nodes, unsigned threads, bool in_memory,
             std::size_t sort_bytes, std::string_view what, core::StateReader& state)
      : nodes_(nodes) {
    if (state.value<Saved>() == Saved::sorter) {
      make_sorter(environment, threads, sort_bytes, &state);
      sorter_->restore_chains(state);
      return;
    }
    if (in_memory) {
      make_array(environment, what);
      state.array(array_.span());
      return;
    }
    make_sorter(environment, threads, sort_bytes, nullptr);
    std::vector<T> values(sorted_batch);
    for (std::uint64_t node = 0; node < nodes;) {
      values.resize(static_cast<std::size_t>(std::min<std::uint64_t>(sorted_batch, nodes - node)));
      state.array(std::span(values));
      for (const T value : values) {
        if (value != missing) put(0, node, value);
        ++node;
      }
    }
  }
  /// Requires: no thread is inside put(). With the sort, the environment has a checkpoint.
  void save(core::StateWriter& state) {
    state.value(sorter_ != nullptr ? Saved::sorter : Saved::array);
    if (sorter_ == nullptr) return state.array(array_.span());
    sorter_->save_fan(state);
    sorter_->save_chains(state);
  }

  /// Least sort_bytes for `threads` threads.
  static constexpr std::size_t least_sort_bytes(unsigned threads) {
    return 1280 * 1024 + threads * std::size_t{640} * 1024;
  }

  /// For a forecast, in place of so many `put`, then of finish(): reserves the memory that they take.
  /// Requires: the sort. Returns its space on disk.
  core::SpillForecast rehearse_puts(std::uint64_t puts) { return sorter_->rehearse_distribution(puts); }
  void rehearse_finish() { sorter_->rehearse_sorting(nodes_); }

  void put(unsigned thread, std::uint64_t node, T value) {
    if (sorter_ != nullptr) {
      sorter_->lane(thread).push_with(node, value);
      return;
    }
    std::atomic_ref<T> place(array_[static_cast<std::size_t>(node)]);
    T known = place.load(std::memory_order_relaxed);
    while (value < known && !place.compare_exchange_weak(known, value, std::memory_order_relaxed)) {
    }
  }

  /// Sends the values of nodes 0, 1, … to the sink. Afterwards `put` is not allowed.
  void finish(NodeSink<T>& sink) {
    if (sorter_ == nullptr) return append_in_batches(sink, std::span<const T>(array_.span()));
    for (unsigned lane = 0; lane < sorter_->lanes(); ++lane) sorter_->lane(lane).finish();
    sorter_->finish();
    std::vector<T> batch;
    batch.reserve(sorted_batch);
    const auto add = [&](T value) {
      batch.push_back(value);
      if (batch.size() < sorted_batch) return;
      sink.append(batch);
      batch.clear();
    };
    std::uint64_t next = 0;
    for (auto nodes = sorter_->next(); !nodes.empty(); nodes = sorter_->next()) {
      const std::byte* attachment = sorter_->attachments();
      for (const std::uint64_t node : nodes) {
        for (; next < node; ++next) add(missing);
        T value;
        std::memcpy(&value, attachment, sizeof(value));
        attachment += sizeof(value);
        add(value);
        ++next;
      }
    }
    for (; next < nodes_; ++next) add(missing);
    if (!batch.empty()) sink.append(batch);
  }

 private:
  using Sorter = core::DistributionSorter<std::uint64_t>;
  static constexpr std::size_t sorted_batch = 4096;
  enum class Saved : std::uint64_t { array, sorter };

  void make_array(core::Environment& environment, std::string_view what) {
    array_ = core::Array<T>(environment.memory, static_cast<std::size_t>(nodes_), what);
    std::fill(array_.span().begin(), array_.span().end(), missing);
  }
  void make_sorter(core::Environment& environment, unsigned threads, std::size_t sort_bytes,
                   core::StateReader* state) {
    Sorter::Options options;
    options.range = {0, nodes_ == 0 ? 0 : nodes_ - 1};
    options.memory_bytes = sort_bytes;
    options.threads = threads;
    options.unique = true;
    options.attachment_bytes = sizeof(T);
    options.compare = compare;
    options.resumable = environment.checkpoint != nullptr;
    options.state = state;
    sorter_ = std::make_unique<Sorter>(environment, std::move(options));
  }

  static int compare(const std::byte* a, const std::byte* b, std::size_t) {
    T left;
    T right;
    std::memcpy(&left, a, sizeof(left));
    std::memcpy(&right, b, sizeof(right));
    return left < right ? -1 : left > right ? 1 : 0;
  }

  const std::uint64_t nodes_;
  core::Array<T> array_;
  std::unique_ptr<Sorter> sorter_;
};

}  // namespace emgraph::graph
