// SPDX-License-Identifier: MIT
// Checks shortest paths in little memory: adds distances to arcs by sorting.
//
// Method: arcs sorted by source are merged with the distances, which are in node order. Each arc, with the
// distance that it gives its target, goes to a sort by target, whose result is merged with distances and
// parents in node order. There all arcs to a node come together, ascending by source: the first tight one
// from a nearer node is from the parent. Nodes without one, and the tight arcs to them that add nothing, are
// kept on disk for a search of their own (check_support.hpp).
//
// I/O: O(sort(m)); reads the distances twice. Memory: all that is free, at least about 3 MiB. Threads: as the
// sorts. Throws: DataError, MemoryLimitError, EnvironmentError.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "core/block/run.hpp"
#include "core/sort/held_sort.hpp"
#include "graph/prepare/adjacency/neighbour_stream.hpp"
#include "graph/sample_facts.hpp"
#include "graph/search_root.hpp"
#include "graph/sssp/check_equal_forecast.hpp"
#include "graph/sssp/check_support.hpp"

namespace emgraph::graph::sssp {

/// The two sorts of a check: of the arcs, and of what they give their targets.
template <class Id, core::IntegerKey Key>
class SumSort {
 public:
  SumSort(core::Environment& environment, EdgeSource<Id>& edges, const CheckOptions& options,
          const prepare::EdgeKeys<Key>& keys)
      : environment_(environment), edges_(edges), options_(options), keys_(keys) {}

  /// For a plan, in place of run().
  Forecast forecast(const InputSize& size) {
    free_ = environment_.memory.available();
    const auto declared = declared_nodes<Id>(options_.nodes, edges_.facts());
    const std::uint64_t nodes = declared ? *declared : size.nodes.value_or(0);
    const std::size_t block = check_block_bytes(environment_);
    const std::uint64_t arcs = core::size_product(size.edges.value_or(0), options_.directed ? 1 : 2);
    core::SpillForecast sums;
    core::Reservation blocks = environment_.memory.reserve_up_to(2 * block);
    const core::SpillForecast sorted = adjacency::rehearse_neighbours(
        environment_, edges_, stream_options(), size.edges, [&](std::uint64_t) {
          core::HeldSort<Key> sort(environment_, sum_options(nodes, arcs), arcs);
          sums = sort.spill();
          // Distances that are read, arcs that add nothing.
          core::Reservation more = environment_.memory.reserve_up_to(12 * block);
          return std::pair(std::move(sort), std::move(more));
        });
    blocks.release();
    Forecast forecast;
    forecast.choice = choice();
    const SampleFacts sampled = sample_facts(edges_, size.edges.value_or(0), options_.directed);
    // Unreached nodes give their neighbours no distance.
    const double unreached =
        1 - largest_component_share(static_cast<double>(nodes), static_cast<double>(size.edges.value_or(0)));
    sums.expected_bytes = spilled_of_share(sums, sampled.distinct_share * (1 - unreached * unreached));
    forecast.temporary = space_of_two_sorts(
        sorted, sums, core::size_sum(core::size_product(nodes, sizeof(std::uint64_t)), 4 * block));
    const bool in_order = adjacency::streams_in_order(edges_.facts(), options_.directed, options_.weighting);
    if (!in_order)
      forecast.add("distribute", 1, sorted.expected_bytes, seconds_for(arcs, distribute_nanoseconds));
    forecast.add("build adjacency", in_order ? 1 : 0,
                 core::size_sum(sorted.expected_bytes, sums.expected_bytes),
                 seconds_for(arcs, carry_nanoseconds));
    forecast.add("check", 0, sums.expected_bytes, seconds_for(arcs, judge_nanoseconds));
    equal_arcs(edges_, options_, nodes).add(environment_, arcs, forecast);
    if (!size.edges || nodes == 0) forecast.leave_size_open();
    return forecast;
  }

 protected:
  using Sums = core::DistributionSorter<Key>;
  static constexpr std::size_t sum_bytes = sizeof(std::uint64_t);
  /// The distance at the target, and whether it is that of the source.
  using Sum = std::array<std::byte, sum_bytes + 1>;

  static ModelChoice choice() { return {MemoryModel::external, "values of nodes do not fit in memory"}; }
  adjacency::StreamOptions stream_options() const {
    return {.directed = options_.directed,
            .nodes = options_.nodes,
            .spare_bytes = free_ / 2,
            .weighting = options_.weighting,
            .limits = check_limits};
  }
  typename Sums::Options sum_options(std::uint64_t nodes, const std::optional<std::uint64_t>& arcs) const {
    typename Sums::Options options;
    if (nodes > 0) options.range = keys_.range(nodes - 1);
    options.records = arcs;
    options.memory_bytes = std::min(environment_.memory.available() - free_ / 8, free_ / 2);
    options.threads = 1;
    options.attachment_bytes = sizeof(Sum);
    return options;
  }

  core::Environment& environment_;
  EdgeSource<Id>& edges_;
  const CheckOptions& options_;
  const prepare::EdgeKeys<Key> keys_;
  std::size_t free_ = 0;  ///< before the sort

 private:
  // CPU time of all threads together per arc, measured on random graphs beside the run.
  static constexpr double distribute_nanoseconds = 20;
  static constexpr double carry_nanoseconds = 50;
  static constexpr double judge_nanoseconds = 35;
};

template <class Id, core::IntegerKey Key, class Distances>
class SortedCheck : SumSort<Id, Key> {
 public:
  SortedCheck(core::Environment& environment, EdgeSource<Id>& edges, const CheckOptions& options,
              const prepare::EdgeKeys<Key>& keys)
      : Base(environment, edges, options, keys), type_(options.weighting.type(edges.facts().layout.weight)) {
    verdict_.choice = Base::choice();
  }

  Verdict run(format::NodeReader& distances, format::NodeReader* parents) {
    RootRule root(options_, parents != nullptr, verdict_);
    verdict_.ok = carry(distances, root) && judge(parents, root) && check_pending(parents != nullptr);
    return verdict_;
  }

 private:
  using Base = SumSort<Id, Key>;
  using Base::edges_, Base::environment_, Base::free_, Base::keys_, Base::options_, Base::sum_bytes;
  using typename Base::Sum;
  using typename Base::Sums;

  /// Sorts (target, source, sum) of every arc of a reached source; keeps the distances for judge().
  bool carry(format::NodeReader& reader, RootRule& root) {
    free_ = environment_.memory.available();
    Spool spool(environment_, check_block_bytes(environment_));
    format::ClaimedValues distances(reader, sizeof(std::uint64_t));
    std::uint64_t next = 0;
    std::uint64_t distance = 0;  // of node next - 1
    const auto read_below = [&](std::uint64_t end) {
      for (; next < end && verdict_.message.empty(); ++next) {
        if (distances.at_end())
          return fail(count_message("distances", next, false, std::max(verdict_.nodes, end)));
        distance = distances.take();
        if (!valid_distance<Distances>(distance)) return fail(invalid_distance_message(next, distance));
        spool.push(distance);
        if (!root.note_distance(next, distance, type_)) return false;
      }
      return verdict_.message.empty();
    };
    const auto begin = [&](const std::optional<std::uint64_t>& nodes,
                           const std::optional<std::uint64_t>& arcs) {
      verdict_.nodes = nodes.value_or(0);
      sums_ = std::make_unique<Sums>(environment_, this->sum_options(verdict_.nodes, arcs));
    };
    const prepare::IngestFacts read = adjacency::stream_neighbours(
        environment_, edges_, this->stream_options(), begin, [&](Id source, Id target, std::uint64_t bits) {
          if (source >= next && !read_below(std::uint64_t{source} + 1)) return;
          if (distance == Distances::unreached) return;
          const std::uint64_t sum = Distances::add(distance, length_of(type_, bits));
          Sum attached;
          std::memcpy(attached.data(), &sum, sum_bytes);
          attached[sum_bytes] = std::byte{sum == distance};
          sums_->lane(0).push(keys_.make(target, source), attached.data());
        });
    verdict_.edges = read.edges;
    verdict_.nodes = read.nodes(known_nodes(options_.nodes, edges_.facts()));
    require_root(options_.root, verdict_.nodes);
    if (!read_below(verdict_.nodes)) return false;
    if (!distances.at_end()) return fail(count_message("distances", verdict_.nodes, true, verdict_.nodes));
    distances_ = spool.finish();
    sums_->lane(0).finish();
    sums_->finish();
    return root.check_distances();
  }

  /// The sums in the order of their targets.
  class SumCursor {
   public:
    explicit SumCursor(Sums& sums) : sums_(sums), keys_(sums.next()) {}
    bool at_end() const { return keys_.empty(); }
    Key key() const { return keys_[at_]; }
    std::uint64_t sum() const {
      std::uint64_t sum;
      std::memcpy(&sum, attached(), sum_bytes);
      return sum;
    }
    bool adds_nothing() const { return attached()[sum_bytes] != std::byte{0}; }
    void next() {
      if (++at_ < keys_.size()) return;
      keys_ = sums_.next();
      at_ = 0;
    }

   private:
    const std::byte* attached() const { return sums_.attachments() + at_ * sizeof(Sum); }

    Sums& sums_;
    std::span<const Key> keys_;
    std::size_t at_ = 0;
  };

  /// Checks every node against all arcs to it.
  bool judge(format::NodeReader* parent_reader, RootRule& root) {
    core::Phase phase(environment_.progress, "check", verdict_.nodes, "nodes");
    EqualArcsWriter<Key> pending(environment_);
    std::optional<EqualArcsWriter<Key>> zeros;  // nodes of distance 0, if one of them is the unknown root
    if (root.open()) zeros.emplace(environment_);
    std::optional<format::ClaimedValues> parents;
    if (parent_reader != nullptr) parents.emplace(*parent_reader, sizeof(Id));
    core::RunCursor<std::uint64_t> distances(environment_, std::move(distances_));
    SumCursor sums(*sums_);
    for (std::uint64_t node = 0; node < verdict_.nodes; ++node, distances.next()) {
      const std::uint64_t distance = *distances;
      EqualArcsWriter<Key>& writer = zeros && distance == 0 ? *zeros : pending;
      std::optional<std::uint64_t> nearer;  // the smallest
      for (; !sums.at_end() && keys_.first(sums.key()) == node; sums.next()) {
        const std::uint64_t source = keys_.second(sums.key());
        if (sums.sum() == Distances::unreached) {
          if (distance == Distances::unreached) return fail(overflow_message(source, node));
          continue;
        }
        if (sums.sum() < distance) {
          return fail(arc_message(source, node, type_, sums.sum(), distance));
        }
        if (sums.sum() > distance || nearer) continue;
        if (!sums.adds_nothing()) {
          nearer = source;
        } else {
          writer.arcs.push(keys_.make(node, source));
        }
      }
      std::uint64_t parent = no_parent;
      if (parents) {
        if (parents->at_end())
          return fail_parents(verdict_, count_message("parents", node, false, verdict_.nodes));
        parent = parents->take();
        if (!root.note_parent(node, distance, parent, type_)) return false;
      }
      if (node % 4096 == 0) phase.advance(4096);
      const bool reached = distance != Distances::unreached;
      if (!reached || root.is_root(node)) {
        const std::uint64_t expected = reached ? node : no_parent;
        if (parents && parent != expected)
          return fail_parents(verdict_, parent_message(node, reached, reached, parent));
      } else if (nearer) {
        if (!parents || parent == *nearer) continue;
        return fail_parents(verdict_, parent > *nearer ? smaller_parent_message(node, parent, *nearer)
                                                       : parent_message(node, true, false, parent));
      } else {
        writer.nodes.push({node, parent});
      }
    }
    if (parents && !parents->at_end()) {
      return fail_parents(verdict_, count_message("parents", verdict_.nodes, true, verdict_.nodes));
    }
    if (!root.check_parents()) return false;
    sums_.reset();
    pending_ = only_pending(pending.finish());
    if (zeros) zeros_ = only_pending(zeros->finish());
    return true;
  }

  /// Turns the arcs, which are (target, source) and sorted, and drops those to other nodes.
  EqualArcs<Key> only_pending(EqualArcs<Key> equal) {
    core::RunWriter<Key> arcs(environment_, check_block_bytes(environment_));
    core::RunCursor<PendingNode> node(environment_, equal.nodes);
    for (core::RunCursor<Key> arc(environment_, std::move(equal.arcs)); !arc.at_end(); arc.next()) {
      const std::uint64_t target = keys_.first(*arc);
      while (!node.at_end() && node->node < target) node.next();
      if (!node.at_end() && node->node == target) arcs.push(keys_.make(keys_.second(*arc), target));
    }
    equal.arcs = arcs.finish();
    return equal;
  }

  bool check_pending(bool with_parents) {
    if (pending_.nodes.records > 0) {
      check_equal_arcs(environment_, keys_, std::move(pending_), with_parents, verdict_);
    }
    if (verdict_.message.empty() && zeros_) {
      verdict_.message = find_root(environment_, keys_, std::move(*zeros_), verdict_.root);
    }
    return verdict_.message.empty();
  }

  bool fail(std::string message) {
    verdict_.message = std::move(message);
    return false;
  }

  using Spool = core::RunWriter<std::uint64_t>;
  const WeightType type_;
  Verdict verdict_;
  std::unique_ptr<Sums> sums_;
  core::Run<std::uint64_t> distances_;
  EqualArcs<Key> pending_;
  std::optional<EqualArcs<Key>> zeros_;
};

}  // namespace emgraph::graph::sssp
