// SPDX-License-Identifier: MIT
// Ranks that are threads of one process, so that the algorithms are tested without MPI.
#pragma once

#include <barrier>
#include <cstring>
#include <span>
#include <thread>
#include <vector>

#include "core/base/function_ref.hpp"
#include "graph/mpi/communicator.hpp"

namespace emgraph::tests {

/// What the ranks see of each other: the arguments of the operation that all of them are in.
struct RankBoard {
  struct Offer {
    const std::byte* out = nullptr;
    std::span<const std::uint64_t> counts = {};
    std::uint64_t stride = 0;
  };
  explicit RankBoard(unsigned ranks) : meeting(static_cast<std::ptrdiff_t>(ranks)), offers(ranks) {}
  std::barrier<> meeting;
  std::vector<Offer> offers;
};

class ThreadCommunicator final : public graph::mpi::Communicator {
 public:
  using Reduction = graph::mpi::Reduction;

  ThreadCommunicator(RankBoard& board, unsigned rank)
      : Communicator(rank, static_cast<unsigned>(board.offers.size())), board_(board) {}

 private:
  /// Calls read(offers) when all ranks have made their offers; nobody leaves before all have read.
  template <class Read>
  void meet(RankBoard::Offer offer, Read&& read) {
    board_.offers[rank()] = offer;
    board_.meeting.arrive_and_wait();
    read();
    board_.meeting.arrive_and_wait();
  }

  void do_exchange_words(std::span<const std::uint64_t> out, std::span<std::uint64_t> in) override {
    meet({.out = nullptr, .counts = out}, [&] {
      for (unsigned from = 0; from < ranks(); ++from) in[from] = board_.offers[from].counts[rank()];
    });
  }
  void do_exchange(const void* out, std::span<const std::uint64_t> out_counts, std::uint64_t out_stride,
                   void* in, std::span<const std::uint64_t> in_counts, std::size_t record_bytes) override {
    meet({static_cast<const std::byte*>(out), out_counts, out_stride}, [&] {
      auto* place = static_cast<std::byte*>(in);
      for (unsigned from = 0; from < ranks(); ++from) {
        const RankBoard::Offer& offer = board_.offers[from];
        const std::size_t bytes = in_counts[from] * record_bytes;
        if (offer.counts[rank()] != in_counts[from]) std::abort();
        if (bytes > 0) std::memcpy(place, offer.out + rank() * offer.stride * record_bytes, bytes);
        place += bytes;
      }
    });
  }
  void do_gather(const void* own, void* all, std::span<const std::uint64_t> counts,
                 std::size_t record_bytes) override {
    meet({.out = static_cast<const std::byte*>(own)}, [&] {
      auto* place = static_cast<std::byte*>(all);
      for (unsigned from = 0; from < ranks(); ++from) {
        const std::size_t bytes = counts[from] * record_bytes;
        if (bytes > 0) std::memcpy(place, board_.offers[from].out, bytes);
        place += bytes;
      }
    });
  }
  void do_reduce(std::span<std::uint64_t> values, Reduction reduction) override {
    const std::vector<std::uint64_t> own(values.begin(), values.end());
    meet({.out = nullptr, .counts = own}, [&] {
      for (std::size_t i = 0; i < values.size(); ++i) {
        std::uint64_t value = board_.offers[0].counts[i];
        for (unsigned from = 1; from < ranks(); ++from) {
          const std::uint64_t other = board_.offers[from].counts[i];
          value = reduction == Reduction::sum       ? value + other
                  : reduction == Reduction::minimum ? std::min(value, other)
                                                    : std::max(value, other);
        }
        values[i] = value;
      }
    });
  }
  void do_barrier() override { board_.meeting.arrive_and_wait(); }

  RankBoard& board_;
};

/// Calls work(communicator) for each rank, in a thread of its own. `work` must not throw: the others would
/// wait.
inline void run_ranks(unsigned ranks, core::FunctionRef<void(graph::mpi::Communicator&)> work) {
  RankBoard board(ranks);
  std::vector<std::jthread> threads;
  for (unsigned rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadCommunicator communicator(board, rank);
      work(communicator);
    });
  }
}

}  // namespace emgraph::tests
