// SPDX-License-Identifier: MIT
// Sorting by source or target. Directions, orientation and filters determine the keys of an edge.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "graph/prepare/attachment_order.hpp"
#include "graph/prepare/degrees.hpp"
#include "graph/prepare/sort.hpp"
#include "graph/prepare/sorted_edges.hpp"

namespace emgraph::graph::prepare {

/// Makes batches of records from sorted keys and their attachments.
template <class Id>
class RecordBuffer {
 public:
  explicit RecordBuffer(const core::PairShape& shape)
      : shape_(shape), records_(most_records * shape.row_bytes) {}

  /// Passes on the records of `keys`, an EdgeKeys, with their `attachments`, which are contiguous.
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
      if (shape_.attachment_bytes == 0 && sizeof(Edge<Id>) == 8 && sizeof(Key) == 8) {
        write_words(keys, by_target, here);
      } else if (shape_.attachment_bytes == 0) {
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

  /// Edges of 8 bytes, each as one word, so that the loop runs in vectors: 67 M edges take 0.03 s, as
  /// structures 0.10 s.
  template <class Keys, class Key>
  void write_words(const Keys& keys, bool by_target, std::span<const Key> sorted) {
    const Keys layout = keys;  // in registers: stores of bytes might change what a reference refers to
    const bool first_is_low = (std::endian::native == std::endian::little) != by_target;
    const unsigned first_shift = first_is_low ? 0 : 32;
    const unsigned second_shift = first_is_low ? 32 : 0;
    std::byte* const to = records_.data();
#pragma omp simd
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const std::uint64_t word = static_cast<std::uint64_t>(layout.first(sorted[i])) << first_shift |
                                 static_cast<std::uint64_t>(layout.second(sorted[i])) << second_shift;
      std::memcpy(to + i * sizeof word, &word, sizeof word);
    }
  }

  const core::PairShape shape_;
  std::vector<std::byte> records_;
};

/// Gives the ends of each key of an edge to `push`.
struct KeyEnds {
  bool no_loops;
  bool symmetrize;
  bool by_target;
  bool low_first;
  const Degrees* degrees;  ///< for Orientation::degree, else null

  unsigned keys_per_edge() const { return symmetrize ? 2 : 1; }
  void operator()(std::uint64_t source, std::uint64_t target, auto&& push) const {
    const auto push_edge = [&](std::uint64_t a, std::uint64_t b) { by_target ? push(b, a) : push(a, b); };
    if (source == target) {
      if (!no_loops) push_edge(source, target);
    } else if (symmetrize) {
      push_edge(source, target);
      push_edge(target, source);
    } else if (low_first ? target < source : degrees != nullptr && degrees->before(target, source)) {
      push_edge(target, source);
    } else {
      push_edge(source, target);
    }
  }
};

template <class Id>
KeyEnds key_ends(const EdgeSource<Id>& source, const SortOptions& options, const Degrees* degrees) {
  return {.no_loops = options.no_loops,
          .symmetrize = doubles_edges(options, source.facts(), source.attachment_bytes()),
          .by_target = options.order == EdgeOrder::target_source,
          .low_first = options.orientation == Orientation::low,
          .degrees = degrees};
}

inline SortSpec key_sort_spec(const EdgeFacts& facts, const SortOptions& options, const KeyEnds& ends) {
  return {.keys_per_edge = ends.keys_per_edge(),
          .unique = options.unique,
          .compare = attachment_order(facts.layout.weight)};
}

/// What a checkpoint keeps of a sort, and its output.
struct KeptSort {
  SortKeeper& keeper;
  const KeptOutput& output;
};

/// `nodes`: n if declared. `degrees`: for Orientation::degree, else null. `kept`: may be null.
template <class Id>
SortResult sort_by_key(core::Environment& environment, EdgeSource<Id>& source, const SortOptions& options,
                       const std::optional<std::uint64_t>& nodes, const Degrees* degrees,
                       const RecordConsumer& consume, const KeptSort* kept = nullptr) {
  const KeyEnds ends = key_ends(source, options, degrees);
  SortSpec spec = key_sort_spec(source.facts(), options, ends);
  spec.last_on_disks = true;
  if (kept != nullptr) spec.keeper = &kept->keeper;
  const SaveState save_output = kept != nullptr ? kept->output.save : SaveState();
  const auto memory = [&](unsigned) { return sorter_memory(environment.memory); };
  return with_sorted_edges(environment, source, nodes, spec, ends, memory, [&](auto& edges) {
    SortResult result;
    result.nodes = edges.read().nodes(nodes);
    result.edges = edges.read().edges;
    if (options.no_loops) result.loops_removed = result.edges - edges.records() / spec.keys_per_edge;
    core::Phase phase(environment.progress, "sort and write", edges.records(), "edges");
    RecordBuffer<Id> records(source.shape());
    if (kept != nullptr && kept->keeper.consuming()) {
      kept->output.restore(*kept->keeper.state());
      result.edges_out = kept->keeper.records();
      phase.advance(result.edges_out);
    }
    for (auto batch = edges.next(); !batch.empty(); batch = edges.next()) {
      records.write(edges.keys(), ends.by_target, batch, edges.attachments(source.attachment_bytes()),
                    consume);
      result.edges_out += batch.size();
      phase.advance(batch.size());
      edges.consumed(batch, "written", save_output);
    }
    result.duplicates_removed = edges.records() - result.edges_out;
    return result;
  });
}

/// The forecast of sort_by_key for `edges` edges.
template <class Id>
core::SpillForecast rehearse_sort_by_key(core::Environment& environment, EdgeSource<Id>& source,
                                         const SortOptions& options,
                                         const std::optional<std::uint64_t>& nodes, const Degrees* degrees,
                                         const std::optional<std::uint64_t>& edges) {
  const KeyEnds ends = key_ends(source, options, degrees);
  const auto memory = [&](unsigned) { return sorter_memory(environment.memory); };
  return rehearse_sort(environment, source, nodes, key_sort_spec(source.facts(), options, ends), ends, memory,
                       edges);
}

}  // namespace emgraph::graph::prepare
