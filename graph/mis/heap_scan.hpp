// SPDX-License-Identifier: MIT
// Maximal independent set by time-forward processing with an external priority queue.
//
// As bitmap_scan.hpp, with the exclusions as messages in a sequence heap, which needs no bound on the ids:
// the messages to a node are the least in the queue when the scan comes to it. Invariant: every message in
// the queue is to a node not below next_. Chiang et al. (1995), "External-memory graph algorithms"; Zeh
// (2002) for the greedy set; Dementiev, Kettner, Sanders (2008), doi 10.1002/spe.844.
//
// I/O: O(sort(m)). Memory: of the queue. Threads: one. Throws: MemoryLimitError, EnvironmentError.
#pragma once

#include <cstdint>

#include "core/queue/sequence_heap.hpp"
#include "graph/mis/member_output.hpp"

namespace emgraph::graph::mis {

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

 private:
  /// Decides the nodes next_ … end - 1, which have no larger neighbours.
  void pass_to(std::uint64_t end) {
    while (next_ < end) {
      const std::uint64_t stop = messages_.empty() ? end : std::min<std::uint64_t>(end, messages_.top());
      for (; next_ < stop; ++next_) output_.add(next_);
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
  MemberOutput<Id>& output_;
  std::uint64_t next_ = 0;
  std::uint64_t source_ = ~std::uint64_t{0};
  bool member_ = false;
};

}  // namespace emgraph::graph::mis
