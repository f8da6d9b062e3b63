// SPDX-License-Identifier: MIT
// Jobs of `bench sort`: made records through the in-memory kernel, to a file, and through a pipeline.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "apps/measure/job_watch.hpp"
#include "apps/prepare/sort_records.hpp"
#include "core/base/thread_team.hpp"
#include "core/block/run.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "core/sort/merge_sorter.hpp"

namespace emgraph::apps {

/// One sort of `records` records of a kind.
template <class Kind>
class SortJob {
 public:
  using Record = typename Kind::Record;

  SortJob(core::Environment& environment, std::uint64_t records, std::size_t memory_bytes)
      : environment_(environment), records_(records), memory_bytes_(memory_bytes) {}

  /// Made, sorted, checked; nothing is written but what the sorter spills.
  JobCost pipeline() {
    SortedCheck<Kind> check;
    const JobWatch watch(environment_);
    const Checksum checksum = sort(
        "make", [this](auto&& lane, unsigned, unsigned) { return make_all(lane); },
        [&](std::span<const Record> batch) { check.take(batch); });
    check.finish(records_, checksum);
    return watch.cost();
  }

  /// A file of such records, read, sorted and written to another; the making of the first does not count.
  JobCost from_file_to_file(std::size_t block_bytes) {
    std::vector<core::Run<Record>> input = make_input(block_bytes);
    SortedCheck<Kind> check;
    core::RunWriter<Record> writer(environment_, block_bytes, writer_blocks, {}, stretch_blocks);
    const JobWatch watch(environment_);
    const Checksum checksum = sort(
        "read", [&](auto&& lane, unsigned first, unsigned lanes) { return read(input, first, lanes, lane); },
        [&](std::span<const Record> batch) {
          check.take(batch);
          writer.append(batch);
        });
    const core::Run<Record> output = writer.finish();
    const JobCost cost = watch.cost();
    check.finish(records_, checksum);
    return cost;
  }

  /// Blocks that from_file_to_file() holds beside the sorter.
  static std::uint64_t blocks(unsigned threads) { return 2 * std::uint64_t{threads} + writer_blocks; }

 private:
  static constexpr std::size_t writer_blocks = 4;
  static constexpr std::size_t stretch_blocks = 8;
  static constexpr std::uint64_t piece_records = std::uint64_t{1} << 14;

  /// `fill(push, lane number, lanes)` feeds a lane and returns the sum of what it pushed.
  template <class Fill, class Take>
  Checksum sort(const std::string& how, Fill&& fill, Take&& take) {
    if constexpr (Kind::has_integer_key) {
      return distribute(how, fill, take);
    } else {
      return merge(how, fill, take);
    }
  }

  template <class Fill, class Take>
  Checksum distribute(const std::string& how, Fill& fill, Take& take) {
    using Sorter = core::DistributionSorter<typename Kind::Key, 0>;
    typename Sorter::Options options;
    options.records = records_;
    options.memory_bytes = memory_bytes_;
    Sorter sorter(environment_, std::move(options));
    std::vector<Checksum> sums(sorter.lanes());
    {
      const core::Phase phase(environment_.progress, how + ", distribute", 0, "records");
      core::ThreadTeam team(sorter.lanes());
      team.all([&](unsigned number) {
        auto& lane = sorter.lane(number);
        sums[number] = fill(
            [&](std::span<const Record> batch) {
              for (const Record& record : batch) lane.push(record);
            },
            number, sorter.lanes());
        lane.finish();
      });
    }
    sorter.finish();
    drain("sort", sorter, take);
    return total(sums);
  }

  template <class Fill, class Take>
  Checksum merge(const std::string& how, Fill& fill, Take& take) {
    core::MergeSorter<Record, typename Kind::Less> sorter(environment_, {.memory_bytes = memory_bytes_});
    Checksum sum;
    {
      const core::Phase phase(environment_.progress, how + ", form runs", 0, "records");
      sum = fill([&](std::span<const Record> batch) { sorter.push(batch); }, 0, 1);
    }
    auto sorted = sorter.finish();
    drain("merge", sorted, take);
    return sum;
  }

  template <class Sorted, class Take>
  void drain(const std::string& name, Sorted& sorted, Take& take) {
    core::Phase phase(environment_.progress, name, records_, "records");
    for (auto batch = sorted.next(); !batch.empty(); batch = sorted.next()) {
      take(batch);
      phase.advance(batch.size());
    }
  }

  static Checksum total(const std::vector<Checksum>& sums) {
    Checksum total;
    for (const Checksum& sum : sums) total.merge(sum);
    return total;
  }

  /// Pieces that no other thread makes.
  template <class Push>
  Checksum make_all(Push& push) {
    std::array<Record, 256> batch;
    Checksum sum;
    for (;;) {
      const std::uint64_t first = next_.fetch_add(piece_records);
      if (first >= records_) return sum;
      const std::uint64_t end = std::min(records_, first + piece_records);
      for (std::uint64_t i = first; i < end;) {
        std::size_t filled = 0;
        for (; i < end && filled < batch.size(); ++i) {
          batch[filled] = Kind::make(environment_.seed, i);
          sum.add(Kind::word(batch[filled++]));
        }
        push(std::span<const Record>(batch).first(filled));
      }
    }
  }

  /// One run for each thread, so that each reads its own.
  std::vector<core::Run<Record>> make_input(std::size_t block_bytes) {
    const core::Phase phase(environment_.progress, "make the input", 0, "records");
    std::vector<core::Run<Record>> runs(environment_.threads);
    core::ThreadTeam team(environment_.threads);
    team.all([&](unsigned number) {
      core::RunWriter<Record> writer(environment_, block_bytes, 2, {}, stretch_blocks);
      const auto append = [&](std::span<const Record> batch) { writer.append(batch); };
      make_all(append);
      runs[number] = writer.finish();
    });
    return runs;
  }

  /// Runs first, first + step, … , freed block by block.
  template <class Push>
  Checksum read(std::vector<core::Run<Record>>& runs, unsigned first, unsigned step, Push& push) {
    Checksum sum;
    for (std::size_t number = first; number < runs.size(); number += step) {
      core::RunReader<Record> reader(environment_, std::move(runs[number]));
      for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
        for (const Record& record : batch) sum.add(Kind::word(record));
        push(batch);
      }
    }
    return sum;
  }

  core::Environment& environment_;
  const std::uint64_t records_;
  const std::size_t memory_bytes_;
  std::atomic<std::uint64_t> next_{0};
};

/// Sorts `records` made records in memory, a share per thread; median of three, seconds.
template <class Kind>
double sort_in_memory(core::Environment& environment, std::uint64_t records, unsigned threads) {
  using Record = typename Kind::Record;
  const core::Array<Record> array(environment.memory, records, "records to sort in memory");
  core::ThreadTeam team(threads);
  const auto share = [&](unsigned number) {
    const std::uint64_t begin = records * number / threads;
    return array.span().subspan(begin, records * (number + 1) / threads - begin);
  };
  std::array<double, 3> seconds{};
  for (double& run : seconds) {
    team.all([&](unsigned number) {
      std::uint64_t i = static_cast<std::uint64_t>(share(number).data() - array.data());
      for (Record& record : share(number)) record = Kind::make(environment.seed, i++);
    });
    const JobWatch::Clock::time_point start = JobWatch::Clock::now();
    team.all([&](unsigned number) {
      if constexpr (Kind::has_integer_key) {
        const std::span<Record> own = share(number);
        core::vector_sort(std::span(reinterpret_cast<typename Kind::Key*>(own.data()), own.size()));
      } else {
        core::sort_records(share(number), typename Kind::Less());
      }
    });
    run = JobWatch::seconds_since(start);
    for (unsigned number = 0; number < threads; ++number) {
      SortedCheck<Kind>().take(share(number));
    }
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[1];
}

}  // namespace emgraph::apps
