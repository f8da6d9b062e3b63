// SPDX-License-Identifier: MIT
// The edges of an input without loops: in memory if all fit, else in a run on the temporary disks.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "core/base/function_ref.hpp"
#include "core/base/parallel.hpp"
#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/scc/external_base.hpp"
#include "graph/types.hpp"

namespace emgraph::graph::scc {

/// I/O: edges that do not fit, out. Memory: those that fit; two blocks. Throws: EnvironmentError,
/// MemoryLimitError.
template <class Id>
class EdgeStore {
 public:
  using Run = core::Run<Edge<Id>>;

  /// `most_in_memory`: 0 sends all edges to the run.
  EdgeStore(core::Environment& environment, std::uint64_t most_in_memory, std::size_t block_bytes)
      : environment_(environment),
        block_bytes_(block_bytes),
        held_(environment.memory, static_cast<std::size_t>(most_in_memory), "two ids per edge") {}

  /// Threads: any number at once.
  void append(std::span<const Edge<Id>> edges) {
    const std::uint64_t at = claimed_.fetch_add(edges.size());
    if (at + edges.size() <= held_.size()) {
      std::copy_n(edges.data(), edges.size(), held_.data() + at);
      return;
    }
    const std::lock_guard lock(mutex_);
    // Appends that follow one that does not fit do not fit, either.
    filled_ = std::min(filled_, at);
    write(edges);
  }

  /// Ends the input. If an edge did not fit, all are in the run afterwards.
  void finish() {
    filled_ = std::min(filled_, claimed_.load());
    edges_ = filled_;
    if (writer_) spill();
  }

  std::uint64_t edges() const { return edges_; }
  bool in_memory() const { return run_.records == 0; }

  /// Moves the edges to the run and frees their memory.
  void spill() {
    write(held_.span().first(static_cast<std::size_t>(filled_)));
    held_ = {};
    filled_ = 0;
    if (!writer_) return;
    run_ = writer_->finish();
    writer_.reset();
    edges_ = run_.records;
  }

  /// Calls take(source, target) for each edge. Memory: three blocks if they are in the run.
  template <class Take>
  void for_each(Take&& take) const {
    for (const Edge<Id>& edge : held_.span().first(in_memory() ? static_cast<std::size_t>(filled_) : 0)) {
      take(edge.source, edge.target);
    }
    if (in_memory()) return;
    send(read(), take);
  }
  /// Reads the edges of the run. Requires, here and below: !in_memory() or no edges.
  core::RunReader<Edge<Id>> read() const { return {environment_, run_, 2}; }
  /// The edges are freed while they are read.
  core::RunReader<Edge<Id>> consume() { return {environment_, std::move(run_), 2}; }
  /// As for_each(); the edges are freed while they are read.
  template <class Take>
  void consume_each(Take&& take) {
    send(consume(), take);
  }
  /// Of the edges as they were read.
  PairSample sample() const {
    if (!in_memory()) return sample_;
    PairSample some;
    const auto count = static_cast<std::size_t>(filled_);
    for (std::size_t i = 0; i < count; i += count / PairSample::most + 1) {
      some.add(held_[i].source, held_[i].target);
    }
    return some;
  }

  /// Moves those of the edges that stay to the front, possibly changed, and returns their number.
  using Keep = core::FunctionRef<std::size_t(std::span<Edge<Id>>)>;
  /// Replaces the edges by what `keep` leaves of them; it is called for all, some at a time. I/O: a run in
  /// and out. Memory: five blocks for it. Threads: all, if the edges are in memory.
  void change(Keep keep) {
    if (in_memory()) return change_held(keep);
    core::RunReader<Edge<Id>> reader = consume();
    core::RunWriter<Edge<Id>> left(environment_, block_bytes_, 2);
    in_portions(reader, [&](std::span<Edge<Id>> edges) { left.append(edges.first(keep(edges))); });
    run_ = left.finish();
    edges_ = run_.records;
  }
  /// Calls `keep`, but leaves the edges as they are. Requires: !in_memory().
  void visit(Keep keep) const {
    core::RunReader<Edge<Id>> reader = read();
    in_portions(reader, keep);
  }

 private:
  template <class Take>
  static void in_portions(core::RunReader<Edge<Id>>& reader, Take&& take) {
    std::array<Edge<Id>, 2048> portion;
    for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
      for (; !batch.empty(); batch = batch.subspan(std::min(portion.size(), batch.size()))) {
        const std::size_t count = std::min(portion.size(), batch.size());
        std::copy_n(batch.data(), count, portion.data());
        take(std::span(portion).first(count));
      }
    }
  }
  void change_held(Keep keep) {
    const unsigned threads = environment_.threads;
    const auto count = static_cast<std::size_t>(filled_);
    const std::size_t piece = count / threads + 1;
    std::vector<std::span<Edge<Id>>> pieces(threads);
    core::run_on_threads(threads, [&](unsigned thread) {
      const std::size_t begin = std::min(thread * piece, count);
      const auto edges = held_.span().subspan(begin, std::min(piece, count - begin));
      pieces[thread] = edges.first(keep(edges));
    });
    Edge<Id>* to = held_.data();
    for (const std::span<Edge<Id>> rest : pieces) to = std::copy(rest.begin(), rest.end(), to);
    filled_ = edges_ = static_cast<std::uint64_t>(to - held_.data());
  }

  template <class Take>
  static void send(core::RunReader<Edge<Id>> reader, Take& take) {
    for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
      for (const Edge<Id>& edge : batch) take(edge.source, edge.target);
    }
  }
  void write(std::span<const Edge<Id>> edges) {
    if (edges.empty()) return;
    if (!writer_) writer_ = std::make_unique<core::RunWriter<Edge<Id>>>(environment_, block_bytes_, 2);
    writer_->append(edges);
    constexpr std::size_t step = 1024;
    for (std::size_t i = 0; i < edges.size(); i += step) sample_.add(edges[i].source, edges[i].target);
  }

  core::Environment& environment_;
  const std::size_t block_bytes_;
  core::Array<Edge<Id>> held_;
  std::atomic<std::uint64_t> claimed_{0};  ///< places in held_ that were asked for
  std::uint64_t filled_ = ~std::uint64_t{0};
  std::uint64_t edges_ = 0;
  std::mutex mutex_;
  std::unique_ptr<core::RunWriter<Edge<Id>>> writer_;
  Run run_;
  PairSample sample_;
};

}  // namespace emgraph::graph::scc
