// SPDX-License-Identifier: MIT
// What the searches need of a message-passing system: collective exchanges of arrays, counted and timed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace emgraph::graph::mpi {

/// What a rank has sent to others, how many collective operations it took part in, and how long these took,
/// waiting for other ranks included.
struct Traffic {
  std::uint64_t sent_bytes = 0;
  std::uint64_t rounds = 0;
  double seconds = 0;
  Traffic operator-(const Traffic& other) const {
    return {sent_bytes - other.sent_bytes, rounds - other.rounds, seconds - other.seconds};
  }
};

enum class Reduction { sum, minimum, maximum };

/// All members but the first four are collective: every rank calls the same ones in the same order. Threads:
/// one per rank. Throws: EnvironmentError where the system below reports an error.
class Communicator {
 public:
  Communicator(unsigned rank, unsigned ranks) : rank_(rank), ranks_(ranks) {}
  Communicator(const Communicator&) = delete;
  virtual ~Communicator() = default;

  unsigned rank() const { return rank_; }
  unsigned ranks() const { return ranks_; }
  const Traffic& traffic() const { return traffic_; }
  /// Bytes that a rank sends to all others when it contributes `bytes` to a gather.
  std::uint64_t copies(std::uint64_t bytes) const { return bytes * (ranks_ - 1); }

  /// out[r] goes to rank r; in[r] comes from rank r.
  void exchange_words(std::span<const std::uint64_t> out, std::span<std::uint64_t> in);
  /// Records for rank r: out_counts[r] of them from out + r · out_stride records on. The received ones lie
  /// in `in`, without gaps, in the order of ranks. Requires: no count of 2^31 or more.
  void exchange(const void* out, std::span<const std::uint64_t> out_counts, std::uint64_t out_stride,
                void* in, std::span<const std::uint64_t> in_counts, std::size_t record_bytes);
  /// `all`: counts[0] records of rank 0, then counts[1] of rank 1 … Requires: their sum is below 2^31.
  void gather(const void* own, void* all, std::span<const std::uint64_t> counts, std::size_t record_bytes);
  void reduce(std::span<std::uint64_t> values, Reduction reduction);
  std::uint64_t reduce(std::uint64_t value, Reduction reduction) {
    reduce(std::span(&value, 1), reduction);
    return value;
  }
  /// The seconds that ranks wait here are not communication.
  void barrier() { do_barrier(); }

 private:
  virtual void do_exchange_words(std::span<const std::uint64_t> out, std::span<std::uint64_t> in) = 0;
  virtual void do_exchange(const void* out, std::span<const std::uint64_t> out_counts,
                           std::uint64_t out_stride, void* in, std::span<const std::uint64_t> in_counts,
                           std::size_t record_bytes) = 0;
  virtual void do_gather(const void* own, void* all, std::span<const std::uint64_t> counts,
                         std::size_t record_bytes) = 0;
  virtual void do_reduce(std::span<std::uint64_t> values, Reduction reduction) = 0;
  virtual void do_barrier() = 0;

  const unsigned rank_;
  const unsigned ranks_;
  Traffic traffic_;
};

}  // namespace emgraph::graph::mpi
