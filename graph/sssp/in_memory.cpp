// SPDX-License-Identifier: MIT
// The queues and the searches, for each kind of rows.
#include "graph/sssp/in_memory.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/base/thread_team.hpp"
#include "graph/sssp/choose_landmarks.hpp"
#include "graph/sssp/delta_stepping.hpp"
#include "graph/sssp/dijkstra.hpp"
#include "graph/sssp/landmark_file.hpp"
#include "graph/sssp/landmarks.hpp"
#include "graph/sssp/overflow.hpp"
#include "graph/sssp/path_trace.hpp"
#include "graph/sssp/point_to_point.hpp"
#include "graph/sssp/row_search.hpp"

namespace emgraph::graph::sssp {
namespace {

// The ring of Dial's queue takes 4 bytes for each length up to the longest.
constexpr std::uint64_t most_dial = (std::uint64_t{1} << 24) - 1;
// Beyond, the ring of Dial's queue leaves the second-level cache. Measured: grid of 4096 x 4096, lengths up
// to 1,000, one thread (EPYC): delta-stepping 0.72 - 0.86 s, Dial 0.86 - 0.89, multi-level buckets 0.97
// - 1.02, radix 1.3 - 1.6, heap 3.2.
constexpr std::uint64_t near_dial = 16384;

double as_number(WeightType type, std::uint64_t word) {
  return is_floating(type) ? std::bit_cast<double>(word) : static_cast<double>(word);
}

// Wide enough that a bucket has work for all threads, narrow enough that few nodes are relaxed twice.
double bucket_width(const Options& options, const LengthFacts& facts) {
  const double longest = as_number(facts.type, facts.longest);
  const double least = least_bucket_width(longest);
  if (options.delta) return std::max(least, static_cast<double>(*options.delta));
  const double degree =
      static_cast<double>(facts.entries) / static_cast<double>(std::max<std::uint64_t>(1, facts.nodes));
  const double width = longest * 4 / std::max(4.0, degree);
  return std::max(is_floating(facts.type) ? least : std::max(1.0, least), width);
}

/// Calls work(queue) for a queue of one thread. `distance`: where the search keeps its distances.
template <class Id, class Work>
decltype(auto) with_queue(core::MemoryBudget& memory, Queue queue, std::uint64_t longest,
                          const std::uint64_t* distance, Work&& work) {
  const auto stale = [distance](std::uint64_t key, Id node) { return distance[node] != key; };
  switch (queue) {
    case Queue::dial: {
      DialQueue<Id> dial(memory, longest);
      return work(dial);
    }
    case Queue::multilevel_bucket:
    case Queue::radix: {
      const unsigned digit_bits = queue == Queue::radix ? 1 : 10;
      LevelQueue<Id, decltype(stale)> levels(memory, digit_bits, stale);
      return work(levels);
    }
    default: {
      HeapQueue<Id> heap(memory);
      return work(heap);
    }
  }
}

}  // namespace

QueuePlan choose_queue(const Options& options, const LengthFacts& facts, unsigned threads) {
  const bool integers = !is_floating(facts.type);
  QueuePlan plan{options.queue, bucket_width(options, facts), facts, "as asked"};
  if (options.queue == Queue::dial && !(integers && facts.longest <= most_dial)) {
    throw core::UsageError(integers ? "--queue dial: the longest arc is " + std::to_string(facts.longest) +
                                          ", its buckets serve lengths up to " + std::to_string(most_dial)
                                    : "--queue dial: lengths are floating-point numbers, it needs integers");
  }
  if (options.queue != Queue::automatic) return plan;
  if (options.queries.empty()) {
    plan.queue = Queue::delta_stepping;
    plan.reason = core::format_count(threads) + (threads == 1 ? " thread" : " threads");
  } else if (integers && facts.longest <= near_dial) {
    plan.queue = Queue::dial;
    plan.reason = "queries, lengths up to " + core::format_count(facts.longest);
  } else {
    plan.queue = Queue::multilevel_bucket;
    plan.reason = "queries, lengths of a wide range";
  }
  return plan;
}

namespace {

template <class Distances, class RowsType>
std::string search_with_queue(core::Environment& environment, const RowsType& rows, const QueuePlan& plan,
                              std::uint64_t root, std::span<std::uint64_t> distances) {
  using Id = typename RowsType::Id;
  std::fill(distances.begin(), distances.end(), Distances::unreached);
  if (plan.queue == Queue::delta_stepping) {
    core::ThreadTeam team(environment.threads);
    DeltaStepping<Distances, RowsType> stepping(environment.memory, team, rows, distances, plan.width);
    stepping.run(static_cast<Id>(root));
    return core::format_count(stepping.buckets()) + " buckets in " + core::format_count(stepping.rounds()) +
           " rounds";
  }
  return with_queue<Id>(
      environment.memory, plan.queue, plan.lengths.longest, distances.data(), [&](auto& queue) {
        search_in_order<Distances>(rows, static_cast<Id>(root), distances.data(), queue, WholeSearch{});
        return std::string("nodes in the order of their distances");
      });
}

}  // namespace

template <class Distances, class RowsType>
std::string search_rows(core::Environment& environment, const RowsType& rows, const QueuePlan& plan,
                        std::uint64_t root, std::span<std::uint64_t> distances) {
  try {
    return search_with_queue<Distances>(environment, rows, plan, root, distances);
  } catch (const core::MemoryLimitError&) {
    // The queue is gone, and its memory is free again.
  }
  RowSearch<Distances, RowsType>(environment, rows, plan.lengths)
      .run(static_cast<typename RowsType::Id>(root), distances);
  return "nodes as bits, because the queue did not fit in the memory";
}

namespace {

/// Landmarks for the queries: those of the file that keeps them, or else new ones.
template <class Distances, class RowsType>
Landmarks<Distances> find_landmarks(core::Environment& environment, const RowsType& rows,
                                    const RowsType& back, QueuePlan plan, const Options& options,
                                    Result& result) {
  plan.queue = Queue::delta_stepping;  // these are full searches
  Landmarks<Distances> landmarks(environment.memory, rows.nodes(), options.landmarks, &rows != &back);
  const auto choose = [&](std::uint64_t start) {
    choose_landmarks<Distances>(environment, rows.nodes(), start, landmarks,
                                [&](bool reversed, std::uint64_t root, std::span<std::uint64_t> distances) {
                                  search_rows<Distances>(environment, reversed ? back : rows, plan, root,
                                                         distances);
                                });
  };
  if (!options.landmark_file) {
    choose(options.queries.front().source);
    return landmarks;
  }
  const LandmarkKey key{.nodes = rows.nodes(),
                        .graph_checksum = rows.checksum(),
                        .weight = result.weight_type,
                        .id_bytes = sizeof(typename RowsType::Id),
                        .count = options.landmarks,
                        .both = landmarks.both()};
  const LandmarkArrays arrays{landmarks.from(), landmarks.to()};
  LandmarkUse& use = result.landmarks.emplace();
  if (auto largest = read_landmarks(environment, *options.landmark_file, key, arrays, use)) {
    landmarks.set_largest(std::move(*largest));
    return landmarks;
  }
  choose(node_of_most_arcs(rows));  // kept landmarks serve other queries, too
  write_landmarks(environment, *options.landmark_file, key, arrays, landmarks.largest());
  return landmarks;
}

template <class Distances, class RowsType>
QueryResult answer_by_full_search(core::Environment& environment, const RowsType& rows, const RowsType& back,
                                  const typename RowsType::Id* names, const QueuePlan& plan,
                                  const Options& options, QueryPaths* paths, std::size_t number) {
  const Query& query = options.queries[number];
  core::Array<std::uint64_t> distances(environment.memory, rows.nodes(), "a distance per node");
  search_rows<Distances>(environment, rows, plan, query.source, distances.span());
  QueryResult result{query, distances[query.target], 0};
  std::uint64_t most = 0;
  for (const std::uint64_t distance : distances.span()) {
    if (distance == Distances::unreached) continue;
    ++result.settled;
    most = std::max(most, distance);
  }
  if (result.distance == Distances::unreached) {
    const RowArcs<RowsType> arcs{rows, environment.threads};  // rows, as the distances have
    refuse_overflow<Distances>(options.input, arcs, distances.span(), most, plan.lengths.longest,
                               [&](std::uint64_t row) { return names == nullptr ? row : names[row]; });
  }
  if (paths != nullptr && result.distance != Distances::unreached) {
    PathTrace<Distances, RowsType>(environment.memory, back, names, distances.data())
        .add_to(*paths, number, query);
  }
  return result;
}

}  // namespace

template <class Distances, class RowsType>
void answer_queries(core::Environment& environment, const RowsType& rows, const RowsType& back,
                    const typename RowsType::Id* names, const QueuePlan& plan, const Options& options,
                    Result& result) {
  using Id = typename RowsType::Id;
  const bool from_both =
      options.bidirectional && !Distances::floating && !options.paths && options.landmarks == 0;
  std::optional<Landmarks<Distances>> landmarks;
  if (options.landmarks > 0 && !options.paths) {
    landmarks.emplace(find_landmarks<Distances>(environment, rows, back, plan, options, result));
  }
  std::vector<QueryResult>& results = result.queries;
  results.resize(options.queries.size());
  std::optional<QueryPaths> kept_paths;
  if (options.paths) kept_paths.emplace(environment, results.size());
  QueryPaths* const paths = kept_paths ? &*kept_paths : nullptr;
  const std::uint64_t each =
      core::size_sum(PointToPoint<Distances, RowsType>::bytes_for(rows.nodes(), from_both),
                     core::size_product(rows.nodes(), sizeof(std::uint64_t)));
  const std::uint64_t affordable = environment.memory.available() / std::max<std::uint64_t>(1, each);
  const auto threads = static_cast<unsigned>(std::clamp<std::uint64_t>(
      std::min<std::uint64_t>(affordable, options.queries.size()), 1, environment.threads));
  // Delta-stepping is for full searches; a query has one thread.
  const Queue queue = plan.queue == Queue::delta_stepping ? Queue::heap : plan.queue;
  core::Phase phase(environment.progress, "queries", results.size(), "queries");
  std::mutex mutex;
  std::vector<std::size_t> left;  // queries whose queues did not fit, or whose distance may not fit
  const auto leave = [&](std::size_t query) {
    const std::lock_guard lock(mutex);
    left.push_back(query);
  };
  const bool long_paths = may_overflow<Distances>(rows.nodes(), plan.lengths.longest);
  std::atomic<std::size_t> next{0};
  core::run_on_threads(threads, [&](unsigned) {
    std::unique_ptr<PointToPoint<Distances, RowsType>> searching;
    const auto answer = [&](std::size_t number) {
      const Query& query = options.queries[number];
      if (searching == nullptr) {
        searching = std::make_unique<PointToPoint<Distances, RowsType>>(environment.memory, rows, &back,
                                                                        from_both, names);
      }
      if (landmarks) return searching->with_landmarks(query, *landmarks);
      if (from_both) return searching->bidirectional(query);
      return with_queue<Id>(environment.memory, queue, plan.lengths.longest, searching->distances(),
                            [&](auto& empty) { return searching->forward(query, empty, paths, number); });
    };
    for (std::size_t i; (i = next.fetch_add(1)) < results.size();) {
      try {
        results[i] = answer(i);
        if (long_paths && results[i].distance == Distances::unreached) leave(i);
      } catch (const core::MemoryLimitError&) {
        searching.reset();
        leave(i);
      }
      phase.advance(1);
    }
  });
  if (!left.empty()) landmarks.reset();
  for (const std::size_t i : left) {
    results[i] = answer_by_full_search<Distances>(environment, rows, back, names, plan, options, paths, i);
  }
  if (paths != nullptr) paths->hand_to(options.path_sink);
}

#define EMGRAPH_SSSP_ROWS(Distances, RowsType)                                                       \
  template std::string search_rows<Distances>(core::Environment&, const RowsType&, const QueuePlan&, \
                                              std::uint64_t, std::span<std::uint64_t>);              \
  template void answer_queries<Distances>(core::Environment&, const RowsType&, const RowsType&,      \
                                          const RowsType::Id*, const QueuePlan&, const Options&, Result&);
EMGRAPH_SSSP_ROWS(IntegerDistances, AnyRows<std::uint32_t>::Short)
EMGRAPH_SSSP_ROWS(IntegerDistances, AnyRows<std::uint32_t>::Long)
EMGRAPH_SSSP_ROWS(IntegerDistances, AnyRows<std::uint32_t>::Wide)
EMGRAPH_SSSP_ROWS(FloatDistances, AnyRows<std::uint32_t>::Wide)
EMGRAPH_SSSP_ROWS(IntegerDistances, AnyRows<std::uint64_t>::Wide)
EMGRAPH_SSSP_ROWS(FloatDistances, AnyRows<std::uint64_t>::Wide)
#undef EMGRAPH_SSSP_ROWS

}  // namespace emgraph::graph::sssp
