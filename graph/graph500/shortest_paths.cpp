// SPDX-License-Identifier: MIT
// Windows of distances: settling inside, pushing or pulling out of them.
#include "graph/graph500/shortest_paths.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "core/base/prefetch.hpp"

namespace emgraph::graph::graph500 {
namespace {

// Measured at scale 20: windows of 1/4, 1/16 and 1/32 relax 17, 2.0 and 0.8 million arcs.
constexpr double window_width = 1.0 / 32;
constexpr double wide_bucket = 1.0 / 32;
constexpr std::size_t window_buckets = 8;
constexpr std::uint64_t entries_ahead = 8;
constexpr std::uint64_t arc_rows_ahead = 16;

}  // namespace

/// A thread's writers of all buckets of a window.
class ShortestPaths::BucketWriters {
 public:
  BucketWriters(std::vector<std::unique_ptr<List>>& buckets, const Window& window, std::size_t current)
      : begin_(window.begin), buckets_per_unit_(1 / window.bucket_width), current_(current) {
    for (std::size_t i = current; i < buckets.size(); ++i) writers_[i].emplace(*buckets[i]);
  }
  void push(const Entry& entry) {
    const auto bucket = static_cast<std::size_t>((entry.distance - begin_) * buckets_per_unit_);
    writers_[std::clamp(bucket, current_, window_buckets - 1)]->push(entry);
  }
  void finish() {
    for (auto& writer : writers_) {
      if (writer) writer->finish();
    }
  }

 private:
  const double begin_;
  const double buckets_per_unit_;
  const std::size_t current_;
  std::array<std::optional<List::Writer>, window_buckets> writers_;
};

ShortestPaths::ShortestPaths(core::Environment& environment, core::ThreadTeam& team, const Graph& graph)
    : graph_(graph),
      memory_(environment.memory),
      team_(team),
      known_(environment.memory, graph.rows().size(), "a distance per node with neighbours"),
      distances_(environment.memory, graph.nodes(), "a distance per node"),
      parents_(environment.memory, graph.nodes(), "a parent per node"),
      settled_(environment.memory, graph.entries(), "nodes of a window"),
      pushed_(environment.memory, graph.entries(), "nodes that have pushed"),
      beyond_{{environment.memory, graph.entries(), "nodes beyond a window"},
              {environment.memory, graph.entries(), "nodes beyond a window"}} {
  for (std::size_t i = 0; i < window_buckets; ++i) {
    buckets_.push_back(std::make_unique<List>(environment.memory, graph.entries(), "nodes of a bucket"));
  }
  reset();
}

std::uint64_t ShortestPaths::bytes(std::uint64_t nodes) {
  return 20 * nodes + 4 * sizeof(Entry) * nodes + 64 * core::page_bytes;
}

void ShortestPaths::reset() {
  std::fill_n(known_.data(), known_.size(), unreached);
  std::fill_n(distances_.data(), distances_.size(), unreached);
  std::memset(parents_.data(), 0xff, parents_.size() * sizeof(std::uint32_t));
}

bool ShortestPaths::current(const Entry& entry) const {
  return std::atomic_ref(known_[entry.rank]).load(std::memory_order_relaxed) == entry.distance;
}

bool ShortestPaths::lower(std::uint32_t rank, double distance) {
  const std::atomic_ref place(known_[rank]);
  double known = place.load(std::memory_order_relaxed);
  while (distance < known) {
    if (place.compare_exchange_weak(known, distance, std::memory_order_relaxed)) return true;
  }
  return false;
}

void ShortestPaths::run(std::uint32_t root) {
  for (auto& bucket : buckets_) bucket->clear();
  beyond_[0].clear();
  beyond_[1].clear();
  pushed_.clear();
  unsettled_ = {known_.size(), graph_.entries()};
  const std::uint32_t rank = graph_.rank(root);
  known_[rank] = 0;
  Window window{0, window_width, window_width / window_buckets};
  buckets_[0]->push({rank, 0});
  do {
    settle(window);
    if (pull_is_cheaper()) {
      share(known_.size(), nodes_at_a_time,
            [&](std::uint64_t first, std::uint64_t last) { pull(window, first, last); });
      break;
    }
    share(settled_.size(), entries_at_a_time,
          [&](std::uint64_t first, std::uint64_t last) { push(window, first, last); });
  } while (next_window(window));
  find_parents(rank, window.begin);
}

void ShortestPaths::settle(const Window& window) {
  settled_.clear();
  for (std::size_t b = 0; b < window_buckets; ++b) {
    List& bucket = *buckets_[b];
    // Nodes that fall into the bucket meanwhile come to its end.
    for (std::uint64_t first = 0; first < bucket.size();) {
      const std::uint64_t last = bucket.size();
      const auto relax = [&](std::uint64_t begin, std::uint64_t end, BucketWriters& writers,
                             List::Writer& settled) {
        for (std::uint64_t i = begin; i < end; ++i) {
          if (i + 2 * entries_ahead < end) {
            const std::uint32_t rank = bucket[i + 2 * entries_ahead].rank;
            core::prefetch(&graph_.rows()[rank]);
            core::prefetch(&known_[rank]);
            core::prefetch(arcs_of(bucket[i + entries_ahead].rank).data());
          }
          const Entry entry = bucket[i];
          if (!current(entry)) continue;
          settled.push(entry);
          relax_inside(window, entry, writers);
        }
      };
      if (team_.size() == 1 || last - first <= worth_sharing) {
        BucketWriters writers(buckets_, window, b);
        List::Writer settled(settled_);
        relax(first, last, writers, settled);
        writers.finish();
        settled.finish();
      } else {
        cursor_.store(first, std::memory_order_relaxed);
        team_.all([&](unsigned) {
          BucketWriters writers(buckets_, window, b);
          List::Writer settled(settled_);
          for (std::uint64_t at;
               (at = cursor_.fetch_add(entries_at_a_time, std::memory_order_relaxed)) < last;) {
            relax(at, std::min(last, at + entries_at_a_time), writers, settled);
          }
          writers.finish();
          settled.finish();
        });
      }
      first = last;
    }
    bucket.clear();
  }
}

void ShortestPaths::relax_inside(const Window& window, const Entry& entry, BucketWriters& buckets) {
  const auto arcs = arcs_of(entry.rank);
  const Arc* const end = arcs.data() + arcs.size();
  for (const Arc* arc = arcs.data(); arc != end; ++arc) {
    if (arc + targets_ahead < end) core::prefetch(&known_[arc[targets_ahead].target]);
    const double distance = entry.distance + double{arc->weight};
    if (distance >= window.end) {
      if (entry.distance + Graph::least_weight(arc->weight) >= window.end) break;
      continue;
    }
    if (lower(arc->target, distance)) buckets.push({arc->target, distance});
  }
}

/// Counts what the window has settled. A row is pulled up to about the second entry of a settled node.
bool ShortestPaths::pull_is_cheaper() {
  std::atomic<std::uint64_t> nodes{0};
  std::atomic<std::uint64_t> entries{0};
  share(settled_.size(), nodes_at_a_time, [&](std::uint64_t first, std::uint64_t last) {
    Amount sum;
    for (std::uint64_t i = first; i < last; ++i) {
      if (i + entries_ahead < last) {
        core::prefetch(&known_[settled_[i + entries_ahead].rank]);
        core::prefetch(&graph_.rows()[settled_[i + entries_ahead].rank]);
      }
      if (!current(settled_[i])) continue;
      ++sum.nodes;
      sum.entries += graph_.rows()[settled_[i].rank].degree;
    }
    nodes.fetch_add(sum.nodes, std::memory_order_relaxed);
    entries.fetch_add(sum.entries, std::memory_order_relaxed);
  });
  unsettled_.nodes -= nodes;
  unsettled_.entries -= entries;
  const auto all = static_cast<double>(graph_.entries());
  const double settled_share = 1 - static_cast<double>(unsettled_.entries) / all;
  const double pulled = std::min(static_cast<double>(unsettled_.entries),
                                 2 * static_cast<double>(unsettled_.nodes) / settled_share);
  return settled_share > 0.5 || static_cast<double>(entries) > pulled;
}

void ShortestPaths::push(const Window& window, std::uint64_t first, std::uint64_t last) {
  List::Writer beyond(beyond_[beyond_now_]);
  List::Writer pushed(pushed_);
  for (std::uint64_t i = first; i < last; ++i) {
    const Entry entry = settled_[i];
    if (!current(entry)) continue;
    pushed.push(entry);
    const auto arcs = arcs_of(entry.rank);
    const auto inside = [&](const Arc& arc) {
      return entry.distance + Graph::weight_bound(arc.weight) < window.end;
    };
    const Arc* const end = arcs.data() + arcs.size();
    for (const Arc* arc = std::partition_point(arcs.data(), end, inside); arc != end; ++arc) {
      if (arc + targets_ahead < end) core::prefetch(&known_[arc[targets_ahead].target]);
      const double distance = entry.distance + double{arc->weight};
      if (distance < window.end) continue;
      if (lower(arc->target, distance)) beyond.push({arc->target, distance});
    }
  }
  beyond.finish();
  pushed.finish();
}

void ShortestPaths::pull(const Window& window, std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t rank = first; rank < last; ++rank) {
    prefetch_rows(rank, last);
    const std::atomic_ref own(known_[rank]);
    const double known = own.load(std::memory_order_relaxed);
    if (known < window.end) continue;
    double best = known;
    for (const Arc& arc : arcs_of(rank)) {
      // Nodes before the window have pushed.
      if (window.begin + double{arc.weight} >= best) {
        if (window.begin + Graph::least_weight(arc.weight) >= best) break;
        continue;
      }
      const double from = std::atomic_ref(known_[arc.target]).load(std::memory_order_relaxed);
      best = std::min(best, from + double{arc.weight});
    }
    if (best < known) own.store(best, std::memory_order_relaxed);
  }
}

/// For a pass over all ranks: the row some ranks ahead, and the targets of a nearer row's lightest arcs.
void ShortestPaths::prefetch_rows(std::uint64_t rank, std::uint64_t last) const {
  if (rank + 2 * arc_rows_ahead >= last) return;
  core::prefetch(arcs_of(rank + 2 * arc_rows_ahead).data());
  const auto arcs = arcs_of(rank + arc_rows_ahead);
  for (std::size_t i = 0; i < std::min<std::size_t>(arcs.size(), 3); ++i) {
    core::prefetch(&known_[arcs[i].target]);
  }
}

/// Moves to the window of the nearest node that is not settled. False if there is none.
bool ShortestPaths::next_window(Window& window) {
  const List& beyond = beyond_[beyond_now_];
  List& later = beyond_[1 - beyond_now_];
  later.clear();
  double nearest = unreached;
  std::mutex mutex;
  share(beyond.size(), nodes_at_a_time, [&](std::uint64_t first, std::uint64_t last) {
    double least = unreached;
    for (std::uint64_t i = first; i < last; ++i) {
      if (beyond[i].distance < least && current(beyond[i])) least = beyond[i].distance;
    }
    const std::lock_guard lock(mutex);
    nearest = std::min(nearest, least);
  });
  // An entry of an earlier window is no longer current, or its node is settled.
  if (nearest == unreached) return false;
  window = {nearest, nearest + window_width, window.bucket_width};
  share(beyond.size(), nodes_at_a_time, [&](std::uint64_t first, std::uint64_t last) {
    BucketWriters buckets(buckets_, window, 0);
    List::Writer writer(later);
    for (std::uint64_t i = first; i < last; ++i) {
      if (!current(beyond[i])) continue;
      if (beyond[i].distance < window.end) {
        buckets.push(beyond[i]);
      } else {
        writer.push(beyond[i]);
      }
    }
    buckets.finish();
    writer.finish();
  });
  beyond_now_ = 1 - beyond_now_;
  return true;
}

/// Gives the distances their final values. `again`: the nodes that were lowered, and their neighbours.
void ShortestPaths::settle_lowered(SharedList<std::uint32_t>& again) {
  const List& lowered = beyond_[beyond_now_];
  double nearest = unreached;
  for (std::uint64_t i = 0; i < lowered.size(); ++i) nearest = std::min(nearest, lowered[i].distance);
  const Window rest{nearest, unreached, wide_bucket};
  {
    BucketWriters buckets(buckets_, rest, 0);
    for (std::uint64_t i = 0; i < lowered.size(); ++i) buckets.push(lowered[i]);
    buckets.finish();
  }
  settle(rest);
  const core::Array<std::uint64_t> marks(memory_, known_.size() / 64 + 1, "a bit per node");
  SharedList<std::uint32_t>::Writer writer(again);
  const auto take = [&](std::uint32_t rank) {
    const std::uint64_t bit = std::uint64_t{1} << rank % 64;
    if (!(std::exchange(marks[rank / 64], marks[rank / 64] | bit) & bit)) writer.push(rank);
  };
  for (std::uint64_t i = 0; i < settled_.size(); ++i) {
    take(settled_[i].rank);
    for (const Arc& arc : arcs_of(settled_[i].rank)) take(arc.target);
  }
  writer.finish();
}

}  // namespace emgraph::graph::graph500
