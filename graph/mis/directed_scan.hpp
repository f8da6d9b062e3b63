// SPDX-License-Identifier: MIT
// The listing of the STXXL paper, unchanged: edges as stored, sources only.
//
// For each edge in the order of (source, target): delete messages to nodes before the source; if the source
// has no message, it is in the set and sends a message to the target. Messages to targets before the source
// are never read. A loop sends a message to its own source, so later edges of that source send none. The
// result is not a maximal independent set of the undirected graph; it serves to compare with the paper's
// figures. Source: Dementiev, Kettner, Sanders (2008), listing in section 6.
#pragma once

#include <cstdint>

#include "core/queue/sequence_heap.hpp"
#include "graph/mis/range_messages.hpp"
#include "graph/mis/scans.hpp"
#include "graph/node_bits.hpp"

namespace emgraph::graph::mis {

/// The messages of DirectedScan, for each of the three queues. Usage: has(u) for ascending u, and then
/// send(v) for any v.
class BitmapInbox {
 public:
  BitmapInbox(core::MemoryBudget& budget, std::uint64_t nodes) : bits_(budget, nodes, "one bit per node") {}
  bool has(std::uint64_t u) const { return bits_.test(u); }
  void send(std::uint64_t v) { bits_.set(v); }

 private:
  NodeBits bits_;
};

class RangesInbox {
 public:
  RangesInbox(core::Environment& environment, std::uint64_t nodes, const MessageRanges& plan)
      : messages_(environment, nodes, plan) {}
  bool has(std::uint64_t u) {
    while (u >= messages_.range_end()) messages_.next_range();
    return messages_.test(u);
  }
  void send(std::uint64_t v) {
    if (v >= messages_.range_begin()) messages_.send(v);
  }

 private:
  RangeMessages messages_;
};

template <class Id>
class HeapInbox {
 public:
  HeapInbox(core::Environment& environment, std::size_t memory_bytes)
      : messages_(environment, {.memory_bytes = memory_bytes}) {}
  bool has(std::uint64_t u) {
    while (!messages_.empty() && messages_.top() < u) messages_.pop();
    return !messages_.empty() && messages_.top() == u;
  }
  void send(std::uint64_t v) { messages_.push(static_cast<Id>(v)); }

 private:
  core::SequenceHeap<Id> messages_;
};

template <class Inbox, class Id>
class DirectedScan {
 public:
  DirectedScan(Inbox& inbox, MemberOutput<Id>& output) : inbox_(inbox), output_(output) {}

  void edge(std::uint64_t source, std::uint64_t target) {
    if (inbox_.has(source)) return;
    if (source != member_) {
      member_ = source;
      output_.add(source);
    }
    inbox_.send(target);
  }

 private:
  Inbox& inbox_;
  MemberOutput<Id>& output_;
  std::uint64_t member_ = ~std::uint64_t{0};
};

}  // namespace emgraph::graph::mis
