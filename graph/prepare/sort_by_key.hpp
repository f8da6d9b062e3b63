// SPDX-License-Identifier: MIT
// Sorting by source or target. Direction, orientation and filters decide which keys an edge becomes.
#pragma once

#include <cstdint>
#include <cstring>
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

/// A batch of records that is filled from sorted keys and their attachments, then handed on.
template <class Id>
class RecordBuffer {
 public:
  explicit RecordBuffer(const core::PairShape& shape)
      : shape_(shape), records_(most_records * shape.row_bytes) {}

  /// Hands on records of `keys`, an EdgeKeys, with `attachments` back to back.
  template <class Keys, class Key>
  void write(const Keys& keys, bool by_target, std::span<const Key> sorted, const std::byte* attachments,
             const RecordConsumer& consume) {
    for (std::size_t done = 0; done < sorted.size();) {
      const auto here = sorted.subspan(done, std::min(most_records, sorted.size() - done));
      const auto ends = [&](Key key) {
        const auto first = static_cast<Id>(keys.first(key));
        const auto second = static_cast<Id>(keys.second(key));
        return by_target ? Edge<Id>{second, first} : Edge<Id>{first, second};
      };
      if (shape_.attachment_bytes == 0) {
        for (std::size_t i = 0; i < here.size(); ++i) {
          const Edge<Id> edge = ends(here[i]);
          std::memcpy(records_.data() + i * sizeof edge, &edge, sizeof edge);
        }
      } else {
        core::with_constant_size(shape_.attachment_bytes, [&](auto size) {
          const std::size_t bytes = size == 0 ? shape_.attachment_bytes : std::size_t{size};
          std::byte* to = records_.data();
          for (std::size_t i = 0; i < here.size(); ++i, to += shape_.row_bytes) {
            const Edge<Id> edge = ends(here[i]);
            std::memcpy(to, &edge, sizeof edge);
            std::memcpy(to + sizeof edge, attachments + (done + i) * bytes, bytes);
          }
        });
      }
      consume(shape_, {records_.data(), here.size()});
      done += here.size();
    }
  }

 private:
  static constexpr std::size_t most_records = 4096;
  const core::PairShape shape_;
  std::vector<std::byte> records_;
};

/// `bound`: of the ids; `nodes`: n, where it is declared. `degrees`: for Orientation::degree, else null.
template <class Id, core::IntegerKey Key>
SortResult sort_by_key(core::Environment& environment, EdgeSource<Id>& source, const SortOptions& options,
                       const IdBound& bound, const std::optional<std::uint64_t>& nodes,
                       const Degrees* degrees, const EdgeKeys<Key>& keys, const RecordConsumer& consume) {
  // Edges that are stored in both directions already are not doubled again.
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
  Lanes<Id> lanes = open_lanes(environment, source);
  sorter_options.threads = static_cast<unsigned>(lanes.size());
  sorter_options.memory_bytes = sorter_memory(environment.memory);
  core::DistributionSorter<Key> sorter(environment, std::move(sorter_options));
  const IngestFacts read = fill_sorter(environment, source.facts(), "distribute", std::move(lanes), bound,
                                       sorter, take_visited(keys, visit));

  SortResult result;
  result.nodes = read.nodes(nodes);
  result.edges = read.edges;
  if (options.no_loops) {
    result.loops_removed = read.edges - sorter.records() / (symmetrize ? 2 : 1);
  }
  core::Phase phase(environment.progress, "sort and write", sorter.records(), "edges");
  RecordBuffer<Id> records(source.shape());
  for (auto batch = sorter.next(); !batch.empty(); batch = sorter.next()) {
    records.write(keys, by_target, batch, sorter.attachments(), consume);
    result.edges_out += batch.size();
    phase.advance(batch.size());
  }
  result.duplicates_removed = sorter.records() - result.edges_out;
  return result;
}

}  // namespace emgraph::graph::prepare
