// SPDX-License-Identifier: MIT
// Arcs by source, and those that the latest round has reached by target.
#include "graph/sssp/level_parents.hpp"

#include <algorithm>
#include <compare>
#include <span>
#include <utility>

#include "core/memory/buffer.hpp"

namespace emgraph::graph::sssp {
namespace {

/// An arc by its source, or by its target.
template <class Id>
struct Ends {
  Id first;
  Id second;
  auto operator<=>(const Ends&) const = default;
};

}  // namespace

template <class Id>
void find_level_parents(core::Environment& environment, core::Run<LevelArc<Id>> waiting,
                        NodeValues<Id>& parents, VisitedPages& known) {
  const auto count = static_cast<std::size_t>(waiting.records);
  core::Array<Ends<Id>> by_source(environment.memory, count, "arcs between nodes at equal distances");
  core::Array<Ends<Id>> by_target(environment.memory, count, "arcs from nodes with a parent");
  core::Array<Id> latest(environment.memory, count, "nodes with a new parent");
  const std::span<Ends<Id>> arcs = by_source.span();
  core::RunReader<LevelArc<Id>> reader(environment, std::move(waiting));
  std::size_t read = 0;
  for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
    for (const LevelArc<Id>& arc : batch) arcs[read++] = {arc.source, arc.target};
  }
  std::sort(arcs.begin(), arcs.end());
  std::size_t reached = 0;
  // Adds the arcs of the source that begin at `arc`. Returns the first arc of the next source.
  const auto follow = [&](std::size_t arc) {
    for (const Id source = arcs[arc].first; arc < count && arcs[arc].first == source; ++arc) {
      if (!known.test(arcs[arc].second)) by_target[reached++] = {arcs[arc].second, source};
    }
    return arc;
  };
  for (std::size_t arc = 0; arc < count;) {
    if (known.test(arcs[arc].first)) {
      arc = follow(arc);
    } else {
      ++arc;
    }
  }
  while (reached > 0) {
    const std::span<Ends<Id>> next = by_target.span().first(std::exchange(reached, 0));
    std::sort(next.begin(), next.end());
    std::size_t settled = 0;
    for (const auto& [target, source] : next) {
      if (known.test(target)) continue;
      parents.put(0, target, source);
      known.visit(target);
      latest[settled++] = target;
    }
    for (const Id node : latest.span().first(settled)) {
      const auto first = std::lower_bound(arcs.begin(), arcs.end(), Ends<Id>{node, 0});
      if (first != arcs.end() && first->first == node) follow(static_cast<std::size_t>(first - arcs.begin()));
    }
  }
}

template void find_level_parents(core::Environment&, core::Run<LevelArc<std::uint32_t>>,
                                 NodeValues<std::uint32_t>&, VisitedPages&);
template void find_level_parents(core::Environment&, core::Run<LevelArc<std::uint64_t>>,
                                 NodeValues<std::uint64_t>&, VisitedPages&);

}  // namespace emgraph::graph::sssp
