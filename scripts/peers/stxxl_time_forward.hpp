// SPDX-License-Identifier: MIT
// Records, unique and time-forward processing on STXXL's streams and priority queue.
#pragma once

#include <cstdint>
#include <limits>

#include <stxxl/priority_queue>

namespace peer {

using std::uint32_t;
using std::uint64_t;

constexpr uint64_t mebibyte = uint64_t(1) << 20;

/// An edge as one key: low end (or source) in the upper bits, high end (or target) in the lower bits.
struct Edge8 {
  uint64_t key;
};
struct Edge16 {
  uint64_t key;
  uint64_t payload;
};

inline uint64_t edge_key(uint32_t source, uint32_t target) {
  return uint64_t(source) << 32 | target;
}

template <class E>
struct ByKey {
  bool operator()(const E& a, const E& b) const { return a.key < b.key; }
  E min_value() const {
    E e = E();
    return e;
  }
  E max_value() const {
    E e = E();
    e.key = std::numeric_limits<uint64_t>::max();
    return e;
  }
};

/// Removes equal neighbours from a sorted stream of records.
template <class Stream, class E>
class Unique {
 public:
  explicit Unique(Stream& input) : input_(input) { take(); }
  bool empty() const { return at_end_; }
  uint64_t key() const { return current_; }
  uint64_t payload_sum() const { return payload_sum_; }
  Unique& operator++() {
    take();
    return *this;
  }

 private:
  static uint64_t payload(const Edge8&) { return 0; }
  static uint64_t payload(const Edge16& e) { return e.payload; }
  void take() {
    while (!input_.empty()) {
      const E e = *input_;
      ++input_;
      if (first_ || e.key != current_) {
        first_ = false;
        current_ = e.key;
        payload_sum_ += payload(e);
        return;
      }
    }
    at_end_ = true;
  }
  Stream& input_;
  uint64_t current_ = 0;
  uint64_t payload_sum_ = 0;
  bool first_ = true;
  bool at_end_ = false;
};

struct SmallestFirst {
  bool operator()(uint32_t a, uint32_t b) const { return a > b; }
  uint32_t min_value() const { return std::numeric_limits<uint32_t>::max(); }
};

// 64 MiB inside the queue for up to 2^27 messages; the rest of its memory is in the pools passed to the
// constructor.
using MessageQueue = stxxl::PRIORITY_QUEUE_GENERATOR<uint32_t, SmallestFirst, 64 * mebibyte, 131072>::result;
constexpr uint64_t queue_inner_mebibytes = 64;

struct MisResult {
  uint64_t edges = 0;
  uint64_t messages = 0;
  uint64_t excluded = 0;  // nodes that got a message: the nodes not in the set
};

/// `edges` returns keys in ascending order, low end first, without loops.
template <class Edges>
MisResult time_forward(Edges& edges, uint64_t pool_bytes) {
  MisResult result;
  MessageQueue queue(pool_bytes / 2, pool_bytes / 2);
  const auto drain_below = [&](uint64_t node) {  // takes the messages to nodes < node
    while (!queue.empty() && queue.top() < node) {
      const uint32_t told = queue.top();
      ++result.excluded;
      do queue.pop();
      while (!queue.empty() && queue.top() == told);
    }
  };
  uint64_t source = std::numeric_limits<uint64_t>::max();
  bool in_set = false;
  for (; !edges.empty(); ++edges) {
    const uint64_t key = edges.key();
    ++result.edges;
    if (key >> 32 != source) {
      source = key >> 32;
      drain_below(source);
      in_set = queue.empty() || queue.top() != source;
    }
    if (in_set) {
      queue.push(uint32_t(key));
      ++result.messages;
    }
  }
  drain_below(std::numeric_limits<uint64_t>::max());
  return result;
}

}  // namespace peer
