// SPDX-License-Identifier: MIT
// The least, the largest and the sum of the weights of edges, independent of the order of reading.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>

#include "core/base/integers.hpp"
#include "graph/edge_source.hpp"
#include "graph/stats/exact_sum.hpp"

namespace emgraph::graph::stats {

/// Facts of all edges as read. Integers: exact. Floating-point: the exact sum, rounded once; -0.0 counts as
/// 0.0; NaN and infinities are counted and otherwise ignored. Memory: 32 KiB, not charged. Threads: one
/// object each, then merge.
class WeightFacts {
 public:
  WeightFacts() = default;
  explicit WeightFacts(WeightType type) : type_(type) {}

  /// Requires: edges with attachments, unless there are no weights.
  template <class Id>
  void add(const EdgeBatch<Id>& edges) {
    switch (type_) {
      case WeightType::none:
        return;
      case WeightType::u32:
        for (const Edge<Id>& edge : edges) add_integer(weight<std::uint32_t>(edge));
        return;
      case WeightType::i64:
        for (const Edge<Id>& edge : edges) add_integer(weight<std::int64_t>(edge));
        return;
      case WeightType::f32:
        for (const Edge<Id>& edge : edges) add_float(static_cast<double>(weight<float>(edge)));
        return;
      case WeightType::f64:
        for (const Edge<Id>& edge : edges) add_float(weight<double>(edge));
        return;
    }
  }
  void merge(const WeightFacts& other) {
    count_ += other.count_;
    not_finite_ += other.not_finite_;
    whole_ += other.whole_;
    least_whole_ = std::min(least_whole_, other.least_whole_);
    most_whole_ = std::max(most_whole_, other.most_whole_);
    real_.merge(other.real_);
    least_real_ = std::min(least_real_, other.least_real_);
    most_real_ = std::max(most_real_, other.most_real_);
  }

  WeightType type() const { return type_; }
  bool is_integer() const { return type_ == WeightType::u32 || type_ == WeightType::i64; }
  /// Number of weights, without NaN and infinities.
  std::uint64_t count() const { return count_; }
  std::uint64_t not_finite() const { return not_finite_; }
  core::int128 integer_sum() const { return whole_; }
  /// For integers. Requires: count() > 0, as for the next three.
  std::int64_t least_integer() const { return least_whole_; }
  std::int64_t largest_integer() const { return most_whole_; }
  /// For floating-point numbers.
  double least() const { return least_real_; }
  double largest() const { return most_real_; }
  double sum() const { return real_.value(); }

 private:
  template <class T, class Id>
  static T weight(const Edge<Id>& edge) {
    T value;
    std::memcpy(&value, attachment_of(edge), sizeof(T));
    return value;
  }
  void add_integer(std::int64_t value) {
    ++count_;
    whole_ += value;
    least_whole_ = std::min(least_whole_, value);
    most_whole_ = std::max(most_whole_, value);
  }
  void add_float(double value) {
    if (!std::isfinite(value)) {
      ++not_finite_;
      return;
    }
    value += 0.0;
    ++count_;
    real_.add(value);
    least_real_ = std::min(least_real_, value);
    most_real_ = std::max(most_real_, value);
  }

  WeightType type_ = WeightType::none;
  std::uint64_t count_ = 0;
  std::uint64_t not_finite_ = 0;
  core::int128 whole_ = 0;
  std::int64_t least_whole_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t most_whole_ = std::numeric_limits<std::int64_t>::min();
  ExactSum real_;
  double least_real_ = std::numeric_limits<double>::infinity();
  double most_real_ = -std::numeric_limits<double>::infinity();
};

}  // namespace emgraph::graph::stats
