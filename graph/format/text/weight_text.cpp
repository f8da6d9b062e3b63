// SPDX-License-Identifier: MIT
// Reading by std::from_chars, finite numbers only; whole numbers are written eight digits at a time.
#include "graph/format/text/weight_text.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "graph/format/text/digits.hpp"

namespace emgraph::graph::format {
namespace {

template <class T>
const char* parse(const char* at, const char* end, std::byte* out) {
  T value;
  if (end - at >= 2 && *at == '+' && at[1] != '-') ++at;
  const auto [stop, error] = std::from_chars(at, end, value);
  if (error != std::errc()) return nullptr;
  if constexpr (std::is_floating_point_v<T>) {
    if (!std::isfinite(value)) return nullptr;
  }
  std::memcpy(out, &value, sizeof(T));
  return stop;
}

template <class T>
T load(const std::byte* value) {
  T number;
  std::memcpy(&number, value, sizeof(T));
  return number;
}

char* put_signed(char* at, std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  if (number >= 0) return put_number(at, bits);
  *at++ = '-';
  return put_number(at, 0 - bits);
}

template <class T>
char* put_fraction(char* at, T number) {
  return std::to_chars(at, at + max_weight_bytes, number).ptr;
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
      return "a whole number (--weight-type f64 takes others)";
    case WeightType::f32:
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
      return put_number(at, load<std::uint32_t>(value));
    case WeightType::i64:
      return put_signed(at, load<std::int64_t>(value));
    case WeightType::f32:
      return put_fraction(at, load<float>(value));
    case WeightType::f64:
      return put_fraction(at, load<double>(value));
  }
  return at;
}

}  // namespace emgraph::graph::format
