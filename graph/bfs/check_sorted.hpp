// SPDX-License-Identifier: MIT
// Checks a search in little memory: adds levels to edges by sorting.
//
// Method: edges sorted by one end are merged with the levels, which are in node order. Each edge, with the
// level of that end, goes to a sort by the other end, whose result is merged with levels and parents in node
// order. There the levels of all neighbours of a node come together, ascending by neighbour: the first
// neighbour on the level above is the parent.
//
// I/O: O(sort(m)); reads the levels twice. Memory: all free memory, at least about 2 MiB. Threads: as the
// sorts. Throws: DataError, MemoryLimitError, EnvironmentError.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/block/run.hpp"
#include "core/sort/held_sort.hpp"
#include "graph/bfs/check_rules.hpp"
#include "graph/prepare/sorted_edges.hpp"
#include "graph/sample_facts.hpp"
#include "graph/search_root.hpp"

namespace emgraph::graph::bfs {

template <class Id, core::IntegerKey Key>
class SortedCheck {
 public:
  SortedCheck(core::Environment& environment, EdgeSource<Id>& edges, const CheckOptions& options,
              const std::optional<std::uint64_t>& nodes, const prepare::EdgeKeys<Key>& keys)
      : environment_(environment), edges_(edges), options_(options), declared_(nodes), keys_(keys) {
    verdict_.choice = {MemoryModel::external, "values of nodes do not fit in memory"};
  }

  Verdict run(format::NodeReader& levels, format::NodeReader* parents) {
    auto arcs = prepare::sort_edges(prepare::sort_input(environment_, edges_, declared_), keys_, sort_spec(),
                                    Arcs{options_.directed}, sort_memory());
    verdict_.nodes = arcs.read().nodes(declared_);
    verdict_.edges = arcs.read().edges;
    require_root(options_.root, verdict_.nodes);

    Carried carried(environment_, carried_options(verdict_.nodes, arcs.records()));
    Spool spool(environment_, spool_block_bytes, 2);
    if (!carry(levels, arcs.sorter(), carried, spool)) return verdict_;
    carried.lane(0).finish();
    carried.finish();
    verdict_.ok = judge(carried, spool.finish(), parents);
    return verdict_;
  }

  /// For a plan, in place of run().
  Forecast forecast(const InputSize& size) {
    const std::uint64_t nodes = declared_ ? *declared_ : size.nodes.value_or(0);
    core::SpillForecast carried;
    std::uint64_t most_arcs = 0;
    const core::SpillForecast sorted = prepare::rehearse_sort_edges(
        prepare::sort_input(environment_, edges_, declared_), keys_, sort_spec(), Arcs{options_.directed},
        sort_memory(), size.edges, [&](std::uint64_t arcs, const core::Reservation&) {
          core::HeldSort<Key> sort(environment_, carried_options(nodes, arcs), arcs);
          carried = sort.spill();
          most_arcs = arcs;
          core::Reservation blocks = environment_.memory.reserve_up_to(4 * spool_block_bytes);
          return std::pair(std::move(sort), std::move(blocks));
        });
    Forecast forecast;
    forecast.choice = verdict_.choice;
    const SampleFacts sampled = sample_facts(edges_, size.edges.value_or(0), options_.directed);
    carried.expected_bytes = spilled_of_share(carried, sampled.distinct_share);
    forecast.temporary = space_of_two_sorts(
        sorted, carried, core::size_sum(core::size_product(nodes, sizeof(std::uint64_t)), spool_block_bytes));
    forecast.add("distribute", 1, sorted.expected_bytes, seconds_for(most_arcs, distribute_nanoseconds));
    forecast.add("carry levels", 0, core::size_sum(sorted.expected_bytes, carried.expected_bytes),
                 seconds_for(most_arcs, carry_nanoseconds));
    forecast.add("check", 0, carried.expected_bytes, seconds_for(most_arcs, judge_nanoseconds));
    if (!size.edges || nodes == 0) forecast.leave_size_open();
    return forecast;
  }

 private:
  static constexpr std::size_t spool_block_bytes = 64 * 1024;
  // CPU time of all threads together per arc, measured on random graphs beside the run.
  static constexpr double distribute_nanoseconds = 15;
  static constexpr double carry_nanoseconds = 40;
  static constexpr double judge_nanoseconds = 30;
  using Spool = core::RunWriter<std::uint64_t>;
  using Carried = core::DistributionSorter<Key>;

  /// Calls push(source, target) for each arc of an edge.
  struct Arcs {
    bool directed;
    void operator()(std::uint64_t source, std::uint64_t target, auto&& push) const {
      if (source == target) return;
      push(source, target);
      if (!directed) push(target, source);
    }
  };
  prepare::SortSpec sort_spec() const {
    return {.keys_per_edge = options_.directed ? 1U : 2U, .unique = true};
  }
  auto sort_memory() {
    return [this](unsigned) { return (free_ = environment_.memory.available()) / 8 * 3; };
  }
  typename Carried::Options carried_options(std::uint64_t nodes, std::uint64_t arcs) const {
    typename Carried::Options options;
    options.range = keys_.range(nodes == 0 ? 0 : nodes - 1);
    options.records = arcs;
    options.memory_bytes = free_ / 2;
    options.threads = 1;
    options.attachment_bytes = sizeof(std::uint64_t);
    return options;
  }

  /// What was carried, arc by arc.
  class CarriedArcs {
   public:
    explicit CarriedArcs(Carried& carried) : carried_(carried), keys_(carried.next()) {}
    bool at_end() const { return keys_.empty(); }
    Key key() const { return keys_[at_]; }
    std::uint64_t level() const {
      std::uint64_t level;
      std::memcpy(&level, carried_.attachments() + at_ * sizeof level, sizeof level);
      return level;
    }
    void advance() {
      if (++at_ < keys_.size()) return;
      keys_ = carried_.next();
      at_ = 0;
    }

   private:
    Carried& carried_;
    std::span<const Key> keys_;
    std::size_t at_ = 0;
  };

  /// Pushes (target, source, level of the source) for every arc.
  bool carry(format::NodeReader& reader, core::DistributionSorter<Key>& arcs, Carried& carried,
             Spool& spool) {
    core::Phase phase(environment_.progress, "carry levels", arcs.records(), "edges");
    format::ClaimedValues levels(reader, sizeof(std::uint32_t));
    std::uint64_t node = 0;
    std::uint64_t level = unreached_claim;
    const auto read_below = [&](std::uint64_t end) {
      for (; node < end; ++node) {
        if (levels.at_end()) {
          verdict_.message = count_message("levels", node, false, verdict_.nodes);
          return false;
        }
        level = levels.take();
        spool.push(level);
        if (!note_level(node, level, options_.root, verdict_)) return false;
      }
      return true;
    };
    for (auto batch = arcs.next(); !batch.empty(); batch = arcs.next()) {
      for (const Key arc : batch) {
        const std::uint64_t source = keys_.first(arc);
        if (source >= node && !read_below(source + 1)) return false;
        carried.lane(0).push_with(keys_.make(keys_.second(arc), source), level);
      }
      phase.advance(batch.size());
    }
    if (!read_below(verdict_.nodes)) return false;
    if (!levels.at_end()) {
      verdict_.message = count_message("levels", verdict_.nodes, true, verdict_.nodes);
      return false;
    }
    return check_root(verdict_);
  }

  /// Checks every node against all its neighbours.
  bool judge(Carried& carried, core::Run<std::uint64_t> spooled, format::NodeReader* parent_reader) {
    core::Phase phase(environment_.progress, "check", verdict_.nodes, "nodes");
    core::RunReader<std::uint64_t> levels(environment_, std::move(spooled));
    std::span<const std::uint64_t> level_batch;
    std::optional<format::ClaimedValues> parents;
    if (parent_reader != nullptr) parents.emplace(*parent_reader, sizeof(Id));
    CarriedArcs arcs(carried);
    for (std::uint64_t node = 0; node < verdict_.nodes; ++node) {
      if (level_batch.empty()) level_batch = levels.next();
      const std::uint64_t level = level_batch.front();
      level_batch = level_batch.subspan(1);
      std::optional<std::uint64_t> smallest_above;
      for (; !arcs.at_end() && keys_.first(arcs.key()) == node; arcs.advance()) {
        const std::uint64_t other = keys_.second(arcs.key());
        const std::uint64_t other_level = arcs.level();
        const EdgeRule rule = edge_rule(other_level, level, options_.directed);
        if (rule == EdgeRule::violated) {
          verdict_.message = edge_message(other, node, other_level, level, options_.directed);
          return false;
        }
        if (rule == EdgeRule::target_witness && !smallest_above) smallest_above = other;
      }
      if (parents) {
        if (parents->at_end()) {
          return fail_parents(verdict_, count_message("parents", node, false, verdict_.nodes));
        }
        const std::uint64_t parent = parents->take();
        const std::uint64_t expected = level == unreached_claim ? unreached_claim
                                       : level == 0             ? node
                                                                : smallest_above.value_or(parent);
        if (parent > expected && smallest_above && level != 0) {
          return fail_parents(verdict_, smaller_parent_message(node, parent, expected));
        }
        if (parent != expected) {
          return fail_parents(verdict_, parent_message(node, level, parent));
        }
      }
      if (level != unreached_claim && level != 0 && !smallest_above) {
        verdict_.message = no_witness_message(node, level);
        return false;
      }
      if (node % 4096 == 0) phase.advance(4096);
    }
    if (parents && !parents->at_end()) {
      return fail_parents(verdict_, count_message("parents", verdict_.nodes, true, verdict_.nodes));
    }
    return true;
  }

  core::Environment& environment_;
  EdgeSource<Id>& edges_;
  const CheckOptions& options_;
  const std::optional<std::uint64_t> declared_;
  const prepare::EdgeKeys<Key> keys_;
  Verdict verdict_;
  std::size_t free_ = 0;  ///< before the sort
};

}  // namespace emgraph::graph::bfs
