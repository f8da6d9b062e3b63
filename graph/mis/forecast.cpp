// SPDX-License-Identifier: MIT
// The forecast of `mis`: phases, bytes and CPU time, from arithmetic and rehearsed reservations.
#include <algorithm>
#include <string>

#include "core/base/bytes.hpp"
#include "graph/mis/job.hpp"
#include "graph/mis/passes.hpp"
#include "graph/mis/scans.hpp"

namespace emgraph::graph::mis {
namespace {

// CPU time of all threads together, nanoseconds per edge. Measured with scripts/bench_plan.py.
struct Nanoseconds {
  static constexpr double read = 9;
  static constexpr double generate = 3;  // in place of read, beside what the generator takes
  static constexpr double distribute = 16;
  static constexpr double sort = 11;
  static constexpr double scan = 5;
  static constexpr double drop = 3;  // loads a bucket and drops edges with an excluded end
  static constexpr double queue = 4;
  static constexpr double heap = 60;
};

constexpr std::uint64_t message_bytes = 8;

// Of the edges that can be dropped when their bucket is sorted, or in a second pass, so many are left.
constexpr std::uint64_t left_share = 4;

/// Seconds from the load of a bucket to its scan.
double scan_seconds(std::uint64_t edges, bool dropping) {
  const double sorted = Nanoseconds::sort + Nanoseconds::scan;
  return seconds_for(edges, dropping ? Nanoseconds::drop + sorted / left_share : sorted);
}

/// Adds the messages that leave memory: at most one per edge, none within the same range of nodes. Most
/// edges send none, because their smaller end is no member.
void add_messages(Forecast& forecast, Queue queue, std::uint64_t nodes, std::size_t queue_bytes,
                  std::uint64_t edges) {
  if (queue == Queue::bitmap) return;
  std::uint64_t bytes = core::size_product(edges, 2 * message_bytes);
  std::uint64_t open_bytes = 16 * core::MiB;
  if (queue == Queue::ranges) {
    const MessageRanges plan = MessageRanges::make(nodes, queue_bytes).value();
    if (plan.ranges == 1) return;
    bytes = core::size_product(edges, message_bytes / 2);
    open_bytes = core::size_product(plan.ranges, plan.block_bytes);
  }
  forecast.temporary->most_bytes =
      core::size_sum(forecast.temporary->most_bytes, bytes, bytes / 8, open_bytes);
  forecast.notes.emplace_back(
      "messages to later nodes go to the temporary disks; how many depends on the set");
}

/// Reserves the memory of a scan.
core::Reservation rehearse_scan(core::Environment& environment, Queue queue, std::uint64_t nodes,
                                std::size_t queue_bytes) {
  const std::size_t bytes = queue == Queue::bitmap
                                ? core::round_up(BitmapScan::memory_bytes(nodes), core::page_bytes)
                                : queue_bytes;
  return environment.memory.reserve_up_to(bytes);
}

template <class Id>
Forecast forecast_in_order(const Job<Id>& job, std::uint64_t nodes, std::uint64_t edges) {
  const EdgeLane<Id> lane = job.source.lane();
  const QueueChoice choice = choose_queue_in_order(job.demand, job.options, job.facts());
  const core::Reservation scan = rehearse_scan(job.environment, choice.queue, nodes, choice.queue_bytes);
  Forecast forecast;
  forecast.choice = describe_choice(job.demand, nodes, choice.queue, job.options);
  forecast.phases.push_back({.name = "scan",
                             .input_readings = 1,
                             .cpu_seconds = seconds_for(edges, Nanoseconds::read + Nanoseconds::scan),
                             .one_thread = true});
  add_messages(forecast, choice.queue, nodes, choice.queue_bytes, edges);
  return forecast;
}

template <class Id, core::IntegerKey Key>
Forecast forecast_passes(const Job<Id>& job, const prepare::EdgeKeys<Key>& keys, std::uint64_t edges) {
  Passes<Id, Key> passes(job.environment, job.source, *job.demand.nodes, keys);
  Forecast forecast;
  forecast.temporary = passes.rehearse();
  forecast.choice = describe_choice(job.demand, *job.demand.nodes, Queue::bitmap, job.options);
  // After the first pass most edges have an excluded end: about a quarter of the others is left.
  const std::uint64_t first = std::min(edges, passes.first_records());
  const std::uint64_t later = passes.count() > 1 ? (edges - first) / left_share : 0;
  const double read = job.facts().generated ? Nanoseconds::generate : Nanoseconds::read;
  const auto add = [&](const std::string& suffix, std::uint64_t sorted, std::uint64_t spilled) {
    forecast.phases.push_back(
        {.name = "distribute" + suffix,
         .input_readings = 1,
         .temporary_bytes = spilled,
         .cpu_seconds = seconds_for(edges, read) + seconds_for(sorted, Nanoseconds::distribute)});
    forecast.phases.push_back(
        {.name = "scan" + suffix, .temporary_bytes = spilled, .cpu_seconds = scan_seconds(sorted, true)});
  };
  add("", first, forecast.temporary->expected_bytes);
  if (passes.count() > 1) {
    add(", pass 2", later, 0);
    forecast.notes.emplace_back("a third pass follows if fewer edges have an excluded end than usual");
  }
  return forecast;
}

template <class Id>
Forecast forecast_sort_and_scan(const Job<Id>& job, const InputSize& size) {
  const QueueChoice choice = choose_queue(job.demand, job.options);
  const std::uint64_t edges = size.edges.value_or(0);
  Forecast forecast;
  const auto nodes = job.demand.nodes ? job.demand.nodes : size.nodes;
  const Queue queue =
      nodes ? queue_of_run(job.options, choice.queue, *nodes, choice.queue_bytes, job.facts().edges)
            : choice.queue;
  forecast.temporary = prepare::rehearse_sort(
      job.environment, job.source, job.demand.nodes, {}, orientation(job.options.directed_scan),
      memory_beside(job.environment, choice, job.facts()), size.edges,
      [&](std::uint64_t, core::Reservation spare) {
        spare.release();
        return rehearse_scan(job.environment, queue, nodes.value_or(0), choice.queue_bytes);
      });
  const std::uint64_t spilled = forecast.temporary->expected_bytes;
  if (nodes) {
    forecast.choice = describe_choice(job.demand, *nodes, queue, job.options);
  } else {
    forecast.choice = {queue == Queue::automatic ? MemoryModel::semi_external : job.options.model,
                       "if one bit per node takes at most " + core::format_size(choice.queue_bytes)};
    forecast.notes.emplace_back(
        "the number of nodes is not known before the edges are read; --nodes tells it");
  }
  forecast.phases.push_back({.name = "distribute",
                             .input_readings = 1,
                             .temporary_bytes = spilled,
                             .cpu_seconds = seconds_for(edges, Nanoseconds::read + Nanoseconds::distribute)});
  const double extra = queue == Queue::heap     ? Nanoseconds::heap
                       : queue == Queue::ranges ? Nanoseconds::queue
                                                : 0;
  const bool dropping = queue == Queue::bitmap && job.options.passes && !job.options.directed_scan &&
                        job.source.attachment_bytes() == 0;
  forecast.phases.push_back({.name = "scan",
                             .temporary_bytes = spilled,
                             .cpu_seconds = scan_seconds(edges, dropping) + seconds_for(edges, extra)});
  if (queue == Queue::ranges || queue == Queue::heap)
    add_messages(forecast, queue, nodes.value_or(0), choice.queue_bytes, edges);
  if (!size.edges) forecast.temporary.reset();
  return forecast;
}

}  // namespace

template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size) {
  const Demand demand = demand_of(environment, edges, options);
  const Job<Id> job{environment, edges, options, nullptr, demand};
  const std::uint64_t m = size.edges.value_or(0);
  if (is_in_order(edges.facts(), options)) {
    return forecast_in_order(job, demand.nodes ? *demand.nodes : size.nodes.value_or(0), m);
  }
  if (may_pass(demand, edges, options) && choose_queue(demand, options).queue == Queue::bitmap) {
    return prepare::with_edge_keys<Id>(demand.nodes,
                                       [&](const auto& keys) { return forecast_passes(job, keys, m); });
  }
  return forecast_sort_and_scan(job, size);
}

template Forecast forecast(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, const InputSize&);
template Forecast forecast(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, const InputSize&);

}  // namespace emgraph::graph::mis
