// SPDX-License-Identifier: MIT
// The forecast of `cdlp`: the sort of both ends, and rounds over lists in memory or on the disks.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "graph/cdlp/job.hpp"
#include "graph/cdlp/tally.hpp"
#include "graph/sample_facts.hpp"

namespace emgraph::graph::cdlp {
namespace {

// CPU time of all threads together, nanoseconds. Measured with scripts/bench_plan.py.
constexpr double distribute_nanoseconds = 15;  // per neighbour
constexpr double build_nanoseconds = 20;       // per neighbour
constexpr double count_nanoseconds = 2;        // per neighbour and round, and 1.8 misses
constexpr double read_nanoseconds = 3;         // the same if lists are on the disks
constexpr double message_nanoseconds = 40;     // per neighbour and round of the external model
constexpr double node_nanoseconds = 8;         // per node and round
constexpr double record_nanoseconds = 16;      // per node and round of the external model

template <class Id>
class LabelForecast {
 public:
  LabelForecast(const Job<Id>& job, const InputSize& size)
      : job_(job),
        memory_(job.environment.memory),
        nodes_(job.declared ? *job.declared : size.nodes.value_or(0)),
        known_(size.edges && (job.declared || size.nodes)) {
    lists_.entries = core::size_product(size.edges.value_or(0), job.both ? 2 : 1);
    sampled_ = sample_facts(job.source, size.edges.value_or(0), job.options.directed || !job.both);
  }

  Forecast make() {
    if (known_ && rehearse_rows()) return std::move(forecast_);
    with_list_keys(job_, [&](prepare::SortInput<Id> input, const auto& keys) { rehearse(input, keys); });
    if (!known_) {
      const core::Reservation all = memory_.reserve_up_to(memory_.limit());
      forecast_.leave_size_open();
    }
    return std::move(forecast_);
  }

 private:
  /// The longest list, if the sample is as the edges are: five standard deviations are added to what the node
  /// with most edges has in it.
  std::uint64_t longest_list(const std::vector<Edge<Id>>& sample) const {
    std::vector<std::uint64_t> ends;
    ends.reserve(2 * sample.size());
    for (const Edge<Id>& edge : sample) {
      if (edge.source == edge.target) continue;
      ends.push_back(edge.target);
      ends.push_back(edge.source);
    }
    const auto count = static_cast<double>(most_frequent(ends).count);
    const double edges = static_cast<double>(lists_.entries) / (job_.both ? 2 : 1);
    const double scale = std::max(1.0, edges / static_cast<double>(std::max<std::size_t>(1, sample.size())));
    const double bound = scale <= 1 ? count : scale * (count + 5 * std::sqrt(count) + 12);
    const std::uint64_t limit =
        std::min(lists_.entries, core::size_product(nodes_, job_.options.directed ? 2 : 1));
    return std::min(limit, static_cast<std::uint64_t>(std::min(bound, 0x1p63)) + 1);
  }

  /// As solve_on_rows() of a run.
  bool rehearse_rows() {
    if constexpr (sizeof(Id) == sizeof(std::uint32_t)) {
      if (!job_.may_take_rows()) return false;
      const auto plan =
          adjacency::plan_rows(job_.environment, job_.source, job_.rows_options(), sizeof(std::uint64_t));
      if (!plan) return false;
      const core::Reservation rows = adjacency::rehearse_rows(job_.environment, job_.source, *plan);
      lists_.longest = longest_list(job_.source.sample(prepare::splitter_sample));
      forecast_.phases = adjacency::row_phases(lists_.entries, true);
      forecast_.temporary = core::SpillForecast();
      in_memory();
      return true;
    }
    return false;
  }

  template <class Keys>
  void rehearse(prepare::SortInput<Id>& input, const Keys& keys) {
    lists_.longest = longest_list(input.sample);
    SortShare share(job_, input.bound.below);
    prepare::SortSpec spec = job_.sort_spec();
    spec.rehearse = true;
    auto sort =
        prepare::open_sort(input, keys, spec, job_.ends(keys), [&](unsigned) { return share.memory(job_); });
    const core::SpillForecast spill = sort.sorter->rehearse_distribution(lists_.entries);
    forecast_.temporary = spill;
    add_phase("distribute", 1, spill.expected_bytes, distribute_nanoseconds);
    add_phase("build lists", 0, spill.expected_bytes, build_nanoseconds);
    sort.lanes.clear();
    // The first buckets are sorted before what was set aside is free again.
    const std::uint64_t records = known_ ? lists_.entries : ~std::uint64_t{0};
    sort.sorter->rehearse_sorting(records);
    sort.memory.spare.release();
    core::Reservation lists = memory_.reserve_up_to(share.kept ? Rows<Id>::bytes_for(nodes_, lists_.entries)
                                                               : 2 * std::uint64_t{job_.block_bytes});
    sort.sorter->rehearse_sorting(records);
    sort.sorter.reset();
    if (share.kept || nodes_ == 0) {
      return in_memory();
    }
    lists.release();
    forecast_.choice = choose(job_, nodes_, lists_, memory_.available());
    add_lists(spill, sizeof(typename Keys::key_type));
    if (forecast_.choice.model == MemoryModel::internal) {
      lists = memory_.reserve_up_to(Rows<Id>::bytes_for(nodes_, lists_.entries) + 3 * job_.block_bytes);
      return in_memory();
    }
    // Without duplicates, which only the sort finds, lists may fit in memory.
    if (may_be_internal(job_.options.model) && internal_bytes<Id>(nodes_, {}) <= memory_.available()) {
      const core::Reservation all = memory_.reserve_up_to(memory_.available());
    }
    if (forecast_.choice.model == MemoryModel::semi_external) {
      const core::Reservation labels =
          memory_.reserve_up_to(LabelRounds<Id>::bytes_for(nodes_, lists_.longest) + 3 * job_.block_bytes);
      return propagate(expected_lists_, read_nanoseconds + lookup_nanoseconds());
    }
    externally();
  }

  /// Requires: the lists are held.
  void in_memory() {
    forecast_.choice = internal_choice(job_, nodes_, lists_);
    const std::uint64_t tallies =
        core::size_product(Tally<Id>::bytes_for(lists_.longest), job_.environment.threads - 1);
    const core::Reservation labels =
        memory_.reserve_up_to(core::size_sum(LabelRounds<Id>::bytes_for(nodes_, lists_.longest),
                                             std::min<std::uint64_t>(tallies, memory_.available() / 2)));
    propagate(0, lookup_nanoseconds());
  }

  /// A fragment of a list begins with the node and the number of neighbours.
  std::uint64_t lists_bytes(std::uint64_t lists, std::uint64_t entries) const {
    const std::uint64_t fragments = core::size_sum(lists, entries / most_in_fragment);
    return core::size_product(core::size_sum(entries, 2 * fragments), sizeof(Id));
  }

  /// Lists are written while the sort is read.
  void add_lists(const core::SpillForecast& sorted, std::size_t key_bytes) {
    const std::uint64_t likely = sampled_.distinct(lists_.entries);
    const double mean = static_cast<double>(likely) / static_cast<double>(std::max<std::uint64_t>(1, nodes_));
    const auto random = static_cast<std::uint64_t>(static_cast<double>(nodes_) * (1 - std::exp(-mean)));
    most_lists_ =
        core::size_sum(lists_bytes(std::min(nodes_, lists_.entries), lists_.entries), job_.block_bytes);
    expected_lists_ = lists_bytes(std::min(sampled_.touched.value_or(random), nodes_), likely);
    const std::uint64_t keys = core::size_product(lists_.entries, key_bytes);
    forecast_.temporary->most_bytes =
        core::size_sum(peak_while_sort_is_read(sorted.most_bytes, keys, most_lists_), job_.block_bytes);
    forecast_.temporary->expected_bytes =
        peak_while_sort_is_read(sorted.expected_bytes, keys, expected_lists_);
    forecast_.phases.back().temporary_bytes += expected_lists_;
  }

  /// What a sort of `records` keys up to `last` puts on the disks with half of the free memory.
  core::SpillForecast sort_space(std::uint64_t last, std::uint64_t records) {
    typename core::DistributionSorter<std::uint64_t>::Options options;
    options.range = {0, last};
    options.records = records;
    options.memory_bytes = memory_.available() / 2;
    options.threads = static_cast<unsigned>(
        std::clamp<std::size_t>(options.memory_bytes / core::MiB, 1, job_.environment.threads));
    options.rehearse = true;
    core::DistributionSorter<std::uint64_t> sorter(job_.environment, std::move(options));
    const core::SpillForecast space = sorter.rehearse_distribution(records);
    const core::Reservation cursors = memory_.reserve_up_to(5 * std::uint64_t{job_.block_bytes});
    sorter.rehearse_sorting(records);
    return space;
  }

  void externally() {
    // Labels, and those of the next round, which are written while the messages are read.
    const std::uint64_t labels = core::size_sum(core::size_product(nodes_, 8), job_.block_bytes);
    const unsigned bits = prepare::bits_for_nodes(nodes_);
    core::SpillForecast messages;
    if (2 * bits <= 64) {
      const prepare::EdgeKeys<std::uint64_t> keys{bits};
      const std::uint64_t last = std::max<std::uint64_t>(nodes_, 1) - 1;
      messages = sort_space(keys.make(last, last), lists_.entries);
    } else {
      const core::Reservation half = memory_.reserve_up_to(memory_.available() / 4 * 3);
      const std::uint64_t bytes = core::size_product(lists_.entries, (2 * bits + 7) / 8);
      messages = {
          .most_bytes = core::size_sum(bytes, bytes / 8), .expected_bytes = bytes, .whole_bytes = bytes};
    }
    // Where nodes have neighbours near them the first messages are no sample of all: most of them go to few
    // buckets, whole keys, which are split on the disks.
    const std::uint64_t whole = core::size_product(lists_.entries, (2 * bits + 7) / 8);
    if (messages.most_bytes > 0)
      messages.most_bytes = std::max(messages.most_bytes, core::size_sum(whole, whole / 16));
    messages.expected_bytes = spilled_of_share(messages, sampled_.distinct_share);
    // The next labels are written while the messages are read.
    const auto beside = [&](std::uint64_t spilled) {
      return core::size_sum(labels, peak_while_sort_is_read(spilled, messages.whole_bytes, labels));
    };
    core::SpillForecast& space = *forecast_.temporary;
    space.most_bytes = std::max(space.most_bytes, core::size_sum(most_lists_, beside(messages.most_bytes)));
    space.expected_bytes =
        std::max(space.expected_bytes, core::size_sum(expected_lists_, beside(messages.expected_bytes)));
    propagate(core::size_sum(expected_lists_, 2 * messages.expected_bytes, 3 * labels), message_nanoseconds);
  }

  /// Of a neighbour whose label is in memory.
  double lookup_nanoseconds() const {
    return count_nanoseconds + 1.8 * miss_nanoseconds(core::size_product(nodes_, sizeof(std::uint32_t)));
  }

  void propagate(std::uint64_t moved, double nanoseconds) {
    const std::uint64_t rounds = job_.options.iterations;
    add_phase("propagate", 0, core::size_product(moved, rounds),
              sampled_.distinct_share * nanoseconds * static_cast<double>(rounds));
    forecast_.phases.back().cpu_seconds +=
        seconds_for(core::size_product(nodes_, rounds),
                    forecast_.choice.model == MemoryModel::external ? record_nanoseconds : node_nanoseconds);
    forecast_.phases.back().one_thread = moved > 0;
    // It ends when a round changes nothing.
    forecast_.phases.back().least_share = 1 / static_cast<double>(std::max<std::uint64_t>(rounds, 1));
  }

  /// `nanoseconds`: per neighbour.
  void add_phase(const char* name, std::uint64_t readings, std::uint64_t moved, double nanoseconds) {
    forecast_.phases.push_back({.name = name,
                                .input_readings = readings,
                                .temporary_bytes = moved,
                                .cpu_seconds = seconds_for(lists_.entries, nanoseconds)});
  }

  const Job<Id>& job_;
  core::MemoryBudget& memory_;
  const std::uint64_t nodes_;
  const bool known_;
  ListFacts lists_;
  SampleFacts sampled_;
  Forecast forecast_;
  std::uint64_t most_lists_ = 0;
  std::uint64_t expected_lists_ = 0;
};

}  // namespace

template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size) {
  const auto job = Job<Id>::make(environment, edges, options);
  return LabelForecast<Id>(job, size).make();
}

template Forecast forecast(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, const InputSize&);
template Forecast forecast(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, const InputSize&);

}  // namespace emgraph::graph::cdlp
