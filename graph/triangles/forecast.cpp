// SPDX-License-Identifier: MIT
// The forecast of `triangles`: degrees, the sort by rank, and the lists, in memory or on the disks.
#include <algorithm>
#include <cmath>

#include "core/base/bytes.hpp"
#include "graph/edge_facts.hpp"
#include "graph/prepare/sorted_edges.hpp"
#include "graph/prepare/spooled_source.hpp"
#include "graph/sample_facts.hpp"
#include "graph/triangles/choice.hpp"
#include "graph/triangles/chunk_passes.hpp"
#include "graph/triangles/degree_ranks.hpp"
#include "graph/triangles/external_ranks.hpp"
#include "graph/triangles/list_segments.hpp"
#include "graph/triangles/triangles.hpp"

namespace emgraph::graph::triangles {
namespace {

// CPU time of all threads together, nanoseconds per edge. Measured with scripts/bench_plan.py. How long the
// intersections take depends on the degrees.
constexpr double count_nanoseconds = 12;       // and 2.5 misses
constexpr double distribute_nanoseconds = 20;  // and 4.5 misses
constexpr double orient_nanoseconds = 17;      // and 3 misses
constexpr double intersect_nanoseconds = 28;   // and 4 misses
constexpr double entry_nanoseconds = 0.07;     // of a list, for each edge
constexpr double collect_nanoseconds = 40;     // if nodes or triangles are collected
constexpr double collect_entry_nanoseconds = 1.1;
constexpr double triangle_nanoseconds = 19;  // if they are collected: 6 on a processor 3.2 times as fast
constexpr double external_nanoseconds = 190;
/// Batches of the sorts of the external model.
constexpr std::uint64_t batches_bytes = 192 * core::KiB;
constexpr double node_nanoseconds = 50;    // per node
constexpr double result_nanoseconds = 65;  // per node of the external model, if counts are written

using Keys = prepare::EdgeKeys<std::uint64_t>;

/// The forecast of one run.
template <class Id>
class TrianglesForecast {
 public:
  TrianglesForecast(core::Environment& environment, EdgeSource<Id>& source, const Demand& demand,
                    const std::optional<std::uint64_t>& declared, const InputSize& size)
      : environment_(environment),
        source_(source),
        demand_(demand),
        declared_(declared),
        nodes_(declared ? *declared : size.nodes.value_or(0)),
        edges_(size.edges.value_or(0)) {
    // The nodes with an edge, if ends are at random.
    const SampleFacts sampled = sample_facts(source, edges_, false);
    likely_edges_ = sampled.distinct(edges_);
    list_length_ = sampled.list_length;
    const double ends = 2 * static_cast<double>(edges_);
    const auto n = static_cast<double>(nodes_);
    ranks_ = nodes_ == 0 ? 0 : static_cast<std::uint64_t>(n * (1 - std::exp(-ends / n)));
    likely_ranks_ = std::min(sampled.touched.value_or(ranks_), ranks_);
  }

  Forecast make() {
    const bool may_be_external = demand_.model == MemoryModel::automatic;
    // A number that is not declared is the largest id of a sample: there are that many.
    if (!may_be_external && demand_.model != MemoryModel::external) check_nodes(demand_, nodes_);
    if (demand_.model == MemoryModel::external || (may_be_external && nodes_ > demand_.most_nodes())) {
      without_ranks();
    } else {
      with_ranks();
    }
    if (demand_.list) {
      forecast_.phases.back().most_share = std::nullopt;
      forecast_.temporary.reset();
      forecast_.notes.emplace_back(
          "how many triangles are listed is not known: they take 12 bytes each, or more, "
          "of temporary space");
    }
    return std::move(forecast_);
  }

 private:
  void add_phase(std::string name, std::uint64_t readings, std::uint64_t moved, double nanoseconds) {
    forecast_.phases.push_back({.name = std::move(name),
                                .input_readings = readings,
                                .temporary_bytes = moved,
                                .cpu_seconds = seconds_for(edges_, nanoseconds)});
  }
  double find_nanoseconds() const {
    if (demand_.per_node || demand_.list)
      return collect_nanoseconds + list_length_ * collect_entry_nanoseconds + 4 * miss() +
             least_triangles() * triangle_nanoseconds;
    return intersect_nanoseconds + 4 * miss() + list_length_ * entry_nanoseconds;
  }
  /// Triangles for each edge of a random graph with as many nodes and edges; most graphs have more.
  double least_triangles() const {
    if (likely_ranks_ == 0) return 0;
    const auto nodes = static_cast<double>(likely_ranks_);
    const double degree = 2 * static_cast<double>(likely_edges_) / nodes;
    return degree * degree / (3 * nodes);
  }
  /// Of an access to the ranks.
  double miss() const { return miss_nanoseconds(core::size_product(nodes_, sizeof(Rank))); }
  /// Words of the oriented lists: the edges and their sources.
  static std::uint64_t list_bytes(std::uint64_t sources, std::uint64_t edges) {
    return core::size_product(core::size_sum(edges, sources), sizeof(Rank));
  }
  std::uint64_t likely_list_bytes() const { return list_bytes(likely_ranks_, likely_edges_); }
  /// Of one thread's marks, and of the rows of hubs, which have 64 edges or more.
  std::uint64_t find_bytes(std::size_t free) const {
    const std::uint64_t hubs = std::min<std::uint64_t>({edges_ / (least_hub_degree / 2), ranks_, most_hubs});
    const std::uint64_t rows = std::min<std::uint64_t>(free / 8, HubRows::bytes_for(static_cast<Rank>(hubs)));
    const std::uint64_t marks = std::min<std::uint64_t>(
        core::size_product(ranks_ / 8 + 2 * core::page_bytes, environment_.threads), free / 2);
    return core::size_sum(rows, marks);
  }

  void with_ranks() {
    core::MemoryBudget& memory = environment_.memory;
    // An array whose final length is not known doubles, and is copied.
    const std::uint64_t room = declared_ ? nodes_ : std::min(demand_.most_nodes(), 2 * nodes_);
    std::optional<core::Reservation> ranks =
        environment_.memory.reserve_up_to(core::size_product(nodes_, sizeof(Rank)));
    {
      const prepare::Lanes<Id> lanes = prepare::open_lanes(environment_, source_);
      const core::Reservation growing =
          environment_.memory.reserve_up_to(declared_ ? 0 : core::size_product(room, sizeof(Rank)));
    }
    const std::uint64_t spool =
        source_.rewindable() ? 0 : core::size_product(edges_, source_.shape().row_bytes);
    add_phase("count degrees", 1, spool, count_nanoseconds + 2.5 * miss());
    forecast_.phases.back().cpu_seconds += seconds_for(nodes_, node_nanoseconds);
    {
      const core::Reservation slots =
          environment_.memory.reserve_up_to(std::min<std::uint64_t>(memory.available() / 64, most_slots * 8));
    }
    const MemoryModel model = choose_lists(demand_, nodes_, ranks_, edges_);
    const bool internal = model == MemoryModel::internal;
    const SegmentPlan segments = SegmentPlan::make(memory.available());
    core::Reservation lists;
    core::Reservation ids;
    const auto reserve = [&](unsigned) {
      if (internal) lists = environment_.memory.reserve_up_to(ListChunk::bytes_for(edges_, nodes_));
      if (demand_.list) ids = environment_.memory.reserve_up_to(core::size_product(ranks_, sizeof(Id)));
      const std::uint64_t kept = demand_.per_node ? nodes_ * sizeof(Rank) + core::page_bytes : 0;
      return prepare::SortMemory{
          environment_.memory.reserve_up_to(kept + (internal ? 0 : 2 * segments.writer_bytes())),
          prepare::sorter_memory(memory)};
    };
    const auto visit = [](std::uint64_t a, std::uint64_t b, auto&& push) {
      if (a != b) push(std::max(a, b), std::min(a, b));
    };
    const auto read = [&](std::uint64_t, const core::Reservation&) {
      if (!demand_.per_node) ranks.reset();
      return environment_.memory.reserve_up_to(core::size_sum(core::size_product(nodes_, sizeof(Rank)),
                                                              internal ? 0 : 2 * segments.writer_bytes()));
    };
    const core::SpillForecast sorted =
        prepare::rehearse_sort(environment_, source_, std::optional(nodes_),
                               {.unique = true, .ends_below = nodes_, .records = edges_}, visit, reserve,
                               std::optional(edges_), read);
    forecast_.temporary = sorted;
    add_phase("distribute", 1, core::size_sum(sorted.expected_bytes, spool),
              distribute_nanoseconds + 4.5 * miss());
    add_phase("orient", 0, sorted.expected_bytes, orient_nanoseconds + 3 * miss());
    if (!internal) add_lists(sorted);
    forecast_.temporary->most_bytes = core::size_sum(forecast_.temporary->most_bytes, spool, spool / 64);
    forecast_.temporary->expected_bytes = core::size_sum(forecast_.temporary->expected_bytes, spool);
    const core::Reservation counts =
        environment_.memory.reserve_up_to(demand_.per_node ? core::size_product(ranks_ + ranks_ / 8, 8) : 0);
    const core::Reservation degrees = environment_.memory.reserve_up_to(
        demand_.degrees ? core::size_product(ranks_, sizeof(std::uint32_t)) : 0);
    const core::Reservation triples =
        environment_.memory.reserve_up_to(demand_.list ? memory.available() / 3 : 0);
    const std::uint64_t chunk = find(internal ? 0 : ListChunk::bytes_for(edges_, ranks_));
    forecast_.choice = describe_choice(demand_, model, nodes_, ranks_, edges_, chunk);
  }

  /// Lists are written while the sort is read.
  void add_lists(const core::SpillForecast& sorted) {
    const std::uint64_t keys =
        core::size_product(edges_, std::max<std::uint64_t>(1, (2 * prepare::bits_for_nodes(nodes_) + 7) / 8));
    const std::uint64_t most =
        core::size_sum(list_bytes(nodes_, edges_), list_bytes(nodes_, edges_) / 64, 256 * core::KiB);
    forecast_.temporary->most_bytes = peak_while_sort_is_read(sorted.most_bytes, keys, most);
    forecast_.temporary->expected_bytes =
        peak_while_sort_is_read(sorted.expected_bytes, keys, likely_list_bytes());
    forecast_.phases.back().temporary_bytes += likely_list_bytes();
  }

  /// The intersections with chunks of lists of so many bytes in all; returns the number of chunks.
  std::uint64_t find(std::uint64_t lists) {
    const std::size_t free = environment_.memory.available();
    const core::Reservation finding = environment_.memory.reserve_up_to(
        core::size_sum(find_bytes(free), core::size_sum(lists, lists / 16, lists == 0 ? 0 : free / 16)));
    const std::uint64_t chunks =
        lists == 0 ? 1 : core::divide_up(lists, std::max<std::size_t>(1, free / 4 * 3));
    add_phase("intersect", 0, lists == 0 ? 0 : core::size_product(likely_list_bytes(), (chunks + 1) / 2),
              find_nanoseconds() * static_cast<double>(likely_edges_) /
                  static_cast<double>(std::max<std::uint64_t>(1, edges_)));
    return chunks;
  }

  using SerialSort = core::DistributionSorter<std::uint64_t>;
  /// A rehearsal of a sort of as many keys as there are edges, up to `last`.
  std::unique_ptr<SerialSort> serial_sort(std::uint64_t last, std::size_t bytes) {
    SerialSort::Options options;
    options.range = {0, last};
    options.records = edges_;
    options.memory_bytes = bytes;
    options.threads =
        static_cast<unsigned>(std::clamp<std::size_t>(bytes / core::MiB, 1, environment_.threads));
    options.rehearse = true;
    return std::make_unique<SerialSort>(environment_, std::move(options));
  }

  /// What the sorts of the external model spill.
  struct ExternalSorts {
    core::SpillForecast edges;
    core::SpillForecast highs;  ///< larger ends, sorted while the edges are read
    core::SpillForecast again;  ///< each of the later sorts of edges
  };
  ExternalSorts rehearse_external_sorts(const ExternalPlan& plan) {
    ExternalSorts sorts;
    const auto visit = [](std::uint64_t a, std::uint64_t b, auto&& push) {
      if (a != b) push(std::min(a, b), std::max(a, b));
    };
    const auto read = [&](std::uint64_t, const core::Reservation&) {
      auto sorter = serial_sort(std::max<std::uint64_t>(nodes_, 1) - 1, plan.second_bytes);
      sorts.highs = sorter->rehearse_distribution(edges_);
      return sorter;
    };
    sorts.edges = prepare::rehearse_sort(
        environment_, source_, declared_, {.unique = true}, visit, [&](unsigned) { return plan.first_bytes; },
        std::optional(edges_), read);
    {
      // Later two sorts of edges are open at a time, the first one with its buckets.
      const std::uint64_t last = (std::max<std::uint64_t>(nodes_, 1) - 1) << 32 | ~std::uint32_t{0};
      auto first = serial_sort(last, plan.first_bytes);
      sorts.again = first->rehearse_distribution(edges_);
      auto second = serial_sort(last, plan.second_bytes);
      second->rehearse_distribution(edges_);
      const core::Reservation blocks = environment_.memory.reserve_up_to(
          8 * plan.block_bytes + environment_.memory.limit() / 16 + batches_bytes);
      first->rehearse_sorting(edges_);
    }
    // A run that takes more than 7/8 of the memory is forecast as taking all of it.
    if (environment_.memory.peak() > environment_.memory.limit() / 8 * 7) {
      const core::Reservation all = environment_.memory.reserve_up_to(environment_.memory.limit());
    }
    return sorts;
  }

  void without_ranks() {
    const ExternalPlan plan = ExternalPlan::make(environment_.memory.available());
    const ExternalSorts sorts = rehearse_external_sorts(plan);
    // A run of the edges, and what is made from it: larger ends, then ranks. When ends become ranks the run
    // shrinks.
    const std::uint64_t run = core::size_product(edges_, 2 * sizeof(Id));
    const bool with_ids = demand_.per_node || demand_.list;
    const auto ranks = [&](std::uint64_t count) {
      return core::size_product(count, 2 * sizeof(Id) + (with_ids ? sizeof(Id) : 0));
    };
    const double share =
        static_cast<double>(likely_edges_) / static_cast<double>(std::max<std::uint64_t>(1, edges_));
    const std::uint64_t likely_run = core::size_product(likely_edges_, 2 * sizeof(Id));
    const std::uint64_t spilled = sorts.edges.expected_bytes;
    const std::uint64_t most_ranks = ranks(std::min(nodes_, core::size_product(edges_, 2)));
    forecast_.temporary->most_bytes =
        core::size_sum(run, std::max(most_ranks, sorts.highs.most_bytes), run / 64, 4 * plan.block_bytes);
    forecast_.temporary->expected_bytes = std::max(
        {core::size_sum(likely_run, std::max(ranks(likely_ranks_), spilled_of_share(sorts.highs, share))),
         spilled, peak_while_sort_is_read(spilled, sorts.edges.whole_bytes, likely_run)});
    add_phase("distribute", 1, spilled, distribute_nanoseconds);
    add_phase("rank and orient", 0,
              core::size_sum(spilled, 4 * spilled_of_share(sorts.again, share), 2 * likely_run,
                             4 * ranks(likely_ranks_), likely_list_bytes()),
              external_nanoseconds * share);
    const core::Reservation counts = reserve_external_counts();
    const std::uint64_t chunks = find(ListChunk::bytes_for(edges_, ranks_));
    if (with_ids) write_counts(plan);
    if (demand_.list) {
      const core::Reservation all = environment_.memory.reserve_up_to(environment_.memory.limit());
    }
    if (demand_.per_node && ranks_ > environment_.memory.available() / 8 / sizeof(std::uint64_t)) {
      forecast_.temporary.reset();
      forecast_.notes.emplace_back(
          "how many triangles there are is not known: counts of nodes that have no counter in memory take up "
          "to 8 bytes per triangle of temporary space");
    }
    forecast_.choice = describe_choice(demand_, MemoryModel::external, nodes_, ranks_, edges_, chunks);
  }

  /// Counters of the nodes with most edges, and the sort of the counts of the others, as in a run.
  core::Reservation reserve_external_counts() {
    if (!demand_.per_node) return {};
    const std::size_t free = environment_.memory.available();
    const std::uint64_t all = core::size_product(ranks_, sizeof(std::uint64_t));
    const std::uint64_t shared = std::min<std::uint64_t>(all, free / 8);
    return environment_.memory.reserve_up_to(
        core::size_sum(shared, shared / 8 + core::page_bytes, shared < all ? free / 4 : 0));
  }
  /// The results of the external model are sorted by ids.
  void write_counts(const ExternalPlan& plan) {
    const std::uint64_t results = core::size_product(nodes_, 24);
    const core::Reservation sorting =
        environment_.memory.reserve_up_to(core::size_sum(results, 4 * core::MiB));
    forecast_.phases.push_back({.name = "write counts",
                                .temporary_bytes = results,
                                .cpu_seconds = seconds_for(nodes_, result_nanoseconds),
                                .one_thread = true});
    std::uint64_t& most = forecast_.temporary->most_bytes;
    most = std::max(most, core::size_sum(list_bytes(nodes_, edges_),
                                         core::size_product(nodes_, sizeof(Id) + 16), 4 * plan.block_bytes));
  }

  core::Environment& environment_;
  EdgeSource<Id>& source_;
  const Demand demand_;
  const std::optional<std::uint64_t> declared_;
  const std::uint64_t nodes_;
  const std::uint64_t edges_;
  std::uint64_t likely_edges_ = 0;  ///< without duplicates and loops
  double list_length_ = 1;          ///< of the oriented list of an edge
  std::uint64_t ranks_ = 0;         ///< nodes with an edge, if ends are at random
  std::uint64_t likely_ranks_ = 0;  ///< the same by a sample
  Forecast forecast_;
};

}  // namespace

template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size, const WantedOutputs& outputs) {
  const auto declared = declared_nodes<Id>(options.nodes, edges.facts());
  const Demand demand{.model = options.model,
                      .memory_bytes = environment.memory.available(),
                      .id_bytes = sizeof(Id),
                      .per_node = outputs.per_node,
                      .degrees = outputs.degrees,
                      .list = outputs.list,
                      .copies_of_node = options.copies_of_node,
                      .copies_of_edge = options.copies_of_edge};
  Forecast forecast = TrianglesForecast<Id>(environment, edges, demand, declared, size).make();
  if (!size.edges || (!declared && !size.nodes)) {
    const core::Reservation all = environment.memory.reserve_up_to(environment.memory.limit());
    forecast.leave_size_open();
  }
  return forecast;
}

template Forecast forecast(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, const InputSize&,
                           const WantedOutputs&);
template Forecast forecast(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, const InputSize&,
                           const WantedOutputs&);

}  // namespace emgraph::graph::triangles
