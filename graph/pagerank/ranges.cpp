// SPDX-License-Identifier: MIT
// Builds the lists of each range, and goes through them in every round.
#include "graph/pagerank/ranges.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/progress.hpp"
#include "core/block/manager.hpp"
#include "core/block/run_blocks.hpp"

namespace emgraph::graph::pagerank {
namespace {

/// The values of a run, in pieces of the wanted size.
template <class T>
class ValueReader {
 public:
  ValueReader(core::Environment& environment, const core::Run<T>& run, std::size_t depth = 1)
      : reader_(environment, run, depth) {}
  /// Between 1 and `most` values. Requires: there are values left.
  std::span<const T> take(std::size_t most) {
    if (batch_.empty()) batch_ = reader_.next();
    const auto piece = batch_.first(std::min(most, batch_.size()));
    batch_ = batch_.subspan(piece.size());
    return piece;
  }
  T one() { return take(1).front(); }

 private:
  core::RunReader<T> reader_;
  std::span<const T> batch_;
};

}  // namespace

RangePlan RangePlan::make(std::size_t free_bytes, const std::optional<std::uint64_t>& nodes,
                          const std::optional<std::uint64_t>& most_nodes, bool weighted, bool one_range) {
  RangePlan plan;
  if (weighted) plan.most_blocks += 3;
  std::uint64_t range = std::max<std::uint64_t>(free_bytes / 4 / sizeof(std::uint64_t), 1);
  if (one_range) {
    range = std::uint64_t{1} << 32;
  } else if (nodes && *nodes <= most_in_one_range(free_bytes)) {
    range = std::max(range, std::bit_ceil(*nodes));
  }
  if (most_nodes) range = std::min(range, std::max<std::uint64_t>(*most_nodes, 1));
  plan.range_bits = std::min(static_cast<unsigned>(std::bit_width(range)) - 1, 32U);
  plan.block_bytes = core::block_share(free_bytes, 128);
  return plan;
}

std::uint64_t RangePlan::most_in_one_range(std::size_t free_bytes) {
  // One of several ranges takes a quarter of the memory at most.
  return free_bytes / 8 * 3 / sizeof(std::uint64_t);
}

std::size_t RangePlan::bytes_for(std::uint64_t nodes) const {
  const std::uint64_t shares = std::min(nodes, std::uint64_t{1} << range_bits);
  return static_cast<std::size_t>(shares) * sizeof(std::uint64_t) + core::page_bytes + blocks_bytes();
}

RangedRanks::RangedRanks(core::Environment& environment, const RangePlan& plan, std::uint64_t nodes,
                         bool weighted)
    : environment_(environment),
      plan_(plan),
      nodes_(nodes),
      weighted_(weighted),
      shares_(environment.memory,
              static_cast<std::size_t>(std::min(nodes, std::uint64_t{1} << plan.range_bits)),
              "a share per node of a range") {
  lists_.reserve(static_cast<std::size_t>(plan.ranges(nodes)));
  begin_range();
  degree_writer_.emplace(environment, plan.block_bytes, 2);
}

RangedRanks::RangedRanks(core::Environment& environment, const RangePlan& plan, std::uint64_t nodes,
                         bool weighted, core::StateReader& state)
    : environment_(environment),
      plan_(plan),
      nodes_(nodes),
      weighted_(weighted),
      shares_(environment.memory,
              static_cast<std::size_t>(std::min(nodes, std::uint64_t{1} << plan.range_bits)),
              "a share per node of a range"),
      built_(state.value<std::uint64_t>()) {
  const std::uint64_t ranges = plan.ranges(nodes);
  lists_.reserve(static_cast<std::size_t>(ranges));
  for (std::uint64_t i = 0; i < built_; ++i) {
    lists_.push_back(InLists::restored(environment, state));
    if (weighted) weights_.push_back(core::Run<double>::restored(environment, state));
  }
  if (state.value<bool>()) {
    degrees_ = Values::restored(environment, state);
    return;
  }
  degree_writer_.emplace(environment, state, 2);
  if (built_ == ranges) return;
  list_.emplace(environment, state);
  if (weighted) weight_writer_.emplace(environment, state, 2);
  state.array(shares_.span());
}

void RangedRanks::save_lists(core::StateWriter& state) {
  state.value(built_);
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    lists_[i].save(state);
    if (weighted_) weights_[i].save(state);
  }
  state.value(!degree_writer_);
  if (!degree_writer_) return degrees_.save(state);
  degree_writer_->save(state);
  if (!list_) return;
  list_->save(state);
  if (weighted_) weight_writer_->save(state);
  state.array(shares_.span());
}

std::size_t RangedRanks::nodes_of(std::uint64_t range) const {
  return static_cast<std::size_t>(
      std::min(nodes_ - (range << plan_.range_bits), std::uint64_t{1} << plan_.range_bits));
}

void RangedRanks::begin_range() {
  list_.emplace(environment_, plan_.block_bytes);
  if (weighted_) weight_writer_.emplace(environment_, plan_.block_bytes, 2);
}

void RangedRanks::end_range() {
  const std::span<std::uint64_t> degrees = shares_.span().first(nodes_of(built_));
  degree_writer_->append(degrees);
  std::fill(degrees.begin(), degrees.end(), 0);
  lists_.push_back(list_->finish());
  list_.reset();
  if (weighted_) {
    weights_.push_back(weight_writer_->finish());
    weight_writer_.reset();
  }
  if (++built_ < plan_.ranges(nodes_)) begin_range();
}

void RangedRanks::end_lists() {
  while (built_ < plan_.ranges(nodes_)) end_range();
  list_.reset();
  weight_writer_.reset();
  degrees_ = degree_writer_->finish();
  degree_writer_.reset();
}

/// Calls take(v, sum) for all nodes in order: the sum of the shares of `range` and of `earlier`, if there is
/// something in it.
template <class Take>
void RangedRanks::for_each_sum(std::uint64_t range, Values earlier, Take&& take) {
  std::optional<ValueReader<std::uint64_t>> before;
  if (range > 0) before.emplace(environment_, earlier);
  std::uint64_t next = 0;
  const auto pass_until = [&](std::uint64_t end) {
    while (next < end) {
      if (!before) {
        for (; next < end; ++next) take(next, std::uint64_t{0});
        return;
      }
      for (const std::uint64_t sum : before->take(static_cast<std::size_t>(end - next))) take(next++, sum);
    }
  };
  const std::uint64_t* const shares = shares_.data();
  std::optional<ValueReader<double>> weights;
  if (weighted_) weights.emplace(environment_, weights_[static_cast<std::size_t>(range)], 2);
  std::uint64_t sum = 0;
  read_lists(
      environment_, lists_[static_cast<std::size_t>(range)],
      [&](std::uint64_t, std::span<const std::uint32_t> sources) {
        if (!weights) {
          for (const std::uint32_t source : sources) sum += shares[source];
          return;
        }
        while (!sources.empty()) {
          const std::span<const double> some = weights->take(sources.size());
          for (std::size_t i = 0; i < some.size(); ++i) {
            sum += weighted_share(std::bit_cast<double>(shares[sources[i]]), some[i]);
          }
          sources = sources.subspan(some.size());
        }
      },
      [&](std::uint64_t target) {
        pass_until(target);
        take(next++, (before ? before->one() : 0) + std::exchange(sum, 0));
      });
  pass_until(nodes_);
}

core::uint128 RangedRanks::round(const RankRule& rule) {
  ValueReader<std::uint64_t> ranks(environment_, ranks_.run());
  ValueReader<std::uint64_t> degrees(environment_, degrees_);
  std::uint64_t dangling = 0;
  Values sums;
  core::uint128 change = 0;
  const std::uint64_t ranges = plan_.ranges(nodes_);
  for (std::uint64_t range = 0; range < ranges; ++range) {
    const std::size_t nodes = nodes_of(range);
    for (std::size_t done = 0; done < nodes;) {
      // Both have blocks of the same size, so that the pieces are equally long.
      const auto some_degrees = degrees.take(nodes - done);
      const auto some_ranks = ranks.take(some_degrees.size());
      for (std::size_t i = 0; i < some_ranks.size(); ++i) {
        const bool has_arcs = some_degrees[i] > 0;
        shares_[done + i] = has_arcs ? sent_along(weighted_, some_ranks[i], some_degrees[i]) : 0;
        dangling += has_arcs ? 0 : some_ranks[i];
      }
      done += some_ranks.size();
    }
    core::RunWriter<std::uint64_t> writer(environment_, plan_.block_bytes, 2);
    if (range + 1 < ranges) {
      for_each_sum(range, std::move(sums), [&](std::uint64_t, std::uint64_t sum) { writer.push(sum); });
      sums = RoundValues::unnamed(writer.finish());
      continue;
    }
    const std::uint64_t base = rule.base(dangling);
    {
      ValueReader<std::uint64_t> old(environment_, ranks_.run());
      SourceCursor sources = rule.sources(0);
      for_each_sum(range, std::move(sums), [&](std::uint64_t node, std::uint64_t sum) {
        const std::uint64_t rank = rule.next(sources.at(node) ? base : 0, sum);
        change += distance(old.one(), rank);
        writer.push(rank);
      });
    }
    sums = RoundValues::unnamed(writer.finish());
  }
  ranks_.replace(std::move(sums));
  return change;
}

void RangedRanks::iterate(const RankRule& rule, Rounds& rounds, RoundKeeper& keeper) {
  core::Phase phase(environment_.progress, "iterate", 0, "rounds");
  if (ranks_.run().records == 0) {
    core::RunWriter<std::uint64_t> writer(environment_, plan_.block_bytes, 2);
    const std::uint64_t first = rule.first();
    SourceCursor sources = rule.sources(0);
    for (std::uint64_t v = 0; v < nodes_; ++v) writer.push(sources.at(v) ? first : 0);
    ranks_.replace(writer.finish());
  }
  while (!rounds.done()) {
    rounds.finish_round(round(rule));
    phase.advance(1);
    if (!keeper.due()) continue;
    ranks_.seal([&](const auto& save) { keeper.seal(rounds, ValuesAre::a_run, save); });
  }
}

core::uint128 RangedRanks::send(NodeSink<std::uint64_t>* sink) {
  core::uint128 total = 0;
  ValueReader<std::uint64_t> ranks(environment_, ranks_.run());
  std::array<std::uint64_t, 4096> bits;
  for (std::uint64_t done = 0; done < nodes_;) {
    const auto piece =
        ranks.take(static_cast<std::size_t>(std::min<std::uint64_t>(bits.size(), nodes_ - done)));
    for (std::size_t i = 0; i < piece.size(); ++i) {
      total += piece[i];
      bits[i] = double_bits(piece[i]);
    }
    if (sink != nullptr) sink->append({bits.data(), piece.size()});
    done += piece.size();
  }
  return total;
}

}  // namespace emgraph::graph::pagerank
