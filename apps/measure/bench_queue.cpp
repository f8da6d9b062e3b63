// SPDX-License-Identifier: MIT
// The command bench queue: a sequence heap is filled, drained, used for the hold model and for time-forward
// processing.
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <span>
#include <string>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/output_check.hpp"
#include "apps/measure/bench.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/random_word.hpp"
#include "core/queue/sequence_heap.hpp"

namespace emgraph::apps {

namespace {

/// A key of 8 bytes.
struct BareKey {
  using Record = std::uint64_t;
  using Less = std::less<std::uint64_t>;
  static constexpr const char* name = "8 bytes";

  static Record make(std::uint64_t key) { return key; }
  static std::uint64_t key(Record record) { return record; }
};

/// A key and a payload of 8 bytes each.
struct KeyWithPayload {
  struct Record {
    std::uint64_t key;
    std::uint64_t payload;
  };
  struct Less {
    bool operator()(const Record& a, const Record& b) const { return a.key < b.key; }
  };
  static constexpr const char* name = "16 bytes";

  static Record make(std::uint64_t key) { return {key, ~key}; }
  static std::uint64_t key(const Record& record) { return record.key; }
};

/// The cost of a job, and the largest number of records in the queue.
struct QueueCost {
  JobCost cost;
  std::uint64_t most_records = 0;
};

/// Jobs on a sequence heap of `Kind` in `memory_bytes`, with N = `records`. Every job checks that keys leave
/// in order and that the sums of the keys that came and that left are equal.
template <class Kind>
class QueueJob {
 public:
  using Record = typename Kind::Record;

  QueueJob(core::Environment& environment, std::uint64_t records, std::size_t memory_bytes)
      : environment_(environment), records_(records), heap_(environment, {.memory_bytes = memory_bytes}) {}

  /// Pushes N random keys.
  QueueCost fill() {
    Steps steps(environment_, "fill", records_);
    const JobWatch watch(environment_);
    for (std::uint64_t i = 0; i < records_; ++i) {
      push(core::random_word(environment_.seed, i) >> 34);
      steps.step();
    }
    return {watch.cost(), records_};
  }

  /// Takes all records out, one by one.
  QueueCost drain() {
    const std::uint64_t records = heap_.size();
    Steps steps(environment_, "drain", records);
    const JobWatch watch(environment_);
    std::uint64_t last = 0;
    while (!heap_.empty()) {
      const std::uint64_t key = pop();
      ordered_ &= last <= key;
      last = key;
      steps.step();
    }
    const JobCost cost = watch.cost();
    check();
    return {cost, records};
  }

  /// N times: takes the least record out and pushes it with a larger key (the "hold" model).
  QueueCost intermix() {
    Steps steps(environment_, "intermix", records_);
    const JobWatch watch(environment_);
    std::uint64_t last = 0;
    for (std::uint64_t i = 0; i < records_; ++i) {
      const std::uint64_t key = pop();
      ordered_ &= last <= key;
      last = key;
      push(key + (core::random_word(~environment_.seed, i) >> 35));
      steps.step();
    }
    return {watch.cost(), records_};
  }

  /// Time-forward processing: each of N / 5 nodes takes its messages and sends 5 to random later nodes. Up to
  /// 1/e of all messages are in the queue at the same time.
  QueueCost messages() {
    const std::uint64_t nodes = std::max<std::uint64_t>(records_ / degree, 1);
    Steps steps(environment_, "messages", nodes * degree);
    QueueCost result;
    const JobWatch watch(environment_);
    for (std::uint64_t node = 0; node < nodes; ++node) {
      heap_.pop_below(Kind::make(node + 1), [&](std::span<const Record> batch) {
        for (const Record& record : batch) {
          ordered_ &= Kind::key(record) == node;
          took(Kind::key(record));
        }
      });
      for (std::uint64_t i = 0; i < degree; ++i) {
        const std::uint64_t word = core::random_word(environment_.seed, node * degree + i);
        push(node + 1 + ((word >> 32) * (nodes - node) >> 32));
        steps.step();
      }
      result.most_records = std::max(result.most_records, heap_.size());
    }
    heap_.pop_below(Kind::make(nodes + 1), [&](std::span<const Record> batch) {
      for (const Record& record : batch) took(Kind::key(record));
    });
    result.cost = watch.cost();
    check();
    return result;
  }

 private:
  static constexpr std::uint64_t degree = 5;

  /// Reports the progress every 65,536 records.
  class Steps {
   public:
    Steps(core::Environment& environment, const std::string& what, std::uint64_t total)
        : phase_(environment.progress, what + ", " + Kind::name, total, "records") {}
    void step() {
      if (++steps_ % size == 0) phase_.advance(size);
    }

   private:
    static constexpr std::uint64_t size = std::uint64_t{1} << 16;
    core::Phase phase_;
    std::uint64_t steps_ = 0;
  };

  void push(std::uint64_t key) {
    heap_.push(Kind::make(key));
    sum_ += key;
  }
  std::uint64_t pop() {
    const std::uint64_t key = Kind::key(heap_.top());
    heap_.pop();
    took(key);
    return key;
  }
  void took(std::uint64_t key) { sum_ -= key; }

  void check() const {
    if (ordered_ && sum_ == 0 && heap_.empty()) return;
    throw core::EnvironmentError(
        "what leaves the queue is not what came in, in order: memory or a disk of this machine is at fault");
  }

  core::Environment& environment_;
  const std::uint64_t records_;
  core::SequenceHeap<Record, typename Kind::Less> heap_;
  std::uint64_t sum_ = 0;
  bool ordered_ = true;
};

class BenchQueue final : public Command {
 public:
  void declare(OptionSet& options) override {
    options.group("Bench");
    options.value("--size", size_, "SIZE", "bytes of records that go through the queue")
        .otherwise("512M, with --quick 64M");
    declare_disk_bandwidth(options, disk_bandwidth_);
    declare_bench_options(options, typed_, quick_,
                          "half of what is available; without -M the queue takes a quarter of --size, with "
                          "-M three quarters of -M",
                          false);
  }

  ExitCode run() override {
    const CommonOptions options = validate(typed_);
    const std::uint64_t size = bench_size(size_, quick_ ? 64 * core::MiB : 512 * core::MiB);
    Session session(options, Spill::possible);
    const Bandwidth bandwidth = disk_bandwidth(session, disk_bandwidth_, quick_);
    const std::size_t memory = bench_memory(session, size);
    Figures figures;
    measure<BareKey>(session, size, memory, bandwidth, figures);
    measure<KeyWithPayload>(session, size, memory, bandwidth, figures);

    Report report(session, "bench queue");
    report.size("size_bytes", size);
    report.size("queue_memory_bytes", memory);
    bandwidth.report(report);
    figures.report(report);
    return report.finish();
  }

 private:
  template <class Kind>
  static void measure(Session& session, std::uint64_t size, std::size_t memory, const Bandwidth& bandwidth,
                      Figures& figures) {
    constexpr std::uint64_t record_bytes = sizeof(typename Kind::Record);
    core::Environment& environment = session.environment();
    const std::uint64_t records = size / record_bytes;
    // When the queue is largest, the records that do not fit in memory are on disk; they are written, read,
    // or both.
    enum Way : std::uint64_t { out = 1, in = 2 };
    const auto add = [&](const std::string& name, const QueueCost& done, std::uint64_t ways) {
      const std::uint64_t most_bytes = done.most_records * record_bytes;
      const std::uint64_t spilled = most_bytes - std::min<std::uint64_t>(most_bytes, memory);
      const std::uint64_t read = (ways & in) != 0 ? spilled : 0;
      const std::uint64_t written = (ways & out) != 0 ? spilled : 0;
      figures.add({.name = name,
                   .subject = Kind::name,
                   .operations = records,
                   .unit = "records",
                   .bytes = records * record_bytes,
                   .bound_bytes = read + written,
                   .bound_seconds = bandwidth.bound(read, written),
                   .cost = done.cost});
    };
    {
      QueueJob<Kind> job(environment, records, memory);
      add("fill", job.fill(), out);
      add("drain", job.drain(), in);
    }
    {
      QueueJob<Kind> job(environment, records, memory);
      job.fill();
      add("intermix", job.intermix(), out | in);
      job.drain();
    }
    QueueJob<Kind> job(environment, records, memory);
    add("messages", job.messages(), out | in);
  }

  TypedOptions typed_;
  std::string size_;
  std::string disk_bandwidth_;
  bool quick_ = false;
};

}  // namespace

std::unique_ptr<Command> make_bench_queue() {
  return std::make_unique<BenchQueue>();
}

}  // namespace emgraph::apps
