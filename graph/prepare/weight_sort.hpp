// SPDX-License-Identifier: MIT
// Sorting by weight: a distribution sort of integers that hold the weight and the ends of an edge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/environment.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "graph/prepare/sort.hpp"

namespace emgraph::graph::prepare {

/// A record as an integer with the order of (weight, source, target), and what does not fit into it.
///
/// Key: the rank of the weight, the source, and the upper bits of the target, all of them if there is room.
/// Attachment: the rest of the target, big-endian, then the bytes that follow the weight. So the order of the
/// keys, and of the attachments of equal keys as bytes, is that of (weight, source, target, other bytes).
/// Ranks differ for all weights: -NaN < -inf < … < -0 < 0 < … < inf < NaN.
class WeightKeys {
 public:
  using Key = core::uint128;

  /// `shape`: of the records; their attachments begin with a weight. `id_bits`: 1 … 64.
  WeightKeys(const core::PairShape& shape, WeightType weight, unsigned id_bits);

  Key key(std::uint64_t source, std::uint64_t target, const std::byte* attachment) const;
  core::KeyRange<Key> range() const;
  /// Of a key: the rest of the target and the other bytes.
  std::size_t attachment_bytes() const { return rest_bytes() + other_bytes_; }
  /// Writes them.
  void attach(std::uint64_t target, const std::byte* attachment, std::byte* to) const;
  /// Writes the record of a key.
  void record(Key key, const std::byte* attached, std::byte* to) const;

 private:
  std::size_t rest_bytes() const { return (rest_bits_ + 7) / 8; }

  core::PairShape shape_;
  WeightType weight_;
  std::size_t weight_bytes_;
  std::size_t other_bytes_;
  unsigned id_bits_;
  unsigned rest_bits_;  ///< low bits of the target that are not in the key
};

/// Sorts records by (weight, source, target, remaining bytes).
/// I/O, Memory, Throws: those of core::DistributionSorter.
class WeightSort {
 public:
  using Key = WeightKeys::Key;
  using Sorter = core::DistributionSorter<Key>;

  /// `options`: all but the range, the bytes of attachments and their order.
  WeightSort(core::Environment& environment, const WeightKeys& keys, Sorter::Options options);

  Sorter& sorter() { return *sorter_; }
  /// Takes a record. `attachment`: the weight and the bytes that follow it.
  void push(Sorter::Lane& lane, std::uint64_t source, std::uint64_t target,
            const std::byte* attachment) const;
  /// Takes records of this shape, from one thread, in lane 0.
  void push(const core::PairShape& shape, const RecordBatch& batch);
  /// Ends the input of all lanes.
  void close();
  /// Passes on the sorted records. Returns their number. Requires: the sorter has finished.
  std::uint64_t write(core::Phase& phase, const core::PairShape& shape, const RecordConsumer& consume);

 private:
  const WeightKeys keys_;
  std::unique_ptr<Sorter> sorter_;
};

}  // namespace emgraph::graph::prepare
