// SPDX-License-Identifier: MIT
// Windows of distances: settling inside, pushing or pulling out of them; parents from distances.
#include "graph/graph500/shortest_paths.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <mutex>
#include <optional>

#include "graph/graph500/breadth_first.hpp"

namespace emgraph::graph::graph500 {
namespace {

constexpr double unreached = std::numeric_limits<double>::infinity();
constexpr double window_width = 0.25;
constexpr std::size_t window_buckets = 32;
constexpr std::uint64_t entries_at_a_time = 64;
constexpr std::uint64_t nodes_at_a_time = 8192;
// With fewer entries a round is done by one thread: starting the others takes longer.
constexpr std::uint64_t worth_sharing = 256;
constexpr std::uint64_t targets_ahead = 16;
constexpr std::uint64_t entries_ahead = 8;

}  // namespace

/// A thread's writers of all buckets of a window.
class ShortestPaths::BucketWriters {
 public:
  BucketWriters(std::vector<std::unique_ptr<List>>& buckets, const Window& window, std::size_t current)
      : window_(window), current_(current) {
    for (std::size_t i = current; i < buckets.size(); ++i) writers_[i].emplace(*buckets[i]);
  }
  void push(const Entry& entry) {
    const auto bucket =
        static_cast<std::size_t>((entry.distance - window_.begin) * (window_buckets / window_width));
    writers_[std::clamp(bucket, current_, window_buckets - 1)]->push(entry);
  }

 private:
  const Window& window_;
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
      beyond_{{environment.memory, graph.entries(), "nodes beyond a window"},
              {environment.memory, graph.entries(), "nodes beyond a window"}} {
  for (std::size_t i = 0; i < window_buckets; ++i) {
    buckets_.push_back(std::make_unique<List>(environment.memory, graph.entries(), "nodes of a bucket"));
  }
  reset();
}

std::uint64_t ShortestPaths::bytes(std::uint64_t nodes) {
  return 20 * nodes + 3 * sizeof(Entry) * nodes + 64 * core::page_bytes;
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

/// work(first, last) for all pieces of 0 ... count - 1.
template <class Work>
void ShortestPaths::share(std::uint64_t count, std::uint64_t at_a_time, const Work& work) {
  if (team_.size() == 1 || count <= std::min(at_a_time, worth_sharing)) {
    if (count > 0) work(std::uint64_t{0}, count);
    return;
  }
  cursor_.store(0, std::memory_order_relaxed);
  team_.all([&](unsigned) {
    for (std::uint64_t at; (at = cursor_.fetch_add(at_a_time, std::memory_order_relaxed)) < count;) {
      work(at, std::min(count, at + at_a_time));
    }
  });
}

void ShortestPaths::run(std::uint32_t root) {
  for (auto& bucket : buckets_) bucket->clear();
  beyond_[0].clear();
  beyond_[1].clear();
  unsettled_entries_ = graph_.entries();
  const std::uint32_t rank = graph_.rank(root);
  known_[rank] = 0;
  Window window{0, window_width};
  List::Writer(*buckets_[0]).push({rank, 0});
  do {
    settle(window);
    leave(window);
  } while (next_window(window));
  find_parents(rank);
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
          if (i + entries_ahead < end)
            __builtin_prefetch(graph_.arcs() + graph_.rows()[bucket[i + entries_ahead].rank].begin);
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
      } else {
        cursor_.store(first, std::memory_order_relaxed);
        team_.all([&](unsigned) {
          BucketWriters writers(buckets_, window, b);
          List::Writer settled(settled_);
          for (std::uint64_t at;
               (at = cursor_.fetch_add(entries_at_a_time, std::memory_order_relaxed)) < last;) {
            relax(at, std::min(last, at + entries_at_a_time), writers, settled);
          }
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
    if (arc + targets_ahead < end) __builtin_prefetch(&known_[arc[targets_ahead].target]);
    const double distance = entry.distance + double{arc->weight};
    if (distance >= window.end) break;
    if (lower(arc->target, distance)) buckets.push({arc->target, distance});
  }
}

void ShortestPaths::leave(const Window& window) {
  std::atomic<std::uint64_t> settled_entries{0};
  share(settled_.size(), nodes_at_a_time, [&](std::uint64_t first, std::uint64_t last) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = first; i < last; ++i) {
      if (current(settled_[i])) sum += graph_.rows()[settled_[i].rank].degree;
    }
    settled_entries.fetch_add(sum, std::memory_order_relaxed);
  });
  unsettled_entries_ -= settled_entries;
  if (settled_entries <= unsettled_entries_) {
    share(settled_.size(), entries_at_a_time,
          [&](std::uint64_t first, std::uint64_t last) { push(window, first, last); });
  } else {
    share(known_.size(), nodes_at_a_time,
          [&](std::uint64_t first, std::uint64_t last) { pull(window, first, last); });
  }
}

void ShortestPaths::push(const Window& window, std::uint64_t first, std::uint64_t last) {
  List::Writer beyond(beyond_[beyond_now_]);
  for (std::uint64_t i = first; i < last; ++i) {
    const Entry entry = settled_[i];
    if (!current(entry)) continue;
    const auto arcs = arcs_of(entry.rank);
    const auto inside = [&](const Arc& arc) { return entry.distance + double{arc.weight} < window.end; };
    const Arc* const end = arcs.data() + arcs.size();
    for (const Arc* arc = std::partition_point(arcs.data(), end, inside); arc != end; ++arc) {
      if (arc + targets_ahead < end) __builtin_prefetch(&known_[arc[targets_ahead].target]);
      const double distance = entry.distance + double{arc->weight};
      if (lower(arc->target, distance)) beyond.push({arc->target, distance});
    }
  }
}

void ShortestPaths::pull(const Window& window, std::uint64_t first, std::uint64_t last) {
  List::Writer beyond(beyond_[beyond_now_]);
  for (std::uint64_t rank = first; rank < last; ++rank) {
    const std::atomic_ref own(known_[rank]);
    const double known = own.load(std::memory_order_relaxed);
    if (known < window.end) continue;
    double best = known;
    for (const Arc& arc : arcs_of(rank)) {
      // Nearer nodes have been pushed or pulled from before.
      if (window.begin + double{arc.weight} >= best) break;
      const double from = std::atomic_ref(known_[arc.target]).load(std::memory_order_relaxed);
      if (!(from < window.end)) continue;
      best = std::min(best, from + double{arc.weight});
    }
    if (!(best < known)) continue;
    own.store(best, std::memory_order_relaxed);
    beyond.push({static_cast<std::uint32_t>(rank), best});
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
  window = {nearest, nearest + window_width};
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
  });
  beyond_now_ = 1 - beyond_now_;
  return true;
}

std::uint32_t ShortestPaths::nearer_parent(std::uint64_t rank) const {
  const double distance = known_[rank];
  std::uint32_t parent = no_parent;
  const auto arcs = arcs_of(rank);
  const Arc* const end = arcs.data() + arcs.size();
  for (const Arc* arc = arcs.data(); arc != end && double{arc->weight} <= distance; ++arc) {
    if (arc + targets_ahead < end) __builtin_prefetch(&known_[arc[targets_ahead].target]);
    const double from = known_[arc->target];
    if (from + double{arc->weight} == distance && from < distance) {
      parent = std::min(parent, graph_.rows()[arc->target].node);
    }
  }
  return parent;
}

void ShortestPaths::find_parents(std::uint32_t root) {
  SharedList<std::uint32_t> orphans(memory_, known_.size(), "nodes without a nearer parent");
  share(known_.size(), nodes_at_a_time, [&](std::uint64_t first, std::uint64_t last) {
    SharedList<std::uint32_t>::Writer writer(orphans);
    for (std::uint64_t rank = first; rank < last; ++rank) {
      if (rank + entries_ahead < last) {
        __builtin_prefetch(graph_.arcs() + graph_.rows()[rank + entries_ahead].begin);
      }
      if (known_[rank] == unreached) continue;
      const std::uint32_t node = graph_.rows()[rank].node;
      distances_[node] = known_[rank];
      parents_[node] = rank == root ? node : nearer_parent(rank);
      if (parents_[node] == no_parent) writer.push(static_cast<std::uint32_t>(rank));
    }
  });
  find_equal_parents(orphans);
}

/// Nodes that only arcs of weight 0 lead to, in order of the number of these arcs.
void ShortestPaths::find_equal_parents(const SharedList<std::uint32_t>& orphans) {
  std::vector<std::uint32_t> left;
  for (std::uint64_t i = 0; i < orphans.size(); ++i) left.push_back(orphans[i]);
  std::vector<std::uint32_t> found;
  while (!left.empty()) {
    found.assign(left.size(), no_parent);
    for (std::size_t i = 0; i < left.size(); ++i) {
      for (const auto& [target, weight] : arcs_of(left[i])) {
        if (known_[target] + double{weight} != known_[left[i]]) continue;
        const std::uint32_t node = graph_.rows()[target].node;
        if (parents_[node] != no_parent) found[i] = std::min(found[i], node);
      }
    }
    std::vector<std::uint32_t> still;
    for (std::size_t i = 0; i < left.size(); ++i) {
      parents_[graph_.rows()[left[i]].node] = found[i];
      if (found[i] == no_parent) still.push_back(left[i]);
    }
    if (still.size() == left.size()) return;  // the validation reports it
    left = std::move(still);
  }
}

}  // namespace emgraph::graph::graph500
