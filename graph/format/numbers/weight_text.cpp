// SPDX-License-Identifier: MIT
// Reads and writes weights with the functions for numbers of all text formats.
#include "graph/format/numbers/weight_text.hpp"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "graph/format/numbers/number_text.hpp"

namespace emgraph::graph::format {
namespace {

template <class T>
const char* parse(const char* at, const char* end, std::byte* out) {
  T value;
  if constexpr (std::is_floating_point_v<T>) {
    if (!read_fraction(at, end, value)) return nullptr;
  } else {
    if (end - at >= 2 && *at == '+' && at[1] != '-') ++at;
    const auto [stop, error] = std::from_chars(at, end, value);
    if (error != std::errc()) return nullptr;
    at = stop;
  }
  std::memcpy(out, &value, sizeof(T));
  return at;
}

}  // namespace

const char* parse_weight(const char* at, const char* end, WeightType type, std::byte* out) {
  switch (type) {
    case WeightType::none:
      return at;
    case WeightType::u32:
      return parse<std::uint32_t>(at, end, out);
    case WeightType::i64:
      return parse<std::int64_t>(at, end, out);
    case WeightType::f32:
      return parse<float>(at, end, out);
    case WeightType::f64:
      return parse<double>(at, end, out);
  }
  return nullptr;
}

std::string expected_weight(WeightType type) {
  switch (type) {
    case WeightType::none:
      break;
    case WeightType::u32:
      return "a whole number of 0 to 2^32 - 1 (--weight-type i64 and f64 take others)";
    case WeightType::i64:
      return "a whole number from -2^63 to 2^63 - 1 (--weight-type f64 takes others)";
    case WeightType::f32:
      return "a finite number below 3.4e38 (--weight-type f64 takes larger ones)";
    case WeightType::f64:
      return "a finite number";
  }
  return "";
}

char* put_weight(char* at, WeightType type, const std::byte* value) {
  switch (type) {
    case WeightType::none:
      return at;
    case WeightType::u32:
      return put(at, value_at<std::uint32_t>(value));
    case WeightType::i64:
      return put(at, value_at<std::int64_t>(value));
    case WeightType::f32:
      return put(at, value_at<float>(value));
    case WeightType::f64:
      return put(at, value_at<double>(value));
  }
  return at;
}

}  // namespace emgraph::graph::format
