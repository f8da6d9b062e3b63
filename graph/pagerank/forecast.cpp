// SPDX-License-Identifier: MIT
// The forecast of `pagerank`: the sort of the arcs, and rounds over lists in memory or on the disks.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "graph/pagerank/in_memory.hpp"
#include "graph/pagerank/job.hpp"

namespace emgraph::graph::pagerank {
namespace {

// CPU time of all threads together, nanoseconds. Measured with scripts/bench_plan.py.
constexpr double distribute_nanoseconds = 17;  // per arc
constexpr double build_nanoseconds = 42;       // per arc
constexpr double memory_nanoseconds = 4.5;     // per arc and round, and 1.4 misses
constexpr double disk_nanoseconds = 9;         // per arc and round, and a miss
constexpr double node_nanoseconds = 15;        // per node and round
constexpr double range_nanoseconds = 40;       // in place of node_nanoseconds, with several ranges
constexpr double write_nanoseconds = 20;       // per node

template <class Id>
class RankForecast {
 public:
  RankForecast(Job<Id>& job, const InputSize& size)
      : job_(job),
        memory_(job.environment.memory),
        nodes_(job.declared ? *job.declared : size.nodes.value_or(0)),
        arcs_(core::size_product(size.edges.value_or(0), job.both ? 2 : 1)),
        known_(size.edges && (job.declared || size.nodes || size.edges == 0)),
        weighted_(job.options.weighted) {}

  Forecast make() {
    if (known_ && rehearse_rows()) return std::move(forecast_);
    with_sort_keys(job_, [&](prepare::SortInput<Id> input, const auto& keys) { rehearse(input, keys); });
    if (!known_) {
      const core::Reservation all = memory_.reserve_up_to(memory_.limit());
      forecast_.leave_size_open();
    }
    return std::move(forecast_);
  }

 private:
  /// As solve_on_rows() of a run.
  bool rehearse_rows() {
    if constexpr (sizeof(Id) == sizeof(std::uint32_t)) {
      if (!job_.may_take_rows()) return false;
      const std::optional<adjacency::RowsPlan> plan =
          adjacency::plan_rows(job_.environment, job_.source, job_.rows_options(), sizeof(std::uint64_t));
      if (!plan) return false;
      const core::Reservation rows = adjacency::rehearse_rows(job_.environment, job_.source, *plan);
      const core::Reservation vectors =
          memory_.reserve_up_to(core::size_product(nodes_, job_.rows_options().beside_bytes_per_node));
      forecast_.choice = choose(job_.demand({}), job_.plan, nodes_, arcs_, job_.memory_bytes);
      forecast_.phases = adjacency::row_phases(arcs_, false);
      forecast_.temporary = core::SpillForecast();
      in_memory();
      return true;
    }
    return false;
  }

  template <class Keys>
  void rehearse(prepare::SortInput<Id>& input, const Keys& keys) {
    const Demand demand = job_.demand(input.bound.below);
    bool kept = keep_while_sorting(demand);
    prepare::SortSpec spec = job_.sort_spec();
    spec.rehearse = true;
    auto sort = prepare::open_sort(input, keys, spec, job_.directions(),
                                   [&](unsigned) { return job_.sort_memory(demand, kept); });
    const core::SpillForecast spill = sort.sorter->rehearse_distribution(arcs_);
    forecast_.temporary = spill;
    forecast_.add("distribute", 1, spill.expected_bytes, seconds_for(arcs_, distribute_nanoseconds));
    forecast_.add("build lists", 0, spill.expected_bytes, seconds_for(arcs_, build_nanoseconds));
    sort.lanes.clear();
    // The first buckets are sorted before what was set aside is free again.
    const std::uint64_t records = known_ ? arcs_ : ~std::uint64_t{0};
    sort.sorter->rehearse_sorting(records);
    sort.memory.spare.release();
    if (kept || (known_ && nodes_ == 0)) {
      const core::Reservation lists = memory_.reserve_up_to(internal_bytes(demand, nodes_, arcs_));
      sort.sorter->rehearse_sorting(records);
      forecast_.choice = choose(demand, job_.plan, nodes_, arcs_, job_.memory_bytes);
      return in_memory();
    }
    const std::uint64_t ranges = job_.plan.ranges(nodes_);
    // Two blocks each of the writers of a list and of degrees, and of that of weights.
    core::Reservation lists =
        memory_.reserve_up_to(shares_bytes() + (weighted_ ? 6 : 4) * job_.plan.block_bytes);
    sort.sorter->rehearse_sorting(records);
    sort.sorter.reset();
    lists = memory_.reserve_up_to(shares_bytes());
    const std::size_t free = ranges <= 1 ? memory_.available() : 0;  // 0: n is not known
    const std::size_t blocks = job_.plan.blocks_bytes();
    forecast_.choice = choose(demand, job_.plan, nodes_, arcs_, free - std::min(free, blocks));
    add_lists(spill, sizeof(typename Keys::key_type) + *spec.attachment_bytes);
    if (forecast_.choice.model == MemoryModel::internal) {
      // Of the cursors that read lists and weights into memory.
      const core::Reservation all = memory_.reserve_up_to(
          core::size_sum(internal_bytes(demand, nodes_, arcs_), (weighted_ ? 6 : 3) * job_.plan.block_bytes));
      return in_memory();
    }
    const core::Reservation all = memory_.reserve_up_to(blocks);
    on_disk(ranges);
  }

  std::uint64_t shares_bytes() const { return job_.plan.bytes_for(nodes_) - job_.plan.blocks_bytes(); }
  /// A list is preceded by the gap and the number of sources.
  std::uint64_t lists_bytes(std::uint64_t lists) const {
    return core::size_sum(core::size_product(arcs_, weighted_ ? 12 : 4), core::size_product(lists, 8),
                          arcs_ / 512);
  }

  /// Lists are written while the sort is read, and degrees in the end.
  void add_lists(const core::SpillForecast& sorted, std::size_t key_bytes) {
    const std::uint64_t ranges = job_.plan.ranges(nodes_);
    const std::uint64_t targets = core::size_product(nodes_, ranges);
    const auto lists = static_cast<double>(targets);
    const double empty = std::exp(-static_cast<double>(arcs_) / std::max(lists, 1.0));
    const std::uint64_t block = job_.plan.block_bytes;
    most_lists_ = core::size_sum(lists_bytes(std::min(arcs_, targets)),
                                 core::size_product(ranges, weighted_ ? 2 * block : block));
    lists_ = lists_bytes(static_cast<std::uint64_t>(lists * (1 - empty)));
    const std::uint64_t degrees = core::size_product(nodes_, 8);
    const auto peak = [&](std::uint64_t spilled, std::uint64_t written) {
      return std::max(core::size_sum(written, degrees),
                      peak_while_sort_is_read(spilled, core::size_product(arcs_, key_bytes), written));
    };
    forecast_.temporary->most_bytes =
        core::size_sum(peak(sorted.most_bytes, most_lists_), (weighted_ ? 3 : 2) * block);
    forecast_.temporary->expected_bytes = peak(sorted.expected_bytes, lists_);
    forecast_.phases.back().temporary_bytes += lists_;
  }

  void in_memory() { iterate(memory_nanoseconds + 1.4 * miss_nanoseconds(shares_bytes()), 0); }

  /// Beside the lists: degrees, ranks and new ranks, and with several ranges the sums of the one before.
  void on_disk(std::uint64_t ranges) {
    const std::uint64_t values = core::size_product(nodes_, 8 * (ranges > 1 ? 4 : 3));
    core::SpillForecast& space = *forecast_.temporary;
    space.most_bytes =
        std::max(space.most_bytes, core::size_sum(most_lists_, values, 4 * job_.plan.block_bytes));
    space.expected_bytes = std::max(space.expected_bytes, core::size_sum(lists_, values));
    iterate(disk_nanoseconds + miss_nanoseconds(shares_bytes() / std::max<std::uint64_t>(ranges, 1)),
            core::size_sum(lists_, core::size_product(nodes_, 16 + 16 * std::max<std::uint64_t>(ranges, 1))));
  }

  void iterate(double arc_nanoseconds, std::uint64_t moved) {
    const std::uint64_t rounds = this->rounds();
    forecast_.add("iterate", 0, core::size_product(moved, rounds),
                  seconds_for(core::size_product(arcs_, rounds), arc_nanoseconds) +
                      seconds_for(core::size_product(nodes_, rounds),
                                  forecast_.choice.model == MemoryModel::external ? range_nanoseconds
                                                                                  : node_nanoseconds));
    forecast_.phases.back().one_thread = moved > 0;
    if (most_rounds_) {
      const auto foreseen = static_cast<double>(std::max<std::uint64_t>(rounds, 1));
      forecast_.phases.back().least_share = 1 / foreseen;
      forecast_.phases.back().most_share = static_cast<double>(*most_rounds_) / foreseen;
    }
    forecast_.add("write ranks", 0, moved > 0 ? core::size_product(nodes_, 8) : 0,
                  seconds_for(nodes_, write_nanoseconds));
    forecast_.phases.back().one_thread = true;
  }

  /// A round multiplies the change by the damping at most. Measured, of at most 90 rounds: 31 to 74 on
  /// undirected real graphs, 9 to 65 on directed ones, 8 to 25 on random ones.
  std::uint64_t rounds() {
    const std::uint64_t most = job_.options.iterations.value_or(~std::uint64_t{0});
    const std::optional<double> tolerance = job_.tolerance();
    if (!tolerance) return most;
    const std::uint64_t bound = most_rounds(job_.options.damping, *tolerance);
    most_rounds_ = std::min(most, bound);
    forecast_.notes.push_back("time: the number of rounds is not known, at most " +
                              std::to_string(*most_rounds_));
    return std::min(most, core::divide_up(core::size_product(bound, 3), 8));
  }

  Job<Id>& job_;
  core::MemoryBudget& memory_;
  const std::uint64_t nodes_;
  const std::uint64_t arcs_;
  const bool known_;
  const bool weighted_;
  Forecast forecast_;
  std::optional<std::uint64_t> most_rounds_;  ///< if they are not given
  std::uint64_t most_lists_ = 0;
  std::uint64_t lists_ = 0;
};

}  // namespace

template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size) {
  auto job = Job<Id>::make(environment, edges, options);
  return RankForecast<Id>(job, size).make();
}

template Forecast forecast(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, const InputSize&);
template Forecast forecast(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, const InputSize&);

}  // namespace emgraph::graph::pagerank
