// SPDX-License-Identifier: MIT
// The forecast of full searches of `sssp`: the build as in build.hpp, then the search of the model that the
// built graph gets.
#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <type_traits>

#include "core/base/bytes.hpp"
#include "graph/adjacency/page_estimate.hpp"
#include "graph/adjacency/page_weights.hpp"
#include "graph/sample_facts.hpp"
#include "graph/sssp/build.hpp"
#include "graph/sssp/choice.hpp"
#include "graph/sssp/quick_rows.hpp"
#include "graph/sssp/search_forecast.hpp"
#include "graph/sssp/sssp.hpp"

namespace emgraph::graph::sssp {
namespace {

// CPU time of all threads together, nanoseconds. Measured with scripts/bench_plan.py.
constexpr double distribute_nanoseconds = 38;  // per edge
constexpr double build_nanoseconds = 42;       // per arc

/// The forecast of a run on a source.
template <class Id>
class SourceForecast : SearchForecast {
 public:
  SourceForecast(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
                 const InputSize& size, const WantedOutputs& outputs)
      : SearchForecast(environment, options, outputs, sizeof(Id),
                       options.weighting.type(source.facts().layout.weight)),
        source_(source),
        declared_(declared_nodes<Id>(options.nodes, source.facts())),
        known_nodes_(declared_ ? declared_ : size.nodes),
        edges_(size.edges) {
    if (declared_) check_nodes(options, *declared_);
  }

  Forecast make() {
    const std::optional<std::uint64_t>& told = source_.facts().edges;
    const Demand demand = this->demand(declared_, told ? std::optional(arcs_of(*told)) : std::nullopt, false);
    forecast_.choice = choose(demand, options_);
    if (!known_nodes_ || !edges_) return unknown(demand);
    nodes_ = *known_nodes_;
    arcs_ = arcs_of(*edges_);
    if (search_quick_rows(demand)) return finished();
    const WeightSample weights = sample_weights();
    few_weights_ = weights.few;
    const SampleFacts sampled = sample_facts(source_, *edges_, options_.directed);
    share_ = sampled.distinct_share;
    reaches_ = sampled.connected(nodes_, *edges_);
    pages_ =
        adjacency::expected_page_bytes({.nodes = nodes_,
                                        .entries = arcs_,
                                        .id_bytes = sizeof(Id),
                                        .weight = type_,
                                        .weight_width = weights.width,
                                        .most_weight_width = weights.width,
                                        .likely_entries = sampled.distinct(arcs_),
                                        .likely_gap_bytes = sampled.gap_bytes,
                                        .likely_lists = options_.directed ? std::nullopt : sampled.touched});
    if (forecast_.choice.model != MemoryModel::internal) {
      build_and_search_pages();
    } else if (in_order() && !told) {
      unpack_and_search();
    } else {
      search_rows(demand);
    }
    return finished();
  }

 private:
  /// What a sample, or the rule, tells of the weights.
  struct WeightSample {
    std::size_t width;  ///< bytes of a weight in a page
    bool few;           ///< different values, so that many ways are as short as others
  };
  WeightSample sample_weights() {
    constexpr std::size_t sampled = 64 * 1024;
    if (options_.weighting.rule == WeightRule::unit) return {1, true};
    if (options_.weighting.rule == WeightRule::hash) {
      return {adjacency::width_of(options_.weighting.modulus), options_.weighting.modulus < many_weights};
    }
    const std::size_t bytes = weight_bytes(type_);
    std::uint64_t all = 0;
    std::set<std::uint64_t> different;
    source_.sample(sampled, [&](const EdgeBatch<Id>& batch) {
      for (std::size_t i = 0; i < batch.size(); ++i) {
        std::uint64_t weight = 0;
        std::memcpy(&weight, attachment_of(batch[i]), bytes);
        all |= rank_of_weight(type_, weight);
        if (different.size() < many_weights) different.insert(weight);
      }
    });
    if (different.empty()) return {bytes, true};
    return {std::max(1U, adjacency::width_of(all)), different.size() < many_weights};
  }
  std::uint64_t arcs_of(std::uint64_t edges) const {
    return options_.directed ? edges : core::size_product(edges, 2);
  }
  adjacency::StreamOptions stream(std::uint64_t spare) const {
    return {.directed = options_.directed,
            .nodes = options_.nodes,
            .spare_bytes = static_cast<std::size_t>(spare),
            .weighting = options_.weighting,
            .limits = length_limits()};
  }

  bool in_order() const {
    return adjacency::streams_in_order(source_.facts(), options_.directed, options_.weighting);
  }

  Forecast unknown(const Demand& demand) {
    adjacency::rehearse_neighbours(environment_, source_, stream(demand.memory_bytes / 2), edges_,
                                   [](std::uint64_t) { return core::Reservation(); });
    const core::Reservation all = environment_.memory.reserve_up_to(environment_.memory.limit());
    if (options_.model == MemoryModel::automatic) {
      forecast_.choice.reason =
          "if arcs and nodes fit, else another; it is chosen when the edges have been read";
    }
    if (edges_) {
      forecast_.add("distribute", 1, 0, seconds_for(*edges_, distribute_nanoseconds));
      forecast_.add("build adjacency", 0, 0, seconds_for(arcs_of(*edges_), build_nanoseconds));
    }
    forecast_.leave_size_open();
    return finished();
  }

  /// The phases of a sort, and its space. `held`: bytes that are taken while it is read. `must_fit`: they are
  /// needed, as by a forced model.
  core::SpillForecast sort(std::uint64_t spare, std::uint64_t held, const char* what, bool must_fit = false) {
    core::Reservation rows;
    const core::SpillForecast spill =
        adjacency::rehearse_neighbours(environment_, source_, stream(spare), edges_, [&](std::uint64_t) {
          rows = must_fit ? environment_.memory.reserve(static_cast<std::size_t>(held), what)
                          : environment_.memory.reserve_up_to(held);
          return environment_.memory.reserve_up_to(held / 64 + core::MiB);
        });
    forecast_.add("distribute", 1, spill.expected_bytes, seconds_for(*edges_, distribute_nanoseconds));
    forecast_.add("build adjacency", 0, spill.expected_bytes, seconds_for(arcs_, build_nanoseconds));
    *forecast_.temporary = spill;
    forecast_.temporary->most_bytes += spill.most_bytes / 16;
    return spill;
  }

  /// Rows from one reading; false if the input does not suit.
  bool search_quick_rows(const Demand& first) {
    if constexpr (sizeof(Id) == sizeof(std::uint32_t)) {
      if (!may_take_quick_rows(options_, source_.facts())) return false;
      const adjacency::RowsOptions rows = rows_options(options_, first);
      const std::optional<adjacency::RowsPlan> plan =
          adjacency::plan_rows(environment_, source_, rows, row_offset_bytes(type_));
      if (!plan) return false;
      const core::Reservation held = adjacency::rehearse_rows(environment_, source_, *plan);
      Demand known = demand(nodes_, arcs_, true);
      known.memory_bytes = first.memory_bytes;
      forecast_.choice = internal_choice(known, options_);
      forecast_.phases = adjacency::row_phases(arcs_, false);
      forecast_.temporary = core::SpillForecast();
      search_in_memory(needs(known, options_), 0, true);
      return true;
    }
    return false;
  }

  void search_rows(const Demand& first) {
    const Needs need = needs(demand(nodes_, arcs_, true), options_);
    if (gathers(first)) {
      const EdgeLane<Id> lane = source_.lane();
      const core::Reservation all =
          environment_.memory.reserve_up_to(core::size_sum(need.rows, read_lists_bytes()));
      forecast_.add("read arcs", 1, 0, seconds_for(arcs_, gather_nanoseconds / 2));
      forecast_.add("build rows", 0, 0, seconds_for(arcs_, gather_nanoseconds / 2));
    } else {
      const bool known = first.nodes && first.entries;
      const std::uint64_t spare =
          known ? std::min<std::uint64_t>(need.rows, first.memory_bytes / 4 * 3) : first.memory_bytes / 2;
      sort(spare, need.rows, "the arcs of each node", options_.model == MemoryModel::internal);
      // Where the rows take most of the memory, buckets are split until all keys have been on the disks.
      core::SpillForecast& space = *forecast_.temporary;
      if (space.most_bytes > 0 && need.rows > first.memory_bytes / 2) {
        space.most_bytes = std::max(space.most_bytes, keys_bytes() + keys_bytes() / 8);
      }
    }
    search_in_memory(need, need.rows, true);
  }

  /// Of all arcs in the sort: packed ends and the weight.
  std::uint64_t keys_bytes() const {
    const std::size_t ends = (2 * prepare::bits_for_nodes(nodes_) + 7) / 8 + 1;
    return core::size_product(arcs_, ends + weight_bytes(type_));
  }

  /// As gather_graph decides.
  bool gathers(const Demand& first) const {
    return first.nodes && first.entries &&
           core::size_sum(rows_bytes(), lists_bytes()) <= first.memory_bytes / 8 * 7;
  }
  template <class Use>
  std::uint64_t with_rows(Use&& use) const {
    using Rows = AnyRows<Id>;
    if (sizeof(Id) == 8 || type_ != WeightType::u32) return use(std::type_identity<typename Rows::Wide>{});
    return Rows::Short::fits(arcs_) ? use(std::type_identity<typename Rows::Short>{})
                                    : use(std::type_identity<typename Rows::Long>{});
  }
  std::uint64_t rows_bytes() const {
    return with_rows(
        [&]<class RowsType>(std::type_identity<RowsType>) { return RowsType::bytes_for(nodes_, arcs_); });
  }
  std::uint64_t lists_bytes() const {
    return with_rows([&]<class RowsType>(std::type_identity<RowsType>) {
      return RowGatherer<Id, RowsType>::lists_bytes(arcs_);
    });
  }

  std::uint64_t read_lists_bytes() const {
    return with_rows([&]<class RowsType>(std::type_identity<RowsType>) {
      return RowGatherer<Id, RowsType>::lists_bytes(arcs_, nodes_, environment_.threads);
    });
  }

  /// Edges in the order of lists, of which only a bound is known, go to pages on the disks. Rows are made
  /// when they have been counted.
  void unpack_and_search() {
    arcs_ = *edges_;  // both directions of an edge come
    build_pages();
    const Demand built = demand(nodes_, arcs_, true);
    const Needs need = needs(built, options_);
    forecast_.note_need_of_all_edges(need.internal, built.memory_bytes);
    search_unpacked(need);
  }

  void build_and_search_pages() {
    build_pages();
    const Demand built = demand(nodes_, arcs_, true);
    forecast_.choice = choose(built, options_);
    search_pages(needs(built, options_));
  }

  /// The pages on the temporary disks.
  void build_pages() {
    const Demand first = demand(nodes_, arcs_, false);
    const adjacency::PageAppender<Id> appender(environment_, adjacency::default_page_bytes, 0, arcs_, type_);
    const core::SpillForecast sorted =
        sort(0, 3 * adjacency::scan_chunk_bytes(first.memory_bytes, adjacency::default_page_bytes),
             "pages that are written");
    // Pages are written while the sort is read.
    *forecast_.temporary = {
        .most_bytes = peak_while_sort_is_read(sorted.most_bytes, sorted.whole_bytes, pages_.most_bytes),
        .expected_bytes =
            peak_while_sort_is_read(sorted.expected_bytes, sorted.whole_bytes, pages_.expected_bytes)};
    forecast_.phases.back().temporary_bytes += pages_.expected_bytes;
    temporary_pages_ = pages_;
  }

  EdgeSource<Id>& source_;
  const std::optional<std::uint64_t> declared_;
  const std::optional<std::uint64_t> known_nodes_;
  const std::optional<std::uint64_t> edges_;
};

}  // namespace

template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size, const WantedOutputs& outputs) {
  return SourceForecast<Id>(environment, edges, options, size, outputs).make();
}

template Forecast forecast(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, const InputSize&,
                           const WantedOutputs&);
template Forecast forecast(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, const InputSize&,
                           const WantedOutputs&);

}  // namespace emgraph::graph::sssp
