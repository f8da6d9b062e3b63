// SPDX-License-Identifier: MIT
// The forecast of `scc`: the edges without loops, then a search in memory, passes, or rounds of sorts.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "graph/prepare/ingest.hpp"
#include "graph/scc/choice.hpp"
#include "graph/scc/edge_store.hpp"
#include "graph/scc/external_base.hpp"
#include "graph/scc/large_component.hpp"
#include "graph/sparse_ids.hpp"

namespace emgraph::graph::scc {
namespace {

// CPU time of all threads together, nanoseconds. Measured with scripts/bench_plan.py.
constexpr double read_nanoseconds = 10;     // per edge
constexpr double largest_nanoseconds = 13;  // per edge, all scans for the largest component together
constexpr double search_nanoseconds = 45;   // per edge
constexpr double pass_nanoseconds = 70;     // per edge
constexpr double round_nanoseconds = 170;   // per edge, all rounds of sorts together
constexpr double node_nanoseconds = 40;     // per node
constexpr double sort_nanoseconds = 30;     // per edge and sort of the condensation
/// Arcs per node from which most nodes, and so most arcs, are likely to be in one component.
constexpr std::uint64_t arcs_of_one_component = 4;
/// Of the edges that are left when the largest component was contracted.
constexpr double left_share = 1.0 / 16;

template <class Id>
class ComponentForecast {
 public:
  ComponentForecast(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
                    const InputSize& size, bool condensation)
      : environment_(environment),
        source_(source),
        options_(options),
        condensation_(condensation),
        declared_(declared_nodes<Id>(options.nodes, source.facts())),
        nodes_(declared_ ? *declared_ : size.nodes.value_or(0)),
        known_(size.edges && (declared_ || size.nodes)),
        edges_(size.edges.value_or(0)),
        edge_bytes_(core::size_product(edges_, sizeof(Edge<Id>))),
        memory_bytes_(environment.memory.available()),
        block_bytes_(edge_block_bytes(memory_bytes_)) {}

  Forecast make() {
    bool in_memory = false;
    core::Reservation kept;
    {
      const prepare::Lanes<Id> lanes = prepare::open_lanes(environment_, source_);
      const std::uint64_t most = most_in_memory<Id>(options_, source_.facts(), declared_, block_bytes_,
                                                    environment_.memory.available());
      in_memory = edges_ <= most;
      kept = environment_.memory.reserve_up_to(
          core::size_sum(core::size_product(most, sizeof(Edge<Id>)), core::page_bytes));
      const core::Reservation blocks = environment_.memory.reserve_up_to(in_memory ? 0 : 2 * block_bytes_);
    }
    if (!known_) {
      const core::Reservation all = environment_.memory.reserve_up_to(environment_.memory.limit());
      forecast_.leave_size_open();
      forecast_.choice.reason = "the number of nodes is not known";
      return std::move(forecast_);
    }
    if (in_memory && search_bytes<Id>(nodes_, edges_) > environment_.memory.available()) in_memory = false;
    if (!in_memory) kept = {};
    add_phase("read", 1, in_memory ? 0 : edge_bytes_, read_nanoseconds);
    if (nodes_ == 0) {
      forecast_.choice = {MemoryModel::internal, "there are no nodes"};
      return std::move(forecast_);
    }
    forecast_.choice = choose_model<Id>(options_, {nodes_, edges_, in_memory}, block_bytes_, memory_bytes_,
                                        environment_.memory.available());
    if (!in_memory) set_space(edge_bytes_, edge_bytes_);
    if (forecast_.choice.model == MemoryModel::internal) {
      search(in_memory);
    } else if (forecast_.choice.model == MemoryModel::semi_external) {
      pass();
    } else {
      contract();
    }
    return std::move(forecast_);
  }

 private:
  /// The run has blocks that are not full: one at its end, one of the edges that are left.
  void set_space(std::uint64_t most, std::uint64_t expected, unsigned blocks = 4) {
    *forecast_.temporary = {.most_bytes = core::size_sum(most, most / 512, blocks * block_bytes_),
                            .expected_bytes = expected};
  }

  void add_largest(bool in_memory, std::size_t free_bytes) {
    if (!LargestSearch<Id>::pays(nodes_, edges_, block_bytes_, free_bytes)) return;
    environment_.memory.raise_peak(LargestSearch<Id>::bytes_for(nodes_, block_bytes_));
    add_phase("search largest", 0, in_memory ? 0 : core::size_product(edge_bytes_, 3), largest_nanoseconds);
    forecast_.phases.back().one_thread = !in_memory;
    forecast_.phases.back().most_share = std::nullopt;
    left_ = left_share;
    forecast_.notes.emplace_back("time: as if most nodes that have edges were in one component");
  }

  void search(bool in_memory) {
    add_largest(in_memory, environment_.memory.available());
    {
      const core::Reservation arrays = environment_.memory.reserve_up_to(
          core::size_sum(search_bytes<Id>(nodes_, edges_, in_memory ? 0 : block_bytes_), core::page_bytes));
    }
    add_phase("search", 0, in_memory ? 0 : core::size_product(left_edge_bytes(), 2),
              search_nanoseconds * left_);
    finish_phase();
    if (condensation_) sort_condensation();
  }

  void pass() {
    add_largest(false, environment_.memory.available());
    {
      const core::Reservation sets = environment_.memory.reserve_up_to(sets_bytes());
      const std::uint64_t batch = affordable_batch<Id>(nodes_, edges_, most_edges(options_, nodes_),
                                                       block_bytes_, environment_.memory.available());
      const core::Reservation passes =
          environment_.memory.reserve_up_to(EdgePasses<Id>::bytes_for(nodes_, batch, block_bytes_));
    }
    // The passes leave the edges of the condensation as they are.
    if (condensation_) set_space(core::size_product(edge_bytes_, 2), edge_bytes_ + edge_bytes_ / 2);
    add_phase("contract", 0, core::size_product(left_edge_bytes(), 2), pass_nanoseconds * left_);
    finish_phase();
    forecast_.phases.back().least_share = 0.5;
    forecast_.phases.back().most_share = std::nullopt;
    forecast_.notes.emplace_back("time: the number of passes is not known");
    if (condensation_) sort_condensation();
  }

  std::uint64_t left_edge_bytes() const {
    return static_cast<std::uint64_t>(static_cast<double>(edge_bytes_) * left_);
  }
  std::uint64_t sets_bytes() const {
    return core::size_sum(core::size_product(nodes_, sizeof(Id)), core::page_bytes);
  }

  /// Beside the sets of the search. A condensation has as many edges as the graph, or few.
  void sort_condensation() {
    const core::Reservation sets = environment_.memory.reserve_up_to(sets_bytes());
    environment_.memory.raise_peak(core::size_product(nodes_, sizeof(Id)));
    if (prepare::bits_for_nodes(nodes_) <= 32) {
      sort_condensation<std::uint64_t>();
    } else if constexpr (sizeof(Id) == 8) {
      sort_condensation<core::uint128>();
    }
  }
  template <core::IntegerKey Key>
  void sort_condensation() {
    const prepare::EdgeKeys<Key> keys{prepare::bits_for_nodes(nodes_)};
    core::SerialSort<Key> sorted(environment_, keys.range(nodes_ - 1).last, edges_,
                                 environment_.memory.available() / 2, {}, true);
    const core::SpillForecast spill = sorted.rehearse_distribution(edges_);
    sorted.rehearse_sorting(edges_);
    const bool mostly_one = edges_ / arcs_of_one_component >= nodes_;
    forecast_.temporary->add(mostly_one ? core::SpillForecast{.most_bytes = spill.most_bytes} : spill);
    add_sorting(spill, 1);
  }
  void add_sorting(const core::SpillForecast& spill, unsigned sorts) {
    add_phase("sort condensation", 0, core::size_product(2 * sorts, spill.expected_bytes),
              sorts * sort_nanoseconds);
    forecast_.phases.back().least_share = 0.1;
  }

  void contract() {
    add_largest(false, environment_.memory.available() / 4);
    const core::Reservation members =
        environment_.memory.reserve_up_to(left_ < 1 ? NodeBits::bytes_for(nodes_) : 0);
    const bool narrow = prepare::bits_for_nodes(nodes_) <= 32;
    const core::SpillForecast sorted = narrow ? rehearse_sorts<std::uint64_t>() : rehearse_wide_sorts();
    const std::uint64_t key_bytes = narrow ? sizeof(std::uint64_t) : sizeof(core::uint128);
    const std::uint64_t arcs = core::size_product(edges_, key_bytes);
    // Each contracted node leaves a move in place of an arc. Its other arcs become questions, few of them
    // where nodes have several neighbours. The nodes that are left are listed beside all that; each has arcs.
    // On a path that takes the space of two arcs a node, whether there is one round or many.
    const std::uint64_t listed = core::size_product(most_left(), key_bytes);
    set_space(core::size_sum(std::max(arcs, edge_bytes_), arcs / 5, listed),
              core::size_sum(std::max(arcs, edge_bytes_), listed / 2), 2);
    const double moved = 4.0 * static_cast<double>(arcs) + 6.0 * static_cast<double>(sorted.expected_bytes);
    add_phase("contract and expand", 0, static_cast<std::uint64_t>(moved * left_), round_nanoseconds * left_);
    finish_phase();
    forecast_.phases.back().least_share = 0.25;
    forecast_.phases.back().most_share = std::nullopt;
    forecast_.notes.emplace_back("time: the number of rounds is not known");
    forecast_.notes.emplace_back("temporary space: what contracted nodes ask later depends on the graph");
    if (!condensation_) return;
    // The edges stay beside all that, and are then sorted three times: one sort is read while the next is
    // filled.
    core::SpillForecast& space = *forecast_.temporary;
    const std::uint64_t sorts = core::size_product(sorted.whole_bytes, 2);
    space.most_bytes = core::size_sum(edge_bytes_, std::max(space.most_bytes, core::size_sum(sorts, listed)));
    space.expected_bytes = core::size_sum(
        edge_bytes_, std::max(space.expected_bytes, core::size_sum(sorted.expected_bytes, listed)));
    add_sorting(sorted, 3);
  }

  template <core::IntegerKey Key>
  core::SpillForecast rehearse_sorts() {
    const ExternalBase<Key> base(environment_, nodes_);
    typename core::DistributionSorter<Key>::Options options;
    options.range = {0, base.keys().range(nodes_ - 1).last};
    options.records = edges_;
    options.memory_bytes = base.sort_bytes();
    options.threads = core::SerialSort<Key>::threads(environment_, base.sort_bytes());
    options.rehearse = true;
    core::DistributionSorter<Key> first(environment_, options);
    const core::SpillForecast spill = first.rehearse_distribution(edges_);
    {
      // One is read, another is filled, beside the sets of the search; runs are written and read, with up to
      // eight buffers each. Only so many nodes are searched as fit in memory, with their arcs.
      constexpr std::uint64_t many = core::MiB;
      const std::uint64_t node_bytes = least_pass_bytes<std::uint32_t>(many, 0, 0) / many;
      const std::uint64_t searched = std::min(most_left(), environment_.memory.limit() / node_bytes);
      const core::Reservation blocks = environment_.memory.reserve_up_to(
          32 * base.block_bytes() + core::size_product(searched, sizeof(std::uint32_t)));
      core::DistributionSorter<Key> second(environment_, std::move(options));
      first.rehearse_sorting(edges_);
      second.rehearse_distribution(edges_);
      first.rehearse_sorting(edges_);
    }
    // What is left is searched in memory.
    const std::uint64_t search = search_bytes<std::uint32_t>(most_left(), edges_, base.block_bytes());
    if (search > environment_.memory.limit()) {
      forecast_.notes.emplace_back(
          "memory: contraction may leave too many nodes, as of grids; the run then fails");
    }
    const core::Reservation rest = environment_.memory.reserve_up_to(search);
    return spill;
  }
  /// Nodes that a round leaves have arcs to them.
  std::uint64_t most_left() const { return std::min(nodes_, edges_); }
  core::SpillForecast rehearse_wide_sorts() {
    if constexpr (sizeof(Id) == 8) return rehearse_sorts<core::uint128>();
    return {};
  }

  void add_phase(const char* name, std::uint64_t readings, std::uint64_t moved, double nanoseconds) {
    forecast_.phases.push_back({.name = name,
                                .input_readings = readings,
                                .temporary_bytes = moved,
                                .cpu_seconds = seconds_for(edges_, nanoseconds)});
  }
  /// The latest phase works on nodes, too, on one thread.
  void finish_phase() {
    forecast_.phases.back().cpu_seconds += seconds_for(nodes_, node_nanoseconds);
    forecast_.phases.back().one_thread = true;
  }

  core::Environment& environment_;
  EdgeSource<Id>& source_;
  const Options& options_;
  const bool condensation_;
  const std::optional<std::uint64_t> declared_;
  const std::uint64_t nodes_;
  const bool known_;
  const std::uint64_t edges_;
  const std::uint64_t edge_bytes_;
  const std::size_t memory_bytes_;
  const std::size_t block_bytes_;
  double left_ = 1;  ///< part of the edges that is left after the search for the largest component
  Forecast forecast_;
};

}  // namespace

template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size, bool condensation) {
  return ComponentForecast<Id>(environment, edges, options, size, condensation).make();
}

template Forecast forecast(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, const InputSize&,
                           bool);
template Forecast forecast(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, const InputSize&,
                           bool);

}  // namespace emgraph::graph::scc
