// SPDX-License-Identifier: MIT
// The search, batch by batch, and its results.
#include "graph/sssp/external.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/block/run.hpp"
#include "core/memory/buffer.hpp"
#include "core/queue/sequence_heap.hpp"
#include "graph/adjacency/list_access.hpp"
#include "graph/node_bits.hpp"
#include "graph/node_values.hpp"
#include "graph/sssp/distances.hpp"
#include "graph/sssp/external_parents.hpp"
#include "graph/sssp/overflow.hpp"
#include "graph/visited_pages.hpp"

namespace emgraph::graph::sssp {
namespace {

/// One bit per node, in memory where it fits, else on the disks.
class SettledNodes {
 public:
  SettledNodes(core::Environment& environment, std::uint64_t nodes, std::size_t most_bytes) {
    if (nodes < std::uint64_t{1} << 48 && NodeBits::bytes_for(nodes) + core::page_bytes <= most_bytes) {
      bits_.emplace(environment.memory, nodes, "one bit per settled node");
    } else {
      pages_.emplace(environment, nodes, most_bytes);
    }
  }
  bool in_memory() const { return bits_.has_value(); }
  /// True if the node is settled for sure: bits on the disks are not read.
  bool known(std::uint64_t node) const { return bits_ && bits_->test(node); }
  bool test(std::uint64_t node) { return bits_ ? bits_->test(node) : pages_->test(node); }
  /// Settles the node; false if it is settled.
  bool settle(std::uint64_t node) {
    if (pages_) return pages_->visit(node);
    if (bits_->test(node)) return false;
    bits_->set(node);
    return true;
  }

 private:
  std::optional<NodeBits> bits_;
  std::optional<VisitedPages> pages_;
};

/// The nearest candidates pushed of late, each in the only place its node can have.
template <class Id>
class RecentCandidates {
 public:
  RecentCandidates(core::MemoryBudget& budget, std::size_t bytes)
      : places_(budget, std::max<std::size_t>(64, std::bit_floor(bytes / sizeof(Place))),
                "recent candidates") {}

  /// False if a candidate of the node was pushed that is as near.
  bool push(Id node, std::uint64_t distance) {
    Place& place = places_[static_cast<std::size_t>(node) & (places_.size() - 1)];
    if (place.filled && place.node == node && place.distance <= distance) return false;
    place = {distance, node, true};
    return true;
  }

 private:
  struct Place {
    std::uint64_t distance;
    Id node;
    bool filled;
  };
  core::Array<Place> places_;
};

/// Tells the values of missing nodes as the result has them, and keeps a copy for the parents.
template <class Distances>
class DistanceSink final : public NodeSink<std::uint64_t> {
 public:
  using Writer = core::RunWriter<std::uint64_t>;
  DistanceSink(NodeSink<std::uint64_t>* result, Writer* by_source, Writer* by_target)
      : result_(result), by_source_(by_source), by_target_(by_target) {}

  void append(std::span<const std::uint64_t> values) override {
    batch_.assign(values.begin(), values.end());
    std::replace(batch_.begin(), batch_.end(), ~std::uint64_t{0}, Distances::unreached);
    if (result_ != nullptr) result_->append(batch_);
    if (by_source_ != nullptr) by_source_->append(batch_);
    if (by_target_ != nullptr) by_target_->append(batch_);
  }

 private:
  NodeSink<std::uint64_t>* const result_;
  Writer* const by_source_;
  Writer* const by_target_;
  std::vector<std::uint64_t> batch_;
};

template <class Id, class Distances>
class ExternalSearch {
 public:
  using Pages = adjacency::PagedAdjacency<Id>;
  using Values = NodeValues<std::uint64_t>;

  ExternalSearch(core::Environment& environment, Pages& graph, Values* found, std::size_t free_bytes)
      : environment_(environment),
        graph_(graph),
        weight_(graph.facts().weight),
        shortest_(graph.facts().entries == 0
                      ? 0
                      : length_of(weight_, weight_of_rank(weight_, graph.facts().weights.least))),
        found_(found),
        settled_(environment, graph.facts().nodes, free_bytes / 4),
        recent_(environment.memory, free_bytes / 16),
        queue_(environment, {.memory_bytes = std::max<std::size_t>(256 * core::KiB, free_bytes / 4)}),
        batch_(environment.memory, std::max<std::size_t>(1024, free_bytes / 16 / sizeof(Candidate)),
               "candidates of a batch"),
        nodes_(environment.memory, batch_.size(), "nodes of a batch"),
        words_(environment.memory, batch_.size(), "distances of a batch"),
        access_(environment, graph, std::max<std::size_t>(512 * core::KiB, free_bytes / 16)) {}

  ExternalResult run(Id root) {
    core::Phase phase(environment_.progress, "search", graph_.facts().nodes, "nodes");
    ExternalResult result;
    queue_.push({0, root});
    while (!queue_.empty()) {
      const std::size_t count = take_batch();
      result.reached += count;
      phase.advance(count);
      if (count == 0) continue;
      result.max_distance =
          std::max(result.max_distance, *std::max_element(words_.data(), words_.data() + count));
      expand(nodes_.span().first(count));
    }
    access_.close_cache();
    if (overflow_) refuse_overflow();
    result.method = core::format_count(batches_) + " batches, " + core::format_count(scans_) + " by scans" +
                    (settled_.in_memory() ? " (one bit per node in memory)" : "");
    return result;
  }

 private:
  struct Candidate {
    std::uint64_t distance;
    Id node;
    bool operator<(const Candidate& other) const {
      return distance != other.distance ? distance < other.distance : node < other.node;
    }
  };

  // Takes unsettled nodes that are final from the queue and settles them; their number. They are in nodes_,
  // ascending, with distances in words_.
  std::size_t take_batch() {
    const std::uint64_t nearest = queue_.top().distance;
    // Every way through a node that is not settled is at least as long as this. An equal distance is final,
    // too.
    const std::uint64_t end = std::max(Distances::add(nearest, shortest_), nearest + 1);
    std::size_t count = 0;
    while (!queue_.empty() && queue_.top().distance < end && count < batch_.size()) {
      const Candidate next = queue_.top();
      queue_.pop();
      if (settled_.settle(next.node)) batch_[count++] = next;
    }
    const std::span<Candidate> batch = batch_.span().first(count);
    std::sort(batch.begin(), batch.end(),
              [](const Candidate& a, const Candidate& b) { return a.node < b.node; });
    for (std::size_t i = 0; i < count; ++i) {
      nodes_[i] = batch[i].node;
      words_[i] = batch[i].distance;
      if (found_ != nullptr) found_->put(0, batch[i].node, batch[i].distance);
    }
    return count;
  }

  void expand(std::span<const Id> nodes) {
    ++batches_;
    using Way = typename adjacency::ListAccess<Id>::Way;
    std::size_t i = 0;
    const auto visit = [&](Id node, std::span<const Id> neighbours, std::span<const std::uint64_t> weights) {
      while (nodes[i] < node) ++i;
      relax(words_[i], neighbours, weights);
    };
    switch (access_.choose(nodes)) {
      case Way::resident:
        return graph_.select_resident(nodes, visit);
      case Way::select:
        return access_.select(nodes, visit);
      case Way::scan:
        return scan(nodes);
    }
  }

  void scan(std::span<const Id> nodes) {
    ++scans_;
    const std::uint64_t pages = graph_.pages();
    adjacency::PageWalk<Id> walk(graph_.index(), nodes);
    typename Pages::Need need;
    std::vector<bool> wanted(static_cast<std::size_t>(pages));
    while (walk.next(need)) wanted[static_cast<std::size_t>(need.page)] = true;
    access_.close_cache();
    graph_.scan(
        1, 0,
        [&](unsigned, adjacency::PageCursor<Id>& cursor) {
          std::array<Id, adjacency::fragment_neighbours + 3> list;
          std::array<std::uint64_t, adjacency::fragment_neighbours> weights;
          while (cursor.next()) {
            const auto at = std::lower_bound(nodes.begin(), nodes.end(), cursor.node());
            if (at == nodes.end() || *at != cursor.node()) continue;
            cursor.decode(list.data());
            cursor.decode_weights(weights.data());
            relax(words_[static_cast<std::size_t>(at - nodes.begin())], {list.data(), cursor.count()},
                  {weights.data(), cursor.count()});
          }
        },
        [&](std::uint64_t page) { return wanted[static_cast<std::size_t>(page)]; });
  }

  void relax(std::uint64_t distance, std::span<const Id> neighbours, std::span<const std::uint64_t> weights) {
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const std::uint64_t sum = Distances::add(distance, length_of(weight_, weights[i]));
      if (settled_.known(neighbours[i])) continue;
      if (sum == Distances::unreached) {
        overflow_ = true;
      } else if (recent_.push(neighbours[i], sum)) {
        queue_.push({sum, neighbours[i]});
      }
    }
  }

  // A node behind an arc that overflows may be reached in another way. If not, some arc leads from a settled
  // node to one that is not.
  void refuse_overflow() {
    graph_.scan(1, 0, [&](unsigned, adjacency::PageCursor<Id>& cursor) {
      std::array<Id, adjacency::fragment_neighbours + 3> list;
      while (cursor.next()) {
        if (!settled_.test(cursor.node())) continue;
        cursor.decode(list.data());
        for (unsigned i = 0; i < cursor.count(); ++i) {
          if (settled_.test(list[i])) continue;
          throw core::DataError(
              "edge (" + std::to_string(cursor.node()) + ", " + std::to_string(list[i]) +
              ") leads on to a distance that does not fit: " + expected_distances<Distances>());
        }
      }
    });
  }

  core::Environment& environment_;
  Pages& graph_;
  const WeightType weight_;
  const std::uint64_t shortest_;  ///< word of the shortest arc
  Values* const found_;
  SettledNodes settled_;
  RecentCandidates<Id> recent_;
  core::SequenceHeap<Candidate> queue_;
  core::Array<Candidate> batch_;
  core::Array<Id> nodes_;
  core::Array<std::uint64_t> words_;
  adjacency::ListAccess<Id> access_;
  std::uint64_t batches_ = 0;
  std::uint64_t scans_ = 0;
  bool overflow_ = false;
};

constexpr std::size_t copy_block_bytes = 64 * core::KiB;

/// Searches, then sends the distances, in node order, to the sink and to the pass for the parents.
template <class Id, class Distances>
ExternalResult search_with(core::Environment& environment, adjacency::PagedAdjacency<Id>& graph, Id root,
                           NodeSink<std::uint64_t>* distances, NodeSink<Id>* parents) {
  using Values = NodeValues<std::uint64_t>;
  const std::size_t free = environment.memory.available();
  std::optional<Values> found;
  if (distances != nullptr || parents != nullptr) {
    found.emplace(environment, graph.facts().nodes, 1, false, std::max(free / 6, Values::least_sort_bytes(1)),
                  "a distance per node");
  }
  ExternalResult result = ExternalSearch<Id, Distances>(environment, graph, found ? &*found : nullptr,
                                                        environment.memory.available())
                              .run(root);
  if (!found) return result;
  using Copy = core::RunWriter<std::uint64_t>;
  std::optional<Copy> by_source;
  std::optional<Copy> by_target;
  if (parents != nullptr) {
    by_source.emplace(environment, copy_block_bytes, 2);
    by_target.emplace(environment, copy_block_bytes, 2);
  }
  {
    const core::Phase phase(environment.progress, "write", graph.facts().nodes, "nodes");
    DistanceSink<Distances> sink(distances, by_source ? &*by_source : nullptr,
                                 by_target ? &*by_target : nullptr);
    found->finish(sink);
    found.reset();
  }
  if (parents == nullptr) return result;
  auto sources = by_source->finish();
  auto targets = by_target->finish();
  by_source.reset();
  by_target.reset();
  ExternalParents<Id, Distances>(environment, graph, root)
      .run(std::move(sources), std::move(targets), *parents);
  return result;
}

}  // namespace

template <class Id>
ExternalResult search_external(core::Environment& environment, adjacency::PagedAdjacency<Id>& graph, Id root,
                               NodeSink<std::uint64_t>* distances, NodeSink<Id>* parents) {
  return with_distances(graph.facts().weight, [&]<class Distances>(Distances) {
    return search_with<Id, Distances>(environment, graph, root, distances, parents);
  });
}

template ExternalResult search_external(core::Environment&, adjacency::PagedAdjacency<std::uint32_t>&,
                                        std::uint32_t, NodeSink<std::uint64_t>*, NodeSink<std::uint32_t>*);
template ExternalResult search_external(core::Environment&, adjacency::PagedAdjacency<std::uint64_t>&,
                                        std::uint64_t, NodeSink<std::uint64_t>*, NodeSink<std::uint64_t>*);

}  // namespace emgraph::graph::sssp
