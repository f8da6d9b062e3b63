// SPDX-License-Identifier: MIT
// The forecast of `kcore`: the adjacency, then peeling or rounds of sorts.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "graph/adjacency/page_estimate.hpp"
#include "graph/kcore/memory.hpp"
#include "graph/sample_facts.hpp"
#include "graph/sparse_ids.hpp"

namespace emgraph::graph::kcore {
namespace {

// CPU time of all threads together, nanoseconds. Measured with scripts/bench_plan.py.
constexpr double distribute_nanoseconds = 26;  // per edge
constexpr double build_nanoseconds = 46;       // per edge
constexpr double peel_nanoseconds = 40;        // per edge, and two misses
constexpr double peel_row_nanoseconds = 45;    // the same on rows
constexpr double message_nanoseconds = 160;    // per edge and round of the external model
constexpr double sweep_nanoseconds = 300;      // per edge, in all sweeps
constexpr double node_nanoseconds = 100;       // per node
/// Rounds of the external model depend on the graph: 8 to 12 on random ones.
constexpr std::uint64_t usual_rounds = 12;
/// Sweeps that read all pages, for random and skewed graphs; 1 for a grid.
constexpr std::uint64_t usual_sweeps = 8;

template <class Id>
class CoreForecast {
 public:
  CoreForecast(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
               const InputSize& size)
      : environment_(environment),
        source_(source),
        options_(options),
        declared_(declared_nodes<Id>(options.nodes, source.facts())),
        nodes_(declared_ ? *declared_ : size.nodes.value_or(0)),
        known_(size.edges && (declared_ || size.nodes)),
        edges_(size.edges.value_or(0)),
        entries_(core::size_product(edges_, source.facts().symmetric ? 1 : 2)),
        memory_bytes_(environment.memory.available()) {}

  Forecast make() {
    if (known_ && rehearse_on_rows()) return std::move(forecast_);
    const SampleFacts sampled = sample_facts(source_, edges_, source_.facts().symmetric);
    share_ = sampled.distinct_share;
    pages_ = adjacency::expected_page_bytes({.nodes = nodes_,
                                             .entries = entries_,
                                             .id_bytes = sizeof(Id),
                                             .likely_entries = sampled.distinct(entries_),
                                             .likely_gap_bytes = sampled.gap_bytes,
                                             .likely_lists = sampled.touched});
    const std::size_t resident = resident_bytes<Id>(environment_, source_.facts(), options_, declared_);
    const adjacency::PageAppender<Id> appender(
        environment_, adjacency::default_page_bytes, resident,
        core::size_product(source_.facts().edges.value_or(0), source_.facts().symmetric ? 1 : 2));
    build(resident, appender);
    if (!known_) {
      const core::Reservation all = environment_.memory.reserve_up_to(environment_.memory.limit());
      forecast_.leave_size_open();
      forecast_.choice.reason = "the number of nodes is not known";
      return std::move(forecast_);
    }
    search();
    return std::move(forecast_);
  }

 private:
  /// As run_on_rows() of a run.
  bool rehearse_on_rows() {
    if constexpr (sizeof(Id) == sizeof(std::uint32_t)) {
      if (!may_be_internal(options_.model)) return false;
      const adjacency::RowsOptions options = rows_options(environment_, options_);
      const auto plan = adjacency::plan_rows(environment_, source_, options, sizeof(std::uint64_t));
      if (!plan) return false;
      const core::Reservation rows = adjacency::rehearse_rows(environment_, source_, *plan);
      const core::Reservation values =
          environment_.memory.reserve_up_to(peel_bytes<Id>(nodes_, environment_.threads));
      const SampleFacts sampled = sample_facts(source_, edges_, source_.facts().symmetric);
      forecast_.choice = {
          MemoryModel::internal,
          edges_and_nodes_fit(RowLists::Rows::bytes_for(nodes_, sampled.distinct(entries_)), memory_bytes_) +
              std::string(forced_suffix(options_.model))};
      forecast_.phases = adjacency::row_phases(entries_, true);
      *forecast_.temporary = core::SpillForecast();
      share_ = sampled.distinct_share;
      peel(0, peel_row_nanoseconds + 2 * miss_nanoseconds(core::size_product(nodes_, 4)));
      return true;
    }
    return false;
  }

  void build(std::size_t resident, const adjacency::PageAppender<Id>& appender) {
    core::Reservation lists;
    const auto begin = [&](std::uint64_t) {
      lists = environment_.memory.reserve_up_to(appender.resident_bytes(pages_.most_bytes));
      return environment_.memory.reserve_up_to(
          3 * adjacency::scan_chunk_bytes(memory_bytes_, adjacency::default_page_bytes));
    };
    const core::SpillForecast sorted =
        adjacency::rehearse_neighbours(environment_, source_, {.nodes = declared_, .spare_bytes = resident},
                                       known_ ? std::optional(edges_) : std::nullopt, begin);
    const bool in_order = adjacency::streams_in_order(source_.facts(), false);
    if (!in_order) add_phase("distribute", 1, sorted.expected_bytes, distribute_nanoseconds);
    const auto absent = [&](std::uint64_t pages) {
      return pages - std::min(pages, appender.resident_bytes(pages));
    };
    most_pages_ = absent(pages_.most_bytes);
    expected_pages_ = absent(pages_.expected_bytes);
    add_phase("build adjacency", in_order ? 1 : 0, sorted.expected_bytes + expected_pages_,
              build_nanoseconds);
    // Pages are written while the sort is read.
    const std::uint64_t keys = core::size_product(
        entries_, (2 * prepare::bits_for_nodes(std::max<std::uint64_t>(nodes_, 1)) + 7) / 8);
    *forecast_.temporary = {
        .most_bytes = peak_while_sort_is_read(sorted.most_bytes, keys, most_pages_),
        .expected_bytes = peak_while_sort_is_read(sorted.expected_bytes, keys, expected_pages_)};
  }

  void search() {
    const SearchChoice choice = choose_search<Id>(
        environment_, options_.model,
        {.nodes = nodes_,
         .entries = entries_,
         .page_bytes = pages_.expected_bytes,
         .absent_bytes = expected_pages_,
         .chunk_bytes = adjacency::scan_chunk_bytes(memory_bytes_, adjacency::default_page_bytes)},
        memory_bytes_);
    forecast_.choice = choice.model;
    if (choice.search == Search::rounds) return externally();
    const core::Reservation held = environment_.memory.reserve_up_to(choice.value_bytes);
    // What is read stays in memory as far as there is some.
    const core::Reservation cache = environment_.memory.reserve_up_to(
        core::size_sum(most_pages_, most_pages_ / 256, scan_bytes(environment_, memory_bytes_)));
    if (choice.search == Search::sweeps) return sweep();
    peel(expected_pages_, peel_nanoseconds + 2 * miss_nanoseconds(core::size_product(nodes_, 4)));
  }

  void peel(std::uint64_t moved, double nanoseconds) {
    add_phase("peel", 0, moved, share_ * nanoseconds);
    forecast_.phases.back().cpu_seconds += seconds_for(nodes_, node_nanoseconds);
    forecast_.phases.back().one_thread = moved > 0;
  }

  void sweep() {
    add_phase("sweeps", 0, core::size_product(expected_pages_, usual_sweeps), share_ * sweep_nanoseconds);
    forecast_.phases.back().cpu_seconds += seconds_for(nodes_, node_nanoseconds);
    forecast_.phases.back().least_share = 2.0 / static_cast<double>(usual_sweeps);
    forecast_.phases.back().most_share = std::nullopt;
    forecast_.notes.emplace_back("time: the number of sweeps is not known");
  }

  void externally() {
    const std::uint64_t values = core::size_sum(core::size_product(nodes_, 8), core::MiB);
    const unsigned bits = prepare::bits_for_nodes(std::max<std::uint64_t>(nodes_, 1));
    core::SpillForecast messages;
    {
      const std::uint64_t scan = adjacency::scan_chunk_bytes(memory_bytes_, adjacency::default_page_bytes);
      if (2 * bits <= 64) {
        typename core::DistributionSorter<std::uint64_t>::Options options;
        const prepare::EdgeKeys<std::uint64_t> keys{bits};
        options.range = {0,
                         keys.make(std::max<std::uint64_t>(nodes_, 1) - 1, (std::uint64_t{1} << bits) - 1)};
        options.records = entries_;
        options.memory_bytes = environment_.memory.available() / 2;
        options.threads = static_cast<unsigned>(
            std::clamp<std::size_t>(options.memory_bytes / core::MiB, 1, environment_.threads));
        options.rehearse = true;
        core::DistributionSorter<std::uint64_t> sorter(environment_, std::move(options));
        messages = sorter.rehearse_distribution(entries_);
        const core::Reservation beside = environment_.memory.reserve_up_to((environment_.threads + 4) * scan);
        sorter.rehearse_sorting(entries_);
      } else {
        const core::Reservation all =
            environment_.memory.reserve_up_to(environment_.memory.available() / 4 * 3);
        const std::uint64_t bytes = core::size_product(entries_, (2 * bits + 7) / 8);
        messages = {.most_bytes = bytes + bytes / 8, .expected_bytes = bytes, .whole_bytes = bytes};
      }
    }
    // Where nodes have neighbours near them the first messages are no sample of all: most of them go to few
    // buckets, whole keys, which are split on the disks.
    const std::uint64_t whole = core::size_product(entries_, (2 * bits + 7) / 8);
    if (messages.most_bytes > 0)
      messages.most_bytes = std::max(messages.most_bytes, core::size_sum(whole, whole / 16));
    messages.expected_bytes = spilled_of_share(messages, share_);
    // The next values are written while the messages are read.
    const auto beside = [&](std::uint64_t spilled) {
      return core::size_sum(values, peak_while_sort_is_read(spilled, messages.whole_bytes, values));
    };
    core::SpillForecast& space = *forecast_.temporary;
    space.most_bytes = std::max(space.most_bytes, core::size_sum(most_pages_, beside(messages.most_bytes)));
    space.expected_bytes =
        std::max(space.expected_bytes, core::size_sum(expected_pages_, beside(messages.expected_bytes)));
    add_phase("rounds", 0,
              core::size_product(core::size_sum(expected_pages_, 2 * messages.expected_bytes, 3 * values),
                                 usual_rounds),
              share_ * message_nanoseconds * static_cast<double>(usual_rounds));
    forecast_.phases.back().least_share = 2.0 / static_cast<double>(usual_rounds);
    forecast_.phases.back().most_share = std::nullopt;
    forecast_.notes.emplace_back("time: the number of rounds is not known");
  }

  void add_phase(const char* name, std::uint64_t readings, std::uint64_t moved, double nanoseconds) {
    forecast_.phases.push_back({.name = name,
                                .input_readings = readings,
                                .temporary_bytes = moved,
                                .cpu_seconds = seconds_for(edges_, nanoseconds)});
  }

  core::Environment& environment_;
  EdgeSource<Id>& source_;
  const Options& options_;
  const std::optional<std::uint64_t> declared_;
  const std::uint64_t nodes_;
  const bool known_;
  const std::uint64_t edges_;
  const std::uint64_t entries_;
  const std::size_t memory_bytes_;
  Forecast forecast_;
  core::SpillForecast pages_;
  double share_ = 1;              ///< of the edges, without duplicates and loops
  std::uint64_t most_pages_ = 0;  ///< on the disks
  std::uint64_t expected_pages_ = 0;
};

}  // namespace

template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size) {
  return CoreForecast<Id>(environment, edges, options, size).make();
}

template Forecast forecast(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, const InputSize&);
template Forecast forecast(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, const InputSize&);

}  // namespace emgraph::graph::kcore
