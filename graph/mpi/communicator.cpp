// SPDX-License-Identifier: MIT
// Counts and times every exchange; the exchange itself belongs to the derived class.
#include "graph/mpi/communicator.hpp"

#include <numeric>
#include <string>

#include "core/base/error.hpp"
#include "core/base/stopwatch.hpp"

namespace emgraph::graph::mpi {

namespace {

/// Counts of MPI are ints.
constexpr std::uint64_t count_limit = std::uint64_t{1} << 31;

/// Adds the time of its life and a round.
class RoundWatch {
 public:
  explicit RoundWatch(Traffic& traffic) : traffic_(traffic) { ++traffic.rounds; }
  ~RoundWatch() { traffic_.seconds += watch_.seconds(); }

 private:
  Traffic& traffic_;
  const core::Stopwatch watch_;
};

}  // namespace

void Communicator::exchange_words(std::span<const std::uint64_t> out, std::span<std::uint64_t> in) {
  const RoundWatch watch(traffic_);
  traffic_.sent_bytes += copies(sizeof(std::uint64_t));
  do_exchange_words(out, in);
}

void Communicator::exchange(const void* out, std::span<const std::uint64_t> out_counts,
                            std::uint64_t out_stride, void* in, std::span<const std::uint64_t> in_counts,
                            std::size_t record_bytes) {
  const RoundWatch watch(traffic_);
  for (unsigned to = 0; to < ranks_; ++to) {
    if (to != rank_) traffic_.sent_bytes += out_counts[to] * record_bytes;
  }
  do_exchange(out, out_counts, out_stride, in, in_counts, record_bytes);
}

void Communicator::gather(const void* own, void* all, std::span<const std::uint64_t> counts,
                          std::size_t record_bytes) {
  const std::uint64_t sum = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  if (sum >= count_limit) {
    throw core::EnvironmentError("a gather of " + std::to_string(sum) + " records; MPI takes 2^31 - 1");
  }
  const RoundWatch watch(traffic_);
  traffic_.sent_bytes += copies(counts[rank_] * record_bytes);
  do_gather(own, all, counts, record_bytes);
}

void Communicator::reduce(std::span<std::uint64_t> values, Reduction reduction) {
  const RoundWatch watch(traffic_);
  traffic_.sent_bytes += ranks_ > 1 ? values.size_bytes() : 0;
  do_reduce(values, reduction);
}

}  // namespace emgraph::graph::mpi
