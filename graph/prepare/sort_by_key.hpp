// SPDX-License-Identifier: MIT
// Sorting by source or target: every direction, orientation and filter is a way to turn an edge into keys.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "graph/prepare/attachment_order.hpp"
#include "graph/prepare/degrees.hpp"
#include "graph/prepare/key_sort.hpp"
#include "graph/prepare/sort.hpp"

namespace emgraph::graph::prepare {

template <class R>
using EdgeConsumer = std::function<void(std::span<const R>)>;

/// `bound`: of the ids; `nodes`: n, where it is declared. `degrees`: for Orientation::degree, else null.
template <class R, core::IntegerKey Key>
SortResult sort_by_key(core::Environment& environment, EdgeSource<R>& source, const SortOptions& options,
                       const IdBound& bound, const std::optional<std::uint64_t>& nodes,
                       const Degrees* degrees, const EdgeKeys<Key>& keys, const EdgeConsumer<R>& consume) {
  // What is stored in both directions already needs no more.
  const bool symmetrize = options.symmetrize && !source.facts().symmetric;
  const bool by_target = options.order == EdgeOrder::target_source;
  const auto visit = [&](std::uint64_t source_id, std::uint64_t target_id, auto&& push) {
    const auto push_edge = [&](std::uint64_t a, std::uint64_t b) { by_target ? push(b, a) : push(a, b); };
    if (source_id == target_id) {
      if (!options.no_loops) push_edge(source_id, target_id);
    } else if (symmetrize) {
      push_edge(source_id, target_id);
      push_edge(target_id, source_id);
    } else if (options.orientation == Orientation::low
                   ? target_id < source_id
                   : degrees != nullptr && degrees->before(target_id, source_id)) {
      push_edge(target_id, source_id);
    } else {
      push_edge(source_id, target_id);
    }
  };
  auto sorter_options = prepare::sorter_options(source, keys, bound.below, visit);
  if (symmetrize && sorter_options.records)
    *sorter_options.records = core::size_product(*sorter_options.records, 2);
  sorter_options.unique = options.unique;
  sorter_options.compare = attachment_order(source.facts().layout.weight);
  Lanes<R> lanes = open_lanes(environment, source);
  sorter_options.threads = static_cast<unsigned>(lanes.size());
  sorter_options.memory_bytes = sorter_memory(environment.memory);
  EdgeSorter<R, Key> sorter(environment, std::move(sorter_options));
  const IngestFacts read = fill_sorter<R, Key>(environment, source.facts(), "distribute", std::move(lanes),
                                               bound, sorter, take_visited(keys, visit));

  SortResult result;
  result.nodes = read.nodes(nodes);
  result.edges = read.edges;
  if (options.no_loops) {
    result.loops_removed = read.edges - sorter.records() / (symmetrize ? 2 : 1);
  }
  core::Phase phase(environment.progress, "sort and write", sorter.records(), "edges");
  std::vector<R> edges(4096);
  for (auto batch = sorter.next(); !batch.empty(); batch = sorter.next()) {
    for (std::size_t done = 0; done < batch.size();) {
      const std::size_t here = std::min(edges.size(), batch.size() - done);
      for (std::size_t i = 0; i < here; ++i) {
        const auto& record = batch[done + i];
        auto first = static_cast<typename R::id_type>(keys.first(record.key));
        auto second = static_cast<typename R::id_type>(keys.second(record.key));
        if (by_target) std::swap(first, second);
        edges[i].source = first;
        edges[i].target = second;
        if constexpr (R::attachment_bytes > 0) edges[i].attachment = record.attachment;
      }
      consume({edges.data(), here});
      done += here;
    }
    result.edges_out += batch.size();
    phase.advance(batch.size());
  }
  result.duplicates_removed = sorter.records() - result.edges_out;
  return result;
}

}  // namespace emgraph::graph::prepare
