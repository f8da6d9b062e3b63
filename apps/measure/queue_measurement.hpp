// SPDX-License-Identifier: MIT
// Jobs of `bench queue`: fill, drain, intermix, and messages that only go to later keys.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "apps/measure/job_watch.hpp"
#include "core/base/error.hpp"
#include "core/base/random_word.hpp"
#include "core/block/area_pattern.hpp"
#include "core/queue/sequence_heap.hpp"

namespace emgraph::apps {

/// Just a key of 8 bytes.
struct BareKey {
  using Record = std::uint64_t;
  using Less = std::less<std::uint64_t>;
  static constexpr const char* name = "8 bytes";

  static Record make(std::uint64_t key) { return key; }
  static std::uint64_t key(Record record) { return record; }
};

/// A key of 8 bytes with 8 more that travel along.
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

/// What a job of a queue cost, and how full the queue was at most.
struct QueueCost {
  JobCost cost;
  std::uint64_t most_records = 0;
};

/// A sequence heap of `Kind` in `memory_bytes`, and N = `records`. Every job checks the order of what leaves,
/// and that as many records with the same sum of keys leave as came.
template <class Kind>
class QueueJob {
 public:
  using Record = typename Kind::Record;

  QueueJob(core::Environment& environment, std::uint64_t records, std::size_t memory_bytes)
      : environment_(environment), records_(records), heap_(environment, {.memory_bytes = memory_bytes}) {}

  /// N random keys.
  QueueCost fill() {
    Steps steps(environment_, "fill", records_);
    const JobWatch watch(environment_);
    for (std::uint64_t i = 0; i < records_; ++i) {
      push(core::random_word(environment_.seed, i) >> 34);
      steps.step();
    }
    return {watch.cost(), records_};
  }

  /// All that are in it, one by one.
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

  /// N times: the least leaves, and comes back with a key behind its own ("hold").
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

  /// Time-forward processing: N / 5 nodes in turn take the messages to them and send 5 to random later nodes,
  /// so that a part of up to 1/e of all messages waits at the same time.
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

  /// Progress in large steps.
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

}  // namespace emgraph::apps
