// SPDX-License-Identifier: MIT
// The sum of many weights: exact for integers, compensated for floating-point numbers.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "core/base/integers.hpp"
#include "graph/edge_facts.hpp"

namespace emgraph::graph::mst {

__extension__ using int128 = __int128;

/// Integers: exact, in 128 bits. Floating-point: Neumaier's compensated sum in double precision of the
/// weights in the order they are added, which is that of (low id, high id): the same whatever the model. An
/// infinite weight makes it infinite, infinities of both signs NaN.
/// Source: Neumaier (1974), doi 10.1002/zamm.19740540106.
class WeightSum {
 public:
  WeightSum() = default;
  explicit WeightSum(WeightType type) : type_(type) {}

  /// `bits`: as in ForestEdge.
  void add(std::uint64_t bits) {
    switch (type_) {
      case WeightType::f32:
        add_float(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
        break;
      case WeightType::f64:
        add_float(std::bit_cast<double>(bits));
        break;
      case WeightType::i64:
        whole_ += static_cast<std::int64_t>(bits);
        break;
      case WeightType::none:
      case WeightType::u32:
        whole_ += static_cast<int128>(bits);
        break;
    }
  }

  bool is_integer() const { return type_ != WeightType::f32 && type_ != WeightType::f64; }
  int128 integer() const { return whole_; }
  double number() const { return std::isfinite(sum_) ? sum_ + lost_ : sum_; }
  /// All digits of an integer.
  std::string integer_text() const {
    core::uint128 rest =
        whole_ < 0 ? -static_cast<core::uint128>(whole_) : static_cast<core::uint128>(whole_);
    std::string digits;
    do {
      digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
      rest /= 10;
    } while (rest != 0);
    return whole_ < 0 ? "-" + digits : digits;
  }

 private:
  void add_float(double value) {
    const double sum = sum_ + value;
    lost_ += std::abs(sum_) >= std::abs(value) ? (sum_ - sum) + value : (value - sum) + sum_;
    sum_ = sum;
  }

  WeightType type_ = WeightType::none;
  int128 whole_ = 0;
  double sum_ = 0;
  double lost_ = 0;
};

}  // namespace emgraph::graph::mst
