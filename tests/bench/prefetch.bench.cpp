// SPDX-License-Identifier: MIT
// I/O steps of prefetch schedules, relative to the optimum on evenly loaded disks; medians of 9 placements.
//
// bench_prefetch: no arguments, no disk, deterministic figures.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <random>
#include <utility>
#include <vector>

#include "core/block/prefetch_schedule.hpp"
#include "core/block/strategy.hpp"

namespace {

using namespace emgraph::core;
using Disks = std::vector<std::uint32_t>;

constexpr std::size_t blocks = 16384;
constexpr std::size_t disk_count = 4;
constexpr std::size_t runs = 16;

/// A merge of runs that were written one after another: it takes blocks of random runs, in order within each
/// run.
Disks merged_runs(AllocationStrategy strategy, std::uint64_t seed) {
  DiskSequence sequence(strategy, disk_count, seed);
  Disks written;
  for (std::size_t i = 0; i < blocks; ++i) written.push_back(static_cast<std::uint32_t>(sequence.next()));
  std::mt19937_64 random(seed);
  std::vector<std::size_t> taken(runs);
  Disks consumed;
  while (consumed.size() < blocks) {
    const std::size_t run = random() % runs;
    if (taken[run] < blocks / runs) consumed.push_back(written[run * (blocks / runs) + taken[run]++]);
  }
  return consumed;
}

std::size_t steps_in_order(const Disks& disks, std::size_t buffers) {
  std::vector<char> here(disks.size());
  std::size_t steps = 0;
  for (std::size_t consumed = 0; consumed < disks.size(); ++steps) {
    bool busy[disk_count] = {};
    for (std::size_t i = consumed; i < std::min(consumed + buffers, disks.size()); ++i) {
      if (!here[i] && !std::exchange(busy[disks[i]], true)) here[i] = 1;
    }
    while (consumed < disks.size() && here[consumed]) ++consumed;
  }
  return steps;
}

/// A schedule of `look_ahead` blocks, made again when half of them have been consumed. A block is requested
/// as soon as there is a buffer. In a step each disk delivers one requested block.
std::size_t steps_of_schedule(const Disks& disks, std::size_t buffers, std::size_t look_ahead) {
  enum : char { not_asked, asked, there };
  PrefetchScheduler scheduler(disk_count);
  std::vector<char> state(disks.size());
  std::vector<std::deque<std::size_t>> queues(disk_count);
  Disks order(look_ahead);
  Disks links(look_ahead);
  std::size_t from = 0;
  std::size_t known = 0;
  std::size_t next = 0;
  std::size_t to_fetch = 0;
  std::size_t held = 0;
  std::size_t steps = 0;
  for (std::size_t consumed = 0; consumed < disks.size(); ++steps) {
    if (known < disks.size() && known - consumed <= look_ahead / 2) {
      from = consumed;
      known = std::min(from + look_ahead, disks.size());
      Disks ahead;
      for (std::size_t i = from; i < known; ++i) {
        ahead.push_back(state[i] != not_asked ? PrefetchScheduler::fetched : disks[i]);
      }
      next = 0;
      to_fetch = scheduler.schedule(ahead, buffers, order, links);
    }
    for (; held < buffers && next < to_fetch; ++held) {
      const std::size_t block = from + order[next++];
      state[block] = asked;
      queues[disks[block]].push_back(block);
    }
    for (std::deque<std::size_t>& queue : queues) {
      if (queue.empty()) continue;
      state[queue.front()] = there;
      queue.pop_front();
    }
    for (; consumed < disks.size() && state[consumed] == there; ++consumed) --held;
  }
  return steps;
}

template <class Steps>
double median_overhead(AllocationStrategy strategy, Steps&& steps) {
  std::vector<double> all;
  for (std::uint64_t seed = 1; seed <= 9; ++seed) {
    all.push_back(static_cast<double>(steps(merged_runs(strategy, seed))) * disk_count / blocks);
  }
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

}  // namespace

int main() {
  std::printf("%zu blocks of %zu runs, %zu disks: steps / (blocks / disks)\n", blocks, runs, disk_count);
  std::printf("%-20s %8s %10s %10s %10s %10s\n", "placement", "buffers", "all known", "64 ahead", "8 ahead",
              "in order");
  for (const AllocationStrategy strategy : all_strategies) {
    for (const std::size_t buffers : {8, 16, 32, 64}) {
      const auto ahead = [&](std::size_t look_ahead) {
        return median_overhead(strategy, [&](const Disks& disks) {
          return steps_of_schedule(disks, buffers, std::min(look_ahead, blocks));
        });
      };
      std::printf("%-20s %8zu %10.3f %10.3f %10.3f %10.3f\n", name(strategy), buffers, ahead(blocks),
                  ahead(64 * buffers), ahead(8 * buffers),
                  median_overhead(strategy, [&](const Disks& d) { return steps_in_order(d, buffers); }));
    }
  }
  return 0;
}
