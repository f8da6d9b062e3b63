// SPDX-License-Identifier: MIT
// What the steps of the external model share: pairs of nodes as keys, runs of pairs, sorters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/block/manager.hpp"
#include "core/block/run.hpp"
#include "core/block/run_blocks.hpp"
#include "core/environment.hpp"
#include "core/sort/serial_sort.hpp"
#include "graph/prepare/edge_keys.hpp"

namespace emgraph::graph::scc {

/// Every k-th of the pairs that were added; k doubles when there are too many.
class PairSample {
 public:
  static constexpr std::size_t most = 4096;

  struct Pair {
    std::uint64_t first;
    std::uint64_t second;
  };

  void add(std::uint64_t first, std::uint64_t second) {
    if (count_++ % stride_ != 0) return;
    pairs_.push_back({first, second});
    if (pairs_.size() < most) return;
    for (std::size_t i = 0; i < most / 2; ++i) pairs_[i] = pairs_[2 * i];
    pairs_.resize(most / 2);
    stride_ *= 2;
  }
  const std::vector<Pair>& pairs() const { return pairs_; }

 private:
  std::vector<Pair> pairs_;
  std::uint64_t count_ = 0;
  std::uint64_t stride_ = 1;
};

/// Runs of pairs of nodes below `nodes`. A Run<Key> that is "by first" ascends.
/// Memory: at most two sorters and ten blocks should be in use at a time; they fit in what was free.
template <core::IntegerKey Key>
class ExternalBase {
 public:
  using Pairs = core::Run<Key>;
  using Cursor = core::RunCursor<Key>;
  using Sorter = core::SerialSort<Key>;

  ExternalBase(core::Environment& environment, std::uint64_t nodes)
      : environment_(environment),
        nodes_(nodes),
        keys_{prepare::bits_for_nodes(nodes)},
        sort_bytes_(environment.memory.available() / 64 * 25),
        block_bytes_(core::block_share(environment.memory.available(), 160)) {}

  Key pair(std::uint64_t first, std::uint64_t second) const { return keys_.make(first, second); }
  std::uint64_t first(Key key) const { return keys_.first(key); }
  std::uint64_t second(Key key) const { return keys_.second(key); }

  /// `sample`: of the pairs; `turned`: the second comes first in the keys.
  Sorter sorter(std::uint64_t records, const PairSample& sample = {}, bool turned = false) const {
    std::vector<Key> keys;
    for (const auto& [a, b] : sample.pairs()) keys.push_back(turned ? pair(b, a) : pair(a, b));
    return Sorter(environment_, keys_.range(nodes_ - 1).last, records, sort_bytes_, std::move(keys));
  }
  core::RunWriter<Key> writer() const { return core::RunWriter<Key>(environment_, block_bytes_, 2); }
  Cursor read(const Pairs& pairs) const { return Cursor(environment_, pairs); }
  /// The pairs are freed while they are read.
  Cursor consume(Pairs& pairs) const { return Cursor(environment_, std::move(pairs)); }

  const prepare::EdgeKeys<Key>& keys() const { return keys_; }
  core::Environment& environment() const { return environment_; }
  std::uint64_t nodes() const { return nodes_; }
  std::size_t block_bytes() const { return block_bytes_; }
  /// Memory of a sorter.
  std::size_t sort_bytes() const { return sort_bytes_; }

  /// Moves on to the first pair whose first is not below `node`; true if its first is `node`.
  bool go_to(Cursor& cursor, std::uint64_t node) const {
    while (!cursor.at_end() && first(*cursor) < node) cursor.next();
    return !cursor.at_end() && first(*cursor) == node;
  }

 private:
  core::Environment& environment_;
  const std::uint64_t nodes_;
  const prepare::EdgeKeys<Key> keys_;
  const std::size_t sort_bytes_;
  const std::size_t block_bytes_;
};

}  // namespace emgraph::graph::scc
