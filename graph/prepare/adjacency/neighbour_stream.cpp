// SPDX-License-Identifier: MIT
// The sort and the filter behind stream_neighbours, compiled once for all solvers.
#include "graph/prepare/adjacency/neighbour_stream.hpp"

#include <array>
#include <cstring>

namespace emgraph::graph::adjacency {
namespace {

/// Collects edges for the caller.
template <class Id>
class Outbox {
 public:
  explicit Outbox(TakeNeighbours<Id> take) : take_(take) {}
  Outbox(const Outbox&) = delete;

  void push(Id source, Id target) {
    edges_[count_] = {source, target};
    if (++count_ == size) pass(nullptr);
  }
  void push(Id source, Id target, std::uint64_t weight_bits) {
    edges_[count_] = {source, target};
    weights_[count_] = weight_bits;
    if (++count_ == size) pass(weights_.data());
  }
  /// Hands on what was pushed, with weights or without. To be called before a state is sealed, and at the
  /// end.
  void flush(bool weighted) {
    if (count_ > 0) pass(weighted ? weights_.data() : nullptr);
  }

 private:
  // 8 KiB stay in the first cache, and 512 edges are worth a call.
  static constexpr std::size_t size = 512;

  void pass(const std::uint64_t* weights) {
    const std::size_t count = std::exchange(count_, 0);
    take_(std::span<const Edge<Id>>(edges_.data(), count), weights);
  }

  TakeNeighbours<Id> take_;
  std::size_t count_ = 0;
  std::array<Edge<Id>, size> edges_;
  std::array<std::uint64_t, size> weights_;
};

/// The part of stream_neighbours for sources that have the order of an adjacency.
template <class Id>
prepare::IngestFacts stream_in_order(core::Environment& environment, EdgeSource<Id>& source,
                                     const std::optional<std::uint64_t>& nodes, Outbox<Id>& out) {
  const EdgeFacts& facts = source.facts();
  prepare::IngestFacts read;
  const EdgeLane<Id> lane = source.lane();
  core::Phase phase(environment.progress, "build adjacency", facts.edges.value_or(0), "edges");
  Id last_source = 0;
  Id last_target = 0;
  bool first = true;
  for (EdgeBatch<Id> batch; !(batch = lane.next()).empty();) {
    read.merge({batch.size(), prepare::check_ids(batch, nodes, lane.place(facts.name))});
    for (const Edge<Id>& edge : batch) {
      if (edge.source == edge.target) continue;
      if (edge.source == last_source && edge.target == last_target && !first) continue;
      first = false;
      last_source = edge.source;
      last_target = edge.target;
      out.push(edge.source, edge.target);
    }
    phase.advance(batch.size());
  }
  out.flush(false);
  return read;
}

/// The same with weights. Parallel edges are neighbours, but their weights have any order.
template <class Id>
prepare::IngestFacts stream_in_order(core::Environment& environment, EdgeSource<Id>& source,
                                     const std::optional<std::uint64_t>& nodes, const EdgeWeights& weights,
                                     const WeightLimits& limits, Outbox<Id>& out) {
  const EdgeFacts& facts = source.facts();
  prepare::IngestFacts read;
  const EdgeLane<Id> lane = source.lane();
  core::Phase phase(environment.progress, "build adjacency", facts.edges.value_or(0), "edges");
  weights.with_bits([&](const auto& bits_of) {
    std::optional<Edge<Id>> waiting;
    std::uint64_t lightest = 0;
    for (EdgeBatch<Id> batch; !(batch = lane.next()).empty();) {
      read.merge({batch.size(), prepare::check_ids(batch, nodes, lane.place(facts.name))});
      check_weights(batch, weights, limits, facts.name, lane.first_edge());
      for (const Edge<Id>& edge : batch) {
        if (edge.source == edge.target) continue;
        const std::uint64_t bits = bits_of(edge);
        if (waiting && *waiting == edge) {
          if (lighter(weights.type(), bits, lightest)) lightest = bits;
          continue;
        }
        if (waiting) out.push(waiting->source, waiting->target, lightest);
        waiting = edge;
        lightest = bits;
      }
      phase.advance(batch.size());
    }
    if (waiting) out.push(waiting->source, waiting->target, lightest);
  });
  out.flush(true);
  return read;
}

/// What is sorted.
template <class Id>
struct SortJob {
  core::Environment& environment;
  EdgeSource<Id>& source;
  std::optional<std::uint64_t> nodes;
  prepare::SortSpec spec;
};

/// The part of stream_neighbours for sources that must be sorted, with weights.
template <class Id, class Visit, class Memory>
prepare::IngestFacts stream_sorted(const SortJob<Id>& job, const EdgeWeights& weights,
                                   const WeightLimits& limits, const Visit& visit, const Memory& memory,
                                   BeginNeighbours begin, Outbox<Id>& out) {
  core::Environment& environment = job.environment;
  EdgeSource<Id>& source = job.source;
  const std::optional<std::uint64_t>& nodes = job.nodes;
  const prepare::SortSpec& spec = job.spec;
  const std::size_t bytes = *spec.attachment_bytes;
  const auto sort_with = [&](prepare::SortInput<Id> input, const auto& keys) {
    const auto push_batch = [&]<class Lane>(unsigned, Lane& lane, const EdgeBatch<Id>& batch,
                                            std::uint64_t first_edge) {
      check_weights(batch, weights, limits, source.facts().name, first_edge);
      const auto push_all = [&](auto records, const auto& attachment) {
        for (const Edge<Id>& edge : batch) {
          visit(edge.source, edge.target,
                [&](std::uint64_t a, std::uint64_t b) { records.push(keys.make(a, b), attachment(edge)); });
        }
        records.flush();
      };
      bytes == 0 ? push_all(core::KeyBatch<Lane>(lane), [](const Edge<Id>&) { return nullptr; })
                 : push_all(core::KeyBatch<Lane, true>(lane), attachment_of<Id>);
    };
    auto edges = prepare::sort_edges(std::move(input), keys, spec, visit, memory, push_batch);
    begin(std::optional(edges.read().nodes(nodes)), std::optional(edges.records()));
    core::Phase phase(environment.progress, "build adjacency", edges.records(), "edges");
    if (spec.keeper != nullptr) phase.advance(spec.keeper->records());
    const auto take_all = [&](const auto& weight_of) {
      for (auto batch = edges.next(); !batch.empty(); batch = edges.next()) {
        const std::byte* const attachments = edges.attachments(bytes);
        for (std::size_t i = 0; i < batch.size(); ++i) {
          const Edge<Id> edge{static_cast<Id>(keys.first(batch[i])), static_cast<Id>(keys.second(batch[i]))};
          out.push(edge.source, edge.target, weight_of(edge, attachments + i * bytes));
        }
        out.flush(true);
        phase.advance(batch.size());
        edges.consumed(batch, in_pages, {});
      }
    };
    const auto take_with = [&]<class Bits>(Bits) {
      take_all([](const Edge<Id>&, const std::byte* attachment) {
        Bits weight;
        std::memcpy(&weight, attachment, sizeof weight);
        return std::uint64_t{weight};
      });
    };
    if (bytes == 0) {
      weights.with_computed([&](const auto& bits_of) {
        take_all([&](const Edge<Id>& edge, const std::byte*) { return bits_of(edge); });
      });
    } else {
      bytes == 4 ? take_with(std::uint32_t{}) : take_with(std::uint64_t{});
    }
    return edges.read();
  };
  const auto attempt = [&](prepare::SortInput<Id> input) {
    return prepare::with_edge_keys<Id>(input.bound.below,
                                       [&](const auto& keys) { return sort_with(std::move(input), keys); });
  };
  return prepare::with_id_bound(environment, source, nodes, spec.keeper, attempt);
}

}  // namespace

template <class Id>
prepare::IngestFacts stream_neighbour_batches(core::Environment& environment, EdgeSource<Id>& source,
                                              const StreamOptions& options, BeginNeighbours begin,
                                              TakeNeighbours<Id> take) {
  const EdgeFacts& facts = source.facts();
  if (stored_weights(options.weighting) && source.attachment_bytes() < weight_bytes(facts.layout.weight))
    throw std::logic_error(facts.name + ": neighbours with weights from edges without");
  const std::optional<std::uint64_t> nodes = known_nodes(options.nodes, facts);
  const bool in_order = streams_in_order(facts, options.directed, options.weighting);
  if (in_order) begin(nodes, facts.edges);
  const prepare::SortSpec spec = neighbour_sort(facts, options);
  const auto visit = neighbour_directions(spec.keys_per_edge == 2);
  const auto memory = memory_beside(environment, options);
  Outbox<Id> out(take);
  if (options.weighting) {
    const EdgeWeights weights(*options.weighting, facts.layout.weight);
    if (in_order) return stream_in_order(environment, source, nodes, weights, options.limits, out);
    return stream_sorted<Id>({environment, source, nodes, spec}, weights, options.limits, visit, memory,
                             begin, out);
  }
  if (in_order) return stream_in_order(environment, source, nodes, out);
  return prepare::with_sorted_edges(environment, source, nodes, spec, visit, memory, [&](auto& edges) {
    begin(std::optional(edges.read().nodes(nodes)), std::optional(edges.records()));
    core::Phase phase(environment.progress, "build adjacency", edges.records(), "edges");
    const auto keys = edges.keys();
    if (spec.keeper != nullptr) phase.advance(spec.keeper->records());
    for (auto batch = edges.next(); !batch.empty(); batch = edges.next()) {
      for (const auto key : batch)
        out.push(static_cast<Id>(keys.first(key)), static_cast<Id>(keys.second(key)));
      out.flush(false);
      phase.advance(batch.size());
      edges.consumed(batch, in_pages, {});
    }
    return edges.read();
  });
}

template prepare::IngestFacts stream_neighbour_batches(core::Environment&, EdgeSource<std::uint32_t>&,
                                                       const StreamOptions&, BeginNeighbours,
                                                       TakeNeighbours<std::uint32_t>);
template prepare::IngestFacts stream_neighbour_batches(core::Environment&, EdgeSource<std::uint64_t>&,
                                                       const StreamOptions&, BeginNeighbours,
                                                       TakeNeighbours<std::uint64_t>);

}  // namespace emgraph::graph::adjacency
