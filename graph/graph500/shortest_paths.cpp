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

/// Where the class of `weight` begins and ends. Weights below the begin are below `weight`, those from the
/// end on above it.
double class_begin(double weight) {
  if (!(weight > 0)) return 0;
  const double number = weight_class(static_cast<float>(std::min(weight, 1.0)));
  // Two classes of tolerance: roots are rounded, so that a weight may be in the class beside its own.
  const double begin = std::max(number - 2, 0.0) / weight_classes;
  return begin * begin;
}
double class_end(double weight) {
  if (!(weight < 1)) return unreached;
  const double number = weight_class(static_cast<float>(std::max(weight, 0.0)));
  const double end = (number + 2) / weight_classes;
  return end >= 1 ? unreached : end * end;
}

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
  return 12 * nodes + 3 * sizeof(Entry) * nodes + 64 * core::page_bytes;
}

void ShortestPaths::reset() {
  std::fill_n(distances_.data(), distances_.size(), unreached);
  std::memset(parents_.data(), 0xff, parents_.size() * sizeof(std::uint32_t));
}

bool ShortestPaths::current(const Entry& entry) const {
  return std::atomic_ref(distances_[entry.node]).load(std::memory_order_relaxed) == entry.distance;
}

bool ShortestPaths::lower(std::uint32_t node, double distance) {
  const std::atomic_ref place(distances_[node]);
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
  distances_[root] = 0;
  Window window{0, window_width};
  List::Writer(*buckets_[0]).push({root, 0});
  do {
    settle(window);
    leave(window);
  } while (next_window(window));
  find_parents(root);
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
            __builtin_prefetch(graph_.arcs() + graph_.begin(bucket[i + entries_ahead].node));
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
  const double stop = class_end(window.end - entry.distance);
  const Arc* const end = graph_.arcs() + graph_.end(entry.node);
  for (const Arc* arc = graph_.arcs() + graph_.begin(entry.node); arc != end && arc->weight < stop; ++arc) {
    if (arc + targets_ahead < end) __builtin_prefetch(&distances_[arc[targets_ahead].target]);
    const double distance = entry.distance + double{arc->weight};
    if (distance < window.end && lower(arc->target, distance)) buckets.push({arc->target, distance});
  }
}

void ShortestPaths::leave(const Window& window) {
  std::atomic<std::uint64_t> settled_entries{0};
  share(settled_.size(), nodes_at_a_time, [&](std::uint64_t first, std::uint64_t last) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = first; i < last; ++i) {
      if (current(settled_[i])) sum += graph_.degree(settled_[i].node);
    }
    settled_entries.fetch_add(sum, std::memory_order_relaxed);
  });
  unsettled_entries_ -= settled_entries;
  if (settled_entries <= unsettled_entries_) {
    share(settled_.size(), entries_at_a_time,
          [&](std::uint64_t first, std::uint64_t last) { push(window, first, last); });
  } else {
    share(graph_.nodes(), nodes_at_a_time,
          [&](std::uint64_t first, std::uint64_t last) { pull(window, first, last); });
  }
}

void ShortestPaths::push(const Window& window, std::uint64_t first, std::uint64_t last) {
  List::Writer beyond(beyond_[beyond_now_]);
  for (std::uint64_t i = first; i < last; ++i) {
    const Entry entry = settled_[i];
    if (!current(entry)) continue;
    const Arc* const end = graph_.arcs() + graph_.end(entry.node);
    const double from = class_begin(window.end - entry.distance);
    const Arc* arc = std::partition_point(graph_.arcs() + graph_.begin(entry.node), end,
                                          [&](const Arc& a) { return a.weight < from; });
    for (; arc != end; ++arc) {
      if (arc + targets_ahead < end) __builtin_prefetch(&distances_[arc[targets_ahead].target]);
      const double distance = entry.distance + double{arc->weight};
      if (lower(arc->target, distance)) beyond.push({arc->target, distance});
    }
  }
}

void ShortestPaths::pull(const Window& window, std::uint64_t first, std::uint64_t last) {
  List::Writer beyond(beyond_[beyond_now_]);
  for (std::uint64_t node = first; node < last; ++node) {
    const std::atomic_ref own(distances_[node]);
    const double known = own.load(std::memory_order_relaxed);
    if (known < window.end) continue;
    const Arc* const end = graph_.arcs() + graph_.end(node);
    double best = known;
    // Nearer nodes have been pushed or pulled from before.
    double stop = class_end(best - window.begin);
    for (const Arc* arc = graph_.arcs() + graph_.begin(node); arc != end && arc->weight < stop; ++arc) {
      const double from = std::atomic_ref(distances_[arc->target]).load(std::memory_order_relaxed);
      if (!(from < window.end)) continue;
      const double distance = from + double{arc->weight};
      if (!(distance < best)) continue;
      best = distance;
      stop = class_end(best - window.begin);
    }
    if (!(best < known)) continue;
    own.store(best, std::memory_order_relaxed);
    beyond.push({static_cast<std::uint32_t>(node), best});
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

std::uint32_t ShortestPaths::nearer_parent(std::uint32_t node) const {
  const double distance = distances_[node];
  const double stop = class_end(distance);
  const Arc* const end = graph_.arcs() + graph_.end(node);
  std::uint32_t parent = no_parent;
  for (const Arc* arc = graph_.arcs() + graph_.begin(node); arc != end && arc->weight < stop; ++arc) {
    if (arc + targets_ahead < end) __builtin_prefetch(&distances_[arc[targets_ahead].target]);
    const double from = distances_[arc->target];
    if (from + double{arc->weight} == distance && from < distance) parent = std::min(parent, arc->target);
  }
  return parent;
}

void ShortestPaths::find_parents(std::uint32_t root) {
  SharedList<std::uint32_t> orphans(memory_, graph_.nodes(), "nodes without a nearer parent");
  share(graph_.nodes(), nodes_at_a_time, [&](std::uint64_t first, std::uint64_t last) {
    SharedList<std::uint32_t>::Writer writer(orphans);
    for (auto node = static_cast<std::uint32_t>(first); node < last; ++node) {
      if (node + entries_ahead < last) {
        __builtin_prefetch(graph_.arcs() + graph_.begin(node + entries_ahead));
      }
      if (distances_[node] == unreached || node == root) continue;
      parents_[node] = nearer_parent(node);
      if (parents_[node] == no_parent) writer.push(node);
    }
  });
  parents_[root] = root;
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
      for (std::uint64_t a = graph_.begin(left[i]); a < graph_.end(left[i]); ++a) {
        const auto [target, weight] = graph_.arcs()[a];
        if (distances_[target] + double{weight} != distances_[left[i]]) continue;
        if (parents_[target] != no_parent) found[i] = std::min(found[i], target);
      }
    }
    std::vector<std::uint32_t> still;
    for (std::size_t i = 0; i < left.size(); ++i) {
      parents_[left[i]] = found[i];
      if (found[i] == no_parent) still.push_back(left[i]);
    }
    if (still.size() == left.size()) return;  // the validation reports it
    left = std::move(still);
  }
}

}  // namespace emgraph::graph::graph500
