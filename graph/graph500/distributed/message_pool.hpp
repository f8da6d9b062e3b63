// SPDX-License-Identifier: MIT
// Messages pooled per destination, exchanged in rounds of bounded size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "core/memory/budget.hpp"
#include "core/memory/buffer.hpp"
#include "graph/mpi/communicator.hpp"

namespace emgraph::graph::graph500::distributed {

/// Bytes of the messages that a rank sends in a round, and of those that it receives. Small enough for the
/// second-level cache, large enough for a network.
inline constexpr std::size_t pool_bytes = std::size_t{4} << 20;

/// Buffers for messages of any type, shared by all pools of a rank. Memory: twice pool_bytes, more for some
/// thousands of ranks.
class PoolBuffers {
 public:
  PoolBuffers(core::MemoryBudget& budget, unsigned ranks)
      : bytes_(std::max<std::size_t>(pool_bytes, std::size_t{ranks} * 1024)),
        out(budget, bytes_, "messages to send"),
        in(budget, bytes_, "received messages") {}

 private:
  const std::size_t bytes_;

 public:
  core::Buffer out;
  core::Buffer in;
};

/// Messages of a rank to others. All ranks call rounds() together.
template <class Message>
class MessagePool {
  static_assert(std::is_trivially_copyable_v<Message>);

 public:
  MessagePool(mpi::Communicator& communicator, PoolBuffers& buffers)
      : communicator_(communicator),
        buffers_(buffers),
        capacity_(buffers.out.size() / sizeof(Message) / communicator.ranks()),
        counts_(communicator.ranks()),
        out_words_(communicator.ranks()),
        in_words_(communicator.ranks()) {}

  bool full(unsigned to) const { return counts_[to] == capacity_; }
  /// Requires: !full(to).
  void push(unsigned to, const Message& message) { out()[to * capacity_ + counts_[to]++] = message; }

  /// When rounds end: when no rank has been stopped by a full buffer, or when no rank has sent a message.
  enum class Until { all_sent, nothing_sent };

  /// Alternates produce() and consume(received): `produce` pushes messages and returns true if it stopped at
  /// a full buffer; it is then called again.
  template <class Produce, class Consume>
  void rounds(Until until, Produce&& produce, Consume&& consume) {
    bool more = true;
    while (more) more = exchange(produce(), until, consume);
  }

 private:
  static constexpr std::uint64_t more_bit = std::uint64_t{1} << 63;

  Message* out() { return reinterpret_cast<Message*>(buffers_.out.data()); }

  template <class Consume>
  bool exchange(bool stopped, Until until, Consume&& consume) {
    const bool sent = std::any_of(counts_.begin(), counts_.end(), [](std::uint64_t n) { return n > 0; });
    const bool more = stopped || (until == Until::nothing_sent && sent);
    for (std::size_t to = 0; to < counts_.size(); ++to) out_words_[to] = counts_[to] | (more ? more_bit : 0);
    communicator_.exchange_words(out_words_, in_words_);
    bool any_more = false;
    for (std::uint64_t& word : in_words_) {
      any_more = any_more || (word & more_bit) != 0;
      word &= ~more_bit;
    }
    if (!any_more && until == Until::nothing_sent) return false;
    auto* in = reinterpret_cast<Message*>(buffers_.in.data());
    communicator_.exchange(out(), counts_, capacity_, in, in_words_, sizeof(Message));
    std::fill(counts_.begin(), counts_.end(), 0);
    consume(std::span<const Message>(
        in, static_cast<std::size_t>(std::accumulate(in_words_.begin(), in_words_.end(), std::uint64_t{0}))));
    return any_more;
  }

  mpi::Communicator& communicator_;
  PoolBuffers& buffers_;
  const std::size_t capacity_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint64_t> out_words_;
  std::vector<std::uint64_t> in_words_;
};

}  // namespace emgraph::graph::graph500::distributed
