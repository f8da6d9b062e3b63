// SPDX-License-Identifier: MIT
// The scans that find a maximal independent set in sorted edges, one per queue, and their common output.
//
// Problem: find the lexicographically first set for edges (u, v), u < v, in ascending order of u.
// Method: greedy. When the scan reaches u, all smaller neighbours of u are decided, and each member among
// them has sent u the message "excluded". Without a message u is in the set and sends one to each of its
// larger neighbours. Order and number of the edges of one source do not matter. The scans differ in where
// the messages wait (the queue). Source: Dementiev, Kettner, Sanders (2008), "STXXL", section 6,
// doi 10.1002/spe.844; there with a priority queue.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/checkpoint/checkpoint.hpp"
#include "core/environment.hpp"
#include "core/queue/sequence_heap.hpp"
#include "core/sort/keep_keys.hpp"
#include "graph/mis/edge_filter.hpp"
#include "graph/mis/range_messages.hpp"
#include "graph/node_bits.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::mis {

/// Collects the members of the set into batches for the sink. With a null sink it only counts them.
template <class Id>
class MemberOutput {
 public:
  explicit MemberOutput(NodeSink<Id>* sink) : sink_(sink) {}

  void add(std::uint64_t node) {
    batch_[filled_++] = static_cast<Id>(node);
    if (filled_ == batch_.size()) flush();
  }
  /// Adds the nodes begin … end - 1: without a sink by arithmetic, because an id may be 2^63.
  void add_range(std::uint64_t begin, std::uint64_t end) {
    if (sink_ == nullptr) {
      count_ += end - begin;
      return;
    }
    constexpr std::uint64_t large = std::uint64_t{1} << 20;
    if (end - begin >= large) sink_->expect(count_ + filled_ + (end - begin));
    for (; begin < end; ++begin) add(begin);
  }
  /// True if there is no sink.
  bool counts_only() const { return sink_ == nullptr; }
  /// Adds `nodes` nodes. Requires: counts_only().
  void add_count(std::uint64_t nodes) { count_ += nodes; }
  void save(core::StateWriter& to) {
    flush();
    to.value(count_);
    if (sink_ != nullptr) sink_->save(to);
  }
  void restore(core::StateReader& from) {
    count_ = from.value<std::uint64_t>();
    if (sink_ != nullptr) sink_->restore(from);
  }
  /// Ends the output.
  std::uint64_t finish() {
    flush();
    return count_;
  }

 private:
  void flush() {
    if (sink_ != nullptr && filled_ > 0) sink_->append(std::span<const Id>(batch_.data(), filled_));
    count_ += filled_;
    filled_ = 0;
  }

  NodeSink<Id>* sink_;
  std::array<Id, 4096> batch_;
  std::size_t filled_ = 0;
  std::uint64_t count_ = 0;
};

/// The scan with one bit per node in memory. Invariant: bit v is set iff a member smaller than the scan's
/// position is a neighbour of v. The bit of v is the only random access: a bitmap of 2.6 MB (21 M nodes)
/// stays in the cache. I/O: none. Memory: n / 8 bytes. Threads: one. Throws: MemoryLimitError.
class BitmapScan {
 public:
  BitmapScan(core::MemoryBudget& budget, std::uint64_t nodes)
      : bits_(std::make_shared<NodeBits>(budget, nodes, "one bit per node")) {}

  static std::size_t memory_bytes(std::uint64_t nodes) { return NodeBits::bytes_for(nodes); }

  /// Nodes with a smaller neighbour in the set, as far as known. Threads: several may read it while no edge
  /// is added, and by test_shared() at any time.
  const NodeBits& excluded() const { return excluded_; }
  /// For threads that may go on after the scan has failed.
  std::shared_ptr<const NodeBits> shared_bits() const { return bits_; }

  /// Adds the next edge. Requires: u < v, ascending by u.
  void edge(std::uint64_t u, std::uint64_t v) {
    if (u != source_) {
      source_ = u;
      member_ = !excluded_.test(u);
    }
    if (member_) excluded_.set_shared(v);
  }

  /// Adds the next `count` edges; `ends(i)` is the pair (u, v) of the i-th one. Those with u >= v are
  /// dropped. Most sources are excluded when their edges come: these edges are dropped without a branch, and
  /// the bits of the other targets are prefetched.
  // Measured: paper's job of 16 bytes 11.5 CPU seconds edge by edge, 9.9 so; of 8 bytes in one pass 6.0
  // and 5.3 (EPYC, 512 KiB of second-level cache a core, two threads, in turn, means of 3).
  template <class Ends>
  void edges(std::size_t count, Ends&& ends) {
    constexpr std::size_t step = 512;
    constexpr std::size_t ahead = 16;
    std::array<std::uint64_t, step> sources;
    std::array<std::uint64_t, step> targets;
    for (std::size_t first = 0; first < count; first += step) {
      const std::size_t end = std::min(count, first + step);
      std::size_t filled = 0;
      for (std::size_t i = first; i < end; ++i) {
        const auto [u, v] = ends(i);
        sources[filled] = u;
        targets[filled] = v;
        filled += std::size_t{u < v} & std::size_t{!excluded_.test(u)};
      }
      for (std::size_t i = 0; i < filled; ++i) {
        excluded_.prefetch(targets[std::min(i + ahead, filled - 1)]);
        edge(sources[i], targets[i]);
      }
    }
  }

  void save(core::StateWriter& to) const {
    to.value(source_);
    to.value(member_);
    excluded_.save(to);
  }
  void restore(core::StateReader& from) {
    source_ = from.value<std::uint64_t>();
    member_ = from.value<bool>();
    excluded_.restore(from);
  }

  /// Sends the members to the output.
  template <class Id>
  void finish(MemberOutput<Id>& output) const {
    if (output.counts_only()) return output.add_count(excluded_.zeros_below(excluded_.size()));
    excluded_.for_each_zero([&](std::uint64_t node) { output.add(node); });
  }

 private:
  std::shared_ptr<NodeBits> bits_;
  NodeBits& excluded_ = *bits_;
  std::uint64_t source_ = ~std::uint64_t{0};
  bool member_ = false;
};

/// What the sort of a scan keeps of a bucket; empty: all keys.
template <class Scan, class Keys>
core::KeepKeys undecided_keys(const Scan&, const Keys&) {
  return {};
}
inline core::KeepKeys undecided_keys(const BitmapScan& scan, const prepare::EdgeKeys<std::uint64_t>& keys) {
  return [excluded = scan.shared_bits(), keys](std::span<std::uint64_t> bucket) {
    return keep_undecided(bucket, keys, *excluded);
  };
}

/// The scan with the bits of one range of nodes in memory. Messages to later ranges wait in blocks, one chain
/// per range (range_messages.hpp). When the scan leaves a range, its members are known and go to the output.
/// I/O, Memory: of RangeMessages. Threads: one. Throws: MemoryLimitError, EnvironmentError.
template <class Id>
class RangesScan {
 public:
  /// `state`: what save() has written, with the same plan except its pool; null: from the start.
  RangesScan(core::Environment& environment, std::uint64_t nodes, const MessageRanges& plan,
             MemberOutput<Id>& output, core::StateReader* state = nullptr)
      : nodes_(nodes), messages_(environment, nodes, plan, state), output_(output) {
    if (state == nullptr) return;
    source_ = state->value<std::uint64_t>();
    member_ = state->value<bool>();
  }

  void edge(std::uint64_t u, std::uint64_t v) {
    if (u != source_) {
      source_ = u;
      while (u >= messages_.range_end()) leave_range();
      member_ = !messages_.test(u);
    }
    if (member_) messages_.send(v);
  }

  void save(core::StateWriter& to) {
    messages_.save(to);
    to.value(source_);
    to.value(member_);
  }

  void finish() {
    while (messages_.range_end() < nodes_) leave_range();
    add_members();
  }

 private:
  void leave_range() {
    add_members();
    messages_.next_range();
  }
  void add_members() {
    if (output_.counts_only()) return output_.add_count(messages_.count_without());
    messages_.for_each_without([&](std::uint64_t node) { output_.add(node); });
  }

  const std::uint64_t nodes_;
  RangeMessages messages_;
  MemberOutput<Id>& output_;
  std::uint64_t source_ = ~std::uint64_t{0};
  bool member_ = false;
};

/// Time-forward processing with an external priority queue, which needs no bound on the ids: the messages to
/// a node are the least in the queue when the scan comes to it. Invariant: every message in the queue is to a
/// node not below next_. Source: Chiang et al. (1995), "External-memory graph algorithms"; Zeh (2002) for the
/// greedy set. I/O: O(sort(m)). Memory: of the queue. Threads: one. Throws: MemoryLimitError,
/// EnvironmentError.
template <class Id>
class HeapScan {
 public:
  HeapScan(core::Environment& environment, std::size_t memory_bytes, MemberOutput<Id>& output)
      : messages_(environment, {.memory_bytes = memory_bytes}), output_(output) {}

  void edge(std::uint64_t u, std::uint64_t v) {
    if (u != source_) {
      source_ = u;
      pass_to(u);
      member_ = !take_messages(u);
      if (member_) output_.add(u);
      next_ = u + 1;
    }
    if (member_) messages_.push(static_cast<Id>(v));
  }

  void finish(std::uint64_t nodes) { pass_to(nodes); }

  /// Writes each message once to a new state file, in ascending order, and makes the queue again of them. To
  /// be called before save(). I/O: the messages out and in, in the file and in the queue.
  void write_messages(core::Checkpoint& checkpoint) {
    checkpoint.drop(file_);
    file_ = checkpoint.write_state_file([&](core::StateWriter& to) {
      std::array<Id, 4096> batch;
      std::uint64_t filled = 0;
      const auto put = [&] {
        to.value(filled);
        to.array(std::span<const Id>(batch.data(), filled));
        filled = 0;
      };
      while (!messages_.empty()) {
        const Id node = messages_.top();
        take_messages(node);
        batch[filled++] = node;
        if (filled == batch.size()) put();
      }
      if (filled > 0) put();
      to.value(std::uint64_t{0});
    });
    read_messages(checkpoint);
  }
  void save(core::StateWriter& to) const {
    to.value(next_);
    to.value(source_);
    to.value(member_);
    to.value(file_);
  }
  void restore(core::StateReader& from, core::Checkpoint& checkpoint) {
    next_ = from.value<std::uint64_t>();
    source_ = from.value<std::uint64_t>();
    member_ = from.value<bool>();
    file_ = from.value<core::StateFile>();
    read_messages(checkpoint);
  }

 private:
  void read_messages(core::Checkpoint& checkpoint) {
    const auto from = checkpoint.read_state_file(file_);
    std::array<Id, 4096> batch;
    while (const auto count = from->value<std::uint64_t>()) {
      const auto messages = std::span(batch).first(std::min<std::uint64_t>(count, batch.size()));
      from->array(messages);
      messages_.push_batch(messages);
    }
  }
  /// Decides the nodes next_ … end - 1, which have no larger neighbours.
  void pass_to(std::uint64_t end) {
    while (next_ < end) {
      const std::uint64_t stop = messages_.empty() ? end : std::min<std::uint64_t>(end, messages_.top());
      output_.add_range(next_, stop);
      next_ = stop;
      if (next_ < end) {
        take_messages(next_);
        ++next_;
      }
    }
  }
  bool take_messages(std::uint64_t node) {
    bool any = false;
    while (!messages_.empty() && messages_.top() == node) {
      messages_.pop();
      any = true;
    }
    return any;
  }

  core::SequenceHeap<Id> messages_;
  core::StateFile file_;  ///< the messages in the state that was sealed last
  MemberOutput<Id>& output_;
  std::uint64_t next_ = 0;
  std::uint64_t source_ = ~std::uint64_t{0};
  bool member_ = false;
};

}  // namespace emgraph::graph::mis
