// SPDX-License-Identifier: MIT
// Maximal independent set when only the bits of a range of nodes fit in memory.
//
// As bitmap_scan.hpp, with the exclusions as messages between node ranges (range_messages.hpp): the members
// of a range are known, and sent to the output, when the scan leaves it.
//
// I/O, Memory: of RangeMessages. Threads: one. Throws: MemoryLimitError, EnvironmentError.
#pragma once

#include <cstdint>

#include "graph/mis/member_output.hpp"
#include "graph/mis/range_messages.hpp"

namespace emgraph::graph::mis {

template <class Id>
class RangesScan {
 public:
  RangesScan(core::Environment& environment, std::uint64_t nodes, const RangePlan& plan,
             MemberOutput<Id>& output)
      : nodes_(nodes), messages_(environment, nodes, plan), output_(output) {}

  void edge(std::uint64_t u, std::uint64_t v) {
    if (u != source_) {
      source_ = u;
      while (u >= messages_.range_end()) leave_range();
      member_ = !messages_.test(u);
    }
    if (member_) messages_.send(v);
  }

  void finish() {
    while (messages_.range_end() < nodes_) leave_range();
    messages_.for_each_without([&](std::uint64_t node) { output_.add(node); });
  }

 private:
  void leave_range() {
    messages_.for_each_without([&](std::uint64_t node) { output_.add(node); });
    messages_.next_range();
  }

  const std::uint64_t nodes_;
  RangeMessages messages_;
  MemberOutput<Id>& output_;
  std::uint64_t source_ = ~std::uint64_t{0};
  bool member_ = false;
};

}  // namespace emgraph::graph::mis
