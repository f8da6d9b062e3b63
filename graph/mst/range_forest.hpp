// SPDX-License-Identifier: MIT
// The minimum spanning forest from two readings: light edges first, then heavy ones.
//
// Problem: edges per node are many and can be read twice (prefers_ranges() in choice.hpp); or memory holds 4
// bytes per node but no forest beside them, or not even 4 bytes per node. Method: a sample of the weights
// tells which edges are among the lightest 2 n or so. These are sorted and united (range_reduction.hpp);
// their forest is part of the result. Then the heavy edges are read, from the input or from a spool, and
// those are dropped whose ends the light ones have connected: by one bit per node, "in the largest set", and
// outside this set by the union-find where it fits. The others are sorted and united. With few edges per node
// all edges count as light.
//
// Invariant: the heavy edges are those from `bound_` on.
//
// Source: Osipov, Sanders, Singler (2009), doi 10.1137/1.9781611972894.5, with one split and on disk.
//
// I/O: the edges once in, twice where some are heavy (an input that comes only once is spooled); sorting and
// moving (range_reduction.hpp) of the light edges and of the heavy ones that are not dropped.
// Memory: ReductionPlan. Threads: reading, filtering and sorting on all, uniting on one.
// Throws: DataError, MemoryLimitError, EnvironmentError. With a checkpoint: the state is the step, the codes
// that are distributed or the last one that was united, and the edges that move between ranges with the
// forest so far. Steps that are done are not done again. Codes of three words are sealed between ranges only.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/block/run.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/environment.hpp"
#include "graph/mst/choice.hpp"
#include "graph/mst/edge_feed.hpp"
#include "graph/mst/feed_codes.hpp"
#include "graph/mst/forest_output.hpp"
#include "graph/mst/light_labels.hpp"
#include "graph/mst/order_sorter.hpp"
#include "graph/mst/range_choice.hpp"
#include "graph/mst/range_reduction.hpp"

namespace emgraph::graph::mst {

template <class Code>
class RangeForest : public RangeChoice<Code> {
  using Base = RangeChoice<Code>;
  using Base::ahead;
  using Base::bound_;
  using Base::codes_;
  using Base::demand_;
  using Base::environment_;
  using Base::feed_;
  using Base::light_share_;
  using Base::options_;

 public:
  using Base::Base;

  /// codes_too_narrow: the feed must be rewound for another solver. `saved`: what an earlier process has
  /// kept, after the numbers of its feed, or null. too_many_nodes: the memory is too small to go on with it.
  Outcome run(Result& result, ForestSink* sink, WeightType type, core::StateReader* saved) {
    saved_ = saved;
    if (saved_ != nullptr) {
      sealed_ = true;
      place_ = saved_->value<Place>();
      if (place_.has_bound) bound_ = saved_->value<Code>();
      light_share_ = place_.light_share;
      if (place_.step != Step::read_light && environment_.memory.limit() < place_.memory_bytes) {
        return Outcome::too_many_nodes;
      }
    } else {
      this->choose_bound();
      if (environment_.checkpoint != nullptr && !feed_.rewindable()) bound_.reset();
      place_.has_bound = bound_.has_value();
      place_.light_share = light_share_;
      place_.memory_bytes = environment_.memory.limit();
    }
    std::unique_ptr<Sorter> sorter;
    if (place_.step == Step::read_light) {
      const std::optional<std::uint64_t> nodes = feed_.nodes();
      ReductionPlan first = plan_before_nodes(demand_);
      if (nodes) {
        first = Base::with_node_type(*nodes, [&]<class Node>() { return this->template plan<Node>(*nodes); });
      }
      sorter = make_sorter(ahead(first));
      if (!read_light(*sorter)) return Outcome::codes_too_narrow;
      const prepare::IngestFacts read = feed_.read();
      place_.edges = read.edges;
      place_.nodes = read.nodes(nodes);
    }
    feed_.close_lanes();
    result.edges = place_.edges;
    result.nodes = place_.nodes;
    Base::with_node_type(result.nodes,
                         [&]<class Node>() { solve<Node>(std::move(sorter), result, sink, type); });
    return Outcome::done;
  }

 private:
  using Sorter = OrderSorter<Code>;
  using StepCodes = typename LightLabels<Code>::StepCodes;
  static constexpr std::size_t spool_block_bytes = 64 * 1024;

  enum class Step : std::uint64_t {
    read_light,
    unite_light,
    reduce_light,
    read_heavy,
    unite_heavy,
    reduce_heavy
  };
  /// What a state begins with.
  struct Place {
    Step step = Step::read_light;
    bool has_bound = false;
    double light_share = 1;
    std::uint64_t memory_bytes = 0;  ///< the limit for which `plan` was made
    std::uint64_t edges = 0;         ///< of the graph, if they are known
    std::uint64_t nodes = 0;
    ReductionPlan plan;
    core::StateFile list;  ///< the codes that are united, if they are kept
  };

  /// Seals a state. `done`: for people. `rest`: writes what belongs to the step.
  template <class Rest>
  void seal(const std::string& done, Rest&& rest) {
    const prepare::IngestFacts read = feed_.read();
    sealed_ = true;
    environment_.checkpoint->seal(done, [&](core::StateWriter& to) {
      to.value(SavedForest::ranges);
      to.value(codes_.layout());
      to.value(read.edges);
      to.value(read.largest_id);
      to.value(place_);
      if (bound_) to.value(*bound_);
      rest(to);
    });
  }
  bool due(double part = 1) const {
    return environment_.checkpoint != nullptr && environment_.checkpoint->due(part);
  }
  /// The state of an earlier process, once, if it stopped in this step.
  core::StateReader* saved_in(Step step) {
    return place_.step == step ? std::exchange(saved_, nullptr) : nullptr;
  }

  /// A sorter whose codes are read by a step that may have begun in an earlier process.
  std::unique_ptr<Sorter> make_sorter(CodesAhead<Code> codes) {
    core::StateReader* const saved = saved_in(place_.step);
    codes.state = saved;
    auto sorter = std::make_unique<Sorter>(environment_, std::move(codes));
    if constexpr (Sorter::can_be_saved) {
      if (saved != nullptr) sorter->restore_codes(*saved);
    }
    return sorter;
  }

  /// As for_each_step. `seal_codes`: not with codes that cannot be saved.
  template <class Take, class Seal>
  bool read_steps(const Take& take, const Seal& seal_codes) {
    return for_each_step(feed_, codes_, Sorter::can_be_saved ? environment_.checkpoint : nullptr, take,
                         seal_codes);
  }

  bool read_light(Sorter& sorter) {
    core::Phase phase(environment_.progress, "distribute", feed_.facts().edges.value_or(0), "edges");
    phase.advance(feed_.read().edges);
    feed_.show(&phase);
    std::mutex spool_mutex;
    if (bound_ && !feed_.rewindable()) spool_.emplace(environment_, spool_block_bytes, 2);
    const auto take = [&](unsigned thread, const FeedStep& step, StepCodes& codes) {
      if (!bound_) return sorter.push(thread, {codes.data(), step.count});
      StepCodes light_codes;
      std::size_t light = 0;
      std::size_t heavy = 0;
      for (std::size_t i = 0; i < step.count; ++i) {
        const Code code = codes[i];
        const bool is_light = code < *bound_;
        light_codes[light] = code;
        light += is_light ? 1 : 0;
        codes[heavy] = code;
        heavy += is_light ? 0 : 1;
      }
      sorter.push(thread, {light_codes.data(), light});
      if (spool_) {
        const std::lock_guard lock(spool_mutex);
        spool_->append({codes.data(), heavy});
      }
    };
    const bool complete = read_steps(take, [&] {
      if constexpr (Sorter::can_be_saved) {
        seal(prepare::edges_read("distribute", feed_.read().edges, feed_.facts().edges),
             [&](core::StateWriter& to) {
               sorter.save_fan(to);
               sorter.save_codes(to);
             });
      }
    });
    feed_.show(nullptr);
    return complete;
  }

  template <class Node>
  void solve(std::unique_ptr<Sorter> sorter, Result& result, ForestSink* sink, WeightType type) {
    if (place_.step == Step::read_light) {
      place_.plan = this->template plan<Node>(result.nodes);
      place_.memory_bytes = environment_.memory.limit();  // an earlier run may have begun with other memory
    }
    const ReductionPlan plan = place_.plan;
    result.ranges = plan.ranges;
    result.choice = describe_ranges(demand_, options_, result.nodes, sizeof(Node), plan);
    core::Run<Code> forest;
    {
      using Reduction = RangeReduction<Code, Node>;
      std::optional<Reduction> reduction;
      if (saved_ != nullptr) {
        reduction.emplace(environment_, codes_, result.nodes, plan, *saved_);
        if (place_.step == Step::reduce_light || place_.step == Step::reduce_heavy) saved_ = nullptr;
      } else {
        reduction.emplace(environment_, codes_, result.nodes, plan);
      }
      const auto enter = [&](Step step) {
        if (place_.step > step) return false;
        if (place_.step < step) place_.step = step;
        return true;
      };
      if (enter(Step::unite_light)) unite(*reduction, std::move(sorter));
      if (enter(Step::reduce_light)) reduce(*reduction, bound_.has_value());
      if (bound_) {
        if (enter(Step::read_heavy)) {
          reduction->label();
          sorter = read_heavy(*reduction);
          reduction->forget_labels();
        }
        if (enter(Step::unite_heavy)) unite(*reduction, std::move(sorter));
        if (enter(Step::reduce_heavy)) reduce(*reduction, false);
      }
      forest = reduction->forest();
    }
    const RankOrder order(options_.maximum, options_.weighting, type);
    ForestOutput<Code> output(codes_, type, order, sink);
    sort_forest(environment_, codes_, demand_, std::move(forest), output);
    output.finish(result);
  }

  /// Unites the codes of a sorter in order. Without one, an earlier process has done a part of it.
  template <class Reduction>
  void unite(Reduction& reduction, std::unique_ptr<Sorter> sorter) {
    core::Phase phase(environment_.progress, "sort by weight", 0, "edges");
    Code last{};
    const auto seal_codes = [&] {
      if constexpr (Sorter::can_be_saved) {
        seal(place_.step == Step::unite_light ? "uniting light edges" : "uniting heavy edges",
             [&](core::StateWriter& to) {
               reduction.save(to);
               sorter->save_fan(to);
               to.value(last);
             });
      }
    };
    if constexpr (Sorter::can_be_saved) {
      if (core::StateReader* const saved = saved_in(place_.step)) {
        CodesAhead<Code> again = sorter_ahead();
        again.state = saved;
        sorter = std::make_unique<Sorter>(environment_, std::move(again));
        sorter->restore_codes(*environment_.checkpoint->read_state_file(place_.list));
        sorter->end_input();
        last = saved->value<Code>();
        sorter->drop_below(last);
        reduction.resume();
      } else {
        sorter->end_input();
        // Edges that were read in a short time can be read again. Else the list of their blocks is needed, to
        // seal states while they are united.
        if (sealed_ || due(0.1)) {
          place_.list = environment_.checkpoint->write_state_file(
              [&](core::StateWriter& to) { sorter->save_codes(to); });
          seal_codes();
        }
      }
    }
    sorter->finish();
    const Code first = last;
    for (auto batch = sorter->next(); !batch.empty(); batch = sorter->next()) {
      phase.advance(batch.size());
      // The last code again has no effect.
      if (batch.front() < first) {
        batch = batch.subspan(
            static_cast<std::size_t>(std::lower_bound(batch.begin(), batch.end(), first) - batch.begin()));
      }
      if (batch.empty()) continue;
      reduction.take(batch);
      last = batch.back();
      if (!due()) continue;
      if (place_.list.number != 0) seal_codes();
      environment_.checkpoint->stop_if_asked();
    }
    if (environment_.checkpoint != nullptr) environment_.checkpoint->drop(std::exchange(place_.list, {}));
  }

  template <class Reduction>
  void reduce(Reduction& reduction, bool keep) {
    reduction.resume();
    reduction.reduce(keep, [&] {
      if (due()) seal("reducing ranges of nodes", [&](core::StateWriter& to) { reduction.save(to); });
    });
  }

  CodesAhead<Code> sorter_ahead() const {
    return {.bits = codes_.layout().bits(),
            .memory_bytes = place_.plan.sorter_bytes,
            .threads = place_.plan.sorter_threads};
  }

  /// Sorts the relevant heavy edges.
  template <class Reduction>
  std::unique_ptr<Sorter> read_heavy(Reduction& reduction) {
    core::Phase phase(environment_.progress, "filter heavy edges", feed_.facts().edges.value_or(0), "edges");
    const auto filter = [&](std::span<Code> codes) { return codes.first(reduction.drop_connected(codes)); };
    if (spool_) {
      core::RunReader<Code> heavy(environment_, spool_->finish(), 1);
      spool_.reset();
      auto sorter = make_sorter(sorter_ahead());
      StepCodes codes;
      for (auto block = heavy.next(); !block.empty(); block = heavy.next()) {
        phase.advance(block.size());
        for (; !block.empty(); block = block.subspan(std::min(block.size(), codes.size()))) {
          const std::size_t here = std::min(block.size(), codes.size());
          std::copy_n(block.begin(), here, codes.begin());
          sorter->push(0, filter({codes.data(), here}));
        }
      }
      return sorter;
    }
    if (saved_ != nullptr) {
      feed_.skip(feed_.read());
      phase.advance(feed_.read().edges);
    } else {
      feed_.rewind();
    }
    feed_.expect_nodes(place_.nodes);
    feed_.open_lanes();
    feed_.show(&phase);
    auto sorter = make_sorter(sorter_ahead());
    const auto take = [&](unsigned thread, const FeedStep& step, StepCodes& codes) {
      std::size_t heavy = 0;
      for (std::size_t i = 0; i < step.count; ++i) {
        const Code code = codes[i];
        codes[heavy] = code;
        heavy += code < *bound_ ? 0 : 1;
      }
      sorter->push(thread, filter({codes.data(), heavy}));
    };
    const bool complete = read_steps(take, [&] {
      if constexpr (Sorter::can_be_saved) {
        seal(prepare::edges_read("filter heavy edges", feed_.read().edges, feed_.facts().edges),
             [&](core::StateWriter& to) {
               reduction.save(to);
               sorter->save_fan(to);
               sorter->save_codes(to);
             });
      }
    });
    if (!complete) prepare::refuse_changed(feed_.facts().name);
    feed_.show(nullptr);
    feed_.close_lanes();
    return sorter;
  }

  core::StateReader* saved_ = nullptr;  ///< of an earlier process, until it is restored
  Place place_;
  bool sealed_ = false;                         ///< there is a state, of this process or an earlier one
  std::optional<core::RunWriter<Code>> spool_;  ///< heavy edges that cannot be read again
};

}  // namespace emgraph::graph::mst
