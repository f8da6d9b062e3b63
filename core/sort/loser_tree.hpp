// SPDX-License-Identifier: MIT
// k-way merging by a tree of losers.
//
// Problem: merge k sorted inputs, each a sequence of batches, with log2 k games per record.
// Method: a complete binary tree over the inputs; an inner node keeps the head of the input that lost there,
// the winner of all is at the root. When a record leaves, the next one of its input is played along its path
// only.
// Invariants: equal records leave in the order of the input numbers (stable), whatever the shape of the tree.
// There are no sentinels: an input that ends is taken out and the tree is built anew over the others, so that
// no comparison ever asks whether an input is exhausted; k rebuilds of k steps are nothing beside the
// records.
// Measured: 64 Ki records, k = 2, 3, 4, 16, 64: u32 437, 158, 159, 95, 60 M/s, u64 441, 144, 103, 49, 30, 16
// bytes 485, 130, 91, 44, 26. Swapping by a mask against a branch, k = 64: u32 62 and 31, u64 21 and 30, so
// only small nodes do it; one comparison per game against two, u64: 21 and 30 (EPYC, medians of 3, CPU time
// on a loaded machine). Where all inputs lie in cache PairwiseMerger is faster; the tree needs no second
// buffer and takes inputs of any length.
// Knuth (1998), "The Art of Computer Programming" 3, section 5.4.1; Sanders (2000), doi
// 10.1145/351827.384249.
//
// I/O: none of its own, the refill function may read.
// Memory: about sizeof(T) + 32 bytes per input, not charged.
// Threads: one user.
// Throws: what the refill function throws; merging can then not go on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace emgraph::core {

/// For inputs that are whole from the start.
struct NoRefill {
  template <class Input>
  std::nullptr_t operator()(Input) const {
    return nullptr;
  }
};

/// Merges inputs 0 … k-1. `Refill` is called as refill(input) when the batch of an input is used up and
/// returns its next batch as std::span<const T>, empty at the end; or it is NoRefill.
template <class T, class Less, class Refill = NoRefill>
class LoserTree {
 public:
  explicit LoserTree(Less less = Less(), Refill refill = Refill())
      : less_(std::move(less)), refill_(std::move(refill)) {}

  /// Starts a merge of new inputs; the storage of the last one is used again.
  void assign(std::span<const std::span<const T>> batches) {
    inputs_.clear();
    for (std::size_t i = 0; i < batches.size(); ++i) {
      if (batches[i].empty()) continue;
      inputs_.push_back({batches[i].data(), batches[i].data() + batches[i].size(), i});
    }
    build();
  }

  bool empty() const { return inputs_.empty(); }

  /// Writes the next records in order to `out`, as many as it holds or as there are. Returns how many.
  std::size_t merge(std::span<T> out) {
    T* position = out.data();
    T* const end = position + out.size();
    while (position != end && !inputs_.empty()) {
      if (inputs_.size() == 1) {
        position = copy_only_input(position, end);
      } else if (inputs_.size() == 2) {
        position = merge_two(position, end);
      } else {
        position = merge_many(position, end);
      }
    }
    return static_cast<std::size_t>(position - out.data());
  }

 private:
  struct Input {
    const T* position;
    const T* end;
    std::size_t number;
  };
  // Small records are compared where they lie in the tree, large ones through a pointer.
  static constexpr bool keeps_records = sizeof(T) <= 16;
  using Head = std::conditional_t<keeps_records, T, const T*>;
  struct alignas(std::max<std::size_t>(8, alignof(Head))) Node {
    Head head;
    std::uint32_t input;  ///< index in inputs_, which is ordered by number
  };

  static Head head_of(const Input& input) {
    if constexpr (keeps_records) {
      return *input.position;
    } else {
      return input.position;
    }
  }
  bool before(const Node& a, const Node& b) const {
    if constexpr (keeps_records) {
      // Both comparisons: small heads are cheap to compare, a branch on the numbers is not cheap to
      // mispredict.
      const bool first = a.input < b.input;
      return static_cast<bool>(
          static_cast<unsigned>(less_(a.head, b.head)) |
          (static_cast<unsigned>(first) & static_cast<unsigned>(!less_(b.head, a.head))));
    } else {
      return a.input < b.input ? !less_(*b.head, *a.head) : less_(*a.head, *b.head);
    }
  }

  /// One game: the winner ends in `winner`, the loser in `other`.
  void play(Node& winner, Node& other) const {
    const bool stays = before(winner, other);
    if constexpr (sizeof(Node) == sizeof(std::uint64_t)) {
      // Swapped by a mask, because the outcome of a game is a coin toss to the branch predictor.
      std::uint64_t first;
      std::uint64_t second;
      std::memcpy(&first, &winner, sizeof(Node));
      std::memcpy(&second, &other, sizeof(Node));
      const std::uint64_t change = (first ^ second) & (static_cast<std::uint64_t>(stays) - 1);
      first ^= change;
      second ^= change;
      std::memcpy(&winner, &first, sizeof(Node));
      std::memcpy(&other, &second, sizeof(Node));
    } else if (!stays) {
      std::swap(winner, other);
    }
  }

  /// Plays all inputs: leaf i is tree position size + i.
  void build() {
    const std::size_t size = inputs_.size();
    if (size <= 2) return;
    nodes_.resize(size);
    winners_.resize(2 * size);
    for (std::size_t i = 0; i < size; ++i) {
      winners_[size + i] = {head_of(inputs_[i]), static_cast<std::uint32_t>(i)};
    }
    for (std::size_t node = size - 1; node > 0; --node) {
      const Node& left = winners_[2 * node];
      const Node& right = winners_[2 * node + 1];
      const bool left_wins = before(left, right);
      winners_[node] = left_wins ? left : right;
      nodes_[node] = left_wins ? right : left;
    }
    nodes_[0] = winners_[1];
  }

  /// The batch of inputs_[index] is used up: gets the next one. False: the input has ended and is taken out.
  bool refilled(std::size_t index) {
    if constexpr (!std::is_same_v<Refill, NoRefill>) {
      const std::span<const T> batch = refill_(inputs_[index].number);
      if (!batch.empty()) {
        inputs_[index].position = batch.data();
        inputs_[index].end = batch.data() + batch.size();
        return true;
      }
    }
    inputs_.erase(inputs_.begin() + static_cast<std::ptrdiff_t>(index));
    return false;
  }

  T* copy_only_input(T* out, T* end) {
    Input& input = inputs_.front();
    const auto count = std::min(end - out, input.end - input.position);
    out = std::copy_n(input.position, count, out);
    input.position += count;
    if (input.position == input.end) refilled(0);
    return out;
  }

  T* merge_two(T* out, T* end) {
    Input& a = inputs_[0];
    Input& b = inputs_[1];
    const T* first = a.position;
    const T* second = b.position;
    const T* const first_end = a.end;
    const T* const second_end = b.end;
    while (out != end && first != first_end && second != second_end) {
      const bool second_wins = less_(*second, *first);
      *out++ = *(second_wins ? second : first);
      second += second_wins;
      first += !second_wins;
    }
    a.position = first;
    b.position = second;
    if (second == second_end) {
      refilled(1);
    } else if (first == first_end) {
      refilled(0);
    }
    return out;
  }

  T* merge_many(T* out, T* end) {
    const std::size_t size = inputs_.size();
    Node* const nodes = nodes_.data();
    Node winner = nodes[0];
    while (out != end) {
      Input& input = inputs_[winner.input];
      *out++ = *input.position;
      if (++input.position == input.end && !refilled(winner.input)) {
        build();
        return out;
      }
      winner.head = head_of(input);
      for (std::size_t node = (size + winner.input) / 2; node > 0; node /= 2) {
        play(winner, nodes[node]);
      }
    }
    nodes[0] = winner;
    return out;
  }

  Less less_;
  Refill refill_;
  std::vector<Input> inputs_;
  std::vector<Node> nodes_;
  std::vector<Node> winners_;
};

}  // namespace emgraph::core
