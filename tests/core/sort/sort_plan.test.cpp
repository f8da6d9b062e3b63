// SPDX-License-Identifier: MIT
// What the sort plan divides adds up, and buckets are sorted after as few moves as there can be.
#include "core/sort/sort_plan.hpp"

#include <catch2/catch.hpp>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/spill/chain_store.hpp"

namespace emgraph::tests {
namespace {

using core::SortDemand;
using core::SortPlan;

std::size_t lists(const SortDemand& demand, const SortPlan& plan) {
  return static_cast<std::size_t>(demand.records.value_or(0) * demand.packed_bytes / plan.block_bytes *
                                  core::ChainStore::bookkeeping_bytes);
}

TEST_CASE("sort plan: the parts are no more than the memory, and the pool is enough for all open blocks") {
  for (const unsigned threads : tried_threads({1u, 2u, 8u, 64u})) {
    for (const std::size_t record_bytes : {8u, 16u, 80u}) {
      for (const bool sampled : {false, true}) {
        SortDemand demand;
        demand.threads = threads;
        demand.coding = sampled;
        demand.record_bytes = record_bytes;
        demand.packed_bytes = demand.sort_bytes = record_bytes;
        demand.attachments = record_bytes > 16;
        demand.sampled = sampled;
        demand.memory_bytes = SortPlan::least_bytes(demand);
        for (; demand.memory_bytes < 100 * core::GiB; demand.memory_bytes += demand.memory_bytes / 5) {
          for (std::uint64_t times : {0, 1, 3, 10, 100, 300}) {
            if (times > 0) demand.records = demand.memory_bytes / record_bytes * times;
            CAPTURE(threads, record_bytes, sampled, demand.memory_bytes, times);
            const SortPlan plan = SortPlan::make(demand);
            const std::size_t open = (plan.buckets + 2) * (plan.shared_blocks ? 1 : threads);
            const std::size_t staging = (plan.buckets + 2) * threads * demand.group_records * record_bytes;
            const auto arrays =
                static_cast<std::size_t>(plan.bucket_records) * plan.slots * demand.sort_bytes;
            const std::size_t pending = sampled ? 0 : plan.pending_records * record_bytes;
            CHECK(plan.buckets >= 2);
            CHECK(plan.block_bytes % 4096 == 0);
            // A block takes two groups; open ones and those being read or looked at are not all blocks.
            CHECK(plan.block_bytes >= 2 * demand.group_records * record_bytes);
            const std::size_t blocks = plan.pool_bytes / plan.block_bytes;
            CHECK(blocks > open + std::max<std::size_t>(2, blocks / 4) + threads);
            const std::size_t scratch = plan.coding_threads * core::coding_scratch_bytes(plan.block_bytes);
            CHECK(plan.coding_threads == (demand.coding && plan.block_bytes > 4096 ? threads : 0));
            CHECK(plan.pool_bytes + scratch + staging + arrays + plan.hub_bytes <= demand.memory_bytes);
            CHECK(plan.pool_bytes + scratch + staging + pending + plan.hub_bytes <= demand.memory_bytes);
            // In less memory than that the lists of so large an input do not fit.
            if (times <= 10 || demand.memory_bytes >= core::MiB * (1 + threads)) {
              CHECK(plan.pool_bytes + scratch + staging + arrays + lists(demand, plan) <=
                    demand.memory_bytes);
            }
            demand.records.reset();
          }
        }
      }
    }
  }
}

// Both directions of kron24, ids of 24 bits, with what a command leaves to the sort of 16 and 32 MiB.
TEST_CASE("sort plan: the keys of a large graph move twice in the least memory") {
  for (const std::size_t memory : {12 * core::MiB, 26 * core::MiB}) {
    SortDemand demand;
    demand.memory_bytes = memory;
    demand.records = std::uint64_t{1} << 29;
    demand.packed_bytes = 6;
    demand.threads = 2;
    demand.sampled = true;
    const SortPlan plan = SortPlan::make(demand);
    CAPTURE(memory, plan.buckets, plan.block_bytes, plan.bucket_records);
    CHECK(plan.buckets * plan.buckets * plan.bucket_records > *demand.records * 5 / 4);
    CHECK(plan.block_bytes >= 32 * core::KiB);
    CHECK(plan.shared_blocks);
  }
}

// Levels: how often a record moves before its bucket is small enough to be sorted in memory.
TEST_CASE("sort plan: up to 10^12 records move two or three times, and lists leave room for blocks") {
  struct Size {
    std::uint64_t records;
    std::size_t record_bytes;
    std::size_t memory;
    unsigned threads;
    int levels;
  };
  for (const Size& size :
       {Size{100'000'000'000, 8, 256 * core::MiB, 2, 3}, Size{100'000'000'000, 8, core::GiB, 16, 2},
        Size{1'000'000'000'000, 16, core::GiB, 2, 3}, Size{1'000'000'000'000, 16, 4 * core::GiB, 16, 2},
        Size{1'000'000'000'000, 16, 64 * core::GiB, 2, 1}}) {
    SortDemand demand;
    demand.records = size.records;
    demand.record_bytes = demand.packed_bytes = demand.sort_bytes = size.record_bytes;
    demand.memory_bytes = size.memory;
    demand.threads = size.threads;
    demand.coding = true;
    const SortPlan plan = SortPlan::make(demand);
    CAPTURE(size.records, size.memory, size.threads, plan.buckets, plan.block_bytes, plan.bucket_records);
    double leaves = 1;
    for (int level = 0; level < size.levels; ++level) leaves *= static_cast<double>(plan.buckets);
    CHECK(leaves * static_cast<double>(plan.bucket_records) > static_cast<double>(size.records));
    CHECK(lists(demand, plan) < size.memory / 6);
  }
}

// The keys of kron22, with what a command leaves to the sort of 64 MiB to 1 GiB.
TEST_CASE("sort plan: a resumable sort has as many buckets, and goes on with half of the memory or less") {
  for (const unsigned threads : tried_threads({1U, 2U, 4U})) {
    for (const std::size_t memory : {52 * core::MiB, 108 * core::MiB, 220 * core::MiB, core::GiB}) {
      SortDemand demand;
      demand.memory_bytes = memory;
      demand.records = std::uint64_t{1} << 26;
      demand.packed_bytes = 5;
      demand.threads = threads;
      demand.sampled = true;
      const SortPlan plan = SortPlan::make(demand);
      demand.resumable = true;
      const SortPlan resumable = SortPlan::make(demand);
      CAPTURE(memory, threads, plan.buckets, plan.block_bytes, resumable.block_bytes);
      CHECK(resumable.buckets == plan.buckets);
      CHECK(resumable.bucket_records == plan.bucket_records);
      CHECK(resumable.block_bytes >= 16 * core::KiB);
      demand.fixed_buckets = resumable.buckets;
      demand.fixed_block_bytes = resumable.block_bytes;
      demand.memory_bytes /= 2;
      const SortPlan later = SortPlan::make(demand);  // throws if the fan has no room
      CHECK(later.pool_bytes > later.buckets * later.block_bytes);
    }
  }
}

// Counts come from headers of files, and a header can claim anything.
TEST_CASE("sort plan: as many records as 64 bits can say are planned for as for very many") {
  for (const std::size_t memory : {12 * core::MiB, core::GiB}) {
    for (const unsigned threads : tried_threads({1U, 2U})) {
      SortDemand demand;
      demand.memory_bytes = memory;
      demand.threads = threads;
      demand.records = std::uint64_t{1} << 55;
      const SortPlan very_many = SortPlan::make(demand);
      // In 64 bits three times the first is 2, and eight times the second 0.
      for (const std::uint64_t records :
           {~std::uint64_t{0} / 3 + 1, std::uint64_t{1} << 61, ~std::uint64_t{0}}) {
        CAPTURE(memory, threads, records);
        demand.records = records;
        const SortPlan plan = SortPlan::make(demand);
        CHECK(plan.buckets >= very_many.buckets);
        CHECK(plan.block_bytes == very_many.block_bytes);
        CHECK(plan.pool_bytes <= memory);
        CHECK(plan.pool_bytes / plan.block_bytes > plan.buckets);
      }
    }
  }
}

TEST_CASE("sort plan: blocks too large for the length of a code are not coded") {
  SortDemand demand;
  demand.coding = true;
  demand.threads = 2;
  demand.memory_bytes = core::GiB;
  demand.records = 1'000'000'000;
  CHECK(SortPlan::make(demand).coding_threads == 2);
  demand.records = 1'000'000'000'000'000;
  const SortPlan plan = SortPlan::make(demand);
  CHECK(plan.block_bytes > core::ChainStore::most_coded_block_bytes);
  CHECK(plan.coding_threads == 0);
}

}  // namespace
}  // namespace emgraph::tests
