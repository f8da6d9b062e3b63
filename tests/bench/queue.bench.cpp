// SPDX-License-Identifier: MIT
// Rates of the sequence heap, the merge sorter and the merge kernels: bench_queue [DIRECTORY] [MESSAGES].
//
// One line per measurement: wall-clock time, and CPU time of the calling thread, which depends less on other
// load.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <queue>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/queue/sequence_heap.hpp"
#include "core/sort/merge_pairwise.hpp"
#include "core/sort/merge_sorter.hpp"

namespace {

using namespace emgraph::core;

struct Message {
  std::uint64_t key;
  std::uint64_t payload;
  bool operator<(const Message& other) const { return key < other.key; }
};

template <class T>
T make_record(std::uint64_t key) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(key);
  } else {
    return {key, key};
  }
}
template <class T>
const char* name_of() {
  return sizeof(T) == 4 ? "u32" : sizeof(T) == 8 ? "u64" : "u64+payload";
}

class Random {
 public:
  std::uint64_t operator()() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    return state_ ^= state_ << 17;
  }
  /// Uniform in [0, bound), bound < 2^32.
  std::uint64_t below(std::uint64_t bound) { return ((*this)() >> 32) * bound >> 32; }

 private:
  std::uint64_t state_ = 88172645463325252ULL;
};

class Stopwatch {
 public:
  void report(const std::string& what, std::uint64_t operations, const IoStatistics* io = nullptr) const {
    const double wall = seconds(CLOCK_MONOTONIC) - wall_;
    const double cpu = seconds(CLOCK_THREAD_CPUTIME_ID) - cpu_;
    const double millions = static_cast<double>(operations) / 1e6;
    std::printf("%-58s %8.1f M/s wall %8.1f M/s cpu", what.c_str(), millions / wall, millions / cpu);
    if (io != nullptr) {
      const IoSnapshot now = io->snapshot();
      std::printf("   written %s, waited %.2f s", format_size(now.write_bytes).c_str(), now.wait_seconds);
    }
    std::printf("\n");
    std::fflush(stdout);
  }

 private:
  static double seconds(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  }
  double wall_ = seconds(CLOCK_MONOTONIC);
  double cpu_ = seconds(CLOCK_THREAD_CPUTIME_ID);
};

/// A new environment for each measurement.
struct Machine {
  explicit Machine(const std::string& directory)
      : blocks(std::vector<DiskSpec>{{.path = directory}}, AllocationStrategy::randomized_cycling, 1, io) {}
  MemoryBudget memory{4 * GiB};
  IoStatistics io;
  SilentProgress progress;
  TemporaryNames names;
  OutputSet outputs{names};
  SpillCoding spill{SpillCodec::automatic};
  BlockManager blocks;
  Environment environment{
      memory, blocks, io, progress, outputs, spill, std::max(1u, std::thread::hardware_concurrency()), 1};
};

void check(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "bench_queue: wrong result: %s\n", what);
  std::exit(1);
}

template <class T>
void fill_and_drain(const std::string& directory, std::uint64_t count, std::size_t memory_bytes) {
  Machine machine(directory);
  SequenceHeap<T> heap(machine.environment, {.memory_bytes = memory_bytes});
  Random random;
  const Stopwatch watch;
  for (std::uint64_t i = 0; i < count; ++i) heap.push(make_record<T>(random() >> 32));
  T last = heap.top();
  bool sorted = true;
  for (std::uint64_t i = 0; i < count; ++i) {
    sorted &= !(heap.top() < last);
    last = heap.top();
    heap.pop();
  }
  watch.report(std::string("fill and drain ") + name_of<T>() + ", " + format_count(count) + ", " +
                   format_size(memory_bytes),
               count, &machine.io);
  check(sorted, "fill and drain");
}

template <class T>
void intermixed(const std::string& directory, std::uint64_t count, std::size_t memory_bytes) {
  Machine machine(directory);
  SequenceHeap<T> heap(machine.environment, {.memory_bytes = memory_bytes});
  Random random;
  for (std::uint64_t i = 0; i < count; ++i) heap.push(make_record<T>(random() >> 34));
  const Stopwatch watch;
  for (std::uint64_t i = 0; i < count; ++i) {
    T record = heap.top();
    heap.pop();
    if constexpr (std::is_integral_v<T>) {
      record = static_cast<T>(record + (random() >> 35));
    } else {
      record.key += random() >> 35;
    }
    heap.push(record);
  }
  watch.report(std::string("hold: pop, push behind, ") + name_of<T>() + ", " + format_count(count) + ", " +
                   format_size(memory_bytes),
               count, &machine.io);
}

template <class T>
void time_forward(const std::string& directory, std::uint64_t messages, std::size_t memory_bytes) {
  Machine machine(directory);
  SequenceHeap<T> heap(machine.environment, {.memory_bytes = memory_bytes});
  Random random;
  const std::uint64_t nodes = messages / 5;
  std::uint64_t received = 0;
  const Stopwatch watch;
  for (std::uint64_t node = 0; node < nodes; ++node) {
    heap.pop_below(make_record<T>(node + 1), [&](std::span<const T> batch) { received += batch.size(); });
    for (int i = 0; i < 5; ++i) heap.push(make_record<T>(node + 1 + random.below(nodes - node)));
  }
  heap.pop_below(make_record<T>(nodes + 1), [&](std::span<const T> batch) { received += batch.size(); });
  watch.report(std::string("time-forward ") + name_of<T>() + ", " + format_count(messages) + ", " +
                   format_size(memory_bytes),
               received, &machine.io);
  check(received == nodes * 5 && heap.empty(), "time-forward");
}

template <class T>
void merge_sort(const std::string& directory, std::uint64_t count, std::size_t memory_bytes) {
  Machine machine(directory);
  std::vector<T> batch(8192);
  Random random;
  const Stopwatch watch;
  MergeSorter<T> sorter(machine.environment, {.memory_bytes = memory_bytes});
  for (std::uint64_t i = 0; i < count; i += batch.size()) {
    for (T& record : batch) record = make_record<T>(random());
    sorter.push(batch);
  }
  watch.report(std::string("merge sort ") + name_of<T>() + ", push", sorter.size(), &machine.io);
  const Stopwatch reading;
  auto stream = sorter.finish();
  std::uint64_t records = 0;
  T last = make_record<T>(0);
  bool sorted = true;
  for (auto part = stream.next(); !part.empty(); part = stream.next()) {
    sorted &= !(part.front() < last);
    last = part.back();
    records += part.size();
  }
  reading.report("    finish and read", records, &machine.io);
  watch.report("    together, " + format_size(memory_bytes), records, &machine.io);
  check(sorted && records >= count, "merge sort");
}

template <class T>
void merge_kernels() {
  using Less = std::less<T>;
  constexpr std::size_t total = std::size_t{1} << 16;
  constexpr std::size_t repeats = 128;
  Random random;
  std::vector<T> input(total);
  std::vector<T> out(total);
  std::vector<T> spare(total);
  for (const std::size_t k : {2, 3, 4, 16, 64}) {
    std::vector<std::span<const T>> pieces;
    for (std::size_t i = 0; i < k; ++i) {
      const std::span<T> piece = std::span(input).subspan(i * (total / k), total / k);
      for (T& record : piece) record = make_record<T>(random());
      sort_records(piece, Less());
      pieces.push_back(piece);
    }
    const std::size_t records = k * (total / k);
    const std::string what = std::string("merge ") + name_of<T>() + ", k = " + std::to_string(k);
    const auto measure = [&](const char* method, auto&& merge) {
      const Stopwatch watch;
      for (std::size_t i = 0; i < repeats; ++i) merge();
      watch.report(what + ", " + method, repeats * records);
      check(std::is_sorted(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(records)), method);
    };
    PairwiseMerger<T, Less> pairwise{Less()};
    measure("pairwise", [&] { pairwise.merge(pieces, out, spare); });
    measure("sort", [&] {
      std::copy_n(input.begin(), records, out.begin());
      sort_records(std::span(out).first(records), Less());
    });
  }
}

template <class T>
void queues(const std::string& directory, std::uint64_t messages) {
  for (const std::uint64_t count : {std::uint64_t{30'000}, std::uint64_t{3'000'000}}) {
    fill_and_drain<T>(directory, count, 64 * MiB);
    intermixed<T>(directory, count, 64 * MiB);
    time_forward<T>(directory, count, 64 * MiB);
  }
  fill_and_drain<T>(directory, messages, 64 * MiB);
  intermixed<T>(directory, messages, 64 * MiB);
  for (const std::size_t memory_bytes : {16 * MiB, 64 * MiB, 256 * MiB, 512 * MiB}) {
    time_forward<T>(directory, messages, memory_bytes);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::string directory = count > 1 ? arguments[1] : "/tmp";
  const std::uint64_t messages = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 50'000'000;
  merge_kernels<std::uint32_t>();
  merge_kernels<std::uint64_t>();
  merge_kernels<Message>();
  queues<std::uint32_t>(directory, messages);
  queues<std::uint64_t>(directory, messages);
  queues<Message>(directory, messages / 4);
  merge_sort<std::uint64_t>(directory, messages, 64 * MiB);
  merge_sort<Message>(directory, messages / 2, 64 * MiB);
}
