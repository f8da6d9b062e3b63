// SPDX-License-Identifier: MIT
// The forecast of `stats`: a sort of the edges, unless they are in order, then counters or a second sort.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/bytes.hpp"
#include "graph/prepare/sorted_edges.hpp"
#include "graph/sample_facts.hpp"
#include "graph/stats/arc_keys.hpp"
#include "graph/stats/choice.hpp"
#include "graph/stats/counted_degrees.hpp"
#include "graph/stats/scan_sorted.hpp"
#include "graph/stats/second_nodes.hpp"
#include "graph/stats/sorted_degrees.hpp"
#include "graph/stats/stats.hpp"

namespace emgraph::graph::stats {
namespace {

// CPU time of all threads together, nanoseconds. Measured with scripts/bench_plan.py.
constexpr double distribute_nanoseconds = 16;  // per edge
constexpr double scan_nanoseconds = 28;        // per edge
constexpr double in_order_nanoseconds = 15;    // per edge
constexpr double symmetric_nanoseconds = 10;   // per edge
constexpr double directed_nanoseconds = 12;    // per edge more
constexpr double push_nanoseconds = 11;        // per edge more, if second nodes are sorted
constexpr double merge_nanoseconds = 18;       // per edge
constexpr double node_nanoseconds = 6;         // per node
constexpr double merge_node_nanoseconds = 12;  // per node

/// The degrees by a second sort, with keys of either width.
using SecondSort = std::variant<std::monostate, std::unique_ptr<SortedDegrees<std::uint64_t>>,
                                std::unique_ptr<SortedDegrees<core::uint128>>>;

template <class Id>
class StatsForecast {
 public:
  StatsForecast(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
                const InputSize& size)
      : environment_(environment),
        source_(source),
        options_(options),
        declared_(declared_nodes<Id>(options.nodes, source.facts())),
        edges_(size.edges.value_or(0)),
        nodes_(declared_ ? *declared_ : size.nodes.value_or(0)),
        known_(size.edges && (declared_ || size.nodes || edges_ == 0)),
        tally_(environment.memory, options.directed, options.hubs, {}) {}

  Forecast make() {
    if (is_sorted_by_node(source_.facts())) {
      in_order();
    } else {
      sorted();
    }
    if (!known_) {
      const core::Reservation all = environment_.memory.reserve_up_to(environment_.memory.limit());
      forecast_.leave_size_open();
      if (!source_.facts().symmetric) {
        forecast_.choice = {options_.model, "the size of the graph is not known"};
      }
    }
    return std::move(forecast_);
  }

 private:
  Demand demand() const {
    return {.model = options_.model,
            .memory_bytes = environment_.memory.available(),
            .directed = options_.directed};
  }

  void in_order() {
    const EdgeFacts& facts = source_.facts();
    if (facts.symmetric) {
      scan_in_order({});
      forecast_.choice = {MemoryModel::external, both_directions};
      return;
    }
    const Demand demand = this->demand();
    const DegreePlan plan = DegreePlan::make(demand, declared_);
    const bool counted = counts_in_order(facts, declared_, demand, plan);
    if (counted) {
      scan_in_order(environment_.memory.reserve_up_to(CountedDegrees::bytes_for(nodes_, options_.directed)));
    } else {
      firsts_ = likely_firsts({});
      open_second(seconds_in_order(source_, declared_, plan, options_.directed));
      scan_in_order({});
      merge({});
    }
    forecast_.choice = describe_choice(demand, counted, nodes_, edges_);
    forecast_.choice.reason += kept_order;
  }

  /// Reads the input once, with the memory of counters.
  void scan_in_order(const core::Reservation&) {
    const EdgeLane<Id> lane = source_.lane();
    const core::Reservation histograms =
        environment_.memory.reserve_up_to(tally_.growth_bytes(nodes_, edges_));
    forecast_.add("scan", 1, run_expected_ + second_.expected_bytes,
                  scan_seconds(source_.facts().symmetric ? symmetric_nanoseconds : in_order_nanoseconds));
    forecast_.phases.back().one_thread = true;
  }

  void sorted() {
    sampled_ = sample_facts(source_, edges_, false);
    prepare::with_id_bound(environment_, source_, declared_, [&](prepare::SortInput<Id> input) {
      with_arc_keys<Id>(input.bound.below, [&](const auto& keys) { sort(std::move(input), keys); });
    });
  }

  template <class Keys>
  void sort(prepare::SortInput<Id> input, const Keys& keys) {
    const std::optional<std::uint64_t> bound = input.bound.below;
    SecondNodes second;
    second.sample = sample_of_seconds<Id>(input.sample, bound);
    firsts_ = likely_firsts(input.sample);
    Demand demand;
    DegreePlan plan;
    bool counted = false;
    const auto memory = [&](unsigned) {
      demand = this->demand();
      plan = DegreePlan::make(demand, bound);
      counted = (known_ || declared_) ? plan.counts(demand, nodes_) : plan.may_count;
      if (!plan.may_sort) second.sample = std::vector<std::uint64_t>();  // = {} would keep its memory
      return prepare::SortMemory{environment_.memory.reserve(plan.degree_bytes, "degrees of nodes"),
                                 plan.edge_bytes};
    };
    const auto read = [&](std::uint64_t, core::Reservation spare) {
      if (counted) return spare;  // the counters are not larger
      const std::size_t used = environment_.memory.used();
      spare.release();
      second.largest = std::max<std::uint64_t>(1, bound.value_or(nodes_)) - 1;
      second.records = edges_;
      second.memory_bytes = plan.degree_bytes;
      second.block_bytes = plan.block_bytes;
      second.directed = options_.directed;
      open_second(std::move(second));
      // The first buckets are sorted before the run frees the spare memory.
      return environment_.memory.reserve_up_to(used - std::min(used, environment_.memory.used()));
    };
    const core::SpillForecast edges = prepare::rehearse_sort_edges(
        std::move(input), keys, {.attachment_bytes = Keys::attachment_bytes},
        [](std::uint64_t a, std::uint64_t b, auto&& push) { push(a, b); }, memory,
        known_ ? std::optional(edges_) : std::nullopt, read);
    forecast_.add("distribute", 1, edges.expected_bytes, seconds_for(edges_, distribute_nanoseconds));
    forecast_.add("scan", 0, core::size_sum(edges.expected_bytes, run_expected_, second_.expected_bytes),
                  scan_seconds(scan_nanoseconds));
    merge(edges);
    forecast_.choice = describe_choice(demand, counted, nodes_, edges_);
  }

  /// Of a scan that takes so long for an edge, without what is done with its degrees.
  double scan_seconds(double nanoseconds) const {
    if (sort_.index() != 0) nanoseconds += push_nanoseconds;
    if (options_.directed && !source_.facts().symmetric) nanoseconds += directed_nanoseconds;
    return seconds_for(edges_, nanoseconds) + seconds_for(nodes_, node_nanoseconds);
  }

  /// Calls `use(SortedDegrees&)` if there is a second sort.
  template <class Use>
  void with_second(Use&& use) {
    std::visit(
        [&]<class Sort>(Sort& sort) {
          if constexpr (!std::is_same_v<Sort, std::monostate>) use(*sort);
        },
        sort_);
  }

  /// Opens the second sort, and sets the space that it and the run of first nodes take.
  void open_second(SecondNodes second) {
    second.rehearse = true;
    with_second_key<Id>(second.largest, [&]<class Key>(Key) {
      sort_ = std::make_unique<SortedDegrees<Key>>(environment_, std::move(second));
    });
    with_second([&](auto& degrees) {
      const std::uint64_t firsts = std::min(nodes_, edges_);
      second_ = degrees.rehearse_pairs(edges_, firsts);
      run_most_ = degrees.run_bytes(firsts, edges_);
      run_expected_ = degrees.run_bytes(std::min(firsts, firsts_), edges_);
      second_.expected_bytes = spilled_of_share(second_, sampled_.distinct_share);
    });
  }

  /// Nodes with a larger neighbour. If ends are random, a node below a share x of the nodes has none with
  /// probability e^(-x · degree). A sample of edges in order tells nothing: the mean of that and of the most.
  std::uint64_t likely_firsts(const std::vector<Edge<Id>>& sample) const {
    if (sampled_.touched) {
      std::vector<std::uint64_t> lows;
      for (const Edge<Id>& edge : sample) lows.push_back(std::min(edge.source, edge.target));
      return static_cast<std::uint64_t>(distinct_values(lows, static_cast<double>(edges_))) + 1;
    }
    const auto nodes = static_cast<double>(std::max<std::uint64_t>(1, nodes_));
    const auto edges = static_cast<double>(std::max<std::uint64_t>(1, sampled_.distinct(edges_)));
    const double degree = 2 * edges / nodes;
    const double random = nodes * (1 + std::expm1(-degree) / degree);
    return static_cast<std::uint64_t>((random + std::min(nodes, edges)) / 2) + 1;
  }

  /// The sort of the edges has been read. `edges`: its space.
  void merge(const core::SpillForecast& edges) {
    forecast_.temporary = {
        .most_bytes = peak_while_sort_is_read(edges.most_bytes, edges.whole_bytes,
                                              core::size_sum(second_.most_bytes, run_most_)),
        .expected_bytes = peak_while_sort_is_read(edges.expected_bytes, edges.whole_bytes,
                                                  core::size_sum(second_.expected_bytes, run_expected_))};
    const core::Reservation histograms =
        environment_.memory.reserve_up_to(tally_.growth_bytes(nodes_, edges_));
    with_second([&](auto& degrees) {
      degrees.rehearse_finish(known_ ? edges_ : ~std::uint64_t{0});
      forecast_.add("merge degrees", 0, core::size_sum(second_.expected_bytes, run_expected_),
                    seconds_for(edges_, merge_nanoseconds) + seconds_for(nodes_, merge_node_nanoseconds));
    });
  }

  core::Environment& environment_;
  EdgeSource<Id>& source_;
  const Options& options_;
  const std::optional<std::uint64_t> declared_;
  const std::uint64_t edges_;
  const std::uint64_t nodes_;
  const bool known_;
  const DegreeTally tally_;
  Forecast forecast_;
  SampleFacts sampled_;
  SecondSort sort_;
  std::uint64_t firsts_ = 0;        ///< expected number of nodes with a larger neighbour
  core::SpillForecast second_;      ///< space of the second sort
  std::uint64_t run_most_ = 0;      ///< space of the run of first nodes
  std::uint64_t run_expected_ = 0;  ///< the same, if the edges are like the sample
};

}  // namespace

template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size) {
  return StatsForecast<Id>(environment, edges, options, size).make();
}

template Forecast forecast(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, const InputSize&);
template Forecast forecast(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, const InputSize&);

}  // namespace emgraph::graph::stats
