// SPDX-License-Identifier: MIT
// Adds up counts by rank.
#include "graph/triangles/node_counts.hpp"

#include <algorithm>
#include <atomic>

namespace emgraph::graph::triangles {
namespace {

constexpr unsigned amount_bits = 32;  // enough for the length of any list
constexpr std::size_t most_own_ranks = 64 * 1024;

}  // namespace

NodeCounts::NodeCounts(core::Environment& environment, std::uint64_t ranks, std::uint64_t counters,
                       std::size_t sorter_bytes)
    : shared_(environment.memory, static_cast<std::size_t>(std::min(ranks, counters)),
              "8 bytes per node for counts") {
  // Each thread has its own copies of up to an eighth of the counters, which take little memory.
  own_ranks_ = std::min({shared_.size(), most_own_ranks, shared_.size() / 8 / environment.threads + 1});
  for (unsigned thread = 0; thread < environment.threads; ++thread) {
    own_.emplace_back(environment.memory, own_ranks_, "counts of a thread");
  }
  if (counters >= ranks) return;
  Sorter::Options options;
  options.range = {0, (ranks << amount_bits) - 1};
  options.memory_bytes = sorter_bytes;
  options.threads = environment.threads;
  beyond_ = std::make_unique<Sorter>(environment, options);
}

void NodeCounts::count(unsigned thread, Rank rank, std::uint64_t amount) {
  if (rank < own_ranks_) {
    own_[thread][rank] += amount;
  } else {
    std::atomic_ref<std::uint64_t>(shared_[rank]).fetch_add(amount, std::memory_order_relaxed);
  }
}

void NodeCounts::take(unsigned thread, Rank u, Rank v, std::span<const Rank> thirds) {
  const std::size_t counters = shared_.size();
  if (u < counters) {  // v and w have smaller ranks
    count(thread, u, thirds.size());
    count(thread, v, thirds.size());
    for (const Rank w : thirds) count(thread, w, 1);
    return;
  }
  Sorter::Lane lane = beyond_->lane(thread);  // takes the lock once for all counts
  const auto add = [&](Rank rank, std::uint64_t amount) {
    if (rank < counters) {
      count(thread, rank, amount);
    } else {
      lane.push({std::uint64_t{rank} << amount_bits | amount});
    }
  };
  add(u, thirds.size());
  add(v, thirds.size());
  for (const Rank w : thirds) add(w, 1);
}

void NodeCounts::save(core::StateWriter& to) const {
  for (std::size_t rank = 0; rank < own_ranks_; ++rank) {
    std::uint64_t count = shared_[rank];
    for (const auto& own : own_) count += own[rank];
    to.value(count);
  }
  to.array(shared_.span().subspan(own_ranks_));
}

void NodeCounts::finish() {
  for (const core::Array<std::uint64_t>& own : own_) {
    for (std::size_t rank = 0; rank < own_ranks_; ++rank) shared_[rank] += own[rank];
  }
  own_.clear();
  if (beyond_) beyond_->finish();
}

void NodeCounts::for_each(core::FunctionRef<void(Rank, std::uint64_t)> visit) {
  for (std::size_t rank = 0; rank < shared_.size(); ++rank) {
    if (shared_[rank] != 0) visit(static_cast<Rank>(rank), shared_[rank]);
  }
  if (!beyond_) return;
  Rank rank = 0;
  std::uint64_t sum = 0;
  for (auto batch = beyond_->next(); !batch.empty(); batch = beyond_->next()) {
    for (const auto& record : batch) {
      const auto next = static_cast<Rank>(record.key >> amount_bits);
      if (next != rank && sum != 0) {
        visit(rank, sum);
        sum = 0;
      }
      rank = next;
      sum += record.key & core::low_mask<std::uint64_t>(amount_bits);
    }
  }
  if (sum != 0) visit(rank, sum);
}

}  // namespace emgraph::graph::triangles
