// SPDX-License-Identifier: MIT
// Edges in order of their source through the scan that a queue stands for.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/mis/bitmap_scan.hpp"
#include "graph/mis/choice.hpp"
#include "graph/mis/directed_scan.hpp"
#include "graph/mis/heap_scan.hpp"
#include "graph/mis/ranges_scan.hpp"

namespace emgraph::graph::mis {

/// `for_each_edge(visit)` calls visit(u, v) in ascending order of u, with u < v (without `directed`).
/// `nodes`: n; the heap alone looks at it only after the last edge, so that it may become known on the way.
/// Sends the set to `sink` and returns its size.
template <class Id, class ForEachEdge>
std::uint64_t scan_edges(core::Environment& environment, Queue queue, const std::uint64_t& nodes,
                         std::size_t queue_bytes, bool directed, NodeSink<Id>* sink,
                         ForEachEdge&& for_each_edge) {
  MemberOutput<Id> output(sink);
  const auto feed = [&](auto& scan) {
    for_each_edge([&](std::uint64_t u, std::uint64_t v) { scan.edge(u, v); });
  };
  const auto feed_directed = [&](auto& inbox) {
    DirectedScan<std::remove_reference_t<decltype(inbox)>, Id> scan(inbox, output);
    feed(scan);
  };
  if (queue == Queue::bitmap) {
    if (directed) {
      BitmapInbox inbox(environment.memory, nodes);
      feed_directed(inbox);
    } else {
      BitmapScan scan(environment.memory, nodes);
      feed(scan);
      scan.finish(output);
    }
  } else if (queue == Queue::ranges) {
    const RangePlan plan = RangePlan::make(nodes, queue_bytes).value();
    if (directed) {
      RangesInbox inbox(environment, nodes, plan);
      feed_directed(inbox);
    } else {
      RangesScan<Id> scan(environment, nodes, plan, output);
      feed(scan);
      scan.finish();
    }
  } else {
    if (directed) {
      HeapInbox<Id> inbox(environment, queue_bytes);
      feed_directed(inbox);
    } else {
      HeapScan<Id> scan(environment, queue_bytes, output);
      feed(scan);
      scan.finish(nodes);
    }
  }
  return output.finish();
}

}  // namespace emgraph::graph::mis
